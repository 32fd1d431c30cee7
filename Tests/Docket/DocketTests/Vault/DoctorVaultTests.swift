import Foundation
import Testing

/// What `docket doctor` says and repairs of the vault beside the library, with the real program.
@Suite("Doctor of the vault")
struct DoctorVaultTests {
    private let file = "docket-vault.sqlite"

    private func sample() throws -> Docket {
        try Docket.copy("doctor of the vault") { docket in
            try docket("add", "one")
            try docket.makeVault()
            let added = try docket.vault("add", "Bank", "--generate", "--category", "Banking")
            #expect(added.code == 0)
        }
    }

    private func write(_ data: Data, to docket: Docket) throws {
        try data.write(to: docket.folder.appending(path: file))
    }

    private func kinds(_ docket: Docket) throws -> [String] {
        let report = try JSONSerialization.jsonObject(with: docket("doctor", "--json").bytes)
        let findings = (report as? [String: Any])?["findings"] as? [[String: Any]] ?? []
        #expect(findings.allSatisfy { $0["vault"] as? Bool == true })
        return findings.compactMap { $0["kind"] as? String }
    }

    @Test func aReportOfAVaultInOrderNeedsNoPassphraseAndWritesNothing() throws {
        let docket = try sample()
        let listing = "ls -la --time-style=full-iso \"$(dirname \"$DOCKET_STORE\")\" | grep vault"
        let before = try docket.shell(listing).output
        let data = try docket.read(file)
        let outcome = try docket("doctor")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.hasSuffix("of the history, and the vault.\n"), "\(outcome)")
        #expect(try docket.read(file) == data)
        #expect(try docket.shell(listing).output == before)
        #expect(try docket("doctor", "--repair").code == 0)
        #expect(try docket("backup", "--list").output.hasPrefix("There are no backups"))
    }

    @Test func aFlippedBitOfTheVaultIsToldAndCorrected() throws {
        let docket = try sample()
        let whole = try docket.read(file)
        var data = whole
        let place = try #require(data.range(of: Data("Banking".utf8))).lowerBound
        data[place] ^= 8
        try write(data, to: docket)
        let outcome = try docket("doctor")
        #expect(outcome.code == 5, "\(outcome)")
        #expect(outcome.output.contains("In the vault: 1 page of the file differs"), "\(outcome)")
        #expect(try docket.read(file) == data)
        #expect(try kinds(docket).contains("flipped-bit"))
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 0, "\(repair)")
        #expect(repair.output.contains("Repaired: In the vault: 1 page"), "\(repair)")
        #expect(try docket.read(file) == whole)
        #expect(try docket("backup", "--list").output.hasPrefix("There are no backups"))
        #expect(try docket("doctor").code == 0)
    }

    @Test func pagesOfTheVaultThatAnotherProgramWroteAreAcceptedWithThoseOfTheLibrary() throws {
        let docket = try Docket()
        try docket.makeVault()
        #expect(try docket.vault("add", "Bank", "--generate").code == 0)
        try docket.sqlite(
            docket.path("docket-vault.sqlite"),
            "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1"
        )
        let refused = try docket.vault("add", "Mail", "--generate")
        #expect(refused.code == 2 && refused.errors.contains("its checksum"), "\(refused)")
        #expect(refused.errors.contains("`docket doctor --repair`"), "\(refused)")
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 5, "\(repair)")
        #expect(
            repair.output.contains("Not repaired: In the vault: 1 page of the file"),
            "\(repair)"
        )
        #expect(repair.output.contains("`docket doctor --repair --accept-pages`"), "\(repair)")
        #expect(try docket("doctor", "--repair", "--accept-pages").code == 0)
        #expect(try docket.vault("add", "Mail", "--generate").code == 0)
        #expect(try docket("doctor", "--repair").code == 0)
    }

    @Test func aVaultInAFolderThatNobodyMayWriteIsCheckedAndNotRepaired() throws {
        let docket = try sample()
        try docket.sqlite(docket.path(file), "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1")
        _ = try docket.shell("chmod 444 docket*; chmod 555 .")
        defer { _ = try? docket.shell("chmod 755 .") }
        // Root may write everything, so it becomes nobody first.
        let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        for option in ["", "--repair --accept-pages"] {
            let outcome = try docket.shell("\(user) \"$docket\" doctor \(option) | cat")
            #expect(outcome.output.contains("Not repaired: ") == !option.isEmpty, "\(outcome)")
            #expect(outcome.output.contains("In the vault: 1 page of the file"), "\(outcome)")
            let isRefused = outcome.output.contains("is read-only. Change")
            #expect(isRefused == !option.isEmpty, "\(outcome)")
        }
    }

    @Test func aLinkOfTheVaultThatLeadsNowhereIsRemovedAfterACopy() throws {
        let docket = try sample()
        try docket.sqlite(
            docket.path(file),
            "UPDATE ZCREDENTIAL SET ZCATEGORY = 4711",
            keepsChecksums: true
        )
        #expect(try kinds(docket).contains("dangling-reference"))
        let repair = try docket("doctor", "--repair")
        #expect(repair.code == 0, "\(repair)")
        #expect(repair.output.contains("Repaired: In the vault: "), "\(repair)")
        #expect(repair.output.contains("What was there before is in"), "\(repair)")
        #expect(try docket("doctor").code == 0)
        #expect(try docket.vault("list").output.contains("Bank"))
        try docket("add", "later")
        // The copies are of one moment, and bring both back.
        #expect(try docket("restore", "--backup", "latest").code == 0)
        #expect(try kinds(docket).contains("dangling-reference"))
        #expect(try docket("list").lines.count == 1)
    }

    @Test(arguments: ["text", "empty", "cut", "no vault", "a folder"])
    func aVaultThatCannotBeOpenedIsToldBesideTheReportOfTheLibrary(_ damage: String) throws {
        let docket = try sample()
        var data = try docket.read(file)
        switch damage {
        case "text": data = Data("my passwords\n".utf8)
        case "empty": data = Data()
        case "cut": data = data.prefix(20_000)
        case "no vault": data = try docket.read("docket.sqlite")
        default: try FileManager.default.removeItem(atPath: docket.path(file))
        }
        if damage == "a folder" {
            try FileManager.default.createDirectory(
                atPath: docket.path(file),
                withIntermediateDirectories: false
            )
        } else {
            try write(data, to: docket)
        }
        for options in [[], ["--repair"], ["--repair", "--accept-pages"]] {
            let outcome = try docket.run(["doctor"] + options)
            #expect(outcome.code == 5, "\(outcome)")
            #expect(outcome.output.contains("In the vault: "), "\(outcome)")
            #expect(outcome.errors.contains("`docket restore --backup latest`"), "\(outcome)")
            if options.isEmpty {
                #expect(outcome.output.contains("1 item, 1 transaction"), "\(outcome)")
            }
            if damage != "a folder" { #expect(try docket.read(file) == data) }
        }
        let told = try kinds(docket)
        #expect(told.allSatisfy { $0 == "unusable-vault" || $0 == "damaged-structure" })
    }
}
