import CivilTime
import DocketFormats
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct DateParserTests {
    /// Dates as a field would show them: `2026-11-22` or `2026-11-22T09:00`, in Berlin.
    private func plain(_ text: String, _ context: DateContext = Fixed.context) throws -> String {
        DateFormat(context: context).plain(try DateParser(context: context).parse(text))
    }

    @Test(arguments: [
        ("today", "2026-11-21"), ("tod", "2026-11-21"), ("Tomorrow", "2026-11-22"),
        ("tom", "2026-11-22"), ("yesterday", "2026-11-20"), ("mon", "2026-11-23"),
        ("saturday", "2026-11-28"), ("this saturday", "2026-11-21"), ("sun", "2026-11-22"),
        ("next monday", "2026-11-23"), ("next fri", "2026-11-27"), ("next week", "2026-11-23"),
        ("next month", "2026-12-01"), ("next year", "2027-01-01"), ("next quarter", "2027-01-01"),
        ("end of month", "2026-11-30"), ("eom", "2026-11-30"), ("eow", "2026-11-22"),
        ("eoy", "2026-12-31"), ("eoq", "2026-12-31"), ("end of next month", "2026-12-31"),
        ("end of the week", "2026-11-22"), ("weekend", "2026-11-21"),
        ("next weekend", "2026-11-28"), ("in 3 days", "2026-11-24"), ("in a week", "2026-11-28"),
        ("2w", "2026-12-05"), ("+3d", "2026-11-24"), ("+2 weeks", "2026-12-05"),
        ("in 2 months", "2027-01-21"), ("1y", "2027-11-21"), ("3 days ago", "2026-11-18"),
        ("-3d", "2026-11-18"), ("two weeks from now", "2026-12-05"),
    ])
    func wordsMeanDays(text: String, expected: String) throws {
        #expect(try plain(text) == expected)
    }

    @Test(arguments: [
        ("22 nov", "2026-11-22"), ("nov 22", "2026-11-22"), ("21 nov", "2026-11-21"),
        ("20 nov", "2027-11-20"), ("22nd of November", "2026-11-22"),
        ("November 22nd, 2028", "2028-11-22"), ("22 nov 2020", "2020-11-22"),
        ("29 feb", "2028-02-29"), ("22.11.", "2026-11-22"), ("22.11", "2026-11-22"),
        ("22.11.2026", "2026-11-22"), ("1.2.27", "2027-02-01"), ("11/22", "2026-11-22"),
        ("22/11", "2026-11-22"), ("5/6", "2027-05-06"), ("5/6/2027", "2027-05-06"),
        ("22/11/2026", "2026-11-22"), ("22-11-2026", "2026-11-22"), ("2026-11-22", "2026-11-22"),
        ("2026/11/22", "2026-11-22"), ("20261122", "2026-11-22"), ("22nd", "2026-11-22"),
        ("the 20th", "2026-12-20"), ("31st", "2026-12-31"), ("december", "2026-12-01"),
        ("dec 2027", "2027-12-01"), ("22nov", "2026-11-22"),
    ])
    func numbersMeanDays(text: String, expected: String) throws {
        #expect(try plain(text) == expected)
    }

    @Test(arguments: [
        ("5pm", "2026-11-21T17:00"), ("9:30", "2026-11-22T09:30"), ("at 9am", "2026-11-22T09:00"),
        ("noon", "2026-11-22T12:00"), ("midnight", "2026-11-22T00:00"),
        ("tonight", "2026-11-21T20:00"), ("12am", "2026-11-22T00:00"),
        ("12 pm", "2026-11-22T12:00"),
        ("tomorrow 9am", "2026-11-22T09:00"), ("tomorrow at 9", "2026-11-22T09:00"),
        ("9am tomorrow", "2026-11-22T09:00"), ("fri, 9:30 pm", "2026-11-27T21:30"),
        ("22 nov 2027 17:45", "2027-11-22T17:45"), ("nov 22 at noon", "2026-11-22T12:00"),
        ("2026-11-22T09:00", "2026-11-22T09:00"), ("2026-11-22 09:00", "2026-11-22T09:00"),
        ("2026-11-22T08:00Z", "2026-11-22T09:00"), ("at 17:00 on friday", "2026-11-27T17:00"),
        ("in 2 hours", "2026-11-21T16:05"), ("+30min", "2026-11-21T14:35"),
        ("tomorrow morning", "2026-11-22T09:00"), ("fri evening", "2026-11-27T18:00"),
        ("by friday 9.30am", "2026-11-27T09:30"), ("today 24:00", "2026-11-22T00:00"),
    ])
    func timesAreRead(text: String, expected: String) throws {
        #expect(try plain(text) == expected)
    }

    @Test(arguments: [
        ("31 feb", "February has 28 or 29 days"), ("30 february 2026", "February 2026 has 28 days"),
        ("2026-02-30", "February 2026 has 28 days"), ("31.4.", "April has 30 days"),
        ("31.4.2026", "April has 30 days"), ("2026-13-01", "months go from 1 to 12"),
        ("13/45", "months go from 1 to 12"), ("25:00", "a clock goes"),
        ("tomorrow 9:75", "a clock goes"), ("tomorrow 13pm", "the hour goes from 1 to 12"),
        ("+99999y", "years go from 1 to 9999"), ("32nd", "no month has 32 days"),
    ])
    func impossibleDatesAreRefusedWithTheReason(text: String, reason: String) {
        let error = #expect(throws: InputError.self) { try plain(text) }
        #expect(error?.kind == .impossibleDate)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "", " ", "soon", "next", "in", "at", "in 3", "22 smarch", "tomorrow tomorrow",
        "tomorrow and on", "9", "3 bananas", "every day", "1.2.3.4", "end of", "fri?", "+", "🦆",
        "99999999999999999999d", "2026-11-22T09:00 2026-11-22", "\u{0}",
    ])
    func otherTextIsRefusedWithAnExample(text: String) {
        let error = #expect(throws: InputError.self) { try plain(text) }
        #expect(error?.kind == .unknownDate)
        #expect(error?.message.contains("2026-11-22") == true)
    }

    @Test func weekStartChangesWeeks() throws {
        var context = Fixed.context
        context.weekStart = .sunday
        #expect(try plain("next week", context) == "2026-11-22")
        #expect(try plain("eow", context) == "2026-11-21")
        #expect(try plain("next fri", context) == "2026-11-27")
    }

    @Test func daysAreCountedAcrossTheChangeOfClocks() throws {
        let context = Fixed.context(2027, 3, 27, 12, 0)
        #expect(try plain("tomorrow 12:00", context) == "2027-03-28T12:00")
        #expect(try plain("tomorrow 02:30", context) == "2027-03-28T03:30")
        #expect(try plain("in 24 hours", context) == "2027-03-28T13:00")
    }

    @Test func anyTextEndsInADateOrASentence() {
        var random = SeededRandom()
        let parts = [
            "22", "nov", "2026", "31", "feb", "next", "in", "of", "the", "at", "9", "am", ":", ".",
            "/", "-", "+", "3d", "fri", ",", "end", "ago", "days", "a", "99999", "T", "Z", "00:00",
            "é", "\u{301}", "\u{A0}", "0",
        ]
        let parser = DateParser(context: Fixed.context)
        for _ in 0..<5000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                text += parts.randomElement(using: &random) ?? ""
                if Bool.random(using: &random) { text += " " }
            }
            do {
                let date = try parser.parse(text)
                #expect(date.day(in: Fixed.berlin) >= Day.first)
            } catch {
                #expect(error.message.hasSuffix("."))
            }
        }
    }
}
