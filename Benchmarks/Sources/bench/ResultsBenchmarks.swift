import CReference
import Foundation
import ObjectGraph

final class BenchRow: ManagedObject {
    @Managed var group: Int64 = 0
    @Managed(indexed: true) var position: Int64 = 0
    @Managed var title: String?

    override class var entityName: String { "Row" }

    override class var entityOptions: EntityOptions {
        EntityOptions(of: BenchRow.self, indexes: [[\.group, \.position]])
    }
}

/// A results controller over very many rows, in an order that is not that of their keys.
struct ResultsBenchmarks {
    let folder: URL
    let count: Int
    let table: Table

    private var url: URL { folder.appending(path: "rows.sqlite") }

    func run() throws {
        try fill()
        try openPage()
        let raw = median { rawKeys() }
        try open(against: raw)
        try openSections()
        try change()
    }

    private func container() throws -> PersistentContainer {
        var options = StoreOptions()
        options.keepsHistory = false
        options.keepsSearchIndex = false
        let container = try PersistentContainer(
            for: BenchRow.self,
            url: url,
            options: options
        )
        // Nobody observes here; what that would cost has a row of its own.
        container.viewContext.tracksObservation = false
        return container
    }

    private func fill() throws {
        for suffix in ["", "-wal", "-shm"] { unlink(url.path + suffix) }
        let container = try container()
        defer { container.close() }
        let context = container.viewContext
        var generator = Generator(seed: 11)
        for start in stride(from: 0, to: count, by: 100_000) {
            for _ in start..<min(count, start + 100_000) {
                let row = BenchRow(context: context)
                row.group = Int64(generator.next(100))
                row.position = Int64(generator.next(1 << 40))
                row.title = generator.text(3)
            }
            try context.save()
            context.reset()
        }
    }

    /// A store is opened and its first page is read, in an order that has an index.
    private func openPage() throws {
        let ours = try median(15) {
            try seconds {
                let container = try container()
                defer { container.close() }
                var request = FetchRequest<BenchRow>(sortedBy: \.position)
                request.limit = 50
                let rows = try container.viewContext.fetch(request)
                precondition(rows.count == 50 && rows.allSatisfy { $0.title?.isEmpty == false })
            }
        }
        table.time(
            "open a store, first 50 rows",
            count,
            ours
        )
    }

    /// What the list of keys costs at least.
    private func rawKeys() -> Double {
        var database: OpaquePointer?
        guard sqlite3_open(url.path, &database) == SQLITE_OK else { fatalError("cannot open") }
        defer { sqlite3_close(database) }
        return seconds {
            var statement: OpaquePointer?
            let sql = "SELECT Z_PK FROM ZROW ORDER BY ZPOSITION, Z_PK"
            guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
                fatalError(String(cString: sqlite3_errmsg(database)))
            }
            var keys: [Int64] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                keys.append(sqlite3_column_int64(statement, 0))
            }
            sqlite3_finalize(statement)
            precondition(keys.count == count)
        }
    }

    private func controller(
        _ context: ManagedObjectContext,
        sectioned: Bool = false,
        cache: ResultsCache? = nil
    ) throws -> FetchedResultsController<BenchRow> {
        guard sectioned else {
            return try FetchedResultsController(
                request: FetchRequest<BenchRow>(sortedBy: \.position),
                context: context,
                cache: cache
            )
        }
        return try FetchedResultsController(
            request: FetchRequest<BenchRow>(sortedBy: \.group, \.position),
            context: context,
            sections: \.group,
            cache: cache
        )
    }

    private func open(against raw: Double) throws {
        var times: [Double] = []
        var bytes = 0.0
        for _ in 0..<5 {
            let container = try container()
            defer { container.close() }
            let before = reference_heap_bytes()
            var made: FetchedResultsController<BenchRow>?
            times.append(
                try seconds {
                    let controller = try controller(container.viewContext)
                    try controller.performFetch()
                    controller.didChange = { _ in }
                    // A screenful.
                    for item in 0..<50 { _ = controller.object(at: .init(item: item)).title }
                    made = controller
                }
            )
            precondition(made?.count == count)
            bytes = Double(reference_heap_bytes() - before)
        }
        table.time(
            "results controller: open, 50 rows shown",
            count,
            percentile(times, 0.5),
            against: ("raw C keys", raw)
        )
        table.add("results controller: memory", count, bytes / 1e6, "MB")
    }

    private func openSections() throws {
        let cache = ResultsCache(named: "bench", in: folder.appending(path: "caches"))
        for name in ["sections counted", "sections from the cache"] {
            let container = try container()
            defer { container.close() }
            table.time(
                "results controller: open, \(name)",
                count,
                try seconds {
                    let controller = try controller(
                        container.viewContext,
                        sectioned: true,
                        cache: cache
                    )
                    try controller.performFetch()
                    precondition(controller.sectionCount == min(100, controller.sectionCount))
                }
            )
        }
    }

    private func change() throws {
        let container = try container()
        defer { container.close() }
        let context = container.viewContext
        let controller = try controller(context)
        try controller.performFetch()
        var changes = 0
        controller.didChange = { changes += $0.objects.count }
        var generator = Generator(seed: 5)
        var chosen: Set<Int> = []
        while chosen.count < min(200, count) { chosen.insert(generator.next(count)) }
        var rows = chosen.map { controller.object(at: .init(item: $0)) }
        for row in rows { _ = row.title }
        func measure(_ name: String, _ body: (BenchRow) -> Void) {
            let times = rows.map { row in
                seconds {
                    body(row)
                    context.processPendingChanges()
                }
            }
            table.time(
                "results controller: one row \(name), p95",
                count,
                percentile(times, 0.95)
            )
            table.time(
                "results controller: one row \(name), median",
                count,
                percentile(times, 0.5)
            )
        }
        measure("changed") { $0.title = "another" }
        measure("moved") { $0.position = Int64(generator.next(1 << 40)) }
        measure("deleted") { context.delete($0) }
        rows = Array(rows.prefix(100))
        measure("inserted") { _ in
            let row = BenchRow(context: context)
            row.position = Int64(generator.next(1 << 40))
        }
        precondition(changes == 700, "\(changes)")
    }
}
