import Foundation
import Testing

@testable import CivilTime

@Suite struct DayTests {
    @Test func everyDayOfEightCenturiesCountsOn() throws {
        var day = try #require(Day(year: 1600, month: 1, day: 1))
        var expected = (year: 1600, month: 1, day: 1)
        while expected.year < 2400 {
            let parts = day.parts
            guard parts == expected else {
                Issue.record("\(parts) instead of \(expected)")
                return
            }
            expected.day += 1
            if expected.day > Day.length(ofMonth: expected.month, year: expected.year) {
                expected = (expected.year, expected.month + 1, 1)
                if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
            }
            day = day.adding(days: 1)
        }
        #expect(day == Day(year: 2400, month: 1, day: 1))
        #expect(Day.first.parts == (1, 1, 1))
        #expect(Day.last.parts == (9999, 12, 31))
    }

    @Test func impossibleDaysAreNil() {
        #expect(Day(year: 2026, month: 2, day: 29) == nil)
        #expect(Day(year: 2028, month: 2, day: 29) != nil)
        #expect(Day(year: 2026, month: 13, day: 1) == nil)
        #expect(Day(year: 0, month: 1, day: 1) == nil)
        #expect(Day(year: 2026, month: 4, day: 31) == nil)
    }

    @Test func monthsAreClampedAtTheirEnd() throws {
        let end = try #require(Day(year: 2026, month: 10, day: 31))
        #expect(ISODate.string(end.adding(months: 1)) == "2026-11-30")
        #expect(ISODate.string(end.adding(months: 4)) == "2027-02-28")
        #expect(ISODate.string(end.adding(months: -8)) == "2026-02-28")
    }

    @Test func weekdaysAreRight() throws {
        let day = try #require(Day(year: 2026, month: 11, day: 21))
        #expect(day.weekday == .saturday)
        #expect(ISODate.string(day.startOfWeek(.monday)) == "2026-11-16")
        #expect(ISODate.string(day.startOfWeek(.sunday)) == "2026-11-15")
    }
}
