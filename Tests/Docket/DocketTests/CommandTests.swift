import Foundation
import SeededRandom
import Testing

@Suite("The commands")
struct CommandTests {
    @Test func addPrintsTheShortIDFirst() throws {
        let docket = try Docket()
        #expect(
            try docket("add", "Pay", "the", "rent", "#bank").output == "1 Pay the rent   #bank\n"
        )
        #expect(try docket("add", "--note", "Idea\nMore").output == "2 Idea\n")
        #expect(
            try docket("add", "-", input: Data("From a pipe\n".utf8)).output == "3 From a pipe\n"
        )
    }

    @Test func aLineOfWordsAloneDoesWhatTheParserMakesOfIt() throws {
        let (alone, parsed) = (try Docket(), try Docket())
        for line in [
            "list", "add", "add Pay the rent #bank", "add Milk", "add Bread", "list", "list bank",
            "list today", "list nothing", "list lists/Recipes soup", "search", "search milk",
            "search nothing", "show", "show 1", "show 1 2", "show 9", "done", "done 1", "done 9",
            "done tag:none", "undo 1", "undo", "undo", "undo", "undo", "undo", "list", "no command",
        ] {
            let words = line.split(separator: " ").map(String.init)
            let one = try alone.run(words)
            // An option before the command leaves the line to the parser.
            let other = try parsed.run(["--store", parsed.store] + words)
            let own = ["  uuid", "  created", "  changed"]
            func shared(_ outcome: Docket.Outcome) -> [String] {
                outcome.lines.filter { line in !own.contains { line.hasPrefix($0) } }
            }
            #expect(one.code == other.code && shared(one) == shared(other), "\(line)")
            #expect(one.errors == other.errors, "\(line)")
        }
    }

    @Test func dependenciesAndLocationsAreShownByShowAndList() throws {
        let docket = try Docket()
        try docket("add", "Buy paint @Market")
        #expect(try docket("add", "Paint after:1").output == "2 Paint   waits for 1\n")
        try docket("add", "Look blocks:2")
        #expect(
            try docket("list").lines == [
                "1 ○ Buy paint  @Market", "2 ○ Paint  waits for 1, 3", "3 ○ Look",
            ]
        )
        let shown = try docket("show", "2").lines
        #expect(shown.contains("  waits for 1 ○ Buy paint"))
        #expect(try docket("show", "1").lines.contains("  blocks    2 ○ Paint"))
        #expect(try docket("show", "1").lines.contains("  location  Market"))
        #expect(try docket("edit", "3", "waits=2").code == 1)
        try docket("done", "1")
        #expect(try docket("list", "waits:1").lines == ["2 ○ Paint  waits for 3"])
        try docket("edit", "2", "location=Garden", "waits=")
        #expect(try docket("list").lines == ["2 ○ Paint  @Garden", "3 ○ Look"])
    }

    @Test func aReminderIsEditedAndShown() throws {
        let docket = try Docket()
        try docket("add", "Renew 2099-03-01 remind me 1 week before")
        #expect(try docket("show", "1").lines.contains("  reminds   1 week before"))
        #expect(
            try docket("edit", "1", "remind=2 h before").output
                == "Edited \"Renew\": reminder\n"
        )
        #expect(try docket("show", "1").lines.contains("  reminds   2 h before"))
        let later = try docket("edit", "1", "postpone=+2d")
        #expect(later.output == "Edited \"Renew\": due, reminder\n")
        #expect(try docket("list").output.contains("3 Mar 2099"))
        let never = try docket("edit", "1", "postpone=soonish")
        #expect(never.code == 1 && never.errors.contains("“soonish” is not a date"))
        let wrong = try docket("edit", "1", "remind=soon")
        #expect(wrong.code == 1 && wrong.errors.contains("“soon” is not a reminder"))
        try docket("edit", "1", "remind=none")
        #expect(try !docket("show", "1").output.contains("reminds"))
        try docket("undo")
        #expect(try docket("show", "1").lines.contains("  reminds   2 h before"))
    }

    @Test func aStretchOfHoursIsShownFromItsStart() throws {
        let docket = try Docket()
        try docket("add", "Lunch today 12:30-13:30")
        try docket("add", "Fair 2099-12-03 to 2099-12-05")
        try docket("add", "Shift tomorrow 22:00-06:00")
        #expect(
            try docket("list").lines == [
                "1 ○ Lunch  today 12:30-13:30", "2 ○ Fair  5 Dec 2099",
                "3 ○ Shift  tomorrow 22:00-06:00",
            ]
        )
        #expect(
            try docket("show", "1").lines.contains {
                $0.hasPrefix("  due") && $0.hasSuffix(", 12:30-13:30")
            }
        )
    }

    @Test func addTellsHowManyLinesOfInputBecameNotes() throws {
        let docket = try Docket()
        let output = try docket("add", "-", input: Data("Shop\nmilk\nbread\n".utf8)).output
        #expect(output == "1 Shop   2 lines of notes\n")
        #expect(try docket("add", "Pay\nsoon").output == "2 Pay   1 line of notes\n")
    }

    @Test func aSettingIsWrittenIntoTheFileAndNothingElseChanges() throws {
        let docket = try Docket()
        let name = ".config/docket/config.toml"
        #expect(
            try docket("config", "set", "theme", "dark").output
                == "theme = \"dark\" in \(docket.path(name))\n"
        )
        #expect(String(decoding: try docket.read(name), as: UTF8.self) == "theme = \"dark\"\n")
        try docket.write(
            """
            # mine
            theme = "light"  # bright room
            ascii = true

            # undo
            [history]
            steps = 10 # few

            [keys]
            "item.done" = "x"
            """,
            to: name
        )
        for (key, value) in [
            ("theme", "16"), ("mouse", "false"), ("history.steps", "500"),
            ("history.age", "1 year"), ("keys.item.done", "y"), ("vault.lock-after", "60"),
        ] {
            let outcome = try docket("config", "set", key, value)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(key): \(outcome)")
        }
        let text = """
            # mine
            theme = "16"  # bright room
            ascii = true
            mouse = false

            # undo
            [history]
            steps = 500 # few
            age = "1 year"

            [keys]
            "item.done" = "y"

            [vault]
            lock-after = 60

            """
        #expect(String(decoding: try docket.read(name), as: UTF8.self) == text)
        for (key, value, sentence) in [
            ("theme", "pink", "\"pink\" is not a theme"),
            ("colour", "red", "\"colour\" is not a setting"),
            ("history.steps", "few", "steps must be a number"), ("x.y", "1", "[x] is not a table"),
        ] {
            let outcome = try docket("config", "set", key, value)
            #expect(outcome.code == 1 && outcome.errors.contains(sentence), "\(outcome.errors)")
        }
        #expect(String(decoding: try docket.read(name), as: UTF8.self) == text)
        let wrong = try docket("config", "theme", "dark")
        #expect(
            wrong.code == 64 && wrong.errors.contains("docket config set theme dark"),
            "\(wrong.errors)"
        )
    }

    @Test func textMayBeginWithADash() throws {
        let docket = try Docket()
        #expect(try docket("add", "-5", "degrees", "->", "-").output == "1 -5 degrees -> -\n")
        #expect(
            try docket("add", "fix the --verbose flag").output == "2 fix the --verbose flag\n"
        )
        #expect(try docket("add", "--", "-x", "--note").output == "3 -x --note\n")
        #expect(try docket("add", "--", "--store", "y").output == "4 --store y\n")
        #expect(try docket("list").lines.count == 4)
    }

    @Test func theStoreIsNamedBeforeOrAfterTheSubcommand() throws {
        let docket = try Docket()
        let other = docket.path("other.sqlite")
        #expect(try docket("--store", other, "add", "one").output == "1 one\n")
        #expect(try docket("add", "--store", other, "two").output == "2 two\n")
        #expect(try docket("add", "three", "--store", other).output == "3 three\n")
        #expect(try docket("--store", other, "list").lines.count == 3)
        #expect(try docket("list", "--store", other).lines.count == 3)
        #expect(try docket("list").lines.isEmpty)
        #expect(try docket("--store", other, "--export", "text").output.contains("two"))
        #expect(try docket("--store", "", "add", "x").code == 64)
    }

    @Test func theDefaultStoreIsBelowTheDataFolder() throws {
        let docket = try Docket()
        docket.environment["DOCKET_STORE"] = nil
        try docket("add", "one")
        let home = docket.path(".local/share/docket/docket.sqlite")
        #expect(FileManager.default.fileExists(atPath: home))
        docket.environment["XDG_DATA_HOME"] = docket.path("data")
        try docket("add", "two")
        #expect(FileManager.default.fileExists(atPath: docket.path("data/docket/docket.sqlite")))
        docket.environment["XDG_DATA_HOME"] = "relative"
        #expect(try docket.titles() == ["one"])
    }

    @Test func listShowsOpenItemsInDisplayOrder() throws {
        let docket = try Docket()
        for line in ["a +Home #x", "b +Home/Garden #y", "c +Work #x #y", "d"] {
            try docket("add", line)
        }
        try docket("move", "4", "--top")
        #expect(try docket.titles() == ["d", "a", "b", "c"])
        #expect(try docket.titles("--list", "Home") == ["a", "b"])
        #expect(try docket.titles("--list", "home/garden") == ["b"])
        #expect(try docket.titles("--tag", "x", "--tag", "#y") == ["c"])
        #expect(try docket.titles("--limit", "2") == ["d", "a"])
        #expect(try docket.titles("--limit", "0").isEmpty)
        try docket("done", "1")
        try docket("trash", "2")
        #expect(try docket.titles() == ["d", "c"])
        #expect(try docket.titles("--all") == ["d", "a", "b", "c"])
        let unknown = try docket("list", "--list", "Nowhere")
        #expect(unknown.code == 1)
        #expect(unknown.errors.contains("Existing lists: Home, Home/Garden, Work."))
    }

    @Test func jsonItemsCarryWhatScriptsNeed() throws {
        let docket = try Docket()
        try docket("add", "Pay rent tomorrow +Home #bank !high")
        let item = try #require(try docket.items(["list", "--json"]).first)
        let keys = [
            "id", "uuid", "kind", "title", "notes", "list", "tags", "due", "start", "priority",
            "completed", "created", "modified", "order", "trashed",
        ]
        for key in keys { #expect(item[key] != nil, "\(key)") }
        #expect(item["title"] as? String == "Pay rent")
        #expect(item["list"] as? String == "Home")
        #expect(item["tags"] as? [String] == ["bank"])
        #expect(item["priority"] as? Int == 3)
        #expect(item["completed"] is NSNull)
        let shown = try docket("show", "1", "--json")
        let object = try JSONSerialization.jsonObject(with: shown.bytes) as? [String: Any]
        #expect(object?["uuid"] as? String == item["uuid"] as? String)
        #expect(shown.errors.isEmpty)
        let found = try docket.items(["search", "rent", "--json"])
        #expect(found.count == 1)
        #expect(try docket("list", "--json", "--tag", "bank").output.hasPrefix("[\n{\"id\":1,"))
    }

    @Test func eachCommandSaysWhatItDidInALine() throws {
        let docket = try Docket.adding("a", "b", "c")
        #expect(try docket("done", "1", "2").output == "Completed 2 tasks\n")
        #expect(try docket("done", "1").output == "Nothing changed: 1 is done already.\n")
        #expect(try docket("undone", "1").output == "Reopened \"a\"\n")
        #expect(try docket("trash", "1-3").output == "Trashed 3 tasks\n")
        #expect(try docket("restore", "2,3").output == "Restored 2 tasks\n")
        #expect(
            try docket("edit", "2", "title=B", "tags=x").output == "Edited \"B\": title, tags\n"
        )
        #expect(try docket("move", "3", "--top").output == "Moved \"c\" to the top\n")
        #expect(try docket("undo").output == "Undid: moved \"c\" to the top\n")
        #expect(try docket("redo").output == "Redid: moved \"c\" to the top\n")
        #expect(try docket("history", "--limit", "1").output.hasPrefix("undo  Moved \"c\" to"))
        #expect(
            try docket("export", docket.path("x.json")).output
                == "Exported 3 items to \(docket.path("x.json"))\n"
        )
    }

    @Test func duplicatesAreShownAsNewItems() throws {
        let docket = try Docket.adding("a #x", "b", "c")
        try docket("move", "2", "--under", "1")
        try docket("done", "3")
        #expect(try docket("duplicate", "1", "3").output == "4 a\n5 c\n")
        #expect(try docket("undo").output == "Undid: duplicated 2 tasks\n")
        #expect(try docket("duplicate", "tag:x", "--with-subtasks").output.hasSuffix(" a\n"))
        #expect(
            try docket.items(["list", "--json"]).compactMap { $0["title"] as? String }.sorted()
                == ["a", "a", "b", "b"]
        )
        let json = try docket.items(["duplicate", "3", "--json"])
        #expect(
            json.count == 1 && json[0]["title"] as? String == "c" && json[0]["completed"] is NSNull
        )
        #expect(try docket("duplicate", "99").code == 1)
    }

    @Test func subtasksAreLeftUnlessTheFlagSaysOtherwise() throws {
        for verb in ["done", "trash"] {
            let told = verb == "done" ? "Completed" : "Trashed"
            let docket = try Docket.adding("parent", "part", "part of the part")
            try docket("edit", "2", "parent=1")
            try docket("edit", "3", "parent=2")
            #expect(try docket(verb, "1", "--with-subtasks", "--leave-subtasks").code == 64)
            #expect(
                try docket(verb, "1").output
                    == "\(told) \"parent\"; 2 open subtasks stay as they are\n"
            )
            #expect(try docket.titles() == ["part", "part of the part"])
            #expect(try docket("undo").output.hasPrefix("Undid: \(told.lowercased()) \"parent\""))
            #expect(try docket(verb, "1", "--leave-subtasks").output.contains("2 open subtasks"))
            try docket("undo")
            #expect(try docket(verb, "1", "--with-subtasks").output == "\(told) 3 tasks\n")
            #expect(try docket.titles().isEmpty)
            try docket("undo")
            #expect(try docket.titles().count == 3)
        }
    }

    @Test func previewShowsTheStepAndTakesNone() throws {
        let docket = try Docket()
        #expect(try docket("undo", "--preview").code == 3)
        try docket("add", "Pay rent +Home !high")
        try docket("edit", "1", "priority=low", "title=Pay the rent")
        let shown = try docket("undo", "--preview")
        #expect(shown.code == 0)
        #expect(
            shown.lines.last
                == "  ~ 1 Pay the rent  title: \"Pay the rent\" → \"Pay rent\"; priority: low → high"
        )
        #expect(
            try docket("undo", "--preview").output.hasPrefix(
                "undo  Edited \"Pay the rent\": title, priority"
            )
        )
        #expect(try docket("undo").output == "Undid: edited \"Pay the rent\": title, priority\n")
        #expect(try docket("redo", "--preview").lines.last?.contains("high → low") == true)
        #expect(
            try docket("undo", "--preview").lines.suffix(2) == ["  - 1 Pay rent", "  - list Home"]
        )
        #expect(try docket("undo", "--on-conflict", "maybe").code == 64)
    }

    @Test func everyFieldCanBeEdited() throws {
        let docket = try Docket.adding("a", "b")
        let outcome = try docket(
            "edit",
            "1",
            "title=New",
            "notes=line",
            "list=Home/Garden",
            "tags=x, y",
            "due=2026-12-24",
            "start=2026-12-01",
            "priority=high",
            "flagged=yes",
            "parent=2",
            "done=yes"
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let item = try #require(try docket.items().first)
        #expect(item["title"] as? String == "New")
        #expect(item["notes"] as? String == "line")
        #expect(item["list"] as? String == "Home/Garden")
        #expect(item["tags"] as? [String] == ["x", "y"])
        #expect(item["due"] as? String == "2026-12-24")
        #expect(item["start"] as? String == "2026-12-01")
        #expect(item["priority"] as? Int == 3)
        #expect(item["flagged"] as? Bool == true)
        #expect(item["completed"] is String)
        #expect(item["parent"] is String)
        try docket("edit", "1", "due=", "list=", "tags=", "notes=", "parent=", "done=no")
        let cleared = try #require(try docket.items().first)
        #expect(cleared["due"] is NSNull && cleared["list"] is NSNull)
        #expect(cleared["parent"] == nil && cleared["completed"] is NSNull)
    }

    @Test func moveUnderATaskIsOneStepWithItsPlace() throws {
        let docket = try Docket.adding("a", "b", "c")
        try docket("add", "--note", "n")
        #expect(try docket("move", "3", "--under", "1").output == "Put \"c\" under \"a\"\n")
        #expect(try docket.titles() == ["a", "b", "c", "n"])
        #expect(try docket("move", "3", "--under", "1").output.hasPrefix("Nothing changed: 3 is"))
        try docket("undo")
        let outcome = try docket("move", "3", "--under", "1", "--after", "1")
        #expect(outcome.output == "Put \"c\" under \"a\"\n")
        #expect(try docket.titles() == ["a", "c", "b", "n"])
        #expect(try docket("undo").output == "Undid: put \"c\" under \"a\"\n")
        #expect(try docket.titles() == ["a", "b", "c", "n"])
        try docket("redo")
        let circle = try docket("move", "1", "--under", "3", "--top")
        #expect(circle.code == 1)
        #expect(circle.errors.contains("\"a\" cannot be a subtask of itself"))
        #expect(try docket("move", "4", "--under", "1").errors.contains("4 is a note"))
        #expect(try docket("edit", "2", "parent=4").errors.contains("4 is a note"))
        #expect(try docket("move", "1").code == 64)
    }

    @Test func addKeepsThePlaceAndImportNamesItsFile() throws {
        let docket = try Docket()
        try docket("add", "Buy paint @Shop")
        #expect(try docket.items().first?["location"] as? String == "Shop")
        try docket.write("one\ntwo\n", to: "todo.txt")
        try docket("import", "--format", "todotxt", docket.path("todo.txt"))
        #expect(try docket("undo").output == "Undid: imported 2 items from todo.txt\n")
    }

    @Test func moveKnowsEveryDirection() throws {
        let docket = try Docket.adding("a", "b", "c", "d")
        func order(_ arguments: String...) throws -> String {
            _ = try docket.shell("\"$docket\" move \(arguments.joined(separator: " "))")
            return try docket.titles().joined()
        }
        #expect(try order("4", "--top") == "dabc")
        #expect(try order("4", "--bottom") == "abcd")
        #expect(try order("3", "--up") == "acbd")
        #expect(try order("1", "--down") == "cabd")
        #expect(try order("4", "--before", "1") == "cdab")
        #expect(try order("3", "--after", "2") == "dabc")
        #expect(try docket("move", "1").code == 64)
        #expect(try docket("move", "1", "--up", "--down").code == 64)
    }

    @Test func severalItemsOfOneCommandAreOneStep() throws {
        let docket = try Docket.adding("a", "b", "c")
        try docket("done", "1", "2", "3")
        try docket("undo")
        #expect(try docket.titles() == ["a", "b", "c"])
        try docket.write("[{\"title\":\"x\"},{\"title\":\"y\"}]", to: "in.json")
        #expect(try docket("import", docket.path("in.json")).output == "Imported 2 items\n")
        #expect(try docket.titles().count == 5)
        try docket("undo")
        #expect(try docket.titles() == ["a", "b", "c"])
        try docket("redo")
        #expect(try docket.titles() == ["a", "b", "c", "x", "y"])
    }

    @Test func undoingEverythingEndsWithCodeThree() throws {
        let docket = try Docket()
        try docket("add", "a")
        #expect(try docket("redo").code == 3)
        #expect(try docket("undo").code == 0)
        let last = try docket("undo")
        #expect(last.code == 3)
        #expect(last.errors == "docket: There is nothing to undo.\n")
        #expect(last.output.isEmpty)
        #expect(try docket("redo").code == 0)
        #expect(try docket.titles() == ["a"])
    }

    @Test func searchFindsWordsInAnyFieldWhateverTheirCase() throws {
        let docket = try Docket()
        try docket("add", "Call the Ämter +Office #später")
        try docket("add", "Other")
        #expect(try docket("search", "amter", "office").lines.count == 1)
        #expect(try docket("search", "SPATER").lines.count == 1)
        #expect(try docket("search", "nothing").code == 1)
        #expect(try docket("search", "nothing", "--json").output == "[\n]\n")
        try docket("done", "1")
        #expect(try docket("search", "call").lines.isEmpty)
        #expect(try docket("search", "call", "--all").lines.count == 1)
    }

    @Test func helpAndVersionGoToStandardOutput() throws {
        let docket = try Docket()
        let help = try docket("--help")
        #expect(help.code == 0 && help.output.contains("SUBCOMMANDS") && help.errors.isEmpty)
        #expect(try docket("--version").output == "0.4.0\n")
        #expect(try docket("done", "--help").code == 0)
    }

    /// Numbers at their ends, in a file and in a store.
    @Test(arguments: [
        #""order":9223372036854775807"#, #""order":9223372036853727232"#,
        #""order":-9223372036854775808"#, #""id":9223372036854775807"#, #""id":9007199254740993"#,
        #""id":-1"#, #""estimate":9223372036854775807"#, #""estimate":-5"#,
        #""due":"9999-12-31T23:59:59Z""#,
        #""due":"0001-01-01","recurrence":"FREQ=MINUTELY""#,
    ])
    func anImportedNumberAtItsEndStopsNothing(_ member: String) throws {
        let docket = try Docket()
        let lines = ["{\"title\":\"first\",\(member)}", "{\"title\":\"second\"}"]
        try docket.write(lines.joined(separator: "\n"), to: "a.json")
        #expect(try docket("import", docket.path("a.json")).code == 0)
        for arguments in [
            ["add", "third"], ["import", docket.path("a.json")], ["move", "1", "--bottom"],
            ["move", "2", "--top"], ["show", "1"], ["list"], ["done", "1"], ["undo"],
            ["export", "--format", "taskwarrior"], ["doctor"],
        ] {
            let outcome = try docket.run(arguments)
            #expect(outcome.code == 0, "\(arguments): \(outcome)")
        }
        #expect(try docket.items().allSatisfy { ($0["id"] as? Int ?? 0) <= 6 })
    }

    @Test(arguments: [
        "UPDATE ZITEM SET ZDISPLAYORDER = 9223372036854775807 WHERE Z_PK = 2",
        "UPDATE ZITEM SET ZDISPLAYORDER = -9223372036854775808 WHERE Z_PK = 2",
        "UPDATE ZITEM SET ZSHORTID = 9223372036854775807 WHERE Z_PK = 3",
        "UPDATE ZITEM SET ZPRIORITY = 9223372036854775807",
        "UPDATE ZITEM SET ZESTIMATE = -9223372036854775808",
        "UPDATE ZLIST SET ZDISPLAYORDER = 9223372036854775807",
    ])
    func aStoredNumberAtItsEndStopsNothing(_ damage: String) throws {
        let docket = try Docket()
        try docket("add", "one every day tomorrow +Home")
        for title in ["two", "three"] { try docket("add", title) }
        try docket.sqlite(docket.store, damage, keepsChecksums: true)
        var isRepaired = false
        for arguments in [
            ["add", "four"], ["add", "five +Other"], ["done", "1"], ["move", "2", "--bottom"],
            ["move", "1", "--top"], ["list"], ["show", "2"], ["search", "two"],
            ["doctor", "--repair", "--accept-pages"], ["doctor"], ["add", "six"],
        ] {
            let outcome = try docket.run(arguments)
            // A value that the model forbids refuses a change of its item, until it is repaired.
            isRepaired = isRepaired || arguments[0] == "doctor"
            let isRefused = outcome.code == 1 && outcome.errors.contains(" has to be at ")
            #expect(
                outcome.code == 0 || isRefused && !isRepaired,
                "\(arguments): \(outcome)"
            )
        }
        #expect(try docket.titles("--all").last == "six")
    }

    /// The place is decided inside the transaction.
    @Test(arguments: [
        [["move", "1", "--top"], ["move", "2", "--top"]],
        [["move", "1", "--bottom"], ["add", "new"]],
        [
            ["move", "1", "--after", "4"], ["move", "2", "--after", "4"],
            ["move", "3", "--before", "5"],
        ],
    ])
    func twoProcessesNeverGiveTwoItemsOnePlace(_ commands: [[String]]) throws {
        let docket = try Docket.adding("one", "two", "three", "four", "five", "six")
        for round in 0..<SeededRandom.rounds(2, long: 12) {
            let started = try commands.enumerated().map { place, command in
                (try docket.start(Docket.program, command, "\(place)"), "\(place)")
            }
            for (process, name) in started {
                #expect(try docket.outcome(of: process, name).code == 0)
            }
            let places = try docket.sqlite(
                docket.store,
                "SELECT COUNT(*) - COUNT(DISTINCT ZDISPLAYORDER) FROM ZITEM"
            )
            #expect(places == ["0"], "round \(round)")
            for item in 1...3 { try docket("move", "\(item)", "--before", "6") }
        }
        #expect(try docket("doctor").code == 0)
    }

    @Test func itemsAtOnePlaceAreSeparatedByAMove() throws {
        let docket = try Docket.adding("one", "two", "three")
        try docket.sqlite(
            docket.store,
            "UPDATE ZITEM SET ZDISPLAYORDER = 7",
            keepsChecksums: true
        )
        try docket("move", "3", "--up")
        try docket("move", "2", "--bottom")
        try docket("move", "1", "--top")
        #expect(try docket.titles() == ["one", "three", "two"])
    }
}
