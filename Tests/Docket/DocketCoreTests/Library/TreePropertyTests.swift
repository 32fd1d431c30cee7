import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Random commands on subtasks and dependencies, by two libraries on one file.
@Suite struct TreePropertyTests {
    @Test(arguments: SeededRandom.seeds(6))
    func treesStayTreesAndUndoingAllLeadsToTheStart(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try LibraryFolder()
        let libraries = [try folder.open(author: "one"), try folder.open(author: "two")]
        defer { for library in libraries { library.close() } }
        let captured = try (0..<12).map { try libraries[0].capture("Task \($0)") }
        _ = try libraries[0].addTasks(captured)
        var states = [try libraries[0].everything()]
        for step in 0..<80 {
            let library = libraries[random.below(2)]
            let before = try library.latestTransaction()
            try change(library, &random)
            if try library.latestTransaction() > before { states.append(try library.everything()) }
            let reader = libraries[random.below(2)]
            try #require(try reader.everything() == states.last, "seed \(seed), step \(step)")
            try check(reader, "seed \(seed), step \(step)")
        }
        for state in states.dropLast().reversed() {
            let library = libraries[random.below(2)]
            try #require(try library.undo()?.isDone == true, "seed \(seed)")
            try #require(try library.everything() == state, "seed \(seed)")
        }
    }

    private func change(_ library: Library, _ random: inout SeededRandom) throws {
        let all = try library.items(matching: nil).compactMap { $0 as? Task }
        let first = random.below(all.count)
        let some = Array(all[first..<min(all.count, first + 1 + random.below(3))])
        let other = random.pick(all)
        func withSubtasks(_ found: Targets) throws -> [Item] {
            random.chance(2) ? try library.items(of: found) : []
        }
        do {
            switch random.below(11) {
            case 0: try library.setParent(other, of: some)
            case 1: try library.setParent(other, of: some, placing: .after(random.pick(all)))
            case 2: try library.lift(some)
            case 3: try library.place(some, random.chance(2) ? .before(other) : .after(other))
            case 4 where all.count < 60:
                _ = try library.duplicate(some, withSubtasks: random.chance(2))
            case 5:
                let below = try withSubtasks(library.openSubtasks(of: .items(some)))
                try library.complete(some + below)
            case 6: try library.trash(some + withSubtasks(library.subtasks(of: .items(some))))
            case 7:
                let trashed = try library.existing(library.trashedItemIDs())
                let below = try withSubtasks(library.trashedSubtasks(of: .items(trashed)))
                try library.restore(Array(trashed.prefix(2)) + below)
            case 8:
                let path = random.pick([["Home"], ["Home", "Garden"], ["Work"]])
                try library.perform(.list(.path(path)), on: some)
            case 9:
                let numbers = some.map(\.shortID)
                try library.perform(
                    .blockers(adding: [other.shortID], removing: numbers),
                    on: [random.pick(all)]
                )
            default: try library.reopen(some)
            }
        } catch is InputError {
            // A circle is refused.
        }
    }

    /// No task is below itself or waits for itself, and all that they refer to is there.
    private func check(_ library: Library, _ what: String) throws {
        let tasks = try Task.all(in: library.context)
        let known = Set(tasks)
        for task in tasks {
            var above = task.parent
            var steps = 0
            while let parent = above, steps <= tasks.count {
                #expect(known.contains(parent) && parent.subtasks.isEmpty == false, "\(what)")
                above = parent.parent
                steps += 1
            }
            #expect(steps <= tasks.count, "\(what): \(task.title) is below itself")
            for blocker in task.blockedBy {
                #expect(blocker.blocks.contains(task), "\(what)")
                #expect(blocker.waitingPath(to: task) == nil, "\(what): a circle of dependencies")
            }
        }
        #expect(Set(tasks.map(\.displayOrder)).count == tasks.count, "\(what): one place for two")
        #expect(Set(tasks.map(\.shortID)).count == tasks.count, "\(what): one number for two")
    }

    /// What moves with its parent is what was in the same list, in one step and in parts alike.
    @Test func subtasksMoveWithTheirParentsHoweverManyTheyAre() throws {
        for limit in [1_000, 5] {
            let folder = try LibraryFolder()
            let library = try folder.open()
            library.largestChange = limit
            let captured = try (0..<20).map { try library.capture("Task \($0) +Home") }
            let tasks = try library.addTasks(captured).tasks
            for index in 10..<20 { try library.setParent(tasks[index - 10], of: [tasks[index]]) }
            try library.perform(.list(.inbox), on: [tasks[19]])
            try library.perform(.list(.path(["Work"])), on: Array(tasks[..<10]))
            let lists = try library.items(matching: nil).map { $0.list?.name ?? "-" }
            #expect(lists == Array(repeating: "Work", count: 19) + ["-"], "\(limit)")
        }
    }
}
