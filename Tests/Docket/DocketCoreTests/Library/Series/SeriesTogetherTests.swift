import DocketCore
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

/// Two programs move the same occurrence of a series on at the same moment.
///
/// The other library saves after this one has done its work, before it saves. Today is Saturday,
/// 21 November 2026.
@Suite struct SeriesTogetherTests {
    private let folder: LibraryFolder
    private let mine: Library
    private let theirs: Library

    init() throws {
        folder = try LibraryFolder()
        mine = try Library(url: folder.store, author: "mine") { Fixed.context }
        theirs = try Library(url: folder.store, author: "theirs") { Fixed.context }
        try mine.addTask(capturing: "Water plants 2026-11-21 every 3 days")
    }

    /// Runs a verb of this library, and one of the other library before the first one saves.
    private func meanwhile<Result>(
        _ theirVerb: @escaping (Library) throws -> Void,
        _ verb: (Library) throws -> Result
    ) throws -> Result {
        let other = Other(mine.context.coordinator) { [theirs] in try theirVerb(theirs) }
        let center = mine.context.notifications
        // From any sender: a long command saves contexts of its own.
        let token = center.addObserver(of: ContextWillSave.self) { save in
            other.runOnce(before: save.context)
        }
        defer { center.removeObserver(token) }
        let result = try verb(mine)
        if let failure = other.failure { throw failure }
        #expect(other.hasRun)
        return result
    }

    /// All of it is used on the thread of the test, but for the coordinator, which never changes.
    private final class Other: @unchecked Sendable {
        private let coordinator: PersistentStoreCoordinator
        private let verb: () throws -> Void
        private(set) var failure: (any Error)?
        private(set) var hasRun = false

        init(_ coordinator: PersistentStoreCoordinator, _ verb: @escaping () throws -> Void) {
            (self.coordinator, self.verb) = (coordinator, verb)
        }

        /// Other tests save on other threads.
        func runOnce(before context: ManagedObjectContext) {
            guard context.coordinator === coordinator, !hasRun else { return }
            hasRun = true
            do { try verb() } catch { failure = error }
        }
    }

    /// All tasks by number: due date, `x` if done.
    private func tasks() throws -> [String] {
        try mine.refresh()
        return try mine.items(matching: nil).compactMap { $0 as? Task }
            .sorted { $0.shortID < $1.shortID }
            .map { "\($0.dueDate.map(Fixed.plain) ?? "-")\($0.isDone ? " x" : "")" }
    }

    private static let complete: @Sendable (Library) throws -> SavedStep? = {
        try $0.complete([$0.item(.number(1))])
    }
    private static let skip: @Sendable (Library) throws -> SavedStep? = {
        try $0.skip([$0.item(.number(1))])
    }

    @Test func anOccurrenceCompletedTwiceAtOnceHasOneNext() throws {
        let step = try meanwhile({ _ = try Self.complete($0) }, Self.complete)
        #expect(step == nil)
        #expect(try tasks() == ["2026-11-21 x", "2026-11-24"])
        _ = try mine.undo()
        #expect(try tasks() == ["2026-11-21"])
    }

    @Test func anOccurrenceSkippedTwiceAtOnceMovesOnOnce() throws {
        let step = try meanwhile({ _ = try Self.skip($0) }, Self.skip)
        #expect(step?.name != "Skipped \"Water plants\", next Fri 27 Nov")
        #expect(try tasks() == ["2026-11-24"])
    }

    @Test func aSkipWhileAnotherCompletesDoesNothing() throws {
        let step = try meanwhile({ _ = try Self.complete($0) }, Self.skip)
        #expect(step == nil)
        #expect(try tasks() == ["2026-11-21 x", "2026-11-24"])
    }

    @Test func aCompletionWhileAnotherSkipsIsOfTheNextOccurrence() throws {
        let step = try meanwhile({ _ = try Self.skip($0) }, Self.complete)
        #expect(step?.name == "Completed \"Water plants\", next Fri 27 Nov")
        #expect(try tasks() == ["2026-11-24 x", "2026-11-27"])
    }

    @Test func anOccurrenceMadeATaskOfItsOwnTwiceAtOnceHasOneNext() throws {
        let edit = { (library: Library) in
            _ = try library.editOnlyThis(
                library.item(.number(1)),
                [FieldChange("title=\(library === mine ? "Mine" : "Theirs")")]
            )
        }
        try meanwhile(edit, edit)
        #expect(try tasks() == ["2026-11-21", "2026-11-24"])
        #expect(try mine.item(.number(1)).title == "Mine")
    }

    @Test func aLongCommandThatFindsAnOccurrenceCompletedLeavesIt() throws {
        for _ in 0..<30 { try mine.addTask(capturing: "Sweep 2026-11-21 every day") }
        mine.largestChange = 10
        mine.partSize = 10
        let all = try mine.items(matching: nil)
        let step = try meanwhile(
            { _ = try Self.complete($0) },
            { try $0.perform(.complete, on: all) }
        )
        #expect(step?.subject.count == 30)
        #expect(try tasks().count { !$0.hasSuffix("x") } == 31)
        #expect(try tasks().count == 62)
    }
}
