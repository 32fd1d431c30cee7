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
        #expect(imported.output == "KeePass XML: 2 added\n", "\(imported.errors)")
        let leftOut = "former states of entries (1), entries in the recycle bin (1)"
        #expect(imported.errors.contains(leftOut))
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
                == "KeePass XML: 2 already there\n"
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
            try docket.vault("import", "-", input: newer).output.contains("1 updated")
        )
        #expect(try docket.vault("show", "bank", "--password").output.contains("CanaryNew"))
        let older = try docket.vault("import", "-", input: Self.keepass)
        #expect(older.output.contains("1 not changed, with other values here"), "\(older.output)")
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

    @Test func brokenForeignAndEncryptedFilesChangeNothing() throws {
        let docket = try Docket()
        try docket.makeVault()
        let sealed = Self.keepass.replacingOccurrences(
            of: "ProtectInMemory=\"True\"",
            with: "Protected=\"True\""
        )
        let partly = try docket.vault("import", "-", input: sealed)
        #expect(partly.code == 0 && partly.output == "KeePass XML: 1 added, 1 skipped\n")
        #expect(partly.errors.contains("entry 1, skipped: The entry is encrypted"))
        let before = try docket.vault("list").output
        func refuses(_ bytes: Data, _ name: String, _ reason: String) throws {
            try bytes.write(to: docket.folder.appending(path: name))
            let outcome = try docket.vault("import", docket.path(name))
            #expect(outcome.code == 1 && outcome.output == "", "\(name): \(outcome)")
            #expect(outcome.errors.contains(reason), "\(name): \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome.errors)")
            #expect(!outcome.errors.contains("Canary"), "\(name)")
        }
        let whole = Data(Self.keepass.utf8)
        for end in stride(from: 1, to: whole.count, by: 401) {
            try refuses(whole[..<end], "cut.xml", "KeePass")
        }
        try refuses(Data(), "empty", "The file is empty")
        try refuses(Data("<html>Canary</html>".utf8), "page.html", "not an export of KeePass")
        try refuses(Data("{\"Canary\": 1}".utf8), "x.json", "not an export of Bitwarden")
        try refuses(
            Data("{\"encrypted\": true, \"items\": []}".utf8),
            "enc.json",
            "is encrypted; export it again"
        )
        try refuses(Data([0x50, 0x4B, 3, 4, 0xE0, 10]), "x.1pux", "not UTF-8 text (line 1)")
        try refuses(Data("Canary\n".utf8), "notes.txt", "is not an export that Docket knows")
        try refuses(Data("a,b\nCanary,c\n".utf8), "x.csv", "names of columns")
        try refuses(
            Data("{\"encrypted\": false, \"items\": [7, {\"type\": 1}]}".utf8),
            "odd.json",
            "not an export of Bitwarden"
        )
        #expect(try docket.vault("list").output == before)
    }

    @Test func aTableIsImportedOnceAndItsReportNamesWhatWasLeftOut() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.write(
            """
            \u{FEFF}folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\r
            Web,1,login,CanaryShop,"two\r
            lines",PIN: CanaryPin,0,https://a.example,ana,CanaryOne,\r

            """,
            to: "export.csv"
        )
        let first = try docket.vault("import", docket.path("export.csv"))
        #expect(first.code == 0 && first.output == "Bitwarden CSV: 1 added\n", "\(first)")
        #expect(first.errors.contains("the vault has no place for it: favorite (1)."))
        #expect(first.errors.contains("remove it"))
        let shown = try docket.vault("show", "shop", "--password").output
        for text in ["CanaryOne", "two", "lines", "PIN: CanaryPin", "Web", "https://a.example"] {
            #expect(shown.contains(text), "\(text)")
        }
        let again = try docket.vault("import", docket.path("export.csv"))
        #expect(again.output == "Bitwarden CSV: 1 already there\n", "\(again)")
    }
}
