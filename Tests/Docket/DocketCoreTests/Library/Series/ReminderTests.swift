import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// When a task reminds: words, moments, changes of clocks.
@Suite struct ReminderTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try Library(url: folder.store, author: "test") { Fixed.context }
    }

    @Test func aReminderOfWholeDaysKeepsTheClockTimeWhenTheClocksChange() throws {
        // In Berlin the clocks change on 28 March 2027.
        let task = try library.addTask(capturing: "Renew 2027-04-01 9:00 remind me 1 week before")
        func next() -> String? { task.nextReminder.map(ISODate.string) }
        #expect(next() == "2027-03-25T08:00:00Z")
        try library.edit(task, [FieldChange("remind=5 days before")])
        #expect(next() == "2027-03-27T08:00:00Z")
        // Hours are hours.
        try library.edit(task, [FieldChange("remind=120 h before")])
        #expect(task.remindTimes == "-P5D" && next() == "2027-03-27T08:00:00Z")
        try library.edit(task, [FieldChange("remind=119 h before")])
        #expect(next() == "2027-03-27T08:00:00Z")
        try library.edit(task, [FieldChange("remind=121 h before")])
        #expect(next() == "2027-03-27T06:00:00Z")
    }

    @Test(arguments: [
        ("1 week before", "-P1W"), ("1 day", "-P1D"), ("2 h before", "-PT2H"),
        ("1 h 30 min before", "-PT90M"), ("36 hours before", "-PT36H"), ("-PT45M", "-PT45M"),
        ("1 hour after", "PT1H"), ("when due", "PT0M"), ("tomorrow 9:00", "20261122T080000Z"),
        ("in 2 hours", "20261121T150500Z"), ("2026-12-01T08:00", "20261201T070000Z"),
        ("2 weeks before, 1 h before", "-P2W -PT1H"), ("1 day, 2 hours before", "-PT26H"),
        ("30m", "-PT30M"), ("1 day, 2 h before, when due", "-P1D -PT2H PT0M"),
        ("1 week before, fri 9:00", "-P1W 20261127T080000Z"), ("", nil), ("none", nil),
    ])
    func wordsOfAReminderAreReadAndShownAgain(words: String, stored: String?) throws {
        let task = try library.addTask(capturing: "Renew 2027-03-01")
        task.remindTimes = "-P3D"
        try library.edit(task, [FieldChange("remind=\(words)")])
        #expect(task.remindTimes == stored)
        #expect((task.nextReminder == nil) == (stored == nil))
        // What is shown means the same.
        let shown = task.remindersInWords(in: library.clock())
        #expect(try ReminderTimes.typed(shown, in: library.clock()) == stored, "\(shown)")
    }

    @Test func whatIsShownIsReadInEveryLanguage() throws {
        var german = Fixed.context
        german.settings.language = .german
        for stored in ["-P1W", "-PT2H", "PT90M", "PT0M", "20261122T080000Z", "-P2D -PT30M"] {
            let words = ReminderTimes.words(stored, DateFormat(context: german).words)
            #expect(try ReminderTimes.typed(words, in: german) == stored, "\(words)")
        }
        #expect(try ReminderTimes.typed("1 Woche vorher", in: german) == "-P1W")
    }

    @Test(arguments: ["soon", "tomorrow", "1 month before", "2 days before, soon", "before"])
    func aReminderThatIsNotUnderstoodChangesNothing(words: String) throws {
        let task = try library.addTask(capturing: "Renew 2027-03-01 remind me 1 day before")
        let error = #expect(throws: InputError.self) {
            try library.edit(task, [FieldChange("remind=\(words)")])
        }
        #expect(error?.message.contains("reminder") == true, "\(error?.message ?? "")")
        #expect(task.remindTimes == "-P1D")
    }
}
