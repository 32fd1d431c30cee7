import CSQLite
import Foundation
import Testing

extension Docket {
    /// What SQLite itself says of a file: `ok`, or what is damaged.
    func integrity(_ file: String? = nil) throws -> String {
        try sqlite(file ?? store, "PRAGMA integrity_check").joined(separator: "; ")
    }

    /// The first column of what SQLite answers, as a program that knows nothing of Docket; if asked,
    /// but of the checksums.
    @discardableResult
    func sqlite(
        _ file: String,
        _ statement: String,
        keepsChecksums: Bool = false
    ) throws -> [String] {
        var opened: OpaquePointer?
        defer { sqlite3_close_v2(opened) }
        let system = keepsChecksums ? csqlite_checked_files(nil) : nil
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try #require(sqlite3_open_v2(file, &opened, flags, system) == SQLITE_OK)
        sqlite3_busy_timeout(opened, 5000)
        csqlite_register_text(opened)
        var prepared: OpaquePointer?
        defer { sqlite3_finalize(prepared) }
        let code = sqlite3_prepare_v2(opened, statement, -1, &prepared, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(opened)))")
        var rows: [String] = []
        var step = sqlite3_step(prepared)
        while step == SQLITE_ROW {
            rows.append(sqlite3_column_text(prepared, 0).map { String(cString: $0) } ?? "NULL")
            step = sqlite3_step(prepared)
        }
        try #require(step == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(opened)))")
        return rows
    }
}
