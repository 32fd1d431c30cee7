import CivilTime
import DocketApp
import DocketCore
import FoundationEssentials
import Markdown
import ObjectGraph
import Recurrence
import SearchLanguage
import TerminalUI
import TimeLanguage

/// What people type, and files of the system.
extension ParserEntry {
    static let texts = [
        ParserEntry("settings") { bytes in
            var settings = Settings()
            settings.read(String(decoding: bytes, as: UTF8.self), name: "config.toml")
            _ = settings.warning
            var again = Settings()
            again.read(settings.text, name: "config.toml")
            try keeps(again.text == settings.text, "settings are written as others")
        },
        ParserEntry("capture") { bytes in
            let item = CaptureParser(context: ParserClock.context).read(bytes)
            let text = Array(item.text.utf8)
            for token in item.tokens {
                let part = token.range
                try keeps(
                    part.lowerBound >= 0 && part.upperBound <= text.count,
                    "a marked part is outside the text"
                )
            }
        },
        ParserEntry("query") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let query = QueryParser.parse(text, QueryField.vocabulary, mostTerms: 100)
            let count = text.utf8.count
            try keeps(
                query.problems.allSatisfy {
                    $0.range.upperBound <= count && !$0.range.isEmpty && !$0.sentence.isEmpty
                },
                "a problem is outside the text"
            )
            let written = "\(query.expression)"
            let again = QueryParser.parse(written, QueryField.vocabulary, mostTerms: 100)
            try keeps(again.expression == query.expression, "\(written) is read as another search")
            try keeps(again.problems.isEmpty, "\(written) has a problem")
            for term in query.expression.terms where term.comparison == .pattern {
                for value in term.values {
                    guard let pattern = try? QueryPattern(value.text) else { continue }
                    _ = QueryPattern.Matcher(pattern).isFound(in: text)
                }
            }
        },
        ParserEntry("markdown") { bytes in
            let source = String(decoding: bytes, as: UTF8.self)
            let utf8 = Array(source.utf8)
            let text = MarkdownSource(source)
            for number in 0..<text.count {
                for task in text.section(number).blocks.compactMap(\.task) {
                    let isBox =
                        utf8[task.place - 1] == UInt8(ascii: "[")
                        && utf8[task.place + 1] == UInt8(ascii: "]")
                    try keeps(isBox, "the sign of a box is not between brackets")
                }
            }
            for columns in [2, 9, 80] {
                for row in MarkdownDrawing.rows(of: source, columns: columns) {
                    try keeps(DisplayWidth.of(row) <= columns, "a row is wider than the screen")
                    let isClean = !row.unicodeScalars.contains { $0.value < 32 }
                    try keeps(isClean, "a control character is in a row")
                }
            }
            for link in TitleLink.all(in: source) {
                try keeps(TitleLink.canName(link.title), "a link has a title that it cannot have")
            }
        },
        ParserEntry("date") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = ISODate.moment(text, zone: .utc)
            let parser = DateParser(context: ParserClock.context)
            let date = try parser.parse(text)
            if date.isDateOnly {
                let day = ZoneRules.utc.day(of: date.date)
                let written = ISODate.string(day)
                try keeps(ISODate.read(written) == .day(day), "the day \(written) is another one")
            }
        },
        ParserEntry("time-language") { bytes in
            for language in Language.allCases {
                let recogniser = Recogniser(
                    context: ParserClock.context,
                    settings: TimeSettings(language: language)
                )
                let read = recogniser.title(bytes)
                var end = 0
                for span in read.spans {
                    try keeps(
                        span.range.lowerBound >= end && span.range.upperBound <= bytes.count,
                        "a recognised part overlaps another one or is outside the text"
                    )
                    end = span.range.upperBound
                }
                for date in [read.due, read.start, read.end].compactMap(\.self) {
                    let day = date.day(in: ParserClock.context.zone)
                    try keeps(day >= .first && day <= .last, "a date is outside of the calendar")
                }
            }
        },
        ParserEntry("recurrence") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let set: RecurrenceSet
            do { set = try RecurrenceSet(text) } catch {
                let start = RecurrenceTime.local(LocalTime(Day(number: 20_000), second: 32_400))
                set = try RecurrenceSet(start: start, rule: try RecurrenceRule(text))
            }
            let again = try read(set.description) { try RecurrenceSet($0) }
            try keeps(again == set, "\(set) is read as \(again)")
            var last: LocalTime?
            for time in set.occurrences().prefix(100) {
                try keeps(last.map { $0 < time } ?? true, "\(set) happens twice at \(time)")
                last = time
            }
        },
        ParserEntry("time-zone") { bytes in
            guard let zone = ZoneRules(file: bytes, name: "zone") else { return }
            for seconds in [-1e11, -1e9, 0, 7e8, 1e9, 5e9, 1e11] {
                let date = Date(timeIntervalSinceReferenceDate: seconds)
                let local = zone.local(date)
                _ = zone.moment(local.day, second: local.second)
            }
        },
        ParserEntry("terminal-input") { bytes in
            let now = ContinuousClock.now
            var whole = InputDecoder()
            var pieces = InputDecoder()
            var events = bytes.withUnsafeBufferPointer { whole.feed($0, at: now) }
            var same: [InputEvent] = []
            for byte in bytes {
                same += withUnsafeBytes(of: byte) {
                    pieces.feed($0.bindMemory(to: UInt8.self), at: now)
                }
            }
            events += whole.expire()
            same += pieces.expire()
            try keeps(
                events.filter { !$0.hasTime } == same.filter { !$0.hasTime },
                "input that arrives byte by byte is decoded differently"
            )
        },
        ParserEntry("csv") { bytes in
            let rows = try CSVText(bytes).rows
            let text = rows.map { row in
                row.map { "\"\($0.text.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
            }
            let again = try read("the table") { _ in
                try CSVText(text.joined(separator: "\n")).rows
            }
            try keeps(
                again.map { $0.map(\.text) } == rows.map { $0.map(\.text) },
                "a table that is written and read is another one"
            )
        },
    ]
}

extension InputEvent {
    /// Whether the event has the moment when it was decoded.
    fileprivate var hasTime: Bool {
        if case .mouse = self { true } else { false }
    }
}
