import CivilTime
import Foundation
import ObjectGraph
import SeededRandom

@testable import DocketFormats

/// Items with everything in them, for round trips.
enum RandomRecord {
    static let words = [
        "Pay", "rent", "Ämter", "日本", "🏠", "e\u{301}", "\"q\"", "\\", "/", "a+b", "x@y.z", "#1",
        "+1",
        "due", "(A)", "x", "2026-11-22", "null", "<b>", "'", "%", "\u{FFFD}", "ﬁ",
    ]

    static func title(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
        }.joined(separator: " ")
    }

    static func date(_ random: inout SeededRandom) -> Date {
        let seconds = Double(Int.random(in: 1_100_000_000..<3_000_000_000, using: &random))
        let fraction = Bool.random(using: &random) ? Double.random(in: 0..<1, using: &random) : 0
        return Date(timeIntervalSince1970: seconds + fraction)
    }

    static func due(_ random: inout SeededRandom) -> DueDate {
        Bool.random(using: &random)
            ? DueDate(moment: date(&random))
            : DueDate(day: Day(number: Int.random(in: 0..<40_000, using: &random)))
    }

    static func some<Value>(
        _ random: inout SeededRandom,
        _ make: (inout SeededRandom) -> Value
    ) -> Value? {
        Bool.random(using: &random) ? make(&random) : nil
    }

    static func make(_ random: inout SeededRandom) -> ItemRecord {
        var record = ItemRecord(
            uuid: UUID(),
            title: title(&random),
            created: date(&random),
            modified: date(&random)
        )
        record.shortID = some(&random) { Int64.random(in: 1...1_000_000, using: &$0) }
        record.kind = Bool.random(using: &random) ? .task : .note
        record.notes = some(&random) { title(&$0) + "\n\t\u{7}" + title(&$0) }
        record.body = some(&random) { "# " + title(&$0) + "\r\n" }
        record.list = (0..<Int.random(in: 0...3, using: &random)).map { _ in title(&random) }
        record.tags = Array(
            Set(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    title(&random)
                }
            )
        )
        record.due = some(&random, due)
        record.start = some(&random, due)
        record.priority = Int.random(in: 0...3, using: &random)
        record.completed = some(&random, date)
        record.order = some(&random) { Int64.random(in: -Ranks.limit...Ranks.limit, using: &$0) }
        record.trashed = Bool.random(using: &random)
        record.flagged = Bool.random(using: &random)
        record.reviewed = some(&random, date)
        record.location = some(&random, title)
        record.recurrence = some(&random) { _ in "every 2 weeks" }
        record.estimate = some(&random) { Int.random(in: 0...100_000, using: &$0) }
        record.reminder = some(&random, date)
        record.parent = some(&random) { _ in UUID() }
        record.dependencies = (0..<Int.random(in: 0...2, using: &random)).map { _ in UUID() }
        record.timeEntries = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            TimeEntryRecord(start: date(&random), end: some(&random, date))
        }
        if Bool.random(using: &random) {
            record.extra["taskwarrior"] = [
                JSONMember("size", .number("3.50e+2")),
                JSONMember("nested", .array([.null, .bool(true), .object([])])),
            ]
        }
        if Bool.random(using: &random) {
            record.extra["json"] = [JSONMember("later", .string("a\u{0}b"))]
        }
        return record
    }
}
