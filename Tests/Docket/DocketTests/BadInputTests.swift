import Foundation
import SeededRandom
import Testing

/// Whatever is given, one clear sentence and the documented code, and nothing is changed.
@Suite("Bad input")
struct BadInputTests {
    /// One line on stderr, beginning with the program's name, without control characters.
    private func isClear(_ errors: String) -> Bool {
        errors.hasPrefix("docket: ") && errors.hasSuffix("\n")
            && errors.split(separator: "\n").count == 1
            && errors.dropLast().unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }

    @Test(arguments: ["text", "zeros", "head", "folder", "missing/store"])
    func aFileThatIsNoStoreIsRefusedAndLeftAlone(kind: String) throws {
        let docket = try Docket()
        let path = docket.path(kind)
        switch kind {
        case "text": try docket.write("This is not a database at all.\n", to: kind)
        case "zeros": try Data(count: 8192).write(to: URL(filePath: path))
        case "head":
            for _ in 0..<3 { try docket("add", "some item") }
            _ = try docket.shell(
                "cat docket.sqlite-wal >> /dev/null; head -c 3000 docket.sqlite > head"
            )
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true
            )
        default: break
        }
        try expectRefused(path, by: docket)
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone() throws {
        let docket = try Docket()
        try docket.sqlite(docket.path("foreign"), "CREATE TABLE t (a)")
        try docket.sqlite(docket.path("foreign"), "INSERT INTO t VALUES (1)")
        try expectRefused(docket.path("foreign"), by: docket)
    }

    private func expectRefused(_ path: String, by docket: Docket) throws {
        let before = try? Data(contentsOf: URL(filePath: path))
        for command in [["list"], ["add", "x"], ["undo"], ["export"]] {
            let script = (["\"$docket\"", "--store", path] + command).joined(separator: " ")
            let outcome = try docket.shell(script)
            #expect(outcome.code == 2, "\(path) \(command)")
            #expect(isClear(outcome.errors), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
        #expect((try? Data(contentsOf: URL(filePath: path))) == before)
    }

    @Test func aDamagedStoreIsReported() throws {
        let docket = try Docket()
        try docket.write((0..<50).map { "item \($0)\n" }.joined(), to: "items.txt")
        try docket("import", "--format", "todotxt", docket.path("items.txt"))
        var bytes = try docket.read("docket.sqlite")
        for place in 4096..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
        try bytes.write(to: URL(filePath: docket.store))
        for command in ["list", "add x", "undo", "export"] {
            let outcome = try docket.shell("\"$docket\" \(command)")
            #expect(outcome.code == 2, "\(command): \(outcome)")
            #expect(isClear(outcome.errors), "\(outcome.errors)")
        }
    }

    @Test func anEmptyFileIsAStoreToBe() throws {
        let docket = try Docket()
        try docket.write("", to: "docket.sqlite")
        #expect(try docket("list").code == 0)
        #expect(try docket("add", "one").output == "1 one\n")
    }

    @Test func aReadOnlyStoreIsListedAndNotWritten() throws {
        let docket = try Docket.adding("one")
        _ = try docket.shell("chmod 444 docket.sqlite*; chmod 555 .")
        defer { _ = try? docket.shell("chmod 755 .") }
        // Root may write everything, so it becomes nobody first.
        let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let list = try docket.shell("echo \"$(\(user) \"$docket\" list)\"")
        #expect(list.output == "1 ○ one\n", "\(list.errors)")
        let add = try docket.shell("\(user) \"$docket\" add two")
        #expect(add.code == 2, "\(add)")
        #expect(isClear(add.errors) && add.errors.contains("read-only"), "\(add.errors)")
    }

    @Test func wrongItemsAreNamed() throws {
        let docket = try Docket.adding("one")
        for id in [
            "99", "0", "x", "99999999999999999999999", "1-", "5-2", "1-999999999", "1,,2", "",
            "00000000-0000-0000-0000-000000000000", "\u{1b}[31m", "１",
        ] {
            let outcome = try docket("done", "--", id)
            #expect(outcome.code == 1, "\(id)")
            #expect(isClear(outcome.errors), "\(outcome.errors)")
        }
        #expect(try docket("done", "1", "99").code == 1)
        #expect(try docket.titles() == ["one"])
    }

    @Test func impossibleValuesAreRefused() throws {
        let docket = try Docket.adding("one")
        for change in [
            "title=", "title=   ", "due=2026-02-30", "due=gibberish", "priority=9", "done=maybe",
            "color=red", "nonsense", "parent=1", "parent=77", "body=x",
        ] {
            let outcome = try docket("edit", "1", "notes=kept out", change)
            #expect(outcome.code == 1, "\(change)")
            #expect(isClear(outcome.errors), "\(outcome.errors)")
        }
        for text in ["", "   ", "#tag", "+List"] {
            let outcome = try docket("add", text)
            #expect(outcome.code == 1, "\(text): \(outcome)")
            #expect(isClear(outcome.errors), "\(outcome.errors)")
        }
        #expect(try docket.items().first?["notes"] is NSNull)
        #expect(try docket.items().count == 1)
    }

    @Test func aWrongCommandLineEndsWith64() throws {
        let docket = try Docket()
        for arguments in [
            "bogus", "list --bogus", "list --limit x", "list --limit=-1", "done", "add",
            "export --format odt", "import --format text x", "--export odt", "history --limit 0",
        ] {
            let outcome = try docket.shell("\"$docket\" \(arguments)")
            #expect(outcome.code == 64, "\(arguments): \(outcome)")
            #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
        }
        let escape = try docket("bo\u{1b}[31mgus")
        #expect(!escape.errors.contains("\u{1b}"))
        #expect(!FileManager.default.fileExists(atPath: docket.store))
    }

    @Test func aBrokenLineIsNumberedAndNothingImported() throws {
        let docket = try Docket()
        try docket.write("[{\"title\":\"a\"},\n{\"titel\":3},\n{\"title\":\"c\"}]", to: "in.json")
        let refused = try docket("import", docket.path("in.json"))
        #expect(refused.code == 1)
        #expect(refused.errors.contains("line 2"))
        #expect(refused.errors.contains("Nothing was imported"))
        #expect(try docket.titles().isEmpty)
        let skipping = try docket("import", "--skip-broken", docket.path("in.json"))
        #expect(skipping.code == 0)
        #expect(skipping.output == "Imported 2 items; skipped 1\n")
        #expect(try docket.titles() == ["a", "c"])
        #expect(try docket("import", docket.path("none.json")).code == 1)
        #expect(try docket("import", docket.folder.path).code == 1)
    }

    @Test func largeAndInvalidTextIsTaken() throws {
        let docket = try Docket()
        let large = String(repeating: "word ", count: SeededRandom.rounds(4000, long: 40_000))
        let added = try docket("add", "-", input: Data(large.utf8))
        #expect(added.code == 0 && added.bytes.count > large.utf8.count - 5, "\(added.errors)")
        let bytes = try docket.shell(
            "\"$docket\" add \"$(printf 'bad \\377\\376 \\033[31mred\\007')\""
        )
        #expect(bytes.code == 0)
        #expect(!bytes.output.contains("\u{1b}") && !bytes.output.contains("\u{7}"))
        let input = try docket("add", "-", input: Data([0x61, 0xff, 0x00, 0x1b, 0x62]))
        #expect(input.code == 0 && !input.bytes.contains(0x1b) && !input.bytes.contains(0))
        #expect(try docket.items().count == 3)
        #expect(try docket.integrity() == "ok")
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let docket = try Docket()
        let text = String(repeating: "long title ", count: 30)
        let lines = (0..<2000).map { "\(text) \($0)" }.joined(separator: "\n")
        try docket.write(lines, to: "todo.txt")
        try docket("import", "--format", "todotxt", docket.path("todo.txt"))
        for command in ["list", "export", "list --json"] {
            let outcome = try docket.shell(
                "{ \"$docket\" \(command); echo \"code $?\" >&2; } | head -1"
            )
            #expect(outcome.errors == "code 0\n", "\(command): \(outcome.errors)")
        }
        let closed = try docket.shell("\"$docket\" list >&-")
        #expect(closed.code == 1 && isClear(closed.errors), "\(closed)")
        let full = try docket.shell("\"$docket\" list > /dev/full")
        #expect(full.code == 1 && isClear(full.errors), "\(full)")
    }

    @Test func controlsOfDirectionAreInTheDataAndNotInWhatPeopleRead() throws {
        let docket = try Docket()
        let title = "evil\u{202E}txt.exe\u{2066}x\u{2069}\u{200F}\u{200E}\u{61C} end"
        let texts = [
            try docket("add", "x", "+Home"), try docket("edit", "1", "title=\(title)"),
            try docket("edit", "1", "notes=\(title)"), try docket("edit", "1", "list=\(title)"),
            try docket("edit", "1", "tags=#\(title)"), try docket("list"), try docket("show", "1"),
            try docket("done", "1"), try docket("search", "evil"), try docket("history"),
            try docket("undo"), try docket("undo", "--preview"), try docket("show", title),
            try docket("add", "--\(title)"), try docket("list", "--list", title),
            try docket("export", docket.path("\(title)/none")),
            try docket("edit", "1", "\(title)=x"), try docket("edit", "1", "due=\(title)"),
        ]
        for (index, outcome) in texts.enumerated() {
            let scalars = (outcome.output + outcome.errors).unicodeScalars
            let strange = scalars.filter(\.properties.isBidiControl)
            #expect(strange.isEmpty, "\(index): \(outcome)")
        }
        #expect(texts[5].output.contains("eviltxt.exex end"), "\(texts[5])")
        #expect(try docket.titles("--all").first == title)
    }

    @Test func aFullDiskLosesNothing() throws {
        let docket = try Docket.adding("kept")
        let large = String(repeating: "filling the disk ", count: 7000)
        try docket.write(large, to: "large.txt")
        let command = "\"$docket\" edit 1 \"notes=$(cat large.txt)\""
        let outcome = try docket.shell("ulimit -f 512; \(command)")
        #expect(outcome.code == 2, "\(outcome)")
        #expect(isClear(outcome.errors), "\(outcome.errors)")
        #expect(try docket.items().first?["notes"] is NSNull)
        #expect(try docket.integrity() == "ok")
        #expect(try docket.shell(command).code == 0)
        try docket.write("before", to: "out.json")
        let export = try docket.shell("ulimit -f 128; \"$docket\" export out.json")
        #expect(export.code == 1 && isClear(export.errors), "\(export)")
        #expect(try docket.read("out.json") == Data("before".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
        #expect(!names.contains { $0.contains(".part-") })
    }

    @Test func exportWritesThroughLinksAndIntoDevices() throws {
        let docket = try Docket.adding("one")
        _ = try docket.shell(
            "mkdir real; echo x > real/file; chmod 640 real/file; ln -s real/file link"
        )
        #expect(try docket("export", docket.path("link")).code == 0)
        #expect(try docket.read("real/file").starts(with: Data("[\n".utf8)))
        #expect(
            try docket.shell("stat -c %a real/file; test -L link && echo link").output
                == "640\nlink\n"
        )
        #expect(try docket.shell("\"$docket\" export /dev/full; test -c /dev/full").code == 0)
        #expect(try docket("export", docket.path("none/x")).code == 1)
    }

    @Test func withoutAHomeThePlaceOfTheStoreIsAskedFor() throws {
        let docket = try Docket()
        docket.environment["DOCKET_STORE"] = nil
        docket.environment["HOME"] = nil
        let outcome = try docket("list")
        #expect(outcome.code == 2)
        #expect(isClear(outcome.errors) && outcome.errors.contains("--store"))
        #expect(try docket("list", "--store", docket.store).code == 0)
    }

    @Test func withoutATerminalTheInterfaceSaysSo() throws {
        let docket = try Docket()
        let outcome = try docket()
        #expect(outcome.code == 1 && isClear(outcome.errors), "\(outcome)")
    }

    @Test func twoProcessesAtOnceLoseNothing() throws {
        let docket = try Docket()
        let count = SeededRandom.rounds(5, long: 10)
        let script = "for i in $(seq \(count)); do \"$docket\" add \"NAME $i\" || exit 1; done"
        let names = ["left", "right"]
        let processes = try names.map { name in
            try docket.start(
                "/bin/sh",
                ["-c", script.replacingOccurrences(of: "NAME", with: name)],
                name
            )
        }
        for (process, name) in zip(processes, names) {
            let outcome = try docket.outcome(of: process, name)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.lines.count == count)
        }
        let items = try docket.items()
        #expect(Set(items.compactMap { $0["id"] as? Int }) == Set(1...2 * count))
        #expect(Set(items.compactMap { $0["order"] as? Int }).count == 2 * count)
        #expect(try docket.integrity() == "ok")
        for _ in 0..<2 * count { #expect(try docket("undo").code == 0) }
        #expect(try docket("undo").code == 3)
    }

    /// Reading a pipe, a device or a link in circles might never end.
    @Test(arguments: ["fifo", "folder", "loop", "device"])
    func whatIsNoFileIsNamedAtOnce(kind: String) throws {
        let docket = try Docket.adding("one")
        let path = docket.path(kind)
        let make = [
            "fifo": "mkfifo fifo", "folder": "mkdir folder", "loop": "ln -s loop loop",
            "device": "ln -s /dev/zero device",
        ]
        _ = try docket.shell(try #require(make[kind]))
        for (command, code) in [
            (["restore", "--backup", path], 1), (["inspect", path], 2),
            (["--store", path, "list"], 2), (["--store", path, "add", "x"], 2),
            (["doctor", "--store", path], 2),
        ] as [([String], Int32)] {
            let words = ["20", Docket.program] + command
            let process = try docket.start("/usr/bin/timeout", words, "run")
            let outcome = try docket.outcome(of: process, "run")
            #expect(outcome.code == code && isClear(outcome.errors), "\(command): \(outcome)")
            #expect(outcome.errors.contains(kind), "\(outcome.errors)")
        }
        let settings = docket.path(".config/docket/config.toml")
        _ = try docket.shell("mkdir -p .config/docket; mv \(kind) \(settings)")
        let process = try docket.start("/usr/bin/timeout", ["20", Docket.program, "config"], "run")
        let outcome = try docket.outcome(of: process, "run")
        if kind == "loop" { return }
        #expect(outcome.code == 1 && isClear(outcome.errors), "\(outcome)")
        #expect(outcome.errors.contains("config.toml is not read: it is a"))
    }

    @Test func aLongConfigurationIsToldInFewLinesAndAKeyGivenTwiceIsNamed() throws {
        let docket = try Docket()
        let name = ".config/docket/config.toml"
        try docket.write(String(repeating: "bad line\n", count: 10_000), to: name)
        var outcome = try docket("config")
        #expect(outcome.code == 1)
        #expect(outcome.errors.split(separator: "\n").count == 21)
        #expect(outcome.errors.hasSuffix("config.toml: 9980 more lines cannot be used.\n"))
        #expect(try docket("list").errors.utf8.count < 4000)
        try docket.write(String(repeating: "bad line\n", count: 1_000_000), to: name)
        #expect(try docket("config").errors.contains("it has more than a megabyte"))
        try docket.write("x = \"\(String(repeating: "y", count: 100_000))\" z\n", to: name)
        #expect(try docket("config").errors.utf8.count < 500)
        try docket.write("[history]\nsteps = 3\nsteps = 4\n", to: name)
        outcome = try docket("config")
        #expect(outcome.code == 1 && outcome.output.contains("steps = 3\n"))
        #expect(
            outcome.errors
                == "docket: config.toml, line 3: \"steps\" is in line 2 already, which counts.\n"
        )
    }

    @Test func theReasonOfATooLongFilterIsItsLength() throws {
        let docket = try Docket.adding("one")
        for filter in [
            (0..<150).map { "w\($0)" }.joined(separator: " or "),
            (0..<6000).map { _ in "a" }.joined(separator: " AND "),
        ] {
            let outcome = try docket("list", filter)
            #expect(outcome.code == 1 && isClear(outcome.errors), "\(outcome)")
            #expect(outcome.errors.contains("at most 100 words"), "\(outcome.errors)")
        }
    }

    @Test func aRelativeHomeIsCalledThat() throws {
        let docket = try Docket()
        docket.environment["HOME"] = "somewhere"
        docket.environment["DOCKET_STORE"] = nil
        let outcome = try docket("list")
        #expect(outcome.code == 2 && isClear(outcome.errors))
        #expect(outcome.errors.contains("HOME is \"somewhere\""), "\(outcome.errors)")
    }

    /// A sound store needs no restore because the process may open too few files.
    @Test func tooFewDescriptorsAreCalledThat() throws {
        let docket = try Docket.adding("one")
        var messages: [String] = []
        for limit in 4...12 {
            let outcome = try docket.shell("ulimit -n \(limit); exec \"$docket\" doctor")
            if outcome.code != 0 { messages.append(outcome.errors) }
            #expect(!outcome.errors.contains("restore"), "\(limit): \(outcome.errors)")
        }
        #expect(messages.contains { $0.contains("too many files are open") }, "\(messages)")
    }

    /// An item's number beside a condition was a word to find, and changed another item.
    @Test(arguments: ["done", "undone", "trash", "restore", "skip", "edit"])
    func aNumberBesideAConditionIsRefused(_ verb: String) throws {
        let docket = try Docket.adding("one", "two #home", "buy 2 pizzas #home")
        let before = try docket("export").output
        let words = verb == "edit" ? ["2 tag:home", "title=x"] : ["2", "tag:home"]
        for words in [words, [words[0] == "2" ? "(1-2" : "(1-2 or tag:home)"] + words.dropFirst()] {
            let outcome = try docket.run([verb] + words)
            #expect(outcome.code == 1 && outcome.errors.contains("it is no item"), "\(outcome)")
        }
        #expect(try docket("export").output == before)
        let given = try docket.run(["done", "2", "--where", "flagged == 0"])
        #expect(given.code == 1 && given.errors.contains("it is no item"), "\(given)")
        #expect(try docket("done", "id:2 tag:home").output == "Completed \"two\"\n")
        #expect(try docket("done", "\"2\" tag:home").output == "Completed \"buy 2 pizzas\"\n")
    }

    @Test func whatACommandLeavesOutIsNamed() throws {
        let docket = try Docket.adding("one", "two", "three")
        try docket("add", "--note", "four")
        try docket("done", "1")
        #expect(
            try docket("done", "1-4").output
                == "Completed 2 tasks; 1 is done already; 4 is no task\n"
        )
        #expect(try docket("trash", "2").output == "Trashed \"two\"\n")
        #expect(
            try docket("trash", "2,3").output == "Trashed \"three\"; 2 is in the trash already\n"
        )
    }
}
