import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct DateFormatTests {
    @Test(arguments: [
        ("2026-11-21", "today"), ("2026-11-21T09:00", "today 9:00"), ("2026-11-22", "tomorrow"),
        ("2026-11-22T09:05", "tomorrow 9:05"), ("2026-11-20", "yesterday"),
        ("2026-11-27", "Fri"), ("2026-11-27T17:00", "Fri 17:00"), ("2026-11-28", "28 Nov"),
        ("2026-11-19", "2 days ago"), ("2026-11-19T17:00", "2 days ago"),
        ("2026-11-14", "14 Nov 2026"), ("2027-01-03", "3 Jan"), ("2027-11-22", "22 Nov 2027"),
        ("2027-12-22T19:00", "22 Dec 2027 19:00"),
    ])
    func distanceChoosesTheForm(text: String, expected: String) throws {
        let date = try DateParser(context: Fixed.context).parse(text)
        let format = DateFormat(context: Fixed.context)
        #expect(format.relative(date) == expected)
    }

    @Test(arguments: [
        ("2026-11-21", "Sat 21 Nov"), ("2026-11-22T09:05", "Sun 22 Nov 9:05"),
        ("2026-11-20", "Fri 20 Nov"), ("2027-01-03", "Sun 3 Jan"), ("2027-11-27", "27 Nov 2027"),
        ("2025-12-22T19:00", "22 Dec 2025 19:00"),
    ])
    func absoluteDatesKeepTheirMeaning(text: String, expected: String) throws {
        let date = try DateParser(context: Fixed.context).parse(text)
        let format = DateFormat(context: Fixed.context)
        #expect(format.absolute(date) == expected)
    }

    @Test func whatIsWrittenReadsBackAsTheSame() throws {
        var random = SeededRandom()
        for zone in [Fixed.berlin, Fixed.newYork, .utc] {
            for _ in 0..<1000 {
                let now = Day(number: Int.random(in: 18_000..<30_000, using: &random))
                var context = DateContext(now: Date(), zone: zone)
                context.now = zone.moment(now, second: Int.random(in: 0..<86_400, using: &random))
                let distance =
                    Bool.random(using: &random)
                    ? Int.random(in: -15...15, using: &random)
                    : Int.random(in: -2000...2000, using: &random)
                let day = context.today.adding(days: distance)
                let format = DateFormat(context: context)
                let parser = DateParser(context: context)

                let dateOnly = DueDate(day: day)
                #expect(try parser.parse(format.relative(dateOnly)) == dateOnly)
                #expect(try parser.parse(format.plain(dateOnly)) == dateOnly)

                let minute = Int.random(in: 0..<1440, using: &random)
                let timed = DueDate(moment: zone.moment(day, second: minute * 60))
                let again = try parser.parse(format.relative(timed))
                #expect(again.day(in: zone) == day)
                if !(-6...(-2)).contains(distance), isUnique(timed.date, zone) {
                    #expect(again == timed, "\(format.relative(timed))")
                    #expect(try parser.parse(format.plain(timed)) == timed)
                }
            }
        }
    }

    /// Whether the clock shows this time once on its day.
    private func isUnique(_ date: Date, _ zone: ZoneRules) -> Bool {
        let (day, second) = zone.local(date)
        return zone.moment(day, second: second) == date
    }

    @Test func agesAreTold() {
        let format = DateFormat(context: Fixed.context)
        let now = Fixed.context.now
        #expect(format.ago(now.addingTimeInterval(-20)) == "just now")
        #expect(format.ago(now.addingTimeInterval(-120)) == "2 min ago")
        #expect(format.ago(now.addingTimeInterval(-3 * 3600)) == "3 h ago")
        #expect(format.ago(now.addingTimeInterval(-20 * 3600)) == "yesterday")
        #expect(format.ago(now.addingTimeInterval(-4 * 86_400)) == "4 days ago")
        #expect(format.ago(now.addingTimeInterval(-400 * 86_400)) == "17 Oct 2025")
    }

    @Test func wholeDayIsTheSameEverywhere() throws {
        let day = try #require(Day(year: 2026, month: 11, day: 22))
        let due = DueDate(day: day)
        #expect(due.day(in: Fixed.berlin) == day)
        #expect(due.day(in: Fixed.newYork) == day)
        #expect(due.day(in: Fixed.zone("Pacific/Kiritimati", fallback: "<+14>-14")) == day)
        #expect(Fixed.newYork.day(of: due.date) == day)
        #expect(ISODate.string(due.deadline(in: Fixed.berlin)) == "2026-11-22T23:00:00Z")
        #expect(!due.isOverdue(in: Fixed.context(2026, 11, 22, 23, 59)))
        #expect(due.isOverdue(in: Fixed.context(2026, 11, 23, 0, 0)))
    }
}
