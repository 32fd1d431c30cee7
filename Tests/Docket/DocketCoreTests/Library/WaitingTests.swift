import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Tasks that wait for others, and where tasks are done.
@Suite struct WaitingTests {
    let folder: LibraryFolder
    let library: Library
    let tasks: [Task]

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
        let captured = try ["a", "b", "c", "d"].map {
            try CaptureParser(context: Fixed.context).capture($0)
        }
        tasks = try library.addTasks(captured).tasks
    }

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? InputError)?.message }
    }

    private func titles(_ tasks: Set<Task>) -> String {
        tasks.map(\.title).sorted().joined(separator: " ")
    }

    @Test func blockersAreSetAndClearedAsOneStepEach() throws {
        let two = Array(tasks[..<2])
        #expect(
            try library.setBlockers([tasks[2]], of: two)?.name == "Set blockers of 2 tasks to \"c\""
        )
        #expect(try library.setBlockers([tasks[2]], of: two) == nil)
        #expect(
            try library.setBlockers([tasks[3]], of: [tasks[0]])?.name
                == "Set blockers of \"a\" to \"d\""
        )
        #expect(titles(tasks[0].blockedBy) == "d" && titles(tasks[1].blockedBy) == "c")
        #expect(
            try library.setBlockers([], of: [tasks[0]])?.name == "Cleared blockers of \"a\""
        )
        #expect(tasks[0].blockedBy.isEmpty && titles(tasks[2].blocks) == "b")
        _ = try library.undo()
        #expect(titles(tasks[0].blockedBy) == "d")
        _ = try library.redo()
        #expect(tasks[0].blockedBy.isEmpty)
    }

    /// Another window saves while a verb or a form is between its look at the store and its save.
    @Test(arguments: [false, true]) func circleThatTwoWindowsWouldMakeIsRefused(isForm: Bool) throws
    {
        let other = try folder.open()
        defer { other.close() }
        func others(_ title: String) throws -> Task {
            try #require(try Task.all(in: other.context).first { $0.title == title })
        }
        _ = try library.setBlockers([tasks[2]], of: [tasks[1]])
        let saveOther = {
            _ = try other.setBlockers([try others("a")], of: [try others("c")])
        }
        let words = message {
            if isForm {
                let scratch = library.makeScratch()
                let task = try #require(
                    try scratch.existingObject(with: tasks[0].objectID) as? Task
                )
                let blocker = try #require(
                    try scratch.existingObject(with: tasks[1].objectID) as? Task
                )
                try Library.setBlockers([blocker], of: task)
                try saveOther()
                _ = try library.saveForm(scratch, of: task)
            } else {
                try library.change {
                    try Library.setBlockers([tasks[1]], of: tasks[0])
                    try saveOther()
                    return StepName(.edited, StepSubject([tasks[0]]))
                }
            }
        }
        #expect(
            words == "\"a\" cannot wait for \"b\", which waits for it since another program's save."
        )
        try library.refresh()
        #expect(tasks[0].blockedBy.isEmpty && titles(tasks[2].blockedBy) == "a")
        // What makes no circle is saved beside others.
        try library.change {
            try Library.setBlockers([tasks[0]], of: tasks[3])
            _ = try other.setBlockers([try others("d")], of: [try others("b")])
            return StepName(.edited, StepSubject([tasks[3]]))
        }
        try library.refresh()
        #expect(titles(tasks[3].blockedBy) == "a" && titles(tasks[1].blockedBy) == "d")
    }

    @Test func blockersAreAddedAndRemovedBesideOthers() throws {
        let edit = { try library.edit(tasks[0], [try FieldChange($0)])?.name }
        _ = try edit("waits=2,3")
        #expect(try edit("waits=+4,-2") == "Edited \"a\": waits for")
        #expect(titles(tasks[0].blockedBy) == "c d")
        #expect(try edit("waits=+4") == nil)
        _ = try edit("waits-for=-3-4")
        #expect(tasks[0].blockedBy.isEmpty)
        #expect(
            message { _ = try edit("waits=+2,3") }
                == "\"+2,3\" has numbers with and without a sign; write waits=+3,-5 to add and"
                + " remove, or waits=3,5 for no others."
        )
        let change = ItemChange.blockers(adding: [3], removing: [4])
        #expect(
            try library.perform(change, on: Array(tasks[..<2]))?.name
                == "Made 2 tasks wait for \"c\" and not wait for \"d\""
        )
        #expect(try library.perform(change, on: Array(tasks[..<2])) == nil)
    }

    @Test func whatCanStartAfterSomethingHasEndedIsSaid() throws {
        try library.setBlockers([tasks[0]], of: [tasks[1], tasks[2]])
        try library.setBlockers([tasks[0], tasks[1]], of: [tasks[3]])
        try library.complete([tasks[0]])
        #expect(try library.freedInWords(by: [tasks[0]]) == "; 2 tasks can start now")
        try library.trash([tasks[1]])
        #expect(try library.freedInWords(by: [tasks[1]]) == "; \"d\" can start now")
        #expect(try library.freedInWords(by: [tasks[3]]) == "")
    }

    @Test func aCycleIsRefusedWithItsPathAndNothingChanges() throws {
        try library.setBlockers([tasks[1]], of: [tasks[0]])
        try library.setBlockers([tasks[2]], of: [tasks[1]])
        let path = message { try library.setBlockers([tasks[0]], of: [tasks[3], tasks[2]]) }
        #expect(
            path
                == "3 \"c\" cannot wait for 1 \"a\", which waits for 2 \"b\", which waits for 3 \"c\"."
        )
        #expect(tasks[3].blockedBy.isEmpty && tasks[2].blockedBy.isEmpty)
        #expect(
            message { try library.setBlockers([tasks[3]], of: [tasks[3]]) }
                == "4 \"d\" cannot wait for itself."
        )
    }

    @Test func aCapturedTaskWaitsForTheNumbersOfItsText() throws {
        let task = try library.addTask(capturing: "e after:1,2 blocks:3")
        #expect(titles(task.blockedBy) == "a b" && titles(task.blocks) == "c")
        #expect(
            message { try library.addTask(capturing: "f after:3 blocks:1") }
                == "1 \"a\" cannot wait for \"f\", which waits for 3 \"c\", "
                + "which waits for 5 \"e\", which waits for 1 \"a\"."
        )
        #expect(message { try library.addTask(capturing: "f after:99") } != nil)
        _ = try library.addNote(capturing: "n")
        #expect(
            message { try library.addTask(capturing: "f after:6") }
                == "6 is a note; only tasks wait for each other."
        )
        #expect(message { try library.addTask(capturing: "f after:1-501") } != nil)
        #expect(try library.items(matching: nil).count == 6)
    }

    @Test func fieldsSayWhatATaskWaitsForAndWhereItIsDone() throws {
        let edit = { try library.edit(tasks[0], [try FieldChange($0)])?.name }
        #expect(try edit("waits=2-3") == "Edited \"a\": waits for")
        #expect(try edit("blocks=4") == "Edited \"a\": blocks")
        #expect(titles(tasks[0].blockedBy) == "b c" && titles(tasks[0].blocks) == "d")
        #expect(message { _ = try edit("waits=4") } != nil)
        #expect(titles(tasks[0].blockedBy) == "b c")
        _ = try edit("waits=")
        #expect(tasks[0].blockedBy.isEmpty)
        #expect(try edit("location=@Bank") == "Edited \"a\": location")
        #expect(
            try library.perform(.location("BANK"), on: tasks)?.name
                == "Set location of 3 tasks to Bank"
        )
        #expect(Set(tasks.compactMap(\.location)).count == 1)
        #expect(try edit("location=") == "Edited \"a\": location")
        #expect(
            try library.perform(.location(""), on: [tasks[1]])?.name == "Cleared location of \"b\""
        )
    }
}
