import CSQLite
import Foundation
import ObjectModel
import SQLiteStore
import Testing

/// A plain connection, to look at a file behind the store's back.
final class RawDatabase {
    private let handle: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil)
        self.handle = try #require(handle)
        #expect(code == SQLITE_OK)
        sqlite3_busy_timeout(handle, 5000)
        csqlite_register_text(handle)
    }

    deinit { sqlite3_close_v2(handle) }

    /// The rows of a query as text, columns separated by "|".
    @discardableResult
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                }.joined(separator: "|")
            )
        }
        return rows
    }

    var integrity: String {
        get throws { try rows("PRAGMA integrity_check").joined(separator: "; ") }
    }
}

extension TestBench {
    func raw() throws -> RawDatabase { try RawDatabase(folder.file()) }

    func queryPlan(_ sql: String) throws -> String {
        try raw().rows("EXPLAIN QUERY PLAN " + sql).joined(separator: "; ")
    }
}
