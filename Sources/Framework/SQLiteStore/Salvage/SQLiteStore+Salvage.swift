package import FoundationEssentials
import Glibc
package import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// Reads as much as can be read of a damaged store into a new one.
    ///
    /// The file is read page by page, without SQLite, and is not changed; of a log beside it what was
    /// committed. The new store is in order: what the damage has left of references, orders and the
    /// history is repaired.
    ///
    /// - Parameters:
    ///   - source: the damaged file.
    ///   - url: the place of the new store, where no file may be.
    ///   - model: the model of the new store; properties that the file does not have get their
    ///     default values.
    ///   - configuration: the configuration whose entities the store holds; `nil` for all.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was read, and what is lost.
    /// - Throws: `ObjectGraphError` if the file cannot be read at all or is no store, or the new one
    ///   cannot be written. Then there is no new store.
    /// - Complexity: O(bytes of the file).
    package static func salvage(
        _ source: URL,
        into url: URL,
        model: ManagedObjectModel,
        configuration: String? = nil,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> SalvageReport {
        if access(url.path, F_OK) == 0 {
            throw ObjectGraphError(
                .cannotWrite,
                "There is a file at \"\(url.path)\" already.",
                recovery: "Name a new file."
            )
        }
        var isDone = false
        defer {
            if !isDone { for suffix in ["", "-wal", "-shm"] { unlink(url.path + suffix) } }
        }
        let file = try PageFile(FilePlace.resolved(source.path))
        var options = SQLiteStoreOptions()
        options.keepsSearchIndex = true
        let store = try SQLiteStore(
            url: url,
            model: model,
            configuration: configuration,
            options: options
        )
        defer { store.close() }
        let report = try translatingErrors {
            try SalvageWork(file, store, { try progress?($0 * 0.5) }).run()
        }
        var result = report
        result.findings = try store.inspect { try progress?(0.5 + $0 * 0.2) }.findings
        result.lost = try translatingErrors { try HistoryCheck(InspectionRun(store, nil)).lost() }
        let repair = try store.repair(name: "Saved from a damaged store", author: nil) {
            try progress?(0.7 + $0 * 0.3)
        }
        result.remaining = repair.remaining.findings
        isDone = true
        return result
    }
}

/// Copies what can be read into a new store.
private final class SalvageWork {
    private let file: PageFile
    private let reader: CellReader
    private let store: SQLiteStore
    private let progress: (Double) throws -> Void
    private var report = SalvageReport()

    private var connection: Connection { store.connection }

    init(_ file: PageFile, _ store: SQLiteStore, _ progress: @escaping (Double) throws -> Void) {
        self.file = file
        reader = CellReader(file: file)
        self.store = store
        self.progress = progress
    }

    func run() throws -> SalvageReport {
        let found = try FoundTables(reader, store.schema)
        let wanted = store.schema.tables.map(\.name) + store.schema.joins.map(\.table)
        let isStore = wanted.contains { found.tables[$0.uppercased()] != nil }
        guard isStore else {
            throw ObjectGraphError(
                .damagedFile,
                "Nothing of an object store can be found in the file.",
                recovery: "Restore a backup."
            )
        }
        report.hasSchema = found.hasSchema
        try connection.transaction {
            let numbers = try entityNumbers(found)
            let history = ["OG_TRANSACTION", "OG_CHANGE", "OG_NAME"]
            let names = wanted + history
            for (index, name) in names.enumerated() {
                guard let table = found.tables[name.uppercased()] else {
                    if wanted.contains(name) { report.lostTables.append(name) }
                    continue
                }
                try progress(Double(index) / Double(names.count))
                let isOfEntity = store.schema.tables.contains { $0.name == name }
                try copy(table, to: name, isOfEntity ? numbers : nil)
            }
        }
        report.correctedPages = file.correctedPages.count
        return report
    }

    /// The numbers of the new store by those of the file, from its table of entities.
    private func entityNumbers(_ found: FoundTables) throws -> [Int64: Int64] {
        var result: [Int64: Int64] = [:]
        for schema in store.schema.entities { result[schema.number] = schema.number }
        guard let table = found.tables["Z_PRIMARYKEY"] else { return result }
        var theirs: [Int64: Int64] = [:]
        for leaf in table.leaves {
            guard let page = file.page(leaf) else { continue }
            for row in reader.rows(page, leaf).rows where row.values.count >= 2 {
                guard case .text(let name) = row.values[1],
                    let entity = store.schema.model.entity(named: name),
                    let schema = store.schema.schema(of: entity)
                else { continue }
                theirs[row.key] = schema.number
            }
        }
        return theirs.isEmpty ? result : theirs
    }

    private func copy(
        _ table: FoundTables.Table,
        to name: String,
        _ numbers: [Int64: Int64]?
    ) throws {
        report.lostPages += table.lostPages.count
        let own = try columns(of: name)
        // By position in the record: the column of the new table, and its place among those.
        let places = table.columns.enumerated().filter { own.names.contains($0.element) }
        let list = places.map { quoted($0.element) }.joined(separator: ", ")
        let marks = places.map { _ in "?" }.joined(separator: ", ")
        let insert = try Statement(
            "INSERT OR IGNORE INTO \(quoted(name)) (\(list)) VALUES (\(marks))",
            on: connection
        )
        defer { insert.finish() }
        for leaf in table.leaves {
            guard let page = file.page(leaf) else { continue }
            let (rows, lost) = reader.rows(page, leaf)
            report.lostRows += lost
            for row in rows {
                if row.isCut { report.cutRows += 1 }
                for (index, place) in places.enumerated() {
                    var value = place.offset < row.values.count ? row.values[place.offset] : .null
                    if place.element == own.key { value = .integer(row.key) }
                    if let numbers, place.element == "Z_ENT", case .integer(let number) = value {
                        value = numbers[number].map { .integer($0) } ?? value
                    }
                    try insert.bind(value, at: Int32(index + 1))
                }
                try insert.run()
                if connection.changes == 0 {
                    // A damaged value equals one that must be unique, or the row is there twice.
                    report.refusedRows += 1
                } else if numbers != nil {
                    report.objects += 1
                }
            }
        }
    }

    private func columns(of name: String) throws -> (names: Set<String>, key: String?) {
        let statement = try Statement("PRAGMA table_info(\(quoted(name)))", on: connection)
        defer { statement.finish() }
        var names: Set<String> = []
        var keys: [String] = []
        while try statement.step() {
            names.insert(statement.text(1).uppercased())
            if statement.integer(5) > 0, statement.text(2).uppercased() == "INTEGER" {
                keys.append(statement.text(1).uppercased())
            }
        }
        return (names, keys.count == 1 ? keys[0] : nil)
    }
}
