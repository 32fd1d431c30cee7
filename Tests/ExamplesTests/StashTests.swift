import ChildProcess
import Testing

/// What is in the two files of the stash.
@Suite struct StashTests {
    @Test func passwordsAreNotInTheFileOfTheNotes() throws {
        let examples = try Examples()
        let file = examples.path("stash.sqlite")
        #expect(try examples("stash", "--file", file).end == .code(0))
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'"
        let metadata: Set = ["Z_METADATA", "Z_PRIMARYKEY"]
        #expect(Set(try examples.sqlite3(file, tables)).subtracting(metadata) == ["ZNOTE"])
        let passwords = examples.path("stash-passwords.sqlite")
        #expect(
            Set(try examples.sqlite3(passwords, tables)).subtracting(metadata)
                == ["ZCATEGORY", "ZCATEGORYSEED", "ZSYSTEM"]
        )
        #expect(
            try examples.sqlite3(passwords, "SELECT ZNAME, ZUSERID FROM ZSYSTEM")
                == ["Library|reader42"]
        )
        #expect(try examples.sqlite3(passwords, "SELECT ZVERSION FROM ZCATEGORYSEED") == ["2"])
    }
}
