import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct CredentialReaderTests {
    private func bitwarden(_ text: String) throws -> [CredentialEvent] {
        try CredentialFormat.bitwarden.read(Array(text.utf8), path: "").events
    }

    private func refusal(_ bytes: [UInt8], _ format: CredentialFormat = .bitwarden) -> String? {
        do {
            _ = try format.read(bytes, path: "")
            return nil
        } catch {
            return error.message
        }
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
             "expMonth": 4}, "passwordHistory": [
             {"lastUsedDate": "2025-03-04T05:06:07.000Z", "password": "old"}]},
            {"type": 5, "name": "Key", "sshKey": {"privateKey": "PRIVATE", "publicKey": "ssh-ed25519 A",
             "keyFingerprint": "SHA256:b"}, "favorite": true, "reprompt": 1,
             "collectionIds": ["c1", "c2"], "unknown": {"deep": ["x", {"y": 2}]}},
            {"type": 4, "name": "Me", "identity": {"firstName": "Ada", "ssn": "078", "city": ""}},
            {"type": 1, "name": "Gone", "deletedDate": "2026-01-01T00:00:00Z", "login": {}},
            {"type": 1, "name": "Pass", "login": {"username": "u", "fido2Credentials": [{}, {}],
             "uris": [{"uri": "https://x", "match": 3}]}, "attachments": [{"fileName": "a"}]}
          ],
          "collections": [{"id": "c1", "name": "Team"}, {"id": "c2", "name": "Ops"}],
          "folders": [{"id": "f1", "name": "Home/Money"}]
        }
        """#

    @Test func bitwardenItemsKeepEverythingOrItIsCounted() throws {
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
            .init("former password, until 2025-03-04", "old", isSecret: true),
            .init("number", "4111", isSecret: true), .init("code", "123", isSecret: true),
            .init("expMonth", "4"),
        ]
        var key = CredentialRecord()
        key.name = "Key"
        key.category = "Team"
        key.extraFields = [
            .init("collection", "Ops"), .init("privateKey", "PRIVATE", isSecret: true),
            .init("publicKey", "ssh-ed25519 A"), .init("keyFingerprint", "SHA256:b"),
            .init("unknown deep", "x"), .init("unknown deep y", "2"),
        ]
        var identity = CredentialRecord()
        identity.name = "Me"
        identity.extraFields = [.init("firstName", "Ada"), .init("ssn", "078", isSecret: true)]
        var pass = CredentialRecord()
        (pass.name, pass.userID, pass.address) = ("Pass", "u", "https://x")
        #expect(
            try bitwarden(Self.export) == [
                .record(bank, line: 4, remarks: []), .record(note, line: 17, remarks: []),
                .record(card, line: 18, remarks: []), .record(key, line: 21, remarks: []),
                .record(identity, line: 24, remarks: []), .record(pass, line: 26, remarks: []),
                .remark(
                    "Left out, because the vault has no place for it: favorites (1), questions for the"
                        + " master password (1), items in the trash (1), rules of matching addresses"
                        + " (1), passkeys, which work in Bitwarden only (2), attached files (1)."
                ),
            ]
        )
    }

    @Test func keePassKeepsEverythingOrItIsCounted() throws {
        let text = """
            <KeePassFile><Meta><RecycleBinUUID>BIN=</RecycleBinUUID></Meta><Root><Group><Name>Base</Name>
            <Entry><Tags>a;b</Tags><OverrideURL>cmd://x</OverrideURL><Times><Expires>True</Expires>
            <ExpiryTime>2030-01-01T00:00:00Z</ExpiryTime></Times>
            <String><Key>Title</Key><Value>One</Value></String>
            <String><Key>otp</Key><Value ProtectInMemory="True">otpauth://x</Value></String>
            <Binary><Key>f</Key><Value Ref="0"/></Binary>
            <AutoType><DefaultSequence/><Association><Window>w</Window></Association></AutoType>
            <History><Entry/><Entry/></History></Entry>
            <Group><Name>Sub</Name><Notes>of the group</Notes>
            <Entry><String><Key>Title</Key><Value>Two</Value></String></Entry></Group>
            <Group><UUID>BIN=</UUID><Name>Bin</Name><Entry/></Group></Group></Root></KeePassFile>
            """
        var one = CredentialRecord()
        one.name = "One"
        one.extraFields = [
            .init("Tags", "a;b"), .init("OverrideURL", "cmd://x"),
            .init("otp", "otpauth://x", isSecret: true),
            .init("Expires", "2030-01-01T00:00:00Z"),
        ]
        var two = CredentialRecord()
        (two.name, two.category) = ("Two", "Sub")
        #expect(
            try CredentialFormat.keepass.read(Array(text.utf8), path: "").events == [
                .record(one, line: 1, remarks: ["Its 1 attached file was left out."]),
                .record(two, line: 2, remarks: []),
                .remark(
                    "Left out, because the vault has no place for it: rules of auto-type (1), former"
                        + " states of entries (2), notes of groups (1), entries in the recycle bin (1)."
                ),
            ]
        )
    }

    @Test func encryptedExportIsRefused() {
        for text in [
            #"{"encrypted": true, "items": [{"name": "2.abc|def"}]}"#,
            #"{"encrypted": true, "passwordProtected": true, "data": "2.abc"}"#,
            #"{"encrypted": true, "passwordProtec"#,
        ] {
            #expect(refusal(Array(text.utf8))?.contains("is encrypted; export it again") == true)
        }
    }

    @Test func itemOfAnotherShapeIsReportedAndTheOthersAreRead() throws {
        let events = try bitwarden(
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

    @Test(
        arguments: [
            "", "[]", "{}", "null", "{\"items\": 3}", "\u{0}", "{\"items\": []} x", "[{\"a\": 1}]",
            "{\"items\": [{\"canary\": 1, \"name\": \"x\"}]}", "<html><body>canary</body></html>",
        ]
    )
    func anotherFileIsRefused(_ text: String) {
        for format in [CredentialFormat.bitwarden, .keepass, .csv] {
            let message = refusal(Array(text.utf8), format)
            #expect(message != nil && message?.contains("canary") != true, "\(format): \(text)")
        }
    }

    @Test func bytesThatAreNotTextAreRefusedWithTheirLine() {
        for format in CredentialFormat.allCases {
            let message = refusal(Array("a,b\n".utf8) + [0x50, 0x4B, 3, 4, 0xFF], format)
            #expect(message?.contains("not UTF-8 text (line 2)") == true, "\(format)")
        }
    }

    @Test func everyTruncationIsRefusedAndEveryFlippedBitGivesRecordsOrARefusal() {
        let bytes = Array(Self.export.utf8)
        for count in 0..<bytes.count {
            #expect(refusal(Array(bytes[..<count])) != nil, "\(count)")
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            let events = try? CredentialFormat.bitwarden.read(changed, path: "").events
            #expect(events?.isEmpty != true)
        }
    }

    @Test func hostileBitwardenFileIsRefusedWithoutHarm() throws {
        let deep = Array(("{\"items\":" + String(repeating: "[", count: 500_000)).utf8)
        #expect(refusal(deep) != nil)
        let many =
            "{\"items\":["
            + Array(repeating: "{\"name\":\"x\",\"type\":1}", count: 10_000)
            .joined(separator: ",") + "]}"
        #expect(try bitwarden(many).count == 10_000)
        let large = [UInt8](repeating: 32, count: CredentialFormat.largest + 1)
        #expect(refusal(large)?.contains("64 MB") == true)
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
