import CText
import ObjectModel
import ObjectStore

// The search index: for each root entity with searched attributes an FTS5 table with the folded
// texts of its rows, in one column, fields separated by 0x1f. The table is contentless, so deleting
// an entry needs its old text. It has trigrams without positions, so a hit is a candidate that must
// be verified.

final class SearchTable {
    /// The name of the FTS5 table.
    let name: String
    let searched: SearchedTables.Table
    private var insertion: Statement?
    private var deletion: Statement?

    fileprivate init(_ searched: SearchedTables.Table) {
        self.searched = searched
        name = "OG_SEARCH_\(searched.table.name)"
    }

    var table: TableSchema { searched.table }

    func slots(of entity: EntityDescription) -> [Int] { searched.slots(of: entity) }

    /// The statements that create the table.
    ///
    /// Merges are spread over many saves, so that no single one stalls.
    var creation: [String] {
        let table = quoted(name)
        return [
            "CREATE VIRTUAL TABLE \(table) USING fts5(text, content='', columnsize=0,"
                + " detail=none, tokenize='trigram case_sensitive 1')",
            "INSERT INTO \(table) (\(table), rank) VALUES ('automerge', 8)",
            "INSERT INTO \(table) (\(table), rank) VALUES ('crisismerge', 64)",
        ]
    }

    func insert(_ key: Int64, _ text: SearchText, on connection: Connection) throws {
        if text.isEmpty { return }
        let statement =
            try insertion
            ?? Statement("INSERT INTO \(quoted(name)) (rowid, text) VALUES (?, ?)", on: connection)
        insertion = statement
        try run(statement, key, text)
    }

    func delete(_ key: Int64, _ text: SearchText, on connection: Connection) throws {
        if text.isEmpty { return }
        let table = quoted(name)
        let statement =
            try deletion
            ?? Statement(
                "INSERT INTO \(table) (\(table), rowid, text) VALUES ('delete', ?, ?)",
                on: connection
            )
        deletion = statement
        try run(statement, key, text)
    }

    private func run(_ statement: Statement, _ key: Int64, _ text: SearchText) throws {
        statement.bind(key, at: 1)
        try text.bind(to: statement, at: 2)
        try statement.run()
    }

    /// Ends the use of the connection.
    func finish() {
        insertion = nil
        deletion = nil
    }
}

/// The folded text of one row, in a buffer that is reused.
final class SearchText {
    private var buffer: [UInt8] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    func removeAll() { count = 0 }

    func append(_ value: GraphValue) {
        if case .string(var text) = value { text.withUTF8 { append(UnsafeRawBufferPointer($0)) } }
    }

    func append(_ text: UnsafeRawBufferPointer) {
        if text.isEmpty { return }
        let room = Int(CTEXT_FOLD_GROWTH) * text.count + Int(CTEXT_SLACK) + 1
        if buffer.count < count + room {
            buffer.append(contentsOf: repeatElement(0, count: count + room - buffer.count))
        }
        buffer.withUnsafeMutableBufferPointer { target in
            guard let base = target.baseAddress else { return }
            if count > 0 {
                base[count] = 0x1f
                count += 1
            }
            count += ctext_fold(
                text.baseAddress?.assumingMemoryBound(to: UInt8.self),
                text.count,
                UInt32(CTEXT_CASE) | UInt32(CTEXT_DIACRITICS),
                base + count
            )
        }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    func bind(to statement: Statement, at index: Int32) throws {
        try buffer.withUnsafeBufferPointer {
            try statement.bind(
                copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]),
                at: index
            )
        }
    }
}

/// The search index of a store.
struct SearchTables {
    private(set) var byRoot: [UInt16: SearchTable] = [:]
    private var searched = SearchedTables()

    /// The tables for a model's searched attributes; empty if it has none.
    init(_ schema: StoreSchema) {
        searched = SearchedTables(schema)
        byRoot = searched.byRoot.mapValues { SearchTable($0) }
    }

    init() {}

    var isEmpty: Bool { byRoot.isEmpty }

    func table(of entity: EntityDescription) -> SearchTable? {
        isEmpty ? nil : byRoot[entity.root.number]
    }

    /// See ``SearchedTables/digest(_:)``.
    func digest(_ schema: StoreSchema) -> String { searched.digest(schema) }
}
