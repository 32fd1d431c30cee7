import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Imports that are saved in parts.
@Suite struct ImportPartsTests {
    private struct Stopped: Error {}

    /// Items with lists, tags, subtasks and dependencies, of which some lead to other parts.
    private func document(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        let uuids = (0..<count).map { UUIDText.made(from: "item \($0)") }
        var records = uuids.enumerated().map { place, uuid in
            ItemRecord(
                uuid: uuid,
                title: "item \(place)",
                created: Fixed.context.now,
                modified: Fixed.context.now
            )
        }
        for place in records.indices {
            records[place].order = Int64(place + 1) << 20
            records[place].list = random.pick([[], ["Home"], ["home", "Garden"], ["Work"]])
            records[place].tags = random.pick([[], ["a"], ["A", "b"]])
            if random.chance(3), place > 0 { records[place].parent = uuids[random.below(place)] }
            if random.chance(3) {
                let other = uuids[random.below(count)]
                if other != uuids[place] { records[place].dependencies = [other] }
            }
            if random.chance(4) { records[place].location = random.pick(["Shop", "shop"]) }
        }
        var writer = DocketJSONWriter()
        for record in records { writer.write(record) }
        writer.finish()
        return writer.drain()
    }

    /// Everything of a library that an export holds.
    private func content(_ library: Library) throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(.json) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: SeededRandom.seeds(4))
    func theResultDoesNotDependOnTheSizeOfTheParts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bytes = document(40, &random)
        let folder = try LibraryFolder()
        let whole = try folder.open()
        let outcome = try whole.importItems(.json, from: bytes)
        let expected = try content(whole)
        for batch in [1, 3, 10, 39, 40, 41] {
            let folder = try LibraryFolder()
            let library = try folder.open()
            let dry = try library.importItems(.json, from: bytes, isDryRun: true, batch: batch)
            #expect(try library.count(nil) == 0 && dry.added == outcome.added)
            let parts = try library.importItems(.json, from: bytes, batch: batch)
            #expect(parts.added == outcome.added && parts.report == outcome.report)
            #expect(try content(library) == expected, "parts of \(batch)")
            #expect(!library.hasUnfinishedImport)
            #expect(try library.undoSteps(limit: 9).map(\.name) == ["Imported 40 items"])
            #expect(try library.importItems(.json, from: bytes, batch: batch).updated == 0)
            _ = try library.undo()
            #expect(try library.count(nil) == 0)
            #expect(try library.lists().isEmpty && library.tags().isEmpty)
        }
    }

    @Test(arguments: SeededRandom.seeds(3))
    func anImportThatWasStoppedAtAnyPartContinuesThere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bytes = document(30, &random)
        let reference = try LibraryFolder()
        let whole = try reference.open()
        _ = try whole.importItems(.json, from: bytes)
        let expected = try content(whole)
        for stop in 1..<6 {
            let folder = try LibraryFolder()
            let library = try folder.open()
            var calls = 0
            var seen: [ImportProgress] = []
            #expect(throws: ImportIncomplete.self) {
                try library.importItems(.json, from: ByteSource(bytes), batch: 5) { progress in
                    seen.append(progress)
                    calls += 1
                    if calls > stop { throw Stopped() }
                }
            }
            // A part is saved while the next one is made.
            #expect(seen.map(\.done) == [0] + (0..<stop).map { $0 * 5 })
            #expect(library.hasUnfinishedImport)
            #expect(try library.count(nil) == stop * 5)
            library.close()

            let later = try folder.open(author: "later")
            let outcome = try later.importItems(.json, from: bytes, batch: 5)
            #expect(outcome.continued == stop * 5 && outcome.added == 30 - stop * 5)
            #expect(!later.hasUnfinishedImport)
            // The rest gets its own numbers, because the library is not empty any more.
            func ordered(_ text: String) -> [String] {
                text.split(separator: "\n").map { line in
                    String(line.replacing(/"(id|order)":[0-9]+,?/, with: ""))
                }
            }
            #expect(ordered(try content(later)) == ordered(expected), "stopped after \(stop)")
            #expect(try later.undoSteps(limit: 9).count == 1)
            _ = try later.undo()
            #expect(try later.count(nil) == 0)
        }
    }

    @Test func whatWasChangedBeforeAnImportContinuesStays() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let lines = (0..<20).map {
            "{\"uuid\":\"\(UUIDText.made(from: "\($0)"))\",\"title\":\"\($0)\"}"
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        var calls = 0
        #expect(throws: ImportIncomplete.self) {
            try library.importItems(.json, from: ByteSource(bytes), batch: 5) { _ in
                calls += 1
                if calls == 3 { throw Stopped() }
            }
        }
        let item = try #require(try library.items(matching: nil).first)
        try library.edit(item, [FieldChange("title=mine")])
        let outcome = try library.importItems(.json, from: bytes, batch: 5)
        #expect(outcome.continued == 10 && outcome.added == 10 && outcome.updated == 0)
        #expect(try library.items(matching: nil).first?.title == "mine")
    }

    /// A part is made while the one before it is written.
    @Test(arguments: ["depends", "parent"])
    func relationsOfTwoPartsCloseNoCircle(key: String) throws {
        let uuids = (0..<6).map { UUIDText.made(from: "\($0)") }
        let folder = try LibraryFolder()
        let library = try folder.open()
        func document(_ relation: (Int) -> String) -> [UInt8] {
            let lines = uuids.indices.map {
                "{\"uuid\":\"\(uuids[$0])\",\"title\":\"\($0)\"\(relation($0))}"
            }
            return Array(lines.joined(separator: "\n").utf8)
        }
        _ = try library.importItems(.json, from: document { _ in "" })
        let circle = document { place in
            let other = "\"\(uuids[(place + 1) % uuids.count])\""
            return ",\"\(key)\":\(key == "parent" ? other : "[\(other)]")"
        }
        for round in 0..<10 {
            let outcome = try library.importItems(.json, from: circle, batch: 1)
            let tasks = try Task.all(in: library.context)
            let set = tasks.count { $0.parent != nil || !$0.blockedBy.isEmpty }
            #expect(set == uuids.count - 1, "round \(round)")
            #expect(outcome.report.changed.total == 1, "round \(round)")
            _ = try library.undo()
        }
    }

    @Test func aFileThatChangesWhileItIsImportedIsReported() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let path = folder.store.deletingLastPathComponent().appending(path: "in.json")
        // Longer than what is read at once.
        let notes = String(repeating: "x", count: 20_000)
        try (0..<30).map { "{\"title\":\"item \($0)\",\"notes\":\"\(notes)\"}" }
            .joined(separator: "\n").write(to: path, atomically: false, encoding: .utf8)
        let file = open(path.path, O_RDONLY)
        #expect {
            try library.importItems(.json, from: ByteSource(file: file), batch: 5) { progress in
                guard progress.done == 0 else { return }
                let more = try FileHandle(forWritingTo: path)
                try more.truncate(atOffset: 0)
                try more.close()
            }
        } throws: { error in
            "\(error)".contains("The file has changed while it was imported")
        }
    }
}
