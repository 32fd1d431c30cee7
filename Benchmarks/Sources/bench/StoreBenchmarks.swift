import CReference
import Foundation
import ObjectGraph

/// A row of the migration's first version.
private enum Before {
    final class Entry: ManagedObject {
        @Managed var title: String = ""
        @Managed var notes: String?
        @Managed var old: Int64 = 0

        override class var entityName: String { "Entry" }
    }
}

/// One attribute more, one renamed, one removed.
private enum After {
    final class Entry: ManagedObject {
        @Managed("headline", renamedFrom: "title") var headline: String = ""
        @Managed var notes: String?
        @Managed var stars: Int64 = 3

        override class var entityName: String { "Entry" }
    }
}

/// Stores in one file that are read as a whole, and a migration, beside SQLite.
struct StoreBenchmarks {
    let folder: URL
    let count: Int
    let table: Table

    func run() throws {
        if count <= 100_000 { try loading() }
        try migrating()
    }

    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { unlink(url.path + suffix) }
    }

    // MARK: Loading

    private func options(_ type: StoreType) -> StoreOptions {
        var options = StoreOptions()
        options.type = type
        options.keepsHistory = false
        options.keepsSearchIndex = false
        return options
    }

    private func fill(_ url: URL, _ type: StoreType) throws {
        remove(url)
        let container = try PersistentContainer(
            for: BenchItem.self,
            url: url,
            options: options(type)
        )
        defer { container.close() }
        let context = container.viewContext
        for item in Generator.items(count) {
            let object = BenchItem(context: context)
            object.title = item.title
            object.notes = item.notes
            object.priority = Int64(item.priority)
            object.order = Int64(item.order)
            object.list = Int64(item.list)
            object.due = Date(timeIntervalSinceReferenceDate: item.due)
        }
        try context.save()
    }

    /// Seconds to open a store, fetch all objects and read a value of each.
    private func load(_ url: URL, _ type: StoreType) throws -> Double {
        let start = reference_now()
        let container = try PersistentContainer(
            for: BenchItem.self,
            url: url,
            options: options(type)
        )
        defer { container.close() }
        container.viewContext.tracksObservation = false
        let objects = try container.viewContext.fetch(FetchRequest<BenchItem>())
        precondition(objects.count == count)
        var sum: Int64 = 0
        for object in objects { sum &+= object.order }
        precondition(sum != 1)
        return reference_now() - start
    }

    private func loading() throws {
        let sqlite = folder.appending(path: "load.sqlite")
        try fill(sqlite, .sqlite)
        let reference = try median { try load(sqlite, .sqlite) }
        remove(sqlite)
        for type in [StoreType.binary, .xml, .text] {
            let url = folder.appending(path: "load.\(type.rawValue.lowercased())")
            try fill(url, type)
            table.time(
                "open and fetch all, \(type.rawValue) store",
                count,
                try median { try load(url, type) },
                against: ("SQLite store", reference)
            )
            remove(url)
        }
    }

    // MARK: Migrating

    /// One attribute added, one renamed and one removed, beside the statements for that alone.
    private func migrating() throws {
        let first = folder.appending(path: "first.sqlite")
        remove(first)
        let container = try PersistentContainer(
            for: Before.Entry.self,
            url: first,
            options: options(.sqlite)
        )
        var generator = Generator(seed: 5)
        for start in stride(from: 0, to: count, by: 100_000) {
            for index in start..<min(count, start + 100_000) {
                let entry = Before.Entry(context: container.viewContext)
                entry.title = generator.text(4)
                entry.notes = generator.text(12)
                entry.old = Int64(index)
            }
            try container.viewContext.save()
            container.viewContext.reset()
        }
        container.close()
        let copy = folder.appending(path: "migrated.sqlite")
        defer { for url in [first, copy] { remove(url) } }
        func copied(_ body: () throws -> Void) throws -> Double {
            remove(copy)
            try FileManager.default.copyItem(at: first, to: copy)
            sync()
            return try seconds(body)
        }
        let runs = count > 100_000 ? 3 : 5
        let reference = try median(runs) {
            try copied {
                let changes = """
                    PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; BEGIN IMMEDIATE;
                    ALTER TABLE ZENTRY ADD COLUMN ZSTARS INTEGER;
                    UPDATE ZENTRY SET ZSTARS = 3;
                    ALTER TABLE ZENTRY RENAME COLUMN ZTITLE TO ZHEADLINE;
                    ALTER TABLE ZENTRY DROP COLUMN ZOLD;
                    COMMIT;
                    """
                var database: OpaquePointer?
                guard sqlite3_open(copy.path, &database) == SQLITE_OK,
                    sqlite3_exec(database, changes, nil, nil, nil) == SQLITE_OK
                else { fatalError(String(cString: sqlite3_errmsg(database))) }
                sqlite3_close(database)
            }
        }
        let ours = try median(runs) {
            try copied {
                var options = options(.sqlite)
                options.migration.allowsLoss = true
                try PersistentContainer(for: After.Entry.self, url: copy, options: options).close()
            }
        }
        table.time(
            "lightweight migration: add, rename, drop",
            count,
            ours,
            against: ("bare SQL", reference)
        )
    }
}
