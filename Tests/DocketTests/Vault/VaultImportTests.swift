import Foundation
import Testing

/// Imports into the vault, from files as other password managers write them.
@Suite struct VaultImportTests {
    private static let keepass = """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <KeePassFile><Meta><Generator>KeePass</Generator><RecycleBinEnabled>True</RecycleBinEnabled>
        <RecycleBinUUID>BIN=</RecycleBinUUID></Meta><Root><Group><UUID>R=</UUID><Name>Database</Name>
        <Entry><UUID>1</UUID><Times><CreationTime>2020-01-02T03:04:05Z</CreationTime>
        <LastModificationTime>2021-01-02T03:04:05Z</LastModificationTime></Times>
        <String><Key>Title</Key><Value>CanaryBank &amp; Co</Value></String>
        <String><Key>UserName</Key><Value>CanaryUser</Value></String>
        <String><Key>Password</Key><Value ProtectInMemory="True">CanaryPass</Value></String>
        <String><Key>URL</Key><Value>https://bank.example</Value></String>
        <String><Key>Notes</Key><Value>CanaryNote</Value></String>
        <String><Key>PIN</Key><Value>CanaryPin</Value></String>
        <History><Entry><String><Key>Title</Key><Value>CanaryOld</Value></String></Entry></History>
        </Entry>
        <Group><UUID>W=</UUID><Name>Work</Name><Group><UUID>D=</UUID><Name>Deep</Name>
        <Entry><UUID>2</UUID><String><Key>Title</Key><Value>CanaryDeep</Value></String></Entry>
        </Group></Group>
        <Group><UUID>BIN=</UUID><Name>Recycle Bin</Name>
        <Entry><UUID>3</UUID><String><Key>Title</Key><Value>CanaryGone</Value></String></Entry></Group>
        </Group></Root></KeePassFile>
        """

    @Test func keePassEntriesComeWithCategoriesFieldsAndWithoutHistory() throws {
        let docket = try Docket()
        try docket.makeVault()
        let input = Self.keepass
        let imported = try docket.vault("import", "-", input: input)
        #expect(imported.output == "Imported 2 credentials\n", "\(imported.errors)")
        #expect(imported.errors.contains("The recycle bin was left out, with 1 entry."))
        let list = try docket.vault("list").output
        #expect(list.contains("Work/Deep\n  CanaryDeep"))
        #expect(!list.contains("CanaryOld") && !list.contains("CanaryGone"))
        let bank = try docket.vault("show", "canarybank", "--password").output
        #expect(bank.contains("CanaryBank & Co") && bank.contains("CanaryPass"))
        #expect(bank.contains("CanaryNote") && bank.contains("PIN: CanaryPin"))
        #expect(try docket.files(withAny: ["Canary"]) == [], "nothing plain is on the disk")
        // The same again changes nothing; undo takes the whole import back.
        #expect(
            try docket.vault("import", "-", input: input).output
                == "Nothing changed; 2 were known already\n"
        )
        #expect(try docket.vault("undo").code == 0)
        #expect(try docket.vault("list").output == "")
    }

    @Test func knownCredentialIsUpdatedUnlessItWasChangedHereLater() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.vault("import", "-", input: Self.keepass)
        let newer = Self.keepass
            .replacingOccurrences(of: "2021-01-02", with: "2031-01-02")
            .replacingOccurrences(of: "CanaryPass", with: "CanaryNew")
        #expect(
            try docket.vault("import", "-", input: newer).output.contains("Updated 1 credential")
        )
        #expect(try docket.vault("show", "bank", "--password").output.contains("CanaryNew"))
        let older = try docket.vault("import", "-", input: Self.keepass)
        #expect(older.output.contains("1 stayed as changed here"), "\(older.output)")
        #expect(try docket.vault("show", "bank", "--password").output.contains("CanaryNew"))
    }

    @Test func bitwardenAndPassAreRecognised() throws {
        let docket = try Docket()
        try docket.makeVault()
        let bitwarden = """
            {"encrypted": false, "folders": [{"id": "f", "name": "Web"}], "items": [
            {"name": "CanaryShop", "folderId": "f", "notes": null, "login":
            {"username": "ana", "password": "CanaryOne", "uris": [{"uri": "https://a.example"}]}}]}
            """
        #expect(try docket.vault("import", "-", input: bitwarden).code == 0)
        let pass = "CanaryTwo\nlogin: bob\nurl: https://b.example\nfree text\n"
        let entry = try docket.vault("import", "-", "--name", "Mail/private", input: pass)
        #expect(entry.code == 0, "\(entry.errors)")
        #expect(try docket.vault("import", "-", input: pass).code == 1, "pass needs a name")
        let list = try docket.vault("list").output
        #expect(list.contains("Mail\n  private  bob  https://b.example"))
        #expect(list.contains("Web\n  CanaryShop  ana  https://a.example"))
        #expect(try docket.vault("show", "shop", "--password").output.contains("CanaryOne"))
        #expect(try docket.vault("show", "private", "--password").output.contains("CanaryTwo"))
        #expect(try docket.files(withAny: ["Canary"]) == [])
    }

    @Test func brokenFilesAreReportedWithoutTheirContent() throws {
        let docket = try Docket()
        try docket.makeVault()
        let whole = Array(Self.keepass.utf8)
        for end in stride(from: 0, to: whole.count, by: 211) {
            let part = String(decoding: whole[..<end], as: UTF8.self)
            let outcome = try docket.vault(
                "import",
                "-",
                "--format",
                "keepass",
                input: part
            )
            #expect(outcome.code == 0 && outcome.errors.contains("skipped"), "\(end)")
            #expect(!outcome.errors.contains("CanaryPass"))
        }
        let sealed = Self.keepass.replacingOccurrences(
            of: "ProtectInMemory=\"True\"",
            with: "Protected=\"True\""
        )
        let outcome = try docket.vault("import", "-", input: sealed)
        #expect(outcome.errors.contains("entry 1, skipped: The entry is encrypted"))
        for text in ["", "<html/>", "{}", "{\"encrypted\": true, \"items\": []}"] {
            let outcome = try docket.vault("import", "-", "--name", "x", input: text)
            #expect(outcome.code == 0 && !outcome.output.contains("Imported 2"), "\(text)")
        }
    }
}
