import Testing

/// Repeating tasks from the shell.
@Suite struct SeriesCommandTests {
    @Test func aRepeatingTaskIsCompletedUndoneSkippedAndEnded() throws {
        let docket = try Docket()
        try docket("add", "Water plants 2030-01-01 every 3 days")
        let done = try docket("done", "1")
        #expect(done.output == "Completed \"Water plants\", next 4 Jan 2030\n")
        #expect(try docket("list").output.hasPrefix("2 "))
        try docket("undo")
        #expect(try docket("list").output.hasPrefix("1 "))
        #expect(try docket("skip", "1").output == "Skipped \"Water plants\", next 4 Jan 2030\n")
        #expect(try docket("show", "1").output.contains("every 3 days"))
        let edited = try docket("edit", "1", "title=Water the cactus", "--only-this")
        #expect(edited.code == 0)
        #expect(try docket("list").lines.count == 2)
        #expect(try docket("edit", "2", "repeats=FREQ=WEEKLY;BYDAY=MO").code == 0)
        #expect(try docket("show", "2").output.contains("every Monday"))
        #expect(try docket("edit", "2", "repeats=").code == 0)
        #expect(try docket("done", "2").output == "Completed \"Water plants\"\n")
        #expect(try docket("skip", "2").output.contains("not repeating, or done"))
    }

    @Test func whatWasMissedAndWhatFollowsIsShown() throws {
        let docket = try Docket()
        try docket("add", "Water plants 2020-01-01 every year")
        let shown = try docket("show", "1").output
        let missed = try #require(
            shown.split(separator: "\n").first { $0.contains("missed") }?.split(separator: " ").last
        )
        let number = try #require(Int(missed))
        #expect(number >= 5)
        #expect(shown.contains("next") && shown.contains("1 Jan"))
        #expect(try docket("show", "1", "--json").output.contains("\"missed\":\(number)"))
        #expect(!(try docket("export").output.contains("missed")))
        let done = try docket("done", "1").output
        #expect(done.contains("(\(number) missed)"), "\(done)")
    }
}
