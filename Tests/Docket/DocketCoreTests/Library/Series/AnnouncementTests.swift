import CivilTime
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Reminders that come: each once, whoever looks, and none missed; it is Saturday, 14:05.
@Suite struct AnnouncementTests {
    private final class Clock { var context = Fixed.context }

    private let folder: LibraryFolder
    private let clock: Clock
    private let library: Library

    init() throws {
        let clock = Clock()
        (self.clock, folder) = (clock, try LibraryFolder())
        library = try Library(url: folder.store, author: "test") { clock.context }
    }

    private func add(_ lines: String...) throws {
        for line in lines { _ = try library.addTask(capturing: line) }
    }

    private func task(_ title: String) throws -> DocketCore.Task {
        let found = try library.items(matching: nil).first { $0.title == title }
        return try #require(found as? DocketCore.Task)
    }

    private func mark(_ name: String = "state") -> ReminderMark {
        ReminderMark(of: library, in: folder.url.appending(path: name).path)
    }

    /// What is announced when so many minutes have passed.
    private func announced(_ mark: ReminderMark, after minutes: Double = 0) throws -> [String] {
        clock.context.now += minutes * 60
        var titles: [String] = []
        try mark.announce(of: library) {
            titles = $0.map(\.title)
            return true
        }
        return titles
    }

    @Test func aReminderIsAnnouncedOnceAndByOneOfSeveral() throws {
        try add("Call Ana today 15:00 remind me 30 min before", "Water today 16:00")
        let (one, other) = (mark(), mark())
        #expect(try announced(one, after: 24) == [])
        #expect(try announced(other, after: 1) == ["Call Ana"])
        #expect(try announced(one) == [] && announced(other, after: 60) == [])
    }

    @Test func eachOfSeveralRemindersOfATaskComes() throws {
        try add("Call Ana today 18:00")
        try library.edit(task("Call Ana"), [FieldChange("remind=3 h before, 2 h before, when due")])
        let mark = mark()
        let moments = try (0..<5).map { _ in try announced(mark, after: 60) }
        #expect(moments == [["Call Ana"], ["Call Ana"], [], ["Call Ana"], []])
        #expect(try library.nextReminder(after: clock.context.now) == nil)
    }

    @Test func whatCameDuringSleepIsAnnouncedTogetherAndATaskOnce() throws {
        try add("Ring Bob today 17:00 remind me 1 h before", "Call Ana today 15:00")
        try library.edit(task("Call Ana"), [FieldChange("remind=30 min before, when due")])
        let mark = mark()
        #expect(try announced(mark, after: 1) == [])
        #expect(try announced(mark, after: 3 * 24 * 60) == ["Call Ana", "Ring Bob"])
    }

    @Test func whatIsDoneOrInTheTrashRemindsOfNothing() throws {
        try add(
            "Done today 15:00 remind me 30 min before",
            "Gone today 15:00 remind me 30 min before"
        )
        _ = try library.complete([try task("Done")])
        _ = try library.trash([try task("Gone")])
        #expect(try announced(mark(), after: 60) == [])
    }

    @Test func aReminderThatNobodySawStays() throws {
        try add("Call Ana today 15:00 remind me 30 min before")
        clock.context.now += 30 * 60
        let mark = mark()
        var looks = 0
        for _ in 0..<2 {
            try mark.announce(of: library) { _ in
                looks += 1
                return false
            }
        }
        #expect(looks == 2)
        #expect(try announced(mark) == ["Call Ana"])
    }

    @Test func aClockThatWasAheadSilencesNothing() throws {
        try add(
            "Call Ana today 15:00 remind me 30 min before",
            "Ring Bob today 15:30 remind me 5 min before"
        )
        let mark = mark()
        #expect(try announced(mark) == [])
        #expect(try announced(mark, after: 2 * 24 * 60) == ["Call Ana", "Ring Bob"])
        // Set right again, 14:20.
        #expect(try announced(mark, after: -2 * 24 * 60 + 15) == [])
        try library.edit(task("Ring Bob"), [FieldChange("due=2026-11-21 17:00")])
        #expect(try announced(mark, after: 160) == ["Call Ana", "Ring Bob"])
    }

    @Test func aNextReminderIsTheEarliestThatIsLeft() throws {
        try add("Two today 15:00", "One today 20:00 remind me 1 h before")
        try library.edit(task("Two"), [FieldChange("remind=30 min before, 4 hours after")])
        func next() throws -> String? {
            try library.nextReminder(after: clock.context.now).map(ISODate.string)
        }
        #expect(try next() == "2026-11-21T13:30:00Z")
        clock.context.now += 3600
        #expect(try next() == "2026-11-21T18:00:00Z")
    }

    @Test func aSecondStoreHasItsOwnMarkAndAnUnreadableOneIsLikeNone() throws {
        try add("Call Ana today 15:00 remind me 30 min before")
        #expect(try announced(mark(), after: 30) == ["Call Ana"])
        let second = try LibraryFolder()
        let clock = clock
        let other = try Library(url: second.store, author: "test") { clock.context }
        let state = folder.url.appending(path: "state")
        var names = try FileManager.default.contentsOfDirectory(atPath: state.path)
        try ReminderMark(of: other, in: state.path).announce(of: other) { _ in true }
        try Data("not a moment".utf8).write(to: state.appending(path: names[0]))
        #expect(try announced(mark()) == ["Call Ana"])
        names = try FileManager.default.contentsOfDirectory(atPath: state.path)
        #expect(names.count == 2)
    }

    @Test func theListOfRemindersHasWhatHasComeAndIsOpen() throws {
        try add("Call Ana today 15:00 remind me 30 min before", "Water today 16:00")
        func listed() throws -> [String] {
            let scope = Scope.smart(.reminders)
            return try library.items(matching: scope.condition(clock.context, showsDone: false))
                .map(\.title)
        }
        #expect(try listed() == [])
        clock.context.now += 3600
        #expect(try listed() == ["Call Ana"])
        try library.edit(task("Call Ana"), [FieldChange("remind=in 10 minutes")])
        #expect(try listed() == [])
    }
}
