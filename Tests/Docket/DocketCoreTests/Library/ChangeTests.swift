import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Verbs that are made of other verbs: one step, or nothing.
@Suite struct ChangeTests {
    private struct Stop: Error {}

    private func library(_ titles: String...) throws -> (LibraryFolder, Library) {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for title in titles { try library.addTask(capturing: title) }
        return (folder, library)
    }

    private func task(_ number: Int64, _ library: Library) throws -> Task {
        try #require(try library.item(.number(number)) as? Task)
    }

    @Test func nestingWithAPlaceIsOneStep() throws {
        let (folder, library) = try library("a", "b", "c")
        defer { withExtendedLifetime(folder) {} }
        let (before, steps) = (try library.everything(), try library.undoSteps(limit: 9))
        let (a, c) = (try task(1, library), try task(3, library))
        let step = try library.setParent(a, of: [c], placing: .after(a))
        #expect(step?.name == "Put \"c\" under \"a\"")
        #expect(c.parent === a)
        #expect(try library.items(matching: nil).map(\.title) == ["a", "c", "b"])
        let after = try library.everything()
        #expect(try library.undoSteps(limit: 9).dropFirst() == steps[...])
        #expect(try library.setParent(a, of: [c], placing: .after(a)) == nil)
        #expect(try library.setParent(a, of: [c], placing: .top)?.name == "Moved \"c\" to the top")
        _ = try library.undo()
        #expect(try library.everything() == after)
        _ = try library.undo()
        #expect(try library.everything() == before)
        _ = try library.redo()
        #expect(try library.everything() == after)
    }

    @Test func anErrorInTheSecondPartRevertsTheFirst() throws {
        let (folder, library) = try library("a", "b")
        defer { withExtendedLifetime(folder) {} }
        let (before, number) = (try library.everything(), try library.latestTransaction())
        let (a, b) = (try task(1, library), try task(2, library))
        try library.setParent(a, of: [b])
        _ = try library.undo()
        let last = try library.latestTransaction()
        #expect(throws: InputError.self) {
            try library.change {
                try library.setParent(a, of: [b])
                try library.addTask(capturing: "new #tag +List")
                try library.setParent(b, of: [a])
                return StepName(.moved, StepSubject([a, b]))
            }
        }
        #expect(!library.context.hasChanges)
        #expect(try library.latestTransaction() == last && last == number + 2)
        #expect(try library.everything() == before)
        // The number of the task that was not saved is free.
        #expect(try library.addTask(capturing: "next").shortID == 3)
    }

    @Test func anErrorOfAnInnerVerbFailsTheOuterOneThatCatchesIt() throws {
        let (folder, library) = try library("a")
        defer { withExtendedLifetime(folder) {} }
        let before = try library.everything()
        let a = try task(1, library)
        #expect(throws: InputError.self) {
            try library.change {
                try library.complete([a])
                _ = try? library.edit(a, [FieldChange("title=b"), FieldChange("due=never ever")])
                return StepName(.completed, StepSubject([a]))
            }
        }
        #expect(try library.everything() == before)
        #expect(!library.isChanging && library.innerError == nil)
        #expect(try library.complete([a])?.name == "Completed \"a\"")
    }

    @Test func theOutermostVerbNamesTheStepAndInnerOnesReturnNone() throws {
        let (folder, library) = try library("a")
        defer { withExtendedLifetime(folder) {} }
        let a = try task(1, library)
        let step = try library.change {
            #expect(try library.complete([a]) == nil)
            let (b, inner) = try library.addTask(library.capture("b"))
            #expect(inner == nil && b.isInserted)
            return StepName(.edited, library.changed([a, b]))
        }
        #expect(step?.name == "Edited 2 tasks" && step?.subject.count == 2)
        #expect(try library.undoSteps(limit: 9).map(\.name) == ["Edited 2 tasks", "Added \"a\""])
    }

    @Test func withoutAChangeThereIsNoStep() throws {
        let (folder, library) = try library("a")
        defer { withExtendedLifetime(folder) {} }
        let a = try task(1, library)
        let last = try library.latestTransaction()
        let step = try library.change {
            try library.reopen([a])
            try library.place([a], .top)
            try library.setParent(nil, of: [a])
            // The flag has its old value again.
            try library.setFlagged(true, of: [a])
            try library.setFlagged(false, of: [a])
            return StepName(.edited, StepSubject([a]))
        }
        #expect(step == nil)
        #expect(try library.latestTransaction() == last)
        #expect(try library.undo()?.step.name == "Added \"a\"")
    }

    @Test func itemsAddedInOneStepGetNumbersAndPlacesOfTheirOwn() throws {
        let (folder, library) = try library("a", "b")
        defer { withExtendedLifetime(folder) {} }
        let other = try folder.open(author: "other")
        let a = try task(1, library)
        var isFirst = true
        try library.change {
            try library.place([a], .bottom)
            let new = try (1...5).map { try library.addTask(capturing: "new \($0)") }
            if isFirst { try other.addTask(capturing: "theirs") }
            isFirst = false
            return StepName(.added, StepSubject(new))
        }
        // Theirs has the place that the first run of the work gave to "a".
        let items = try library.items(matching: nil)
        #expect(items.map(\.title) == ["b", "theirs", "a"] + (1...5).map { "new \($0)" })
        #expect(items.map(\.shortID) == [2, 3, 1, 4, 5, 6, 7, 8])
        #expect(Set(items.map(\.displayOrder)).count == items.count)
        #expect(try library.undoSteps(limit: 9).map(\.name).first == "Added 5 tasks")
    }

    @Test func aChangeOfManyItemsInsideAVerbIsOneTransaction() throws {
        let (folder, library) = try library("a", "b", "c", "d")
        defer { withExtendedLifetime(folder) {} }
        (library.largestChange, library.partSize) = (2, 1)
        let items = try library.items(matching: nil)
        let last = try library.latestTransaction()
        let step = try library.change {
            try library.complete(items)
            return StepName(.completed, StepSubject(items))
        }
        #expect(step?.name == "Completed 4 tasks")
        #expect(try library.latestTransaction() == last + 1)
        // By itself it works in parts, and is one step too.
        #expect(try library.reopen(items)?.name == "Reopened 4 tasks")
        #expect(try library.latestTransaction() == last + 5)
        _ = try library.undo()
        _ = try library.undo()
        #expect(try library.items(matching: Library.openItems).count == 4)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomVerbsInOneAreOneStepOrNothing(seed: UInt64) throws {
        var random = RandomCommands(seed: seed)
        let (folder, library) = try library("a", "b")
        defer { withExtendedLifetime(folder) {} }
        for round in 0..<8 {
            let (before, last) = (try library.everything(), try library.latestTransaction())
            let fails = random.chance(20)
            var step: SavedStep?
            do {
                step = try library.change {
                    for _ in 0..<5 { try random.run(on: library, imports: false) }
                    if fails { throw Stop() }
                    return StepName(.edited, StepSubject([]))
                }
            } catch is Stop {} catch is InputError {}
            #expect(try library.latestTransaction() == last + (step == nil ? 0 : 1))
            let after = try library.everything()
            if step == nil {
                #expect(after == before, "seed \(seed), round \(round)")
            } else {
                _ = try library.undo()
                #expect(try library.everything() == before, "seed \(seed), round \(round)")
                _ = try library.redo()
                #expect(try library.everything() == after, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func reminderFollowsTheDueDate() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let line = "Renew 2027-03-01 remind me 1 week before"
        let task = try library.addTask(capturing: line)
        let april = DueDate(day: try #require(Day(year: 2027, month: 4, day: 1)))
        func next(_ task: Task) -> String? { task.nextReminder.map(ISODate.string) }
        try library.perform(.due(april), on: [task])
        #expect(next(task) == "2027-03-25T00:00:00Z")
        try library.edit(task, [FieldChange("due=2027-05-01")])
        #expect(next(task) == "2027-04-24T00:00:00Z")
        try library.edit(task, [FieldChange("due=")])
        #expect(next(task) == nil && task.remindTimes == "-P1W")
        let scratch = library.makeScratch()
        let edited = try #require(try scratch.existingObject(with: task.objectID) as? Task)
        edited.setDue(april)
        _ = try library.saveForm(scratch, of: edited)
        #expect(next(task) == "2027-03-25T00:00:00Z")
        let new = scratch.insert(Task.self)
        (new.title, new.remindTimes) = ("New", "-P1W")
        new.setDue(april)
        _ = try library.saveForm(scratch, of: new)
        #expect(next(new) == "2027-03-25T00:00:00Z")
    }
}
