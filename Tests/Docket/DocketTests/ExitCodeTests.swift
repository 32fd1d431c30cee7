import Foundation
import Testing

/// The exit code says what happened to the store, also when nobody can be told.
@Suite("Exit codes")
struct ExitCodeTests {
    /// Three tasks, the second done, the third in the trash: five steps.
    private func sample() throws -> Docket {
        try Docket.copy("exit codes") { docket in
            for title in ["one", "two", "three"] { try docket("add", title) }
            try docket("done", "2")
            try docket("trash", "3")
            try docket.write("[{\"title\":\"imported\"}]", to: "in.json")
        }
    }

    @Test(arguments: [
        "add hello", "add --note hello", "done 1", "undone 2", "edit 1 title=other",
        "move 2 --top", "trash 1", "restore 3", "undo", "import in.json", "export out.json",
    ])
    func whatIsDoneAndCannotBeToldEndsWith4(command: String) throws {
        for sink in ["> /dev/full", ">&-"] {
            let docket = try sample()
            let outcome = try docket.shell("\"$docket\" \(command) \(sink); echo \"code $?\" >&2")
            #expect(outcome.errors.hasSuffix("code 4\n"), "\(command) \(sink): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("docket: Done, but the output could not be written: "))
            #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
            if command == "export out.json" {
                #expect(try docket.read("out.json").count > 100)
            } else if command == "undo" {
                #expect(try docket("history").lines.first?.hasPrefix("redo") == true)
            } else {
                #expect(try docket("history").lines.count == 6, "\(command) \(sink)")
            }
        }
    }

    @Test(arguments: ["add hello", "done 1", "import in.json"])
    func aClosedPipeDoesNotHideThatItIsDone(command: String) throws {
        let docket = try sample()
        // The reader has closed its end before the command begins.
        let outcome = try docket.shell(
            """
            mkfifo gate
            { read line < gate; "$docket" \(command); echo "code $?" >&2; } | { exec <&-; echo > gate; }
            """
        )
        #expect(
            outcome.errors == "docket: Done, but the output could not be written: "
                + "its reader has closed the pipe.\ncode 4\n",
            "\(outcome.errors)"
        )
        #expect(try docket("history").lines.count == 6)
    }

    @Test(arguments: [
        "list", "list --json", "show 1", "search one", "history", "export", "undo --preview",
        "--help", "--version",
    ])
    func whatCannotBeShownEndsWith1(command: String) throws {
        let docket = try sample()
        for sink in ["> /dev/full", ">&-"] {
            let outcome = try docket.shell("\"$docket\" \(command) \(sink); echo \"code $?\" >&2")
            #expect(outcome.errors.hasSuffix("code 1\n"), "\(command) \(sink): \(outcome.errors)")
            #expect(
                outcome.errors.hasPrefix("docket: The output could not be written: "),
                "\(command) \(sink): \(outcome.errors)"
            )
        }
    }

    @Test func aClosedStreamIsNotTakenByAFile() throws {
        let docket = try sample()
        let outcome = try docket.shell("\"$docket\" export out.json <&- >&- 2>&-; echo $?")
        #expect(outcome.output == "4\n")
        let objects = try JSONSerialization.jsonObject(with: docket.read("out.json"))
        #expect((objects as? [Any])?.count == 3)
        #expect(try docket.integrity() == "ok")
    }

    @Test(arguments: [
        ("lst", "'lst' is not a command. Did you mean 'list'?"),
        ("--store x lits --all", "'lits' is not a command. Did you mean 'list'?"),
        ("hist", "Did you mean 'history'?"),
        ("rm 3", "Did you mean 'trash'?"), ("ls", "Did you mean 'list'?"),
        ("exprot json", "Did you mean 'export'?"), ("sea rent", "Did you mean 'search'?"),
        ("frobnicate", "'frobnicate' is not a command."),
        ("help serach", "'serach' is neither a topic nor a command. Did you mean 'search'?"),
        ("help repeat", "Did you mean 'repeating'?"), ("help ad", "Did you mean 'add'?"),
        ("help frobnicate", "'frobnicate' is neither a topic nor a command.\n"),
        ("list --al", "Unknown option '--al'. Did you mean '--all'?"),
        ("add --pri high Foo", "Unknown option '--pri'. Did you mean '--priority'?"),
        ("add --date=tomorrow Foo", "Unknown option '--date'. Did you mean '--due'?"),
        ("add Foo --nots", "Unknown option '--nots'. Did you mean '--note'?"),
        ("add fix -x", "Unknown option '-x'. Write text that begins with a dash after --."),
    ])
    func whatWasMeantIsNamed(command: String, expected: String) throws {
        let docket = try Docket()
        let outcome = try docket.shell("\"$docket\" \(command)")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: docket.store))
    }

    @Test func aCommandLineWithTooManyWordsIsRefusedAtOnce() throws {
        let docket = try Docket()
        let outcome = try docket.shell("\"$docket\" search $(seq 20000)")
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("at most 4000 words, not 20001"), "\(outcome.errors)")
        let words = try docket.shell("\"$docket\" search $(seq 101)")
        #expect(words.code == 1 && words.errors.contains("at most 100 words, not 101"))
        let tags = try docket.shell(
            "\"$docket\" list $(for i in $(seq 101); do echo --tag t; done)"
        )
        #expect(tags.code == 64 && tags.errors.contains("--tag can be given at most 100 times"))
    }
}
