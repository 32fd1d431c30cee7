import Testing

/// `docket when --rule` and `--every`.
@Suite struct WhenRuleTests {
    private static let now = ["--now", "2026-11-21T14:05"]

    private func when(_ arguments: String...) throws -> Docket.Outcome {
        try Docket().run(["when"] + arguments + WhenRuleTests.now)
    }

    @Test func aRuleIsListedInWordsWithItsTimes() throws {
        let result = try when(
            "--rule",
            "FREQ=MONTHLY;BYDAY=-1FR",
            "--start",
            "2026-11-27T09:00",
            "--count",
            "2"
        )
        #expect(
            result.lines == [
                "every month on the last Friday", "Fri 27 Nov 2026, 9:00", "Fri 25 Dec 2026, 9:00",
            ]
        )
    }

    @Test func jsonIsAnArrayOfLocalTimes() throws {
        #expect(
            try when(
                "--rule",
                "FREQ=DAILY",
                "--start",
                "1997-06-10T09:00",
                "--count",
                "2",
                "--json"
            ).output == "[\"1997-06-10T09:00\",\"1997-06-11T09:00\"]\n"
        )
        #expect(
            try when("--rule", "FREQ=DAILY", "--start", "19970610", "--count", "1", "--json").output
                == "[\"1997-06-10\"]\n"
        )
        #expect(
            try when(
                "--rule",
                "FREQ=MINUTELY;BYSECOND=5",
                "--start",
                "19970610T090000Z",
                "--count",
                "1",
                "--json"
            ).output == "[\"1997-06-10T09:00:05Z\"]\n"
        )
        #expect(
            try when("--rule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "--json").output == "[]\n"
        )
    }

    @Test func wordsWithoutAStartAreListedFromNow() throws {
        #expect(
            try when("--every", "every last friday", "--count", "2").lines == [
                "every month on the last Friday", "Fri 27 Nov 2026", "Fri 25 Dec 2026",
            ]
        )
        #expect(
            try when("--every", "daily at 9", "--count", "1", "--json").output
                == "[\"2026-11-22T09:00\"]\n"
        )
        #expect(
            try when("--every", "every 3 days starting monday", "--count", "1", "--json").output
                == "[\"2026-11-23\"]\n"
        )
    }

    @Test func linesOfASetAreListedFromTheirStart() throws {
        #expect(
            try when(
                "--rule",
                "DTSTART:20261119\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261120",
                "--json"
            ).output == "[\"2026-11-19\",\"2026-11-21\"]\n"
        )
    }

    @Test func whatIsNotARepetitionGetsASentence() throws {
        let unknown = try when("--every", "now and then")
        #expect(unknown.code == 1)
        #expect(
            unknown.errors
                == "docket: “now and then” is not a repetition; write it like every 2 weeks on "
                + "friday.\n"
        )
        #expect(
            try when("--every", "every 0 days").errors
                == "docket: “every 0 days” is not possible: the number is at least 1.\n"
        )
        let rule = try when("--rule", "FREQ=DAILY;COUNT=0")
        #expect(rule.code == 1)
        #expect(
            rule.errors
                == "docket: COUNT=0 is not possible: a count goes from 1 to 1000000000.\n"
        )
        #expect(
            try when("--rule", "FREQ=DAILY", "--start", "tomorrow").errors
                == "docket: \"tomorrow\" in --start is not a date; write it like 2026-12-24 or "
                + "2026-12-24T09:00.\n"
        )
        #expect(try when("--rule", "FREQ=DAILY", "--every", "daily").code == 64)
    }
}
