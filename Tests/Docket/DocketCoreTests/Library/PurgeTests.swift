import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// What is in the trash is deleted, and nothing else.
@Suite struct PurgeTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private func add(
        _ title: String,
        below parent: DocketCore.Task? = nil
    ) throws -> DocketCore.Task {
        let task = try library.addTask(capturing: title)
        if let parent { _ = try library.setParent(parent, of: [task]) }
        return task
    }

    private func titles() throws -> Set<String> {
        Set(try library.items(matching: nil).map(\.title))
    }

    @Test func whatIsInTheTrashIsDeletedAndComesBackByUndo() throws {
        let (gone, kept) = (try add("Gone #bank"), try add("Kept"))
        _ = try library.trash([gone])
        let before = try library.everything()
        let step = try library.perform(.purge, on: [gone, kept])
        #expect(step?.name == "Deleted \"Gone\" from the trash")
        #expect(try titles() == ["Kept"])
        _ = try library.undo()
        #expect(try library.everything() == before)
    }

    @Test func nothingInTheTrashIsNoStep() throws {
        let task = try add("Kept")
        #expect(try library.perform(.purge, on: [task]) == nil)
    }

    @Test func subtasksInTheTrashGoAlongAndOthersLoseTheirParent() throws {
        let parent = try add("Parent")
        let trashed = try add("Trashed below", below: parent)
        let open = try add("Open below", below: trashed)
        _ = try add("Open below that", below: open)
        _ = try library.trash([parent, trashed])
        _ = try library.perform(.purge, on: [parent])
        #expect(try titles() == ["Open below", "Open below that"])
        #expect(open.parent == nil && open.subtasks.count == 1)
    }

    @Test(arguments: SeededRandom.seeds(4))
    func purgeAndUndoOfRandomTreesLeaveWhatWasThere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var tasks: [DocketCore.Task] = []
        for number in 0..<60 {
            let parent = random.chance(3) ? nil : random.draw(tasks)
            tasks.append(try add("Task \(number)", below: parent))
        }
        let trashed = tasks.filter { _ in random.chance(2) }
        _ = try library.trash(trashed)
        let before = try library.everything()
        let chosen = trashed.filter { _ in random.chance(2) }
        // A trashed subtask of a deleted one goes along, whatever is between them is in the trash.
        func goes(_ task: DocketCore.Task) -> Bool {
            guard task.trashed != nil else { return false }
            return chosen.contains(task) || task.parent.map(goes) == true
        }
        let expected = Set(tasks.filter { !goes($0) }.map(\.title))
        _ = try library.perform(.purge, on: chosen)
        #expect(try titles() == expected)
        _ = try library.undo()
        #expect(try library.everything() == before)
    }

    @Test func aTrashOfManyIsEmptiedInPartsAsOneStep() throws {
        let items = try (0..<50).map { try add("Task \($0)") }
        _ = try library.trash(items)
        let before = try library.everything()
        let command = try library.longCommand(.purge, on: library.targets(library.trashedItemIDs()))
        try command.run()
        library.takeOverLongCommand()
        #expect(command.step?.name == "Deleted 50 tasks from the trash")
        #expect(try titles().isEmpty)
        _ = try library.undo()
        #expect(try library.everything() == before)
    }
}
