import CReference
import Foundation
import GRDB
import ObjectGraph

/// The object layer against raw C statements and GRDB, on the same six columns; no history, no
/// search index.
final class BenchItem: ManagedObject {
    @Managed("displayOrder") var order: Int64 = 0
    @Managed var due: Date?
    @Managed var list: Int64 = 0
    @Managed var notes: String?
    @Managed var priority: Int64 = 0
    @Managed var title: String?

    override class var entityName: String { "Item" }
}

/// A class whose property is the least that a string can cost.
class PlainItem {
    var title: String?
}

/// What a program without a framework would write: a class for each row, found by key.
final class RawItem {
    let key: Int64, version: Int64, priority: Int64, order: Int64, list: Int64
    let due: Double?, title: String?, notes: String?

    init(_ row: OpaquePointer) {
        key = sqlite3_column_int64(row, 0)
        version = sqlite3_column_int64(row, 1)
        priority = sqlite3_column_int64(row, 2)
        order = sqlite3_column_int64(row, 3)
        list = sqlite3_column_int64(row, 4)
        due = sqlite3_column_type(row, 5) == SQLITE_NULL ? nil : sqlite3_column_double(row, 5)
        title = RawItem.text(row, 6)
        notes = RawItem.text(row, 7)
    }

    private static func text(_ row: OpaquePointer, _ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(row, column) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(
                start: bytes,
                count: Int(sqlite3_column_bytes(row, column))
            ),
            as: UTF8.self
        )
    }
}

struct GRDBItem: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int64
    var priority: Int64, order: Int64, list: Int64
    var due: Double
    var title: String, notes: String
}

struct FrameworkBenchmarks {
    let folder: URL
    let count: Int
    let table: Table
    let items: [Generator.Item]

    init(folder: URL, count: Int, table: Table) {
        self.folder = folder
        self.count = count
        self.table = table
        items = Generator.items(count)
    }

    /// Once is enough where it takes seconds.
    private var runs: Int { count > 100_000 ? 1 : 5 }
    private var isHuge: Bool { count > 100_000 }

    func run() throws {
        let rawInsert = try median(runs, warm: !isHuge) { try self.rawInsert() }
        let ourInsert = try median(runs, warm: !isHuge) { try self.ourInsert() }
        table.time(
            "insert + save",
            count,
            ourInsert,
            against: ("raw C", rawInsert)
        )
        let rawFetch = try median(runs) { try self.rawFetch() }
        let (faults, realised) = try self.ourFetch()
        table.time(
            "fetch as faults",
            count,
            faults,
            against: ("raw C", rawFetch)
        )
        table.time(
            "fetch, realised",
            count,
            realised,
            against: ("raw C", rawFetch)
        )
        if isHuge { return }
        let grdbInsert = try median(3) { try self.grdbInsert() }
        let grdbFetch = try median(3) { try self.grdbFetch() }
        table.time("insert + save, beside GRDB", count, ourInsert, against: ("GRDB", grdbInsert))
        table.time("fetch as faults, beside GRDB", count, faults, against: ("GRDB", grdbFetch))
        let rawByKey = try median(3) { try self.rawByKey() }
        let (cold, warm) = try self.ourByID()
        table.time(
            "fetch by ID × size, cold",
            count,
            cold,
            against: ("raw C", rawByKey)
        )
        table.time(
            "fetch by ID × size, row cached",
            count,
            warm,
            against: ("raw C", rawByKey)
        )
        if count == 100_000 {
            try memory()
            try properties()
        }
    }

    // MARK: Raw

    private var rawURL: URL { folder.appending(path: "raw.sqlite") }

    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { unlink(url.path + suffix) }
    }

    private func open(_ url: URL) -> OpaquePointer {
        var database: OpaquePointer?
        guard sqlite3_open(url.path, &database) == SQLITE_OK, let database else {
            fatalError("cannot open \(url.path)")
        }
        sqlite3_exec(
            database,
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
            nil,
            nil,
            nil
        )
        return database
    }

    private func rawInsert() throws -> Double {
        remove(rawURL)
        let database = open(rawURL)
        defer { sqlite3_close(database) }
        sqlite3_exec(
            database,
            """
            CREATE TABLE ZITEM(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
            ZPRIORITY INTEGER, ZDISPLAYORDER INTEGER, ZLIST INTEGER, ZDUE TIMESTAMP,
            ZTITLE VARCHAR, ZNOTES VARCHAR)
            """,
            nil,
            nil,
            nil
        )
        var rows: [reference_row] = []
        var texts: [UnsafeMutablePointer<CChar>] = []
        for item in items {
            guard let title = strdup(item.title), let notes = strdup(item.notes) else { continue }
            texts += [title, notes]
            rows.append(
                reference_row(
                    title: title,
                    notes: notes,
                    priority: Int64(item.priority),
                    order: Int64(item.order),
                    list: Int64(item.list),
                    due: item.due
                )
            )
        }
        defer { for text in texts { free(text) } }
        return seconds {
            guard reference_insert(database, rows, Int32(rows.count)) == 0 else {
                fatalError("the reference could not insert")
            }
        }
    }

    private static let columns = "Z_PK,Z_OPT,ZPRIORITY,ZDISPLAYORDER,ZLIST,ZDUE,ZTITLE,ZNOTES"

    private func prepare(_ database: OpaquePointer, _ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { fatalError(String(cString: sqlite3_errmsg(database))) }
        return statement
    }

    private func rawFetch() throws -> Double {
        let database = open(rawURL)
        defer { sqlite3_close(database) }
        return seconds {
            let statement = prepare(database, "SELECT \(Self.columns) FROM ZITEM")
            var byKey: [Int64: RawItem] = [:]
            byKey.reserveCapacity(count)
            while sqlite3_step(statement) == SQLITE_ROW {
                let item = RawItem(statement)
                byKey[item.key] = item
            }
            sqlite3_finalize(statement)
            precondition(byKey.count == count)
        }
    }

    private func rawByKey() throws -> Double {
        let database = open(rawURL)
        defer { sqlite3_close(database) }
        return seconds {
            let statement = prepare(database, "SELECT \(Self.columns) FROM ZITEM WHERE Z_PK=?")
            var sum: Int64 = 0
            for index in 0..<count {
                sqlite3_bind_int64(statement, 1, Int64((index * 7919) % count + 1))
                guard sqlite3_step(statement) == SQLITE_ROW else { fatalError("no row") }
                sum &+= RawItem(statement).order
                sqlite3_reset(statement)
            }
            sqlite3_finalize(statement)
            precondition(sum != 1)
        }
    }

    // MARK: GRDB

    private var grdbURL: URL { folder.appending(path: "grdb.sqlite") }

    private func grdbInsert() throws -> Double {
        remove(grdbURL)
        let pool = try DatabasePool(path: grdbURL.path)
        try pool.write { database in
            try database.create(table: "item") { table in
                table.primaryKey("id", .integer)
                table.column("priority", .integer)
                table.column("order", .integer)
                table.column("list", .integer)
                table.column("due", .double)
                table.column("title", .text)
                table.column("notes", .text)
            }
        }
        return try seconds {
            try pool.write { database in
                for (index, item) in items.enumerated() {
                    try GRDBItem(
                        id: Int64(index + 1),
                        priority: Int64(item.priority),
                        order: Int64(item.order),
                        list: Int64(item.list),
                        due: item.due,
                        title: item.title,
                        notes: item.notes
                    ).insert(database)
                }
            }
        }
    }

    private func grdbFetch() throws -> Double {
        let pool = try DatabasePool(path: grdbURL.path)
        return try seconds {
            let all = try pool.read { try GRDBItem.fetchAll($0) }
            precondition(all.count == count)
        }
    }

    // MARK: Ours

    private var ourURL: URL { folder.appending(path: "graph.sqlite") }

    private func container() throws -> PersistentContainer {
        var options = StoreOptions()
        options.keepsHistory = false
        options.keepsSearchIndex = false
        let container = try PersistentContainer(
            for: BenchItem.self,
            url: ourURL,
            options: options
        )
        // Nobody observes here; what that would cost has a row of its own.
        container.viewContext.tracksObservation = false
        return container
    }

    private func ourInsert() throws -> Double {
        remove(ourURL)
        let container = try container()
        defer { container.close() }
        let context = container.viewContext
        return try seconds {
            for item in items {
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
    }

    private func ourFetch() throws -> (faults: Double, realised: Double) {
        var realised: [Double] = []
        let faults = try median(runs, warm: !isHuge) {
            let container = try container()
            defer { container.close() }
            let context = container.viewContext
            var objects: [BenchItem] = []
            let request = FetchRequest<BenchItem>()
            let time = try seconds { objects = try context.fetch(request) }
            precondition(objects.count == count)
            var sum: Int64 = 0
            realised.append(time + seconds { for object in objects { sum &+= object.order } })
            precondition(sum != 1)
            return time
        }
        return (faults, percentile(realised, 0.5))
    }

    private func ourByID() throws -> (cold: Double, warm: Double) {
        var ids: [ManagedObjectID] = []
        let request = FetchRequest<ManagedObjectID>(of: BenchItem.self)
        var warm: [Double] = []
        let cold = try median(3) {
            let container = try container()
            defer { container.close() }
            let context = container.viewContext
            ids = try context.fetch(request)
            func pass() throws -> Double {
                var sum: Int64 = 0
                let time = try seconds {
                    for index in 0..<count {
                        let id = ids[(index * 7919) % count]
                        guard let item = try context.existingObject(with: id) as? BenchItem else {
                            fatalError("no row")
                        }
                        sum &+= item.order
                    }
                }
                precondition(sum != 1)
                return time
            }
            let first = try pass()
            warm.append(try pass())
            return first
        }
        return (cold, percentile(warm, 0.5))
    }

    /// What an object costs: instance, identity and cached row; then its values as well.
    private func memory() throws {
        let before = reference_heap_bytes()
        var raw: [RawItem] = []
        rawItems(into: &raw)
        let rawBytes = Double(reference_heap_bytes() - before) / Double(raw.count)
        raw = []
        let container = try container()
        defer { container.close() }
        let context = container.viewContext
        let start = reference_heap_bytes()
        let objects = try context.fetch(FetchRequest<BenchItem>())
        let faults = Double(reference_heap_bytes() - start) / Double(count)
        var sum: Int64 = 0
        for object in objects { sum &+= object.order }
        let realised = Double(reference_heap_bytes() - start) / Double(count)
        precondition(sum != 1)
        table.add(
            "memory of a fault with its row",
            count,
            faults,
            "bytes",
            against: ("raw class", rawBytes)
        )
        table.add(
            "memory of a realised object",
            count,
            realised,
            "bytes",
            against: ("raw class", rawBytes)
        )
    }

    private func rawItems(into items: inout [RawItem]) {
        let database = open(rawURL)
        defer { sqlite3_close(database) }
        let statement = prepare(database, "SELECT \(Self.columns) FROM ZITEM")
        while sqlite3_step(statement) == SQLITE_ROW { items.append(RawItem(statement)) }
        sqlite3_finalize(statement)
    }

    private func properties() throws {
        let container = try container()
        defer { container.close() }
        var request = FetchRequest<BenchItem>()
        request.limit = 1
        guard let item = try container.viewContext.fetch(request).first else { return }
        let rounds = 1_000_000
        var sum: Int64 = 0
        let integer = median {
            seconds {
                for index in 0..<rounds {
                    item.priority = Int64(index)
                    sum &+= item.priority
                }
            }
        }
        container.viewContext.tracksObservation = true
        let tracked = median {
            seconds {
                for index in 0..<rounds {
                    item.priority = Int64(index)
                    sum &+= item.priority
                }
            }
        }
        container.viewContext.tracksObservation = false
        // On the heap, so that counts are kept: literals have none.
        let first = items[0].title + " and more words"
        let second = items[1].title + " and less than that"
        let plain = PlainItem()
        let string = median {
            seconds {
                for index in 0..<rounds {
                    item.title = index & 1 == 0 ? first : second
                    sum &+= Int64(item.title?.utf8.count ?? 0)
                }
            }
        }
        let plainString = median {
            seconds {
                for index in 0..<rounds {
                    plain.title = index & 1 == 0 ? first : second
                    sum &+= Int64(plain.title?.utf8.count ?? 0)
                }
            }
        }
        precondition(sum != 1)
        func nanoseconds(_ time: Double) -> Double { time / Double(rounds) * 1e9 }
        table.add(
            "property set + get, integer",
            1,
            nanoseconds(integer),
            "ns"
        )
        table.add(
            "property set + get, integer, tracked by Observation",
            1,
            nanoseconds(tracked),
            "ns"
        )
        table.add(
            "property set + get, string",
            1,
            nanoseconds(string),
            "ns",
            against: ("plain class", nanoseconds(plainString))
        )
    }
}
