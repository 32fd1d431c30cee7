import CSQLite
import ObjectModel
import ObjectStore

/// Compares the search index with the texts of the rows.
///
/// For each row there is one sum: the index adds the hashes of its terms, the row's text takes those
/// of its trigrams away. What is left of 0 is a row that the index does not know, or knows with
/// another text.
///
/// Cost: one pass through the index and one through the rows, 8 bytes of memory for each row.
final class SearchIndexCheck {
    private let inspector: InspectionRun
    private var connection: Connection { inspector.connection }

    /// How many rows are read between two looks at the progress.
    private static let stride = 1 << 16

    init(_ inspector: InspectionRun) { self.inspector = inspector }

    func run() throws {
        let store = inspector.store
        if store.searchTables.isEmpty { return }
        guard let trigrams = csqlite_trigrams_make(connection.handle) else { return }
        defer { csqlite_trigrams_free(trigrams) }
        let tables = store.searchTables.byRoot.values.sorted { $0.name < $1.name }
        for (index, table) in tables.enumerated() {
            try inspector.note(Double(index) / Double(tables.count))
            let wrong: [Int64]
            do {
                wrong = try compare(table, trigrams)
            } catch let error as SQLiteError
                where [SQLITE_CORRUPT, SQLITE_ERROR].contains(error.primaryCode)
            {
                add(table, count: 1, [], "cannot be read")
                continue
            }
            if wrong.isEmpty { continue }
            add(
                table,
                count: wrong.count,
                wrong,
                "does not agree with \(counted(wrong.count, "row"))"
            )
        }
    }

    private func add(_ table: SearchTable, count: Int, _ keys: [Int64], _ what: String) {
        inspector.add(
            StoreFinding(
                .staleSearchIndex,
                entity: table.table.root.name,
                count: count,
                examples: Array(keys.prefix(StoreFinding.mostExamples)),
                "The search index of \(table.table.root.name) \(what).",
                repair: "The search index is built again."
            )
        )
    }

    /// The keys of the rows that the index does not have as they are.
    private func compare(_ table: SearchTable, _ trigrams: OpaquePointer) throws -> [Int64] {
        var sums = try RowSums(table.table, connection)
        try addTerms(of: table, to: &sums)
        try removeTexts(of: table, from: &sums, trigrams)
        return sums.wrong
    }

    private func addTerms(of table: SearchTable, to sums: inout RowSums) throws {
        let name = "OG_TERMS_\(table.table.name)"
        try withTemporaryTables {
            try connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(quoted(name))"
                    + " USING fts5vocab(main, \(SQLValue.text(table.name).literal), 'instance')"
            )
        }
        let terms = try Statement("SELECT term, doc FROM temp.\(quoted(name))", on: connection)
        defer { terms.finish() }
        var (outside, hash): (Int64, UInt64) = (0, 0)
        var code = SQLITE_ROW
        while code == SQLITE_ROW {
            code = sums.near.withUnsafeMutableBufferPointer {
                csqlite_sum_terms(
                    terms.handle,
                    $0.baseAddress,
                    $0.count,
                    SearchIndexCheck.stride,
                    &outside,
                    &hash
                )
            }
            if outside != 0 { sums[outside] &+= hash }
            try inspector.note(0.5)
        }
        guard code == SQLITE_DONE else {
            throw SQLiteError(connection.handle, code: code, path: connection.path)
        }
    }

    /// A snapshot refuses all changes, also those of temporary tables.
    private func withTemporaryTables(_ body: () throws -> Void) throws {
        let isReader = try connection.integer("PRAGMA query_only") == 1
        if isReader { try connection.execute("PRAGMA query_only=0") }
        defer { if isReader { try? connection.execute("PRAGMA query_only=1") } }
        try body()
    }

    private func removeTexts(
        of table: SearchTable,
        from sums: inout RowSums,
        _ trigrams: OpaquePointer
    ) throws {
        let text = SearchText()
        for schema in inspector.schema.entities where schema.table === table.table {
            let columns = table.slots(of: schema.entity).compactMap { schema.columns[$0]?.name }
            if columns.isEmpty { continue }
            let rows = try Statement(
                "SELECT Z_PK, \(columns.map(quoted).joined(separator: ", "))"
                    + " FROM \(quoted(schema.table.name)) NOT INDEXED"
                    + " WHERE Z_ENT = \(schema.number)",
                on: connection
            )
            defer { rows.finish() }
            var count = 0
            while try rows.step() {
                count += 1
                if count % SearchIndexCheck.stride == 0 { try inspector.note(0.75) }
                let key = rows.integer(0)
                text.removeAll()
                for index in columns.indices { text.append(rows.textBytes(Int32(index + 1))) }
                var sum: UInt64 = 0
                let code = text.withBytes {
                    csqlite_trigrams_sum(trigrams, $0.baseAddress, $0.count, &sum)
                }
                guard code == SQLITE_OK else {
                    throw SQLiteError(nil, code: code, path: connection.path)
                }
                sums[key] &-= sum
            }
        }
    }
}

/// A sum for each key of a table: most in an array, those of far keys in a dictionary.
private struct RowSums {
    var near: [UInt64]
    private var far: [Int64: UInt64] = [:]

    init(_ table: TableSchema, _ connection: Connection) throws {
        near = [UInt64](repeating: 0, count: try connection.nearKeys(table))
    }

    subscript(key: Int64) -> UInt64 {
        get { key > 0 && key < near.count ? near[Int(key)] : far[key] ?? 0 }
        set {
            if key > 0 && key < near.count {
                near[Int(key)] = newValue
            } else {
                far[key] = newValue
            }
        }
    }

    /// The keys whose sum is not 0.
    var wrong: [Int64] {
        near.indices.filter { near[$0] != 0 }.map(Int64.init)
            + far.filter { $0.value != 0 }.keys.sorted()
    }
}

extension Connection {
    /// How many keys of a table get a place in an array: all, unless they are far apart.
    ///
    /// A damaged key must not decide how much memory is used.
    func nearKeys(_ table: TableSchema) throws -> Int {
        let name = quoted(table.name)
        let largest = try integer("SELECT MAX(Z_PK) FROM \(name)") ?? 0
        let count = try integer("SELECT COUNT(*) FROM \(name)") ?? 0
        return Int(clamping: min(max(0, largest), count * 16 + 1 << 20)) + 1
    }
}
