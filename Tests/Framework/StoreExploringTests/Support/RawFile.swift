import CSQLite
import Foundation
import Testing

/// A plain connection to a store's file, behind the framework's back.
final class RawFile {
    private let handle: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(url.path, &handle, flags, nil)
        self.handle = try #require(handle)
        try #require(code == SQLITE_OK)
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// The rows of a query as text, columns separated by "|", blobs in hexadecimal digits.
    @discardableResult
    func rows(_ sql: String, _ blob: Data? = nil) throws -> [String] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
        defer { sqlite3_finalize(statement) }
        if let blob {
            _ = blob.withUnsafeBytes {
                csqlite_bind_copied_blob(statement, 1, $0.baseAddress, $0.count)
            }
        }
        var rows: [String] = []
        var end = sqlite3_step(statement)
        while end == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    if sqlite3_column_type(statement, column) == SQLITE_BLOB {
                        return (0..<Int(sqlite3_column_bytes(statement, column))).map { place in
                            let bytes = sqlite3_column_blob(statement, column)
                            let byte = bytes?.load(fromByteOffset: place, as: UInt8.self) ?? 0
                            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
                        }.joined()
                    }
                    return sqlite3_column_text(statement, column).map { String(cString: $0) }
                        ?? "NULL"
                }.joined(separator: "|")
            )
            end = sqlite3_step(statement)
        }
        try #require(end == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
        return rows
    }

    func number(_ sql: String) throws -> Int {
        Int(try rows(sql).first ?? "") ?? 0
    }

    var integrity: String {
        get throws { try rows("PRAGMA integrity_check").joined(separator: "; ") }
    }
}
