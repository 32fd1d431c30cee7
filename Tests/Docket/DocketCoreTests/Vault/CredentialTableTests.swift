import DocketFormats
import Foundation
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Tables (CSV) of other password managers, with the columns of their exports.
@Suite struct CredentialTableTests {
    /// What a program writes, and the credentials in it.
    struct Case: Sendable, CustomTestStringConvertible {
        let title: String
        let text: String
        let records: [CredentialRecord]
        var leftOut: String?
        var testDescription: String { title }

        init(
            _ title: String,
            _ text: String,
            leftOut: String? = nil,
            _ records: CredentialRecord...
        ) {
            self.title = title
            self.text = text
            self.records = records
            self.leftOut = leftOut
        }
    }

    private static func record(
        _ name: String,
        _ user: String = "",
        _ password: String = "",
        _ address: String = "",
        _ category: String = "",
        _ notes: String = "",
        _ extra: [CredentialRecord.ExtraField] = [],
        created: Double? = nil,
        modified: Double? = nil
    ) -> CredentialRecord {
        var record = CredentialRecord()
        (record.name, record.userID, record.password) = (name, user, password)
        (record.address, record.category, record.notes) = (address, category, notes)
        record.extraFields = extra
        record.created = created.map { Date(timeIntervalSince1970: $0) }
        record.modified = modified.map { Date(timeIntervalSince1970: $0) }
        return record
    }

    static let cases = [
        Case(
            "Bitwarden CSV",
            #"""
            folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            Social,1,login,Forum,"line 1
            line ""2""","PIN: 12:34
            hint: dog",1,"https://a.example/x,y,https://b.example",ana,"p,w;",SEED
            ,,note,My note,Only text,,,,,
            ,,login,Last,,,0,,,pw,

            """#,
            leftOut: "favorite (1), reprompt (1)",
            record(
                "Forum",
                "ana",
                "p,w;",
                "https://a.example/x,y",
                "Social",
                "line 1\nline \"2\"",
                [
                    .init("uri", "https://b.example"), .init("PIN", "12:34"), .init("hint", "dog"),
                    .init("totp", "SEED", isSecret: true),
                ]
            ),
            record("My note", "", "", "", "", "Only text"),
            record("Last", "", "pw")
        ),
        Case(
            "Bitwarden CSV",
            """
            collections,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            "Team, Ops",login,Shop,,,0,shop.example,bob,pw,
            """,
            record("Shop", "bob", "pw", "shop.example", "Team", "", [.init("collection", "Ops")])
        ),
        Case(
            "KeePassXC CSV",
            """
            "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
            "Root/Work/Mail","Mail","ana","pw","https://m.example","n","otpauth://t","3","2024-01-15T10:30:00Z","1970-01-01T00:00:05Z"
            "Root","Plain","","pw2","","","","0","",""
            """,
            leftOut: "Icon (1)",
            record(
                "Mail",
                "ana",
                "pw",
                "https://m.example",
                "Work/Mail",
                "n",
                [.init("totp", "otpauth://t", isSecret: true)],
                created: 5,
                modified: 1_705_314_600
            ),
            record("Plain", "", "pw2")
        ),
        Case(
            "1Password CSV",
            """
            Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes
            Mail,https://m.example,ana,pw,otpauth://t,true,false,a;b,text
            Old,,ana,pw2,,false,true,,
            """,
            leftOut: "Favorite (1)",
            record(
                "Mail",
                "ana",
                "pw",
                "https://m.example",
                "",
                "text",
                [.init("totp", "otpauth://t", isSecret: true), .init("Tags", "a;b")]
            ),
            record("Old", "ana", "pw2", "", "", "", [.init("Archived", "true")])
        ),
        Case(
            "Firefox CSV",
            """
            "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"
            "https://m.example","ana","pw",,"https://m.example","{1}","5000","6000","7000"
            "https://n.example","bob","pw2","Realm","https://o.example","{2}","5000","6000","7000"
            """,
            leftOut: "guid (2), timeLastUsed (2)",
            record("m.example", "ana", "pw", "https://m.example", created: 5, modified: 7),
            record(
                "n.example",
                "bob",
                "pw2",
                "https://n.example",
                "",
                "",
                [.init("httpRealm", "Realm"), .init("formActionOrigin", "https://o.example")],
                created: 5,
                modified: 7
            )
        ),
        Case(
            "Chrome CSV",
            """
            name,url,username,password,note
            m.example,https://m.example/login,ana,"p""w",a note
            """,
            record("m.example", "ana", "p\"w", "https://m.example/login", "", "a note")
        ),
        Case(
            "Chrome CSV",
            """
            name,url,username,password
            m.example,https://m.example/login,ana,pw
            """,
            record("m.example", "ana", "pw", "https://m.example/login")
        ),
        Case(
            "pass CSV",
            """
            Group(/),Title,Password,Notes
            Web/Mail,private,pw,"login: ana
            url: https://m.example
            pin: 1

            free"
            """,
            record(
                "private",
                "ana",
                "pw",
                "https://m.example",
                "Web/Mail",
                "\nfree",
                [.init("pin", "1")]
            )
        ),
        Case(
            "LastPass CSV",
            """
            url,username,password,totp,extra,name,grouping,fav
            https://m.example,ana,pw,,note,Mail,Web,1
            """,
            leftOut: "fav (1)",
            record("Mail", "ana", "pw", "https://m.example", "Web", "note")
        ),
        Case(
            "Apple Passwords CSV",
            """
            Title,URL,Username,Password,Notes,OTPAuth
            Mail,https://m.example,ana,pw,note,
            """,
            record("Mail", "ana", "pw", "https://m.example", "", "note")
        ),
        Case(
            "CSV",
            """
            Serial;Web Site;Login;Password
            7;https://m.example;ana;pw
            """,
            record("m.example", "ana", "pw", "https://m.example", "", "", [.init("Serial", "7")])
        ),
    ]

    private func read(_ bytes: [UInt8]) throws -> CredentialExport {
        try CredentialFormat.csv.read(bytes, path: "")
    }

    private func records(_ export: CredentialExport) -> [CredentialRecord] {
        export.events.compactMap { if case .record(let record, _, _) = $0 { record } else { nil } }
    }

    @Test(arguments: cases) func exportIsRecognizedAndLosesNothing(_ test: Case) throws {
        let bytes = Array(test.text.utf8)
        #expect(CredentialFormat(of: bytes, isTable: false) == .csv)
        let export = try read(bytes)
        #expect(export.title == test.title)
        #expect(records(export).map(Shown.init) == test.records.map(Shown.init))
        #expect(records(export) == test.records)
        let remarks = export.events.compactMap {
            if case .remark(let text) = $0 { text } else { nil }
        }
        let expected = test.leftOut.map {
            ["Left out, because the vault has no place for it: \($0)."]
        }
        #expect(remarks == expected ?? [])
    }

    /// A record with its values, for messages.
    private struct Shown: Equatable {
        let text: String
        init(_ record: CredentialRecord) {
            let fields = CredentialField.allCases.map { record[$0] }
            text = "\(fields) \(record.extraFields.map { "\($0.name)=\($0.value)" })"
        }
    }

    @Test(arguments: cases)
    func markLineEndsSeparatorAndOrderOfColumnsDoNotMatter(_ test: Case) throws {
        let plain = try read(Array(test.text.utf8))
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try read(mark + Array(test.text.utf8)).events == plain.events)
        let rows = try table(test.text)
        let width = rows[0].count
        for separator in [",", ";", "\t"] {
            for end in ["\n", "\r\n"] {
                let text = rows.map { row in
                    let fields = row + Array(repeating: "", count: width - row.count)
                    return fields.reversed().map { "\"\($0.replacing("\"", with: "\"\""))\"" }
                        .joined(separator: separator)
                }
                let export = try read(Array((text.joined(separator: end) + end).utf8))
                #expect(export.title == test.title)
                let found = records(export).map { record in
                    var record = record
                    record.extraFields.sort { ($0.name, $0.value) < ($1.name, $1.value) }
                    return record
                }
                let expected = test.records.map { record in
                    var record = record
                    record.extraFields.sort { ($0.name, $0.value) < ($1.name, $1.value) }
                    return record
                }
                #expect(found.map(Shown.init) == expected.map(Shown.init), "\(separator)")
            }
        }
    }

    private func table(_ text: String) throws -> [[String]] {
        var rows = CSVRows(bytes: Array(text.utf8), separator: nil)
        var table: [[String]] = []
        while let row = try rows.next() { table.append(row.map(\.text)) }
        return table
    }

    /// A file that was cut off inside the last value of a row is the only one that cannot be told from
    /// a whole one.
    @Test(arguments: cases) func truncatedTableIsRefusedOrHasWholeRows(_ test: Case) throws {
        let bytes = Array(test.text.utf8)
        let whole = records(try read(bytes))
        for count in 0..<bytes.count {
            guard let export = try? read(Array(bytes[..<count])) else { continue }
            let found = records(export)
            #expect(found.dropLast() == whole.prefix(max(0, found.count - 1)), "\(count)")
        }
    }

    @Test(arguments: [
        ("a,b\n1,canary\n", "does not begin with names of columns"),
        ("Name,Color\nx,canary\n", "has the columns \"Name\", \"Color\""),
        ("title,name,password\nx,y,canary\n", "\"title\", \"name\" would be the same field"),
        ("name,password\nx,\"canary\n", "the quote that begins here is not closed"),
        ("name,password\nx,canary,z\n", "line 2"),
        ("name,password,url\nx,canary", "line 2"),
    ])
    func anotherTableIsRefusedWithoutItsContent(_ text: String, _ reason: String) {
        do {
            _ = try read(Array(text.utf8))
            Issue.record("read: \(text)")
        } catch let error as InputError {
            #expect(error.message.contains(reason), "\(error.message)")
            #expect(!error.message.contains("canary"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func anEntryOfPassIsNotTakenForATable() {
        for text in ["secret\nlogin: ana\n", "se,cret\n", "password"] {
            #expect(CredentialFormat(of: Array(text.utf8), isTable: false) == nil, "\(text)")
        }
    }

    @Test func randomTablesKeepEveryValue() throws {
        var random = SeededRandom()
        let values = ["a", "p,w", "x;y", "q\"q", "two\nlines", "tab\there", "é🦊", " s ", "0"]
        for _ in 0..<300 {
            let rows = (0...random.below(4)).map { _ in
                (0..<3).map { _ in random.pick(values) }
            }
            let text = ([["color", "title", "password"]] + rows).map { row in
                row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
            }.joined(separator: "\n")
            let found = records(try read(Array(text.utf8)))
            #expect(found.map(\.name) == rows.map { $0[1] }, "\(text)")
            #expect(found.map(\.password) == rows.map { $0[2] }, "\(text)")
            #expect(found.map { $0.extraFields.map(\.value) } == rows.map { [$0[0]] })
        }
    }
}
