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

    // MARK: Too many for one transaction

    private func many(_ count: Int) throws -> (LibraryFolder, Library, [Item]) {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for number in 1...count { try library.addTask(capturing: "t\(number)") }
        library.largestChange = 5
        library.partSize = 4
        return (folder, library, try library.items(matching: nil))
    }

    @Test func anEditOfVeryManyItemsIsOneStepInParts() throws {
        let (folder, library, items) = try many(11)
        defer { withExtendedLifetime(folder) {} }
        let (before, last) = (try library.everything(), try library.latestTransaction())
        let fields = try ["priority=high", "notes=Soon", "tags=a, b"].map { try FieldChange($0) }
        let step = try library.edit(items, fields)
        #expect(step?.name == "Edited 11 tasks: priority, notes, tags")
        #expect(try library.latestTransaction() == last + 3)
        #expect(library.unfinishedCommand == nil)
        for item in try library.items(matching: nil) {
            #expect((item as? Task)?.priority == 3 && item.notes == "Soon")
            #expect(item.tags.map(\.name).sorted() == ["a", "b"])
        }
        let again = try library.edit(library.items(matching: nil), [FieldChange("priority=3")])
        #expect(again == nil)
        _ = try library.undo()
        #expect(try library.everything() == before)
    }

    @Test func tasksThatWaitAreTooManyLikeAllOthers() throws {
        let (folder, library, items) = try many(11)
        defer { withExtendedLifetime(folder) {} }
        let last = try library.latestTransaction()
        let step = try library.perform(.waits([1]), on: Array(items.dropFirst()))
        #expect(step?.name == "Set blockers of 10 tasks to \"t1\"")
        #expect(try library.latestTransaction() == last + 3)
        #expect(try task(1, library).blocks.count == 10)
    }

    @Test func anInterruptedEditIsFinishedAsAWhole() throws {
        let (folder, library, items) = try many(11)
        defer { withExtendedLifetime(folder) {} }
        let changes: [ItemChange] = [.priority(2), .title("Same"), .repeats("every day")]
        let command = try library.longCommand(changes, on: items.map(\.objectID)) {
            StepName(.edited, $0)
        }
        #expect(try !command.advance())
        command.leave()
        let unfinished = try #require(library.unfinishedCommand)
        #expect("\(unfinished.changes)" == "\(changes)")
        try #require(try library.resume(unfinished, takingBack: false)).run()
        library.takeOverLongCommand()
        #expect(library.unfinishedCommand == nil)
        for task in try library.items(matching: nil).compactMap({ $0 as? Task }) {
            #expect(task.title == "Same" && task.priority == 2 && task.rule == "every day")
            #expect(task.dueDate != nil, "a repetition begins on a day")
        }
        #expect(try library.undoSteps(limit: 9).first?.name == "Edited 11 tasks")
    }

    @Test func aChangeIsTheSameAfterTheStoreHasKeptIt() throws {
        let (folder, library, items) = try many(1)
        defer { withExtendedLifetime(folder) {} }
        let due = DueDate(day: Fixed.context.today)
        let changes: [ItemChange] = [
            .complete, .reopen, .trash, .restore, .purge, .review, .due(due), .due(nil),
            .start(due),
            .start(nil),
            .priority(2), .flag(true), .list(.inbox), .list(.path(["a", "b"])),
            .tags(adding: ["a"], removing: ["b"]), .onlyTags(["a"]), .onlyTags([]), .title("a"),
            .notes("a"), .notes(nil), .body("a"), .body(nil), .repeats("every day"), .repeats(""),
            .estimate(60), .estimate(nil), .parent(items[0].objectID), .parent(nil), .waits([1]),
            .waits([]), .blocks([1, 2]), .location("a"), .location(""), .remind("-P1D"),
            .remind(nil),
        ]
        for change in changes {
            let read = ItemChange(.dictionary(change.fields), in: library)
            #expect("\(String(describing: read))" == "\(String(describing: Optional(change)))")
        }
    }
}
