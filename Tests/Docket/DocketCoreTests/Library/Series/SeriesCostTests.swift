import CivilTime
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SQLiteStore
import Testing

@testable import DocketCore

/// What commands on many repeating tasks cost.
@Suite struct SeriesCostTests {
    /// The statements that read the store while a library that has read nothing else does something.
    private func reading(
        _ folder: LibraryFolder,
        _ body: (Library, [Item]) throws -> Void
    ) throws -> [String] {
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        defer { library.close() }
        let tasks = try Task.all(in: library.context, sortedBy: \.shortID)
        let store = try #require(library.coordinator.openStores.first as? SQLiteStore)
        var sql: [String] = []
        store.trace { text, _ in if text.hasPrefix("SELECT") { sql.append(text) } }
        defer { store.trace(nil) }
        try body(library, tasks)
        return sql
    }

    private func folder(tasks count: Int) throws -> LibraryFolder {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        for number in 0..<count {
            try library.addTask(capturing: "Task \(number) 2026-11-21 every week #tag @Place")
        }
        library.close()
        return folder
    }

    @Test func completingAndReopeningManyReadsAsOftenAsFew() throws {
        var counts: [[Int]] = []
        for count in [20, 200] {
            let folder = try folder(tasks: count)
            let completed = try reading(folder) { try $0.complete($1) }
            let reopened = try reading(folder) { library, tasks in
                #expect(tasks.count == 2 * count)
                try library.reopen(Array(tasks.prefix(count)))
                #expect(try Task.count(in: library.context) == count)
            }
            counts.append([completed.count, reopened.count])
        }
        #expect(counts[1][0] <= counts[0][0] + 2, "completing 20 and 200: \(counts)")
        #expect(counts[1][1] <= counts[0][1] + 2, "reopening 20 and 200: \(counts)")
    }
}
