import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct CapturePropertyTests {
    private static let vocabulary = [
        "Pay", "rent", "tomorrow", "next", "monday", "sun", "tom", "the", "5th", "in", "3", "days",
        "at", "9", "am", "9:30", "#1", "#tag", "+Home", "+3d", "@x", "@a@b", "!", "!!", "!high",
        "\\",
        "\\\\", "\\#a", "every", "month", "due", "by", "from", "due:fri", "start:x", "nov", "22",
        "2026-11-22", "22.11.", "31", "feb", "\"q\"", "+\"a", "b\"", "#\"two", "words\"", "weekly",
        "Ämter", "日本", "🏠", "e\u{301}", ",", ".", "x,", "(y)", "https://a/#b", "a+b", "until",
        "on", "of", "and", "other", "-", "/", "noon", "25:00", "eom", "due:\"next", "monday\"",
    ]

    private func randomText(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...10, using: &random)).map { _ in
            Self.vocabulary.randomElement(using: &random) ?? ""
        }.joined(separator: Int.random(in: 0..<9, using: &random) == 0 ? "" : " ")
    }

    @Test func printedItemReadsBackAsTheSame() throws {
        var random = SeededRandom()
        let parser = CaptureParser(context: Fixed.context)
        for _ in 0..<SeededRandom.rounds(80, long: 2500) {
            let text = randomText(&random)
            let item = parser.read(text)
            let printed = item.captureText(context: Fixed.context)
            let again = parser.read(printed)
            #expect(again.means(item), "\(text) → \(printed) → \(again.title)")
            if !again.means(item) { return }
        }
    }

    @Test func builtItemReadsBackAsTheSame() throws {
        var random = SeededRandom()
        let parser = CaptureParser(context: Fixed.context)
        let names = [
            "Home", "two words", "a/b", "q\"x", "\\", "1st", "#x", "@", "é", "x.", "日本", "a@b", "-",
            "!",
        ]
        for _ in 0..<SeededRandom.rounds(100, long: 3000) {
            var item = parser.read(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    "\\" + (Self.vocabulary.randomElement(using: &random) ?? "")
                }.joined(separator: " ")
            )
            item.list = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                names.randomElement(using: &random)
            }
            item.tags = Array(Set(names.shuffled(using: &random).prefix(2)))
            item.location = Bool.random(using: &random) ? names.randomElement(using: &random) : nil
            item.priority = Int.random(in: 0...3, using: &random)
            if Bool.random(using: &random) {
                item.due = DueDate(
                    day: Day(number: Int.random(in: 0..<40_000, using: &random))
                )
            }
            if Bool.random(using: &random) {
                let second = Double(Int.random(in: 0..<4_000_000_000, using: &random))
                let moment = Date(timeIntervalSince1970: second)
                let (day, local) = Fixed.berlin.local(moment)
                item.start = DueDate(moment: Fixed.berlin.moment(day, second: local))
            }
            if Bool.random(using: &random) { item.notes = "second #line\nthird" }
            let printed = item.captureText(context: Fixed.context)
            let again = parser.read(printed)
            #expect(again.means(item), "\(printed)")
            if !again.means(item) { return }
        }
    }

    @Test func tokensAreOrderedAndInsideTheText() throws {
        var random = SeededRandom()
        let parser = CaptureParser(context: Fixed.context)
        for _ in 0..<SeededRandom.rounds(100, long: 3000) {
            let item = parser.read(randomText(&random) + "\nnotes")
            var end = 0
            for token in item.tokens {
                #expect(token.range.lowerBound >= end)
                #expect(token.range.upperBound <= item.text.utf8.count)
                let start = item.text.utf8.index(
                    item.text.startIndex,
                    offsetBy: token.range.lowerBound
                )
                #expect(start.samePosition(in: item.text.unicodeScalars) != nil)
                end = token.range.upperBound
            }
        }
    }

    @Test func anyBytesAreRead() throws {
        var random = SeededRandom()
        let parser = CaptureParser(context: Fixed.context)
        for _ in 0..<SeededRandom.rounds(80, long: 2000) {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let item = parser.read(bytes)
            #expect(!item.title.unicodeScalars.contains { $0.value < 32 })
        }
    }

    /// Every other one, unless `DOCKET_SEEDS` asks for long tests.
    private static let units: [String] = {
        var random = SeededRandom(seed: 3)
        return random.share(of: allUnits, oneIn: 2)
    }()

    private static let allUnits = [
        "word ", "#a ", "+\"x ", "\\", "\\ ", "in 3 ", "every ", "22.", "22 nov 2026 ", "!", "é",
        "\u{301}", "due:\"", "\r", "9:", "next ", "a", "@\"\\", "\u{1}", "mon, ",
    ]

    /// Sixteen times the text costs about sixteen times the time, whatever it is made of.
    @Test(arguments: units)
    func largePasteTakesLinearTime(unit: String) throws {
        let parser = CaptureParser(context: Fixed.context)
        func seconds(_ size: Int) -> Double {
            let text = String(repeating: unit, count: size / unit.utf8.count)
            return processorSeconds { parser.read(text).title.utf8.count }
        }
        let small = min(seconds(1 << 9), seconds(1 << 9))
        // Quadratic work would take 256 times as long.
        #expect(seconds(1 << 13) < small * 60 + 0.15)
    }

    /// A megabyte, in long tests.
    @Test func aLargeTextIsCaptured() throws {
        let parser = CaptureParser(context: Fixed.context)
        let count = SeededRandom.rounds(10_000, long: 200_000)
        let line = try parser.capture(String(repeating: "éé", count: count))
        #expect(line.title.utf8.count == 4 * count)
        let lines = try parser.capture("Title #a\n" + String(repeating: "line\n", count: count))
        #expect(lines.title == "Title")
        #expect(lines.notes?.utf8.count == 5 * count - 1)
    }
}
