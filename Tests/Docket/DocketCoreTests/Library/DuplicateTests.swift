import CivilTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Copies of items: what they have, where they are, and that one undo removes them.
@Suite struct DuplicateTests {
    private func library() throws -> (LibraryFolder, Library) {
        let folder = try LibraryFolder()
        return (folder, try folder.open())
    }

    @Test func aCopyHasTheValuesOfItsOriginalAndIsOpen() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        let rent = try library.addTask(
            capturing:
                "Pay rent 2026-12-01 9:00 start:2026-11-30 +Home/Money #bank #out !high @Bank\nIBAN"
        )
        rent.estimate = 1800
        try library.context.save(as: "Edited tasks")
        try library.setFlagged(true, of: [rent])
        try library.complete([rent])
        let (copies, _) = try library.duplicate([rent])
        let copy = try #require(copies.first as? Task)
        #expect(copies.count == 1 && copy !== rent)
        #expect(copy.title == "Pay rent" && copy.notes == "IBAN")
        #expect(copy.list === rent.list && copy.tags == rent.tags)
        #expect(copy.dueDate == rent.dueDate && copy.dueDate?.isDateOnly == false)
        #expect(copy.startDate == rent.startDate && copy.startDate?.isDateOnly == true)
        #expect(copy.priority == 3 && copy.estimate == 1800 && copy.flagged)
        #expect(copy.location?.name == "Bank")
        #expect(!copy.isDone && rent.isDone)
        #expect(copy.shortID == 2 && copy.uuid != rent.uuid)
    }

    /// Many copies read the order once, and each is still right below its original.
    @Test func manyCopiesTakeNoMoreFetchesThanAFew() throws {
        func fetches(_ count: Int) throws -> Int {
            let (folder, library) = try library()
            defer { withExtendedLifetime(folder) {} }
            let captured = try (0..<count).map { try library.capture("Task \($0) #tag") }
            let tasks = try library.addTasks(captured).tasks
            let coordinator = library.context.coordinator
            coordinator.startCounting()
            _ = try library.duplicate(tasks)
            let fetches = coordinator.counters.fetches
            let titles = try library.items(matching: nil).map(\.title)
            #expect(titles == (0..<count).flatMap { ["Task \($0)", "Task \($0)"] })
            return fetches
        }
        let (few, many) = (try fetches(10), try fetches(500))
        #expect(many <= few + 2, "\(few) fetches for 10, \(many) for 500")
    }

    @Test func aCopyOfANoteHasItsText() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        let note = try library.addNote(capturing: "Idea\nMore **text**.")
        let copy = try #require(try library.duplicate([note]).copies.first as? Note)
        #expect(copy.title == "Idea" && copy.body == note.body && copy.body != nil)
    }

    @Test func aCopyOfATaskHasItsParentButNotItsSubtasks() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        let tasks = try ["a", "b", "c"].map { try library.addTask(capturing: $0) }
        try library.setParent(tasks[0], of: [tasks[1]])
        try library.setParent(tasks[1], of: [tasks[2]])
        let copy = try #require(try library.duplicate([tasks[1]]).copies.first as? Task)
        #expect(copy.parent === tasks[0] && copy.subtasks.isEmpty)
        #expect(tasks[1].subtasks == [tasks[2]])
    }

    @Test func copiesAreBelowTheirOriginalsAsOneStep() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        for title in ["a", "b", "c", "d"] { try library.addTask(capturing: title) }
        let items = try library.items(matching: nil)
        let (before, last) = (try library.everything(), try library.latestTransaction())
        let (copies, step) = try library.duplicate([items[0], items[1], items[3]])
        #expect(step?.name == "Duplicated 3 tasks")
        #expect(try library.latestTransaction() == last + 1)
        let after = try library.items(matching: nil)
        #expect(after.map(\.title) == ["a", "a", "b", "b", "c", "d", "d"])
        #expect([after[1], after[3], after[6]] == copies)
        let everything = try library.everything()
        _ = try library.undo()
        #expect(try library.everything() == before)
        _ = try library.redo()
        #expect(try library.everything() == everything)
    }

    @Test func copiesStayBelowTheirOriginalsWhileOthersAdd() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        let other = try folder.open(author: "other")
        for title in ["a", "b"] { try library.addTask(capturing: title) }
        let items = try library.items(matching: nil)
        try library.change {
            let copies = try library.duplicate(items).copies
            try other.addTask(capturing: "theirs")
            return StepName(.duplicated, StepSubject(copies))
        }
        let after = try library.items(matching: nil)
        #expect(after.prefix(3).map(\.title) == ["a", "a", "b"])
        #expect(after.dropFirst(3).map(\.title).sorted() == ["b", "theirs"])
        #expect(Set(after.map(\.shortID)).count == 5)
    }
}
