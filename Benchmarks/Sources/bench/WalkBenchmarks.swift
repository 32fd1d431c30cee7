import CReference
import Foundation
import ObjectGraph

final class BenchFolder: ManagedObject {
    @Managed var name: String?
    @Managed(inverse: \.folder) var entries: Set<BenchEntry>

    override class var entityName: String { "Folder" }
}

final class BenchEntry: ManagedObject {
    @Managed var title: String?
    @Managed var folder: BenchFolder?

    override class var entityName: String { "Entry" }
}

/// Walks over relationships whose ends are faults, and undo; entries in folders of a hundred.
struct WalkBenchmarks {
    let folder: URL
    let count: Int
    let table: Table

    private var url: URL { folder.appending(path: "walk.sqlite") }

    func run() throws {
        try fill()
        let join = "SELECT e.ZTITLE, f.ZNAME FROM ZENTRY e JOIN ZFOLDER f ON f.Z_PK = e.ZFOLDER"
        let reference = median { rawWalk(join) }
        table.time(
            "walk to one, all faults",
            count,
            try median { try walkToOne() },
            against: ("raw C join", reference)
        )
        let members =
            "SELECT f.ZNAME, e.ZTITLE FROM ZFOLDER f JOIN ZENTRY e ON e.ZFOLDER = f.Z_PK"
        let membersReference = median { rawWalk(members) }
        table.time(
            "walk to many, all faults",
            count,
            try median { try walkToMany() },
            against: ("raw C join", membersReference)
        )
        let (change, undo, redo) = try self.undo()
        table.time("change one property of each, one event", count, change)
        table.time("undo that", count, undo, against: ("the edit", change))
        table.time("redo that", count, redo, against: ("the edit", change))
    }

    private func container() throws -> PersistentContainer {
        var options = StoreOptions()
        options.keepsHistory = false
        options.keepsSearchIndex = false
        let container = try PersistentContainer(
            for: BenchFolder.self,
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
        var generator = Generator(seed: 7)
        let folders = (0..<max(1, count / 100)).map { _ in
            let folder = BenchFolder(context: context)
            folder.name = generator.text(2)
            return folder
        }
        for _ in 0..<count {
            let entry = BenchEntry(context: context)
            entry.title = generator.text(4)
            entry.folder = folders[generator.next(folders.count)]
        }
        try context.save()
    }

    private func rawWalk(_ sql: String) -> Double {
        var database: OpaquePointer?
        guard sqlite3_open(url.path, &database) == SQLITE_OK else { fatalError("cannot open") }
        defer { sqlite3_close(database) }
        return seconds {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
                fatalError(String(cString: sqlite3_errmsg(database)))
            }
            var rows = 0
            var bytes = 0
            while sqlite3_step(statement) == SQLITE_ROW {
                rows += 1
                for column in 0..<Int32(2) {
                    guard let text = sqlite3_column_text(statement, column) else { continue }
                    bytes += String(cString: text).utf8.count
                }
            }
            sqlite3_finalize(statement)
            precondition(rows == count && bytes > 0)
        }
    }

    private func walkToOne() throws -> Double {
        let container = try container()
        defer { container.close() }
        return try seconds {
            var bytes = 0
            let request = FetchRequest<BenchEntry>()
            for entry in try container.viewContext.fetch(request) {
                bytes += (entry.title?.utf8.count ?? 0) + (entry.folder?.name?.utf8.count ?? 0)
            }
            precondition(bytes > 0)
        }
    }

    private func walkToMany() throws -> Double {
        let container = try container()
        defer { container.close() }
        return try seconds {
            var rows = 0
            var bytes = 0
            let request = FetchRequest<BenchFolder>()
            for folder in try container.viewContext.fetch(request) {
                bytes += folder.name?.utf8.count ?? 0
                for entry in folder.entries {
                    rows += 1
                    bytes += entry.title?.utf8.count ?? 0
                }
            }
            precondition(rows == count && bytes > 0)
        }
    }

    private func undo() throws -> (change: Double, undo: Double, redo: Double) {
        let container = try container()
        defer { container.close() }
        let context = container.viewContext
        let manager = UndoManager()
        context.undoManager = manager
        let entries = try context.fetch(FetchRequest<BenchEntry>())
        var times: [[Double]] = [[], [], []]
        let titles = entries.map(\.title)
        for _ in 0..<3 {
            times[0].append(
                seconds {
                    for entry in entries { entry.title = "another title" }
                    context.processPendingChanges()
                    manager.endEvent()
                }
            )
            times[1].append(try seconds { try manager.undo() })
            precondition(entries.map(\.title) == titles)
            times[2].append(try seconds { try manager.redo() })
            precondition(entries.allSatisfy { $0.title == "another title" })
            try manager.undo()
        }
        return (percentile(times[0], 0.5), percentile(times[1], 0.5), percentile(times[2], 0.5))
    }
}
