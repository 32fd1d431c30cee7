import CivilTime
import FixedTime
import SeededRandom
import Testing
import TimeLanguage

@Suite struct AnyTextTests {
    private static let parts = [
        "22", "nov", "2026", "31", "feb", "next", "in", "of", "the", "at", "9", "am", ":", ".", "/",
        "-", "+", "3d", "fri", ",", "end", "ago", "days", "a", "99999", "T", "Z", "00:00", "é", "½",
        "\u{301}", "\u{A0}", "0", "half", "past", "quarter", "to", "second", "after", "before",
        "week",
        "twenty", "max", "best", "under", "with", "is", "intro", "wrong", "once", "first",
        "tomorrow", "christmas", "for", "from", "until", "by", "and", "hours",
        "(",
        "'s", "every", "tonight", "closest", "monday", "may", "123456789012", "h", "CET", "$", "#",
    ]

    private func text(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...14, using: &random)).map { _ in random.pick(Self.parts) }
            .joined(separator: random.chance(5) ? "" : " ")
    }

    @Test(arguments: ["a0\0\0\0by 2", "at", "to", "from 0", "0", "0:", "is 9", "max in"])
    func shortTitleIsReadToItsEnd(text: String) {
        for span in Recogniser(context: Fixed.context).title(text).spans {
            #expect(span.range.upperBound <= text.utf8.count)
        }
    }

    @Test func anyTitleIsReadInOrderedSpans() {
        var random = SeededRandom()
        for language in Language.allCases {
            let recogniser = Recogniser(
                context: Fixed.context,
                settings: TimeSettings(language: language)
            )
            for _ in 0..<SeededRandom.rounds(200, long: 5000) {
                let text = text(&random)
                let read = recogniser.title(text)
                var end = 0
                for span in read.spans {
                    #expect(span.range.lowerBound >= end && !span.range.isEmpty, "\(text)")
                    end = span.range.upperBound
                }
                #expect(end <= text.utf8.count, "\(text)")
                #expect(read.problems.allSatisfy { $0.hasSuffix(".") }, "\(text)")
                for date in [read.due, read.start, read.end].compactMap(\.self) {
                    let day = date.day(in: Fixed.berlin)
                    #expect(day >= Day.first && day <= Day.last, "\(text)")
                }
            }
        }
    }

    private static let dates = [
        "tomorrow", "today", "friday", "the 4th", "the 22nd", "3 dec", "dec 28", "4 january", "9",
        "10pm", "noon", "midnight", "two", "5", "11:30", "tonight", "next week", "mon 8:00", "now",
        "yesterday", "last monday", "christmas", "in 3 days", "2 weeks ago", "12/24", "2016-11-01",
        "17h30", "end of month", "half past three", "8am CET", "every monday", "daily", "3.12.",
        "tomorrow morning", "this weekend", "9pm tomorrow",
    ]
    private static let joints = [
        "from", "until", "to", "-", "till", "by", "due", "starting", "and", "between", "on", "at",
        ",", "or", "for 3 days", "call Ana", "then", "not before", "through",
    ]

    /// A range and a start with a due date are in order, whatever they are made of.
    @Test func endIsNeverBeforeTheStart() {
        var random = SeededRandom()
        var both = 0
        for now in ["2016-11-07T10:00", "2026-11-24T10:00", "2026-12-31T23:30"] {
            let reading = Reading(now: now)
            for _ in 0..<SeededRandom.rounds(120, long: 3000) {
                var words: [String] = []
                for _ in 0..<Int.random(in: 2...4, using: &random) {
                    words.append(random.pick(Self.joints))
                    words.append(random.pick(Self.dates))
                }
                let text = words.dropFirst(random.below(2)).joined(separator: " ")
                let read = reading.title(text)
                guard let start = read.start, let due = read.due else { continue }
                both += 1
                if start.isDateOnly || due.isDateOnly {
                    #expect(start.day(in: .utc) <= due.day(in: .utc), "\(now) \(text)")
                } else {
                    #expect(start.date <= due.date, "\(now) \(text)")
                }
            }
        }
        #expect(both > 40, "\(both)")
    }

    @Test func anyBytesAreRead() {
        var random = SeededRandom()
        let recogniser = Recogniser(context: Fixed.context)
        for _ in 0..<SeededRandom.rounds(150, long: 4000) {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let read = recogniser.title(bytes)
            #expect(read.spans.allSatisfy { $0.range.upperBound <= bytes.count })
        }
    }

    /// What a date is shown as is read as the same date.
    @Test func shownDateIsReadBack() throws {
        var random = SeededRandom()
        let format = DateFormat(context: Fixed.context)
        let recogniser = Recogniser(context: Fixed.context)
        for _ in 0..<SeededRandom.rounds(150, long: 4000) {
            let near = random.chance(2)
            let day = Fixed.context.today.adding(
                days: near
                    ? Int.random(in: -10...30, using: &random)
                    : Int.random(in: -20_000...40_000, using: &random)
            )
            let second = random.below(24 * 60) * 60
            let moment = DueDate(moment: Fixed.berlin.moment(day, second: second))
            let due = random.chance(2) ? DueDate(day: day) : moment
            let shown =
                [format.plain(due), format.absolute(due), format.full(due)]
                + (due.isDateOnly ? [format.relative(due)] : [])
            for text in shown {
                #expect(try recogniser.field(text) == due, "\(text)")
            }
        }
    }

    /// Every other one, unless `DOCKET_SEEDS` asks for long tests.
    private static let units: [String] = {
        var random = SeededRandom(seed: 3)
        return random.share(of: allUnits, oneIn: 2)
    }()

    private static let allUnits = [
        "word ", "in 3 ", "22.", "22 nov 2026 ", "é", "9:", "next ", "a", "mon, ", "1 ", "twenty ",
        "day after ", "2 weeks before ", "half past ", "of the ", "fri 14-", "third tuesday after ",
        "end of ", "(", "may 5 ", "9 to ", "in an hour and a half and ", "tomorrow ", "11/",
        "hundred thousand ", "1st and ", "mondays, ", "mon tue ", "on the ", "last and ", "1/2 - ",
        "mondays tuesdays ",
    ]

    /// Sixteen times the text costs about sixteen times the time, whatever it is made of.
    @Test(arguments: units)
    func longTextTakesLinearTime(unit: String) {
        let recogniser = Recogniser(context: Fixed.context)
        func seconds(_ size: Int) -> Double {
            let text = "each one: " + String(repeating: unit, count: size / unit.utf8.count)
            return processorSeconds { recogniser.title(text).spans.count }
        }
        let small = min(seconds(1 << 8), seconds(1 << 8))
        // Quadratic work would take 256 times as long.
        #expect(seconds(1 << 12) < small * 100 + 0.3)
    }
}
