import DocketFormats
import Foundation
import Testing

@testable import DocketCore

/// Which credentials an import adds, changes and leaves.
@Suite struct VaultMergeTests {
    private static let csv = """
        name,username,password,url,notes,folder
        Bank,ana,one,https://b.example,,Money
        Bank,ana,two,https://b.example,,Money
        Bank,bob,three,https://b.example,,money
        Mail,,four,,free,

        """

    @discardableResult
    private func take(
        _ bench: VaultBench,
        _ text: String,
        _ format: CredentialFormat = .csv,
        overwrites: Bool = false
    ) throws -> VaultImport {
        let export = try format.read(Array(text.utf8), path: "")
        return try bench.vault.importCredentials(export, overwrites: overwrites)
    }

    private func state(_ bench: VaultBench) throws -> [String] {
        try bench.vault.entries().map { entry in
            let record = try bench.vault.record(entry.id)
            return CredentialField.allCases.map { record[$0] }.joined(separator: "|")
        }.sorted()
    }

    private func item(_ password: String, _ date: String, notes: String = "") -> String {
        """
        {"encrypted": false, "items": [{"type": 1, "name": "Bank", "notes": "\(notes)",
        "login": {"username": "ana", "password": "\(password)"},
        "revisionDate": "\(date)T00:00:00Z"}]}
        """
    }

    @Test func entriesThatAreAlikeAreAllAddedAndTheSameFileAddsNothing() throws {
        try VaultBench.run { bench in
            #expect(try take(bench, Self.csv).sentence == "CSV: 4 added")
            let before = try state(bench)
            #expect(
                before == [
                    "Bank|ana|one|https://b.example|Money|",
                    "Bank|ana|two|https://b.example|Money|",
                    "Bank|bob|three|https://b.example|Money|", "Mail||four|||free",
                ]
            )
            let again = try take(bench, Self.csv)
            #expect(again.sentence == "CSV: 4 already there" && again.step == nil)
            #expect(again.remarks == [])
            #expect(try state(bench) == before)
            _ = try bench.vault.undo()
            #expect(try state(bench) == [], "one step")
        }
    }

    @Test func anEntryThatIsInTheFileTwiceIsImportedOnceAndNamed() throws {
        try VaultBench.run { bench in
            let text = Self.csv + "Mail,,four,,free,\n"
            let result = try take(bench, text)
            #expect(result.sentence == "CSV: 4 added, 1 skipped")
            #expect(result.remarks == ["line 6, \"Mail\", skipped: The file has it twice."])
            #expect(try take(bench, text).sentence == "CSV: 4 already there, 1 skipped")
        }
    }

    @Test func aChangeHereStaysIfTheFileDoesNotSayWhenItWasChanged() throws {
        try VaultBench.run { bench in
            try take(bench, Self.csv)
            let mail = try bench.vault.entry(named: "Mail").id
            try bench.vault.edit(mail, [.password: "mine"])
            let result = try take(bench, Self.csv)
            #expect(
                result.sentence == "CSV: 3 already there, 1 not changed, with other values here"
            )
            #expect(
                result.remarks == [
                    "line 5, \"Mail\", other values here, which stay because the file does not say when"
                        + " it was changed: password. --overwrite takes those of the file."
                ]
            )
            #expect(try bench.vault.record(mail).password == "mine")
            let taken = try take(bench, Self.csv, overwrites: true)
            #expect(taken.sentence == "CSV: 1 updated, 3 already there")
            #expect(taken.remarks == ["line 5, \"Mail\", updated: password."])
            #expect(try bench.vault.record(mail).password == "four")
            _ = try bench.vault.undo()
            #expect(try bench.vault.record(mail).password == "mine")
        }
    }

    @Test func whatIsMissingHereIsFilled() throws {
        try VaultBench.run { bench in
            try bench.add("Mail", password: "four")
            let result = try take(bench, Self.csv)
            #expect(result.sentence == "CSV: 3 added, 1 updated")
            #expect(result.remarks == ["line 5, \"Mail\", updated: notes."])
        }
    }

    @Test func theNewerPasswordStays() throws {
        try VaultBench.run { bench in
            try take(bench, item("one", "2030-01-01"), .bitwarden)
            let id = try #require(try bench.vault.entries().first?.id)
            let older = try take(bench, item("zero", "2029-01-01", notes: "n"), .bitwarden)
            #expect(older.kept == 1 && older.remarks[0].contains("it was changed here later"))
            #expect(try bench.vault.record(id).password == "one")
            #expect(try bench.vault.record(id).notes == "")
            let newer = try take(bench, item("two", "2031-01-01"), .bitwarden)
            #expect(newer.updated == 1 && newer.remarks == ["line 1, \"Bank\", updated: password."])
            #expect(try bench.vault.record(id).password == "two")
            #expect(try bench.vault.entries().count == 1)
        }
    }

    @Test func valuesThatAFieldCannotHaveAreInTheNotes() throws {
        try VaultBench.run { bench in
            let long = String(repeating: "n", count: 10_000)
            let text = "title,password,notes\n\(long),pw,x\n\"\u{1}\",pw2,\n"
            let result = try take(bench, text)
            #expect(result.sentence == "CSV: 2 added")
            #expect(result.remarks.count == 2, "\(result.remarks)")
            let entries = try bench.vault.entries()
            let cut = try #require(entries.first { $0.name.hasPrefix("nnn") })
            #expect(cut.name.unicodeScalars.count == 256 && cut.notes == "x\nName: \(long)")
            #expect(entries.contains { $0.name == "Without a name" })
            #expect(try take(bench, text).sentence == "CSV: 2 already there")
        }
    }

    @Test(arguments: CredentialTableTests.cases)
    func aSecondImportOfEveryTableAddsNothing(_ test: CredentialTableTests.Case) throws {
        try VaultBench.run { bench in
            let first = try take(bench, test.text)
            #expect(first.added == test.records.count)
            let before = try state(bench)
            let second = try take(bench, test.text)
            #expect(second.known == test.records.count && second.added + second.updated == 0)
            #expect(try state(bench) == before)
            for record in test.records {
                for field in record.extraFields {
                    #expect(before.contains { $0.contains("\(field.name): \(field.value)") })
                }
            }
        }
    }
}
