import ChildProcess
import CivilTime
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Synchronization
import Testing

@testable import DocketCore

/// Imports and additions while others write to the same store.
@Suite("Import beside writers")
struct ImportBesideWritersTests {
    /// Adds tasks through a library of its own, on a thread of its own, until it is told to stop.
    private final class Writer: Sendable {
        private let isStopping = Atomic(false)
        private let failure = Mutex<String?>(nil)
        private let added = Atomic(0)
        private let done = DispatchSemaphore(value: 0)

        var count: Int { added.load(ordering: .acquiring) }

        init(_ store: URL, _ text: @escaping @Sendable (Int) -> String) {
            let thread = Thread { [self] in
                do {
                    let library = try Library(url: store, author: "writer") {
                        DateContext(now: Date(), zone: .utc)
                    }
                    defer { library.close() }
                    while !isStopping.load(ordering: .acquiring) {
                        _ = try library.addTask(capturing: text(count))
                        added.add(1, ordering: .acquiringAndReleasing)
                    }
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
                done.signal()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }

        /// Ends the thread and returns what went wrong in it.
        func stop() -> String? {
            isStopping.store(true, ordering: .releasing)
            done.wait()
            return failure.withLock { $0 }
        }
    }

    private static func file(_ round: Int, count: Int) -> [UInt8] {
        let lines = (0..<count).map { "round \(round) item \($0) +List\(round % 3) #tag\($0 % 5)" }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// In one part, and in parts of which each is made while the one before is written.
    @Test(arguments: [400, 36]) func noImportFailsWhileSomebodyAdds(batch: Int) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let writer = Writer(folder.store) { "added \($0) #tag\($0 % 7) +New\($0 / 50)" }
        let rounds = SeededRandom.rounds(6, long: 60)
        for round in 0..<rounds {
            let outcome = try library.importItems(
                .todotxt,
                from: Self.file(round, count: 400),
                batch: batch
            )
            #expect(outcome.added == 400, "round \(round)")
        }
        #expect(writer.stop() == nil)
        let items = try library.items(matching: nil)
        #expect(items.count == rounds * 400 + writer.count)
        #expect(writer.count > 0)
        #expect(Set(items.map(\.shortID)).count == items.count)
        #expect(Set(items.map(\.displayOrder)).count == items.count)
        // Those of one import stay together and in their order.
        let places = items.enumerated().filter { $0.element.title.hasPrefix("round 5 ") }
        #expect(places.map { $0.element.title } == (0..<400).map { "round 5 item \($0)" })
        if batch == 400 {
            #expect(places.last.map(\.offset) == places.first.map { $0.offset + 399 })
        }
        // No list and no tag is there twice.
        let tags = try library.tags().map(\.name)
        #expect(Set(tags).count == tags.count)
        let lists = try library.lists().map { ListPath.string($0.path) }
        #expect(Set(lists).count == lists.count)
        let steps = try library.undoSteps(limit: items.count)
        #expect(steps.count == rounds + writer.count)
        #expect(steps.count { $0.name == "Imported 400 items" } == rounds)
    }

    @Test func aSaveBesideEachPartGetsNumbersAndNamesOfItsOwn() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let other = try folder.open(author: "other")
        // Each part names a list and a tag that are new, and those of the part before.
        let lines = (0..<100).map { "item \($0) +List\(($0 + 3) / 10) #tag\(($0 + 3) / 10)" }
        var part = 0
        let outcome = try library.importItems(
            .todotxt,
            from: ByteSource(Array(lines.joined(separator: "\n").utf8)),
            batch: 10
        ) { _ in
            part += 1
            // It takes the names that the part after the next one needs.
            if part % 3 == 0 {
                _ = try other.addTask(capturing: "theirs \(part) +list\(part) #Tag\(part)")
            }
        }
        #expect(outcome.added == 100)
        let items = try library.items(matching: nil)
        #expect(items.count == 103)
        #expect(Set(items.map(\.shortID)).count == 103)
        #expect(Set(items.map(\.displayOrder)).count == 103)
        let imported = items.map(\.title).filter { $0.hasPrefix("item") }
        #expect(imported == (0..<100).map { "item \($0)" })
        #expect(Set(try library.tags().map { $0.name.lowercased() }).count == 11)
        #expect(try library.tags().count == 11)
        #expect(try library.lists().count == 11)
        #expect(!library.hasUnfinishedImport)
        #expect(try library.undoSteps(limit: 10).count { $0.name == "Imported 100 items" } == 1)
    }

    @Test func anItemPlacedInTheMiddleStaysThereWhenSomebodyAddsMeanwhile() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for title in ["a", "b", "c"] { _ = try library.addTask(capturing: title) }
        let other = try folder.open(author: "other")
        let first = try library.item(.number(1))

        let middle = library.context.insert(Task.self)
        middle.title = "middle"
        let last = library.context.insert(Task.self)
        last.title = "last"
        try library.change {
            try library.assignNumbers(to: [middle, last])
            middle.displayOrder = first.displayOrder + Ranks.spacing / 2
            // Between numbering and save somebody else adds.
            _ = try other.addTask(capturing: "theirs")
            return StepName(.added, library.changed([middle, last]))
        }

        #expect(
            try library.items(matching: nil).map(\.title)
                == ["a", "middle", "b", "c", "theirs", "last"]
        )
        #expect(middle.shortID == 5 && last.shortID == 6)
        #expect(try other.items(matching: nil).map(\.shortID) == [1, 5, 2, 3, 4, 6])
    }

    @Test func namesThatSomebodyElseMakesMeanwhileAreShared() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let other = try folder.open(author: "other")
        let task = library.context.insert(Task.self)
        task.title = "ours"
        task.list = try Library.list(path: ["Home", "Garden", "Deep"], in: library.context)
        task.$tags.insert(try Library.tag("New", in: library.context))
        task.$tags.insert(try Library.tag("only ours", in: library.context))
        task.location = try Library.location("Shop", in: library.context)
        try library.change {
            try library.assignNumbers(to: [task])
            _ = try other.addTask(capturing: "theirs +home/Garden #new @Shop")
            _ = try other.addTask(capturing: "x @Shop")
            return StepName(added: task)
        }

        #expect(
            try library.lists().map { ListPath.string($0.path) }.sorted()
                == ["home", "home/Garden", "home/Garden/Deep"]
        )
        #expect(try library.tags().map(\.name).sorted() == ["new", "only ours"])
        #expect(task.tags.map(\.name).sorted() == ["new", "only ours"])
        #expect(task.list?.path == ["home", "Garden", "Deep"])
        #expect(task.shortID == 3)
        let again = try folder.open(author: "again")
        let item = try #require(try again.item(.number(3)) as? Task)
        #expect(item.location?.name == "Shop" && item.location?.tasks.count == 3)
        _ = try library.undo()
        #expect(
            try library.lists().map { ListPath.string($0.path) }.sorted()
                == ["home", "home/Garden"]
        )
    }

    @Test func twoImportsOfOneFileAtOnceMakeEachItemOnce() throws {
        let folder = try LibraryFolder()
        let one = try folder.open()
        let bytes = Self.file(1, count: 50)
        // The other import comes after the first has looked what is there.
        let settings = ExchangeSettings(dates: one.clock())
        let source = ByteSource(bytes)
        let survey = try ImportSurvey(source, .todotxt, settings)
        source.rewind()
        let parts = ImportParts(
            try ExchangeFormat.todotxt.reader(of: source, settings: settings),
            leavingOut: survey.leftOut,
            size: 1000
        )
        var importer = try RecordImporter(one, .todotxt, settings, survey, named: nil)
        let two = try folder.open(author: "other")
        _ = try two.importItems(.todotxt, from: bytes)
        try importer.run(parts, batch: 1000)
        #expect(importer.added == 0)
        #expect(try one.items(matching: nil).count == 50)
        #expect(try one.undoSteps(limit: 10).count == 1)
    }

    @Test(.enabled(if: InstalledProgram.has("sqlite3"), "sqlite3 is not installed"))
    func aResumedImportIsOneStepOfUndo() throws {
        let sqlite = try #require(InstalledProgram.path(of: "sqlite3"))
        let folder = try LibraryFolder()
        func sql(_ text: String) throws {
            try InstalledProgram.run(sqlite, [folder.store.path, text], environment: [:])
        }
        let library = try folder.open()
        _ = try library.addTask(capturing: "before")
        let uuids = (0..<95).map { _ in UUID() }
        // All but five wait for one in another part.
        let lines = uuids.indices.map { place in
            let other = uuids[(place + 50) % 95]
            let others = 45..<50 ~= place ? "" : "\"\(other)\""
            return "{\"uuid\":\"\(uuids[place])\",\"title\":\"item \(place)\","
                + "\"depends\":[\(others)]}"
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        try sql(
            "CREATE TRIGGER stop BEFORE INSERT ON ZITEM WHEN NEW.ZTITLE = 'item 60' "
                + "BEGIN SELECT RAISE(ABORT, 'stopped'); END"
        )
        #expect(throws: ImportIncomplete.self) {
            try library.importItems(.json, from: bytes, batch: 20)
        }
        #expect(library.hasUnfinishedImport)
        #expect(try library.count(nil) == 61)
        try sql("DROP TRIGGER stop")

        let later = try folder.open(author: "later")
        #expect(later.hasUnfinishedImport)
        _ = try later.addTask(capturing: "between")
        let outcome = try later.importItems(.json, from: bytes, batch: 20)
        #expect(outcome.added == 35)
        #expect(!later.hasUnfinishedImport)
        #expect(try later.count(nil) == 97)
        let steps = try later.undoSteps(limit: 10)
        #expect(
            steps.map(\.name) == [
                "Added \"between\"", "Imported 95 items", "Added \"before\"",
            ]
        )
        let first = try #require(
            try later.items(matching: nil).first { $0.title == "item 0" } as? Task
        )
        #expect(first.blockedBy.map(\.title) == ["item 50"])
        #expect(first.modified == first.created)
        #expect(try later.importItems(.json, from: bytes, batch: 20).updated == 0)
        #expect(try later.undoSteps(limit: 10).count == 3)
        #expect(try later.undo()?.step.name == "Added \"between\"")
        #expect(try later.undo()?.step.name == "Imported 95 items")
        #expect(try later.items(matching: nil).map(\.title) == ["before"])
        #expect(try later.redo()?.step.name == "Imported 95 items")
        #expect(try later.count(nil) == 96)
    }

    @Test(.enabled(if: InstalledProgram.has("sqlite3"), "sqlite3 is not installed"))
    func anUnfinishedImportThatWasUndoneIsNotUnfinished() throws {
        let sqlite = try #require(InstalledProgram.path(of: "sqlite3"))
        let folder = try LibraryFolder()
        let library = try folder.open()
        _ = try library.addTask(capturing: "before")
        let bytes = Self.file(1, count: 30)
        func sql(_ text: String) throws {
            try InstalledProgram.run(sqlite, [folder.store.path, text], environment: [:])
        }
        try sql(
            "CREATE TRIGGER stop BEFORE INSERT ON ZITEM WHEN NEW.ZTITLE = 'round 1 item 20' "
                + "BEGIN SELECT RAISE(ABORT, 'stopped'); END"
        )
        #expect(throws: ImportIncomplete.self) {
            try library.importItems(.todotxt, from: bytes, batch: 10)
        }
        try sql("DROP TRIGGER stop")
        let later = try folder.open(author: "later")
        #expect(later.hasUnfinishedImport)
        _ = try later.undo()
        #expect(!later.hasUnfinishedImport)
        _ = try later.importItems(.todotxt, from: bytes, batch: 10)
        #expect(
            try later.undoSteps(limit: 10).map(\.name)
                == ["Imported 30 items", "Added \"before\""]
        )
        #expect(try later.undo() != nil)
        #expect(try later.count(nil) == 1)
    }
}
