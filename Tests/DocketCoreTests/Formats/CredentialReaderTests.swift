import Foundation
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct CredentialReaderTests {
    private func bitwarden(_ text: String) -> [CredentialEvent] { bitwarden(Array(text.utf8)) }

    private func bitwarden(_ bytes: [UInt8]) -> [CredentialEvent] {
        var reader = BitwardenReader(bytes)
        var events: [CredentialEvent] = []
        while let event = reader.next() { events.append(event) }
        return events
    }

    private static let export = #"""
        {
          "encrypted": false,
          "items": [
            {
              "id": "1", "folderId": "f1", "type": 1, "name": "Bank", "notes": "line 1\nline 2",
              "fields": [
                {"name": "pin", "value": "0042", "type": 1},
                {"name": "hint", "value": "dog", "type": 0},
                {"name": null, "value": null, "type": 2}
              ],
              "login": {
                "uris": [{"match": null, "uri": "https://bank"}, {"uri": "https://two"}],
                "username": "ana", "password": "päss", "totp": "ABC"
              },
              "collectionIds": null
            },
            {"type": 2, "name": "Note", "notes": "text", "secureNote": {"type": 0}, "login": null},
            {"type": 3, "name": "Card", "card": {"number": "4111", "code": "123", "brand": null,
             "expMonth": 4}}
          ],
          "folders": [{"id": "f1", "name": "Home/Money"}]
        }
        """#

    @Test func bitwardenItemsKeepEverything() {
        var bank = CredentialRecord()
        bank.name = "Bank"
        bank.userID = "ana"
        bank.password = "päss"
        bank.address = "https://bank"
        bank.category = "Home/Money"
        bank.notes = "line 1\nline 2"
        bank.extraFields = [
            .init("uri", "https://two"), .init("totp", "ABC", isSecret: true),
            .init("pin", "0042", isSecret: true), .init("hint", "dog"),
        ]
        var note = CredentialRecord()
        note.name = "Note"
        note.notes = "text"
        var card = CredentialRecord()
        card.name = "Card"
        card.extraFields = [
            .init("number", "4111", isSecret: true), .init("code", "123", isSecret: true),
            .init("expMonth", "4"),
        ]
        #expect(
            bitwarden(Self.export) == [
                .record(bank, line: 4, remarks: []), .record(note, line: 17, remarks: []),
                .record(card, line: 18, remarks: []),
            ]
        )
    }

    @Test func encryptedExportIsRefused() {
        let events = bitwarden(#"{"encrypted": true, "items": [{"name": "2.abc|def"}]}"#)
        guard case .failure(let problem)? = events.first else {
            Issue.record("no failure")
            return
        }
        #expect(events.count == 1)
        #expect(problem.message.contains("encrypted"))
    }

    @Test func itemOfAnotherShapeIsReportedAndTheOthersAreRead() {
        let events = bitwarden(
            #"{"items": [7, {"name": ["x"], "login": {"uris": {}, "password": {"a": "canary"}}}, {"name": "b"}]}"#
        )
        #expect(events.count == 3)
        guard case .failure = events.first, case .record(let odd, _, let remarks) = events[1],
            case .record(let last, _, _) = events[2]
        else {
            Issue.record("\(events.count) other events")
            return
        }
        #expect(odd.name == "Without a name")
        #expect(odd.password.isEmpty)
        #expect(remarks.count == 3)
        #expect(!remarks.joined().contains("canary"))
        #expect(last.name == "b")
    }

    @Test(arguments: ["", "[]", "{}", "null", "{\"items\": 3}", "\u{0}", "{\"items\": []} x"])
    func anotherFileIsReported(_ text: String) {
        let events = bitwarden(text)
        guard case .failure? = events.last else {
            Issue.record("no failure")
            return
        }
    }

    @Test func everyTruncationAndFlippedBitGivesRecordsOrProblems() {
        let bytes = Array(Self.export.utf8)
        for count in 0..<bytes.count {
            guard case .failure? = bitwarden(Array(bytes[..<count])).last else {
                Issue.record("no failure at \(count)")
                continue
            }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!bitwarden(changed).isEmpty)
        }
    }

    @Test func hostileBitwardenFileIsRefusedWithoutHarm() {
        let deep = Array(("{\"items\":" + String(repeating: "[", count: 500_000)).utf8)
        guard case .failure? = bitwarden(deep).last else {
            Issue.record("no failure")
            return
        }
        let many =
            "{\"items\":["
            + Array(repeating: "{\"name\":\"x\"}", count: 10_000)
            .joined(separator: ",") + "]}"
        #expect(bitwarden(many).count == 10_000)
        let large = bitwarden([UInt8](repeating: 32, count: CredentialLimits.fileSize + 1))
        #expect(large.count == 1)
    }

    @Test func passEntryIsReadByItsLines() {
        let text =
            "p: w\nlogin: ana\nURL: https://x\nUser: second\npin: 12\notpauth://totp/x?y\nfree\nkey: no\n\n"
        var record = CredentialRecord()
        record.name = "private"
        record.category = "Mail/Home"
        record.password = "p: w"
        record.userID = "ana"
        record.address = "https://x"
        record.extraFields = [
            .init("User", "second"), .init("pin", "12"),
            .init("otp", "otpauth://totp/x?y", isSecret: true),
        ]
        record.notes = "free\nkey: no"
        let event = PassTextReader.read(path: "./Mail/Home/private.gpg", Array(text.utf8))
        #expect(event == .record(record, line: 1, remarks: []))
    }

    @Test(arguments: ["", "\n", "secret", "secret\n", "\r\n", ":\n:", "a\n://x", "a\n x: y"])
    func anyPassTextIsAnEntry(_ text: String) {
        guard case .record(let record, _, _) = PassTextReader.read(path: "n", Array(text.utf8))
        else {
            Issue.record("no record")
            return
        }
        #expect(
            record.password
                == text.split(
                    omittingEmptySubsequences: false,
                    whereSeparator: \.isNewline
                ).first.map { String($0) }
        )
        #expect(record.extraFields.isEmpty)
    }

    @Test(arguments: ["", "/", ".", "a/", ".gpg"])
    func pathWithoutANameIsReportedOrNamed(_ path: String) {
        let event = PassTextReader.read(path: path, [65])
        if path == "a/" {
            guard case .record(let record, _, _) = event else {
                Issue.record("no record")
                return
            }
            #expect(record.name == "a")
        } else {
            guard case .failure = event else {
                Issue.record("no failure")
                return
            }
        }
    }

    @Test func randomPassTextIsRead() {
        var random = SeededRandom()
        for _ in 0..<2000 {
            let bytes = (0..<random.below(200)).map { _ in
                random.pick([UInt8(ascii: ":"), 10, 13, 0, 0xFF, 0xC3, 32, 65, 0x85, 47])
            }
            let isText = String(validating: bytes, as: UTF8.self) != nil
            if case .record = PassTextReader.read(path: "x", bytes) {
                #expect(isText)
            } else {
                #expect(!isText, "no record of \(bytes)")
            }
        }
    }

    @Test func descriptionsHoldNoSecret() {
        var record = CredentialRecord()
        record.password = "canary"
        record.extraFields = [.init("canary", "canary", isSecret: true)]
        var dumped = ""
        dump(record, to: &dumped)
        for text in ["\(record)", String(reflecting: record), dumped] {
            #expect(!text.contains("canary"))
        }
    }
}
