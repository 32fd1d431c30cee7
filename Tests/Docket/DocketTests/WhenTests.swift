import Foundation
import Testing

/// `docket when TEXT`, and what `docket add` says about a text.
@Suite struct WhenTests {
    private let now = "2026-11-23T10:00"

    private func object(_ text: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func textIsToldInWords() throws {
        let docket = try Docket()
        let told = try docket(
            "when",
            "--now",
            now,
            "Call the dentist friday 9:15 +Home #phone every 6 months"
        )
        #expect(
            told.output
                == "Call the dentist   due Fri 27 Nov 9:15 · Home · #phone · every 6 months\n"
        )
        #expect(told.code == 0)
        #expect(!FileManager.default.fileExists(atPath: docket.path("docket.sqlite")))
    }

    @Test func jsonHasEveryMember() throws {
        let docket = try Docket()
        let told = try docket(
            "when",
            "--json",
            "--now",
            now,
            "Work fri 14-16 for 45 min #x !high 31 apr"
        )
        let read = try object(told.output)
        #expect(
            Set(read.keys) == [
                "text", "title", "due", "start", "end", "estimate", "reminder", "every", "list",
                "tags", "priority", "location", "waits", "blocks", "spans", "problems",
            ]
        )
        #expect(read["title"] as? String == "Work 31 apr")
        #expect(read["start"] as? String == "2026-11-27T14:00")
        #expect(read["end"] as? String == "2026-11-27T16:00")
        #expect(read["due"] as? String == "2026-11-27T16:00")
        #expect(read["estimate"] as? Int == 2700)
        #expect(read["every"] is NSNull)
        #expect(read["priority"] as? Int == 3)
        let spans = try #require(read["spans"] as? [[String: Any]])
        #expect(
            spans.compactMap { $0["kind"] as? String } == [
                "due", "estimate", "tag", "priority", "problem",
            ]
        )
        #expect(spans[0]["from"] as? Int == 5)
        #expect(spans[0]["to"] as? Int == 14)
        #expect((read["problems"] as? [String])?.count == 1)
    }

    @Test func linesOfStandardInputAreAnsweredOneByOne() throws {
        let docket = try Docket()
        let input = Data("Pay rent tomorrow\n\nIssue 12/24\n".utf8)
        let told = try docket("when", "--json", "--now", now, input: input)
        #expect(told.lines.count == 3)
        #expect(try object(told.lines[0])["due"] as? String == "2026-11-24")
        #expect(try object(told.lines[1])["title"] as? String == "")
        #expect(try object(told.lines[2])["due"] is NSNull)
    }

    @Test func languageAndOrderOfDatesAreThoseOfTheConfiguration() throws {
        let docket = try Docket()
        let month = try docket("when", "--now", now, "Pay 03/04 9:00")
        #expect(month.output.contains("due Thu 4 Mar 9:00"))
        #expect(month.output.contains("could be 4 Mar 2027 or 3 Apr 2027"))
        try docket.write("date-order = \"day-first\"\n", to: ".config/docket/config.toml")
        #expect(
            try docket("when", "--now", now, "Pay 03/04 9:00").output
                == "Pay   due Sat 3 Apr 9:00\n"
        )
        try docket.write("language = \"de\"\n", to: ".config/docket/config.toml")
        let german = try docket("when", "--now", now, "Ana anrufen übermorgen um halb drei")
        #expect(german.output == "Ana anrufen   due Wed 25 Nov 14:30\n")
        #expect(try docket("add", "Zahlen", "24.12.2099").output == "1 Zahlen   due 24 Dec 2099\n")
        #expect(try docket("edit", "1", "due=übermorgen").code == 0)
        #expect(try docket("when", "--now", now, "Call tomorrow").output == "Call tomorrow\n")
    }

    /// `Expected/phrases.txt` has a typed line after `> `, and below it what is shown.
    @Test func hundredPhrasesAreShownAsTheTableSays() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Expected/phrases.txt")
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let typed = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) }
        let shown = lines.filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        #expect(typed.count == 100)
        let docket = try Docket()
        let told = try docket(
            "when",
            "--now",
            "2026-11-24T10:00",
            input: Data((typed.joined(separator: "\n") + "\n").utf8)
        )
        #expect(told.lines.count == shown.count)
        for (line, expected) in zip(told.lines, shown) { #expect(line == expected) }
    }

    @Test func configShowsWhatCountsAndWhatIsWrong() throws {
        let docket = try Docket()
        let first = try docket("config")
        #expect(first.code == 0)
        #expect(first.lines.contains("language = \"en\""))
        #expect(first.lines.contains("# date-order: that of the language, month-first"))
        try docket.write(
            "language = \"de\"\ndate-order = \"us\"\n",
            to: ".config/docket/config.toml"
        )
        let wrong = try docket("config")
        #expect(wrong.code == 1)
        #expect(wrong.lines.contains("language = \"de\""))
        #expect(wrong.lines.contains("# date-order: that of the language, day-first"))
        #expect(wrong.errors.contains("line 2: \"us\" is not an order of dates"))
    }

    @Test func commandsThatReadDatesTellWhatIsWrongInTheirSettings() throws {
        let docket = try Docket()
        try docket.write("language = \"fr\"\ntheme = 3\n", to: ".config/docket/config.toml")
        for command in [["add", "Call tomorrow"], ["when", "Call tomorrow"]] {
            let told = try docket.run(command)
            #expect(told.errors.contains("line 1: \"fr\" is not a language;"))
            #expect(!told.errors.contains("line 2"), "the theme concerns the interface alone")
            #expect(told.code == 0)
        }
        try docket.write("language =\n", to: ".config/docket/config.toml")
        #expect(try docket("when", "Call tomorrow").errors.contains("line 1: a value is missing."))
    }

    @Test func addSaysWhatItTookAndWhatItDidNot() throws {
        let docket = try Docket()
        let added = try docket("add", "Pay", "24.12.2099", "9:30", "#a", "+Home")
        #expect(added.output == "1 Pay   due 24 Dec 2099 9:30 · new list Home · #a\n")
        let impossible = try docket("add", "Call 31 apr")
        #expect(impossible.output == "2 Call 31 apr\n")
        #expect(impossible.errors.contains("April has 30 days"))
        #expect(impossible.code == 0)
    }

    @Test func optionsOfAddSetFields() throws {
        let docket = try Docket()
        let added = try docket(
            "add",
            "--plain",
            "Pay tomorrow #x",
            "--due",
            "2099-12-24",
            "--start",
            "2099-12-01",
            "--priority",
            "high",
            "--list",
            "Home/Garden",
            "--tag",
            "a",
            "--tag",
            "b",
            "--every",
            "every 2 weeks",
            "--notes",
            "two\nlines",
            "--json"
        )
        let read = try object(added.output)
        #expect(read["title"] as? String == "Pay tomorrow #x")
        #expect(read["due"] as? String == "2099-12-24")
        #expect(read["start"] as? String == "2099-12-01")
        #expect(read["priority"] as? Int == 3)
        #expect(read["list"] as? String == "Home/Garden")
        #expect(Set(read["tags"] as? [String] ?? []) == ["a", "b"])
        #expect(read["recurrence"] as? String == "every 2 weeks")
        #expect(read["notes"] as? String == "two\nlines")
        #expect(try docket("add", "--id-only", "next").output == "2\n")
        let wrong = try docket("add", "x", "--due", "31 apr")
        #expect(wrong.code == 1)
        let over = try docket("add", "x", "--every", "every day until 2020-01-01")
        #expect(over.code == 1 && over.errors.contains("it would never happen from now on"))
        #expect(try docket("list", "--all").lines.count == 2)
        let rule = "FREQ=WEEKLY;BYDAY=MO"
        let ruled = try object(try docket("add", "Sweep", "--every", rule, "--json").output)
        #expect(ruled["recurrence"] as? String == rule && ruled["due"] is String)
        let unknown = try docket("add", "Sweep", "--every", "FREQ=NOPE")
        #expect(unknown.errors.contains("FREQ=NOPE is not a frequency"), "\(unknown.errors)")
    }
}
