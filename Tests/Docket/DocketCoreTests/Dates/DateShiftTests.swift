import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketCore

/// Distances that count from a date of their own.
@Suite struct DateShiftTests {
    @Test(arguments: [
        ("+1d", 1, DateShift.Unit.day), ("-2h", -2, .hour), ("+ 3 weeks", 3, .week),
        ("+1m", 1, .month), ("-1y", -1, .year), ("+15min", 15, .minute), ("−4 days", -4, .day),
        ("+1 Month", 1, .month),
    ])
    func signNumberAndUnitAreRead(text: String, amount: Int, unit: DateShift.Unit) throws {
        let shift = try #require(DateShift(text))
        #expect(shift.amount == amount && shift.unit == unit)
    }

    @Test(arguments: ["1d", "+d", "+", "", "+0d", "tomorrow", "+1d fri", "+1x", "+999999d", "d+1"])
    func whatIsNoDistanceIsNotRead(text: String) { #expect(DateShift(text) == nil) }

    @Test(arguments: [
        ("2026-11-22", "+1d", "2026-11-23"), ("2026-11-22T09:00", "+1w", "2026-11-29T09:00"),
        ("2026-11-22T09:00", "-2h", "2026-11-22T07:00"), ("2027-01-31", "+1m", "2027-02-28"),
        ("2028-02-29", "+1y", "2029-02-28"), ("2026-11-22T23:30", "+45min", "2026-11-23T00:15"),
        ("", "+1d", "2026-11-22"), ("", "+1h", "2026-11-21T15:05"),
    ])
    func aDateMovesAndKeepsItsTime(from: String, shift: String, to: String) throws {
        let context = Fixed.context
        let parser = DateParser(context: context)
        let start = from.isEmpty ? nil : try parser.parse(from)
        let moved = try #require(DateShift(shift)).applied(to: start, in: context)
        #expect(moved == (try parser.parse(to)))
    }

    @Test func aWholeDayDoesNotMoveByHours() throws {
        let day = try DateParser(context: Fixed.context).parse("2026-11-22")
        #expect(try #require(DateShift("-2h")).applied(to: day, in: Fixed.context) == nil)
    }

    @Test func nineStaysNineWhenTheClocksChange() throws {
        // Berlin, on the night of 25 October.
        let (context, berlin) = (Fixed.context, Fixed.context.zone)
        let saturday = try #require(Day(year: 2026, month: 10, day: 24))
        let due = DueDate(moment: berlin.moment(saturday, second: 9 * 3600))
        let moved = try #require(DateShift("+1d")?.applied(to: due, in: context))
        #expect(berlin.local(moved.date).second == 9 * 3600)
        #expect(moved.date.timeIntervalSince(due.date) == 25 * 3600)
    }
}
