import CivilTime
import FixedTime
import RandomRules
import SeededRandom
import Testing

@testable import Recurrence

@Suite struct OccurrencesTests {
    private func times(
        _ rule: String,
        start: String,
        _ count: Int = 4
    ) throws -> [String] {
        let start = try RecurrenceTime(start, in: "DTSTART")
        return Occurrences(try RecurrenceRule(rule), start: start).prefix(count).map {
            start.replacing($0).description
        }
    }

    @Test func aStartThatTheRuleDoesNotAllowIsLeftOut() throws {
        // 24 November 2026 is a Tuesday.
        #expect(
            try times("FREQ=WEEKLY;BYDAY=MO;COUNT=2", start: "20261124")
                == ["20261130", "20261207"]
        )
    }

    @Test func monthsWithoutTheDayAreLeftOut() throws {
        #expect(
            try times("FREQ=MONTHLY", start: "20270131") == [
                "20270131", "20270331", "20270531", "20270731",
            ]
        )
        #expect(
            try times("FREQ=YEARLY", start: "20280229T090000", 2) == [
                "20280229T090000", "20320229T090000",
            ]
        )
    }

    @Test func aWholeDayAsEndCountsWithAllItsTimes() throws {
        #expect(
            try times("FREQ=DAILY;UNTIL=20261125", start: "20261124T090000") == [
                "20261124T090000", "20261125T090000",
            ]
        )
        #expect(
            try times("FREQ=DAILY;UNTIL=20261125T085959", start: "20261124T090000") == [
                "20261124T090000"
            ]
        )
    }

    @Test func anEndInUTCIsComparedInTheZoneOfTheStart() throws {
        let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20261125T080000Z")
        let start = try RecurrenceTime("20261124T090000", in: "DTSTART")
        // 8:00 UTC is 9:00 in Berlin, and 3:00 in New York.
        #expect(Array(Occurrences(rule, start: start, zone: Fixed.berlin)).count == 2)
        #expect(Array(Occurrences(rule, start: start, zone: Fixed.newYork)).count == 1)
    }

    @Test func aWholeDayIgnoresTimesOfDay() throws {
        #expect(
            try times("FREQ=DAILY;BYHOUR=9,10;BYMINUTE=5", start: "20261124", 2) == [
                "20261124", "20261125",
            ]
        )
    }

    /// Each ends by itself: there is no such time until the year 9999.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;BYMONTH=4;BYMONTHDAY=31",
            "FREQ=MINUTELY;BYMONTH=4;BYMONTHDAY=31", "FREQ=SECONDLY;BYMONTH=4;BYMONTHDAY=31",
            "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=-2",
            "FREQ=DAILY;BYHOUR=9;BYSETPOS=2", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
            "FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=HOURLY;INTERVAL=7;BYDAY=MO;BYHOUR=5",
            "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
            "FREQ=YEARLY;INTERVAL=4;BYYEARDAY=366", "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=6",
            "FREQ=YEARLY;INTERVAL=1000000;BYHOUR=8",
        ]
    )
    func aRuleThatNeverHappensEnds(text: String) throws {
        // A Thursday.
        #expect(try times(text, start: "20260101T090000") == [])
    }

    @Test(.timeLimit(.minutes(10)))
    func everyRandomRuleEndsOrGoesOn() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let random = RandomRule.next(&random)
            var last: LocalTime?
            for time in Occurrences(random.rule, start: random.start).prefix(100) {
                guard last.map({ $0 < time }) ?? true, time >= random.start.time else {
                    Issue.record(
                        "\(random.rule) from \(random.start): \(time) after \(last as Any)"
                    )
                    return
                }
                last = time
            }
        }
    }

    /// Beginning later gives the rest of the same times.
    @Test func timesFromALaterTimeAreTheRest() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let rule = RandomRule.next(&random)
            let all = Array(Occurrences(rule.rule, start: rule.start).prefix(60))
            guard let middle = all.dropFirst(all.count / 2).first else { continue }
            for from in [middle, LocalTime(middle.day.adding(days: -3), second: middle.second)] {
                let rest = all.filter { $0 >= from }
                let found = Occurrences(rule.rule, start: rule.start, from: from).prefix(rest.count)
                guard rest.elementsEqual(found) else {
                    Issue.record("\(rule.rule) from \(rule.start), from \(from)")
                    return
                }
            }
        }
    }

    /// What is passed in whole days and periods is as much as what is made one by one.
    @Test func occurrencesThatArePassedAreAsManyAsThoseThatAreMade() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let rule = RandomRule.next(&random)
            let all = Array(Occurrences(rule.rule, start: rule.start).prefix(3000))
            guard all.count > 1 else { continue }
            let from = random.chance(2) ? nil : all[random.below(all.count)]
            let bound = all[random.below(all.count)]
            let most = random.chance(2) ? Int.max : random.below(200)
            var times = Occurrences(rule.rule, start: rule.start, from: from)
            let wanted = all.filter { $0 >= from ?? rule.start.time && $0 < bound }.prefix(most)
            let passed = times.skip(before: bound, atMost: most)
            let last = wanted.last ?? LocalTime(.first)
            let next = all.first { $0 >= from ?? rule.start.time && $0 > last }
            guard passed == wanted.count, times.next() == next else {
                Issue.record(
                    "\(rule.rule) from \(rule.start), from \(from as Any) to \(bound): \(passed)"
                )
                return
            }
        }
    }

    /// A billion minutes are counted by days.
    @Test(.timeLimit(.minutes(10)))
    func theMinutesOfTwoThousandYearsAreCountedAtOnce() throws {
        let start = try RecurrenceTime("00010101T000000", in: "DTSTART")
        let bound = try #require(Day(year: 2026, month: 11, day: 25))
        for (rule, ofDay) in [
            ("FREQ=MINUTELY", 1440), ("FREQ=MINUTELY;INTERVAL=2;BYHOUR=1,2", 60),
            ("FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2", 6), ("FREQ=SECONDLY", 86_400),
        ] {
            var times = Occurrences(try RecurrenceRule(rule), start: start)
            let count = times.skip(before: LocalTime(bound))
            #expect(count == (bound.number - Day.first.number) * ofDay, "\(rule)")
            #expect(times.next()?.day == bound, "\(rule)")
        }
    }
}
