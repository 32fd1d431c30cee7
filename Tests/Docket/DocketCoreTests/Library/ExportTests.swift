import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@Suite("Exporting a library")
struct ExportTests {
    /// Rows and objects lead to the same records, whatever the items are.
    @Test(arguments: [UInt64(1), 2, 3])
    func rowsGiveWhatObjectsGive(seed: UInt64) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        var random = RandomCommands(seed: seed)
        for _ in 0..<80 { try random.run(on: library) }
        let tasks = try library.items(matching: nil).compactMap { $0 as? Task }
        for (task, other) in zip(tasks, tasks.dropFirst()) { task.$blockedBy.insert(other) }
        try library.setFlagged(true, of: Array(tasks.prefix(2)))
        let foreign = #"""
            [{"description": "kept", "status": "pending", "entry": "20260101T000000Z",
            "uuid": "9c46d0d8-0ae8-42cc-bf3f-63251ff56c6b", "odd": "a \"json\": {\\ } [", "json": 1}]
            """#
        _ = try library.importItems(.taskwarrior, from: Array(foreign.utf8))
        let own = #"[{"title": "own", "mine": {"json": "\"}"}}, {"title": "two", "odd": [1, {}]}]"#
        _ = try library.importItems(.json, from: Array(own.utf8))
        library.close()

        let again = try folder.open()
        var rows: [UInt8] = []
        _ = try again.export(.json) { rows += $0 }
        var writer = DocketJSONWriter()
        for item in try again.items(matching: nil) { writer.write(again.record(of: item)) }
        writer.finish()
        #expect(
            String(decoding: rows, as: UTF8.self) == String(decoding: writer.drain(), as: UTF8.self)
        )
        #expect(rows.count > 1000)
    }

    @Test func anImportIntoAnEmptyLibraryGivesTheSameBytesAgain() throws {
        let one = try LibraryFolder()
        let first = try one.open()
        var random = RandomCommands(seed: 4)
        for _ in 0..<80 { try random.run(on: first) }
        var bytes: [UInt8] = []
        _ = try first.export(.json) { bytes += $0 }
        let other = try LibraryFolder()
        let second = try other.open()
        _ = try second.importItems(.json, from: bytes)
        var again: [UInt8] = []
        _ = try second.export(.json) { again += $0 }
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        let before = try second.latestTransaction()
        let outcome = try second.importItems(.json, from: bytes)
        #expect(outcome.added == 0 && outcome.updated == 0)
        #expect(try second.latestTransaction() == before)
    }
}
