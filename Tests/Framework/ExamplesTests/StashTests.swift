import ChildProcess
import Foundation
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

    /// Whether files of the folder contain a text, as UTF-8, UTF-16 or Base64.
    private func isWritten(_ text: String, _ files: [String], _ examples: Examples) throws -> Bool {
        // From each of the three places in a group of four digits on; the ends depend on what is
        // beside the text.
        let base64 = (0..<3).map { shift in
            let whole = Data(repeating: 0, count: shift) + Data(text.utf8)
            return Data(whole.base64EncodedString().dropFirst(4).dropLast(4).utf8)
        }
        let utf16 = Data(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        return try files.contains { name in
            let bytes = try Data(contentsOf: URL(filePath: examples.path(name)))
            return ([Data(text.utf8), utf16] + base64).contains { bytes.range(of: $0) != nil }
        }
    }

    @Test(arguments: ExampleTests.files)
    func noFileHasThePasswordInPlain(store: String) throws {
        let examples = try Examples()
        let file = examples.path("stash.\(store)")
        let outcome = try examples("stash", "--store", store, "--file", file)
        #expect(outcome.output.contains("unlocked: reader42, correct horse\n"))
        #expect(outcome.output.contains(" locked: reader42, no password\n"))
        let files = try FileManager.default.contentsOfDirectory(atPath: examples.folder.path)
            .filter { $0.hasPrefix("stash") }
        #expect(try isWritten("reader42", files, examples), "the search finds what is there")
        #expect(try !isWritten("correct horse", files, examples))
    }

    /// A reader keeps the log from being emptied when the example ends.
    @Test func logHasNoPasswordInPlainEither() throws {
        let examples = try Examples()
        let file = examples.path("stash.sqlite")
        #expect(try examples("stash", "--file", file).end == .code(0))
        // So the next run adds the note and the password again.
        #expect(try examples.shell("rm stash.sqlite*").end == .code(0))
        let outcome = try examples.shell(
            """
            mkfifo commands ready
            sqlite3 stash-passwords.sqlite < commands & exec 3> commands
            echo 'BEGIN; SELECT count(*) FROM ZSYSTEM;' >&3
            echo '.shell echo > ready' >&3
            read -r line < ready
            "$examples" stash --file stash.sqlite 3>&-
            code=$?
            cp stash-passwords.sqlite-wal log
            exec 3>&-
            wait
            exit $code
            """
        )
        #expect(outcome.end == .code(0), "\(outcome)")
        #expect(try isWritten("reader42", ["log"], examples), "the search finds what is there")
        #expect(try !isWritten("correct horse", ["log"], examples))
    }

    @Test(arguments: ["sqlite", "xml"])
    func stashOpensWithItsOwnPassphraseOnly(store: String) throws {
        let examples = try Examples()
        func run(_ passphrase: String) throws -> Examples.Outcome {
            try examples.shell(
                "STASH_PASSPHRASE='\(passphrase)' exec \"$examples\" stash --store \(store) --file kept"
            )
        }
        let first = try run("three of mine")
        #expect(first.end == .code(0) && !first.output.contains("demonstration"), "\(first)")
        let wrong = try run("four of yours")
        #expect(wrong.end == .code(1) && wrong.output == "", "\(wrong)")
        #expect(wrong.errors.hasPrefix("The passphrase is wrong."), "\(wrong)")
        let again = try run("three of mine")
        #expect(again.output.contains("unlocked: reader42, correct horse\n"), "\(again)")
    }
}
