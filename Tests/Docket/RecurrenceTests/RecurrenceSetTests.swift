import CivilTime
import FixedTime
import FoundationEssentials
import RandomRules
import SeededRandom
import Testing

@testable import Recurrence

@Suite struct RecurrenceSetTests {
    private static let thursdays = """
        DTSTART:20261119T090000
        RRULE:FREQ=WEEKLY;BYDAY=TH
        RDATE:20261120T090000,20261126T090000
        EXDATE:20261203T090000
        """

    @Test func singleTimesAreAddedAndTakenOut() throws {
        let set = try RecurrenceSet(RecurrenceSetTests.thursdays)
        #expect(
            set.occurrences().prefix(4).map { set.start.replacing($0).description } == [
                "20261119T090000", "20261120T090000", "20261126T090000", "20261210T090000",
            ]
        )
        #expect(set.description == RecurrenceSetTests.thursdays)
    }

    @Test func withoutARuleTheStartIsTheFirstTime() throws {
        let set = try RecurrenceSet(
            "DTSTART;VALUE=DATE:20261119\nRDATE;VALUE=DATE:20261101,20261224"
        )
        #expect(
            set.occurrences().map { set.start.replacing($0).description } == [
                "20261101", "20261119", "20261224",
            ]
        )
        let later = set.occurrences(from: LocalTime(Day(number: set.start.time.day.number + 1)))
        #expect(Array(later).count == 1)
    }

    @Test func aTakenOutTimeCountsForTheEnd() throws {
        let set = try RecurrenceSet("DTSTART:20261119\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261120")
        #expect(
            set.occurrences().map { set.start.replacing($0).description } == [
                "20261119", "20261121",
            ]
        )
        let next = try set.excluding(.day(Day(number: set.start.time.day.number)))
        #expect(Array(next.occurrences()).count == 1)
    }

    @Test func aWrittenSetIsReadAsTheSame() throws {
        var random = SeededRandom()
        for _ in 0..<500 {
            let rule = RandomRule.next(&random)
            func times(_ most: Int) -> [RecurrenceTime] {
                (0..<random.below(most)).map { _ in
                    let day = rule.start.time.day.adding(days: random.below(1000))
                    return rule.start.replacing(LocalTime(day, second: rule.start.time.second))
                }
            }
            let set = try RecurrenceSet(
                start: rule.start,
                rule: random.chance(5) ? nil : rule.rule,
                additions: times(4),
                exceptions: times(4)
            )
            #expect(try RecurrenceSet(set.description) == set)
        }
    }

    @Test(
        arguments: [
            ("RRULE:FREQ=DAILY", "A repetition needs a start, such as DTSTART:20261224T090000."),
            (
                "DTSTART:20261119\nDTSTART:20261119",
                "A repetition has one DTSTART and one RRULE; there are two."
            ),
            (
                "DTSTART:20261119\nEXDATE:20261119T090000",
                "20261119T090000 in EXDATE is not of the same form as the start 20261119; use the "
                    + "same form for all."
            ),
            (
                "DTSTART:20261119\nRRULE:FREQ=HOURLY",
                "HOURLY needs a time of day; the start 20261119 is a whole day."
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20261119T090000",
                "\"TZID=EUROPE/BERLIN\" is not supported; write local times, or UTC with Z."
            ),
            (
                "DTSTART:20261119\nEXRULE:FREQ=DAILY",
                "\"EXRULE\" is not a line of a repetition; the lines are DTSTART, RRULE, RDATE and "
                    + "EXDATE."
            ),
            (
                "daily",
                "\"daily\" is not a line of a repetition; a line looks like RRULE:FREQ=WEEKLY."
            ),
        ]
    )
    func aTextThatIsNotASetGetsASentence(text: String, sentence: String) {
        #expect(throws: RecurrenceError(sentence)) { try RecurrenceSet(text) }
    }

    // MARK: Zones

    private func moments(_ text: String, _ zone: ZoneRules, _ count: Int) throws -> [String] {
        try RecurrenceSet(text).moments(in: zone).prefix(count).map(ISODate.string)
    }

    @Test func theClockOnTheWallStaysWhenClocksChange() throws {
        #expect(
            try moments("DTSTART:20261024T090000\nRRULE:FREQ=DAILY", Fixed.berlin, 2) == [
                "2026-10-24T07:00:00Z", "2026-10-25T08:00:00Z",
            ]
        )
    }

    @Test func aSkippedTimeMovesForward() throws {
        // On 28 March 2027 clocks in Berlin go from 2:00 to 3:00.
        #expect(
            try moments("DTSTART:20270327T023000\nRRULE:FREQ=DAILY", Fixed.berlin, 3) == [
                "2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z",
            ]
        )
    }

    @Test func timesThatMeetWhenClocksChangeAreOneMoment() throws {
        #expect(
            try moments("DTSTART:20270328T013000\nRRULE:FREQ=HOURLY", Fixed.berlin, 3) == [
                "2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z", "2027-03-28T02:30:00Z",
            ]
        )
    }

    @Test func aStartInUTCDoesNotLookAtTheZone() throws {
        #expect(
            try moments("DTSTART:20261024T090000Z\nRRULE:FREQ=DAILY", Fixed.berlin, 2) == [
                "2026-10-24T09:00:00Z", "2026-10-25T09:00:00Z",
            ]
        )
    }

    @Test func momentsFromALaterMomentAreTheRest() throws {
        let set = try RecurrenceSet("DTSTART:20270327T023000\nRRULE:FREQ=DAILY;COUNT=5")
        let all = Array(set.moments(in: Fixed.berlin))
        for (index, moment) in all.enumerated() {
            #expect(Array(set.moments(from: moment, in: Fixed.berlin)) == Array(all[index...]))
        }
    }

    @Test func timesAreCountedWithAdditionsAndExceptions() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let rule = RandomRule.next(&random)
            let ruled = Array(Occurrences(rule.rule, start: rule.start).prefix(500))
            guard ruled.count > 2, let last = ruled.last else { continue }
            let some = (0..<6).map { _ in rule.start.replacing(ruled[random.below(ruled.count)]) }
            let other = rule.start.replacing(
                LocalTime(ruled[1].day.adding(days: 1), second: ruled[1].second)
            )
            let set = try RecurrenceSet(
                start: rule.start,
                rule: rule.rule,
                additions: Array(some[3...]) + [other],
                exceptions: Array(some[..<4])
            )
            let from = ruled[random.below(ruled.count)]
            let wanted = set.occurrences(from: from).prefix { $0 < last }.count { _ in true }
            guard set.count(from: from, before: last) == wanted else {
                Issue.record("\(set) from \(from) to \(last): not \(wanted)")
                return
            }
        }
    }
}
