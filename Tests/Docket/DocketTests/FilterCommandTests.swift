import Foundation
import Testing

/// The commands that take items by a search.
@Suite struct FilterCommandTests {
    private let docket: Docket

    init() throws {
        docket = try Docket.copy("filters") { docket in
            for line in [
                "Pay rent tomorrow 9:00 +Home #bank !high every month",
                "Plan in 6 days +Home/Garden #out !med",
                "Report today +Work #desk !low", "Read a book", "Old yesterday #out",
            ] { try docket("add", line) }
            try docket("add", "--note", "Soil +Home/Garden #out")
            try docket("done", "5")
        }
    }

    @Test(arguments: [
        (["due:<7d"], ["Pay rent", "Plan", "Report"]),
        (["due:<7d", "-tag:desk"], ["Pay rent", "Plan"]),
        (["-has:list"], ["Read a book"]), (["is:done"], ["Old"]), (["tag:out"], ["Plan", "Soil"]),
        (["(tag:bank or tag:desk)", "priority>=medium"], ["Pay rent"]),
        (["\"a book\""], ["Read a book"]),
        (["today", "tag:desk"], ["Report"]),
        (["--where", "due < $tomorrow AND priority >= 1"], ["Report"]),
        (["tag:out", "--where", "priority > 0"], ["Plan"]),
        (["--all", "tag:out"], ["Plan", "Old", "Soil"]),
        (["--list", "Home", "is:task"], ["Pay rent", "Plan"]),
        (["--limit", "1", "due:any"], ["Pay rent"]),
        (["re", "not", "rent"], ["Report", "Read a book"]),
    ])
    func listShowsWhatAFilterFinds(_ arguments: [String], _ titles: [String]) throws {
        #expect(
            try docket.items(["list"] + arguments + ["--json"]).map { $0["title"] as? String }
                == titles
        )
    }

    /// As they are written: a shell reads `due:<7d` without quotes as the name of a file.
    @Test func examplesOfTheHelpRunInAShell() throws {
        let docket = try Docket()
        try docket("add", "Report +Work")
        try docket.write("tomorrow\n", to: "lines.txt")
        var count = 0
        for command in ["when", "lists add", "lists edit"] {
            let help = try docket.shell("\"$docket\" \(command) --help").output
            for line in help.split(separator: "\n") where line.hasPrefix("docket ") {
                let words = line.dropFirst("docket".count)
                let folder = docket.folder.path
                let outcome = try docket.shell("cd '\(folder)' && \"$docket\"\(words)")
                #expect(outcome.code == 0, "\(line): \(outcome)")
                count += 1
            }
        }
        #expect(count >= 6)
    }

    @Test func aSearchThatFindsNothingFails() throws {
        for arguments in [
            ["search", "zebra"], ["search", "tag:none", "due:any"], ["list", "due:<yesterday"],
            ["list", "zebra", "--json"],
            ["list", "--where", "priority > 5"],
        ] {
            #expect(try docket.run(arguments).code == 1, "\(arguments)")
        }
        #expect(try docket("list", "overdue").code == 0)
        #expect(try docket("list", "tody").errors.contains("Did you mean the built-in list today?"))
    }

    @Test func countPrintsANumber() throws {
        #expect(try docket("list", "--count").output == "5\n")
        #expect(try docket("list", "--count", "tag:out").output == "2\n")
        #expect(try docket("search", "--count", "re").output == "3\n")
        let none = try docket("search", "--count", "zebra")
        #expect(none.output == "0\n" && none.code == 1)
        #expect(try docket("list", "--count", "--json").code == 64)
    }

    @Test(arguments: [
        ("duu:today", 1, "\"duu\" is not a field: did you mean due?"),
        ("due:2026-02-30", 1, "“2026-02-30” is not a date: February 2026 has 28 days."),
        ("tag:nowhere", 1, "The tag #nowhere does not exist. Existing tags: #bank, #desk, #out."),
        ("(a", 1, "This ( has no ) after it."), ("due:", 1, "due: needs a value."),
        (
            "-milk", 64,
            "Unknown option '-milk'. To leave out items with a word, write not before it."
        ),
    ])
    func whatIsNotUnderstoodIsRefused(_ text: String, _ code: Int32, _ sentence: String) throws {
        for command in ["list", "search", "done", "trash"] {
            let outcome = try docket(command, text)
            #expect(outcome.code == code && outcome.output.isEmpty, "\(command)")
            #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        }
        #expect(try docket("list", "--count").output == "5\n")
    }

    @Test func editTakesAPredicateWithAndWithoutAFilter() throws {
        let edited = try docket("edit", "--where", "priority >= 2", "flagged=yes", "estimate=1h")
        #expect(edited.output == "Edited 2 tasks: flagged, estimate\n", "\(edited.errors)")
        #expect(try docket("list", "--count", "is:flagged").output == "2\n")
        let one = try docket("edit", "tag:bank", "--where", "priority >= 2", "flagged=no")
        #expect(one.output == "Edited \"Pay rent\": flag\n", "\(one.errors)")
        #expect(try docket("edit", "--where", "priority >= 2").code == 64)
        #expect(try docket("edit", "--where", "priority > 5", "flagged=no").code == 1)
        #expect(try docket("edit", "1").errors.contains("Say what to change"))
    }

    @Test func skipTakesAFilterAndAPredicate() throws {
        #expect(try docket("skip", "every:any").output.hasPrefix("Skipped \"Pay rent\", next "))
        let skipped = try docket("skip", "--where", "priority >= 2")
        #expect(skipped.output.hasPrefix("Skipped \"Pay rent\", next "), "\(skipped.errors)")
        #expect(try docket("skip", "tag:desk").output.contains("not repeating, or done"))
        #expect(try docket("skip").code == 64)
    }

    @Test func aNameThatIsAWordOfTheLanguageIsFoundByItsSign() throws {
        try docket("add", "--plain", "Odd", "--list", "none", "--tag", "any")
        #expect(try docket.items(["list", "list:\\none", "--json"]).count == 1)
        #expect(try docket.items(["list", "tag:#any", "--json"]).count == 1)
        #expect(try docket("list", "--count", "list:none").output == "1\n")
    }

    @Test func aListNameOfTwoLinesIsOneLine() throws {
        try docket("add", "--plain", "Odd", "--list", "two\nlines")
        #expect(try docket("list", "--count", "list:\"two lines\"").output == "1\n")
    }

    @Test func aVariableThatDoesNotExistIsNamed() throws {
        let outcome = try docket("list", "--where", "due < $tomorow")
        #expect(
            outcome.code == 1 && outcome.errors.contains("The variable $tomorow does not exist")
        )
        #expect(try docket("list", "--where", "due <").code == 1)
    }

    @Test func aFilterChangesWhatItFindsAsOneStep() throws {
        #expect(try docket("done", "due:<7d", "priority>=medium").output == "Completed 2 tasks\n")
        #expect(try docket.titles("is:done") == ["Pay rent", "Plan", "Old"])
        #expect(try docket("undone", "tag:bank").output == "Reopened \"Pay rent\"\n")
        #expect(try docket("undo").code == 0)
        #expect(try docket("undo").code == 0)
        #expect(try docket.titles("is:done") == ["Old"])
        #expect(
            try docket("edit", "tag:out is:task", "priority=high", "estimate=30").output
                == "Edited \"Plan\": priority, estimate\n"
        )
        #expect(
            try docket("edit", "due:any -tag:out", "list=Later").output == "Edited 2 tasks: list\n"
        )
        #expect(try docket.titles("list:later") == ["Pay rent", "Report"])
        #expect(try docket("undo").output == "Undid: edited 2 tasks: list\n")
        #expect(try docket.titles("list:work") == ["Report"])
        #expect(
            try docket("trash", "--where", "title = 'Read a book'").output
                == "Trashed \"Read a book\"\n"
        )
        #expect(try docket("restore", "book is:task").output == "Restored \"Read a book\"\n")
    }

    @Test func anEditLeavesOutWhatHasNoSuchFieldAndCountsIt() throws {
        #expect(
            try docket("edit", "tag:out", "due=2026-12-24").output
                == "Edited \"Plan\": due; 1 note has no field \"due\"\n"
        )
        #expect(
            try docket("edit", "tag:out", "body=x", "flagged=yes", "start=today", "priority=low")
                .output
                == "Edited 2 items: body, flagged, start, priority; 1 task has no field \"body\""
                + "; 1 note has no fields \"start\", \"priority\"\n"
        )
        #expect(try docket("undo").code == 0)
        #expect(try docket.titles("is:flagged").isEmpty)
        let before = try docket("export", "-").output
        for fields in [
            ["due=fri"], ["title=New", "due=fri"], ["flagged=yes", "body=x", "due=fri"],
        ] {
            let outcome = try docket.run(["edit", "6"] + fields)
            #expect(outcome.code == 1, "\(fields)")
            #expect(outcome.errors == "docket: Only a task has the field \"due\".\n")
        }
        #expect(try docket("export", "-").output == before)
    }

    /// A misspelled number must not complete what its letters find.
    @Test func wordsAloneChangeNothing() throws {
        let outcome = try docket("done", "rent")
        #expect(outcome.code == 1 && outcome.errors.contains("is not an item's number"))
        #expect(
            try docket("done", "tag:bank", "zebra").errors
                == "docket: Nothing is found; nothing was changed.\n"
        )
        let range = try docket("done", "3-4", "tag:bank")
        #expect(range.code == 1 && range.errors.contains("“3-4” stands beside a condition"))
        #expect(try docket("done").code == 64)
        #expect(try docket("done", "1", "3-4").output == "Completed 3 tasks\n")
    }

    @Test func veryLongFiltersGetASentence() throws {
        let deep = String(repeating: "(", count: 10_000) + "a"
        let outcome = try docket("list", deep)
        #expect(
            outcome.code == 1
                && outcome.errors == "docket: Parentheses may be nested 50 deep, not deeper.\n"
        )
        let many = (1...20_000).map { "w\($0)" }.joined(separator: " ")
        #expect(
            try docket("search", many).errors
                == "docket: A search takes at most 100 words, not 20000; leave some out.\n"
        )
        let values = Array(repeating: "2026-10-01", count: 2000).joined(separator: ",")
        #expect(
            try docket("list", "due:" + values).errors
                == "docket: A search takes at most 500 values, not 2000; leave some out.\n"
        )
        // As many as may be are not too much for the store.
        let most = Array(repeating: "2026-10-01", count: 500).joined(separator: ",")
        let found = try docket("list", "due!=" + most)
        #expect(found.errors.isEmpty && found.code == 0)
    }
}
