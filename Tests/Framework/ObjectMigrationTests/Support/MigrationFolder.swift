import CSQLite
import Foundation
import ObjectGraph

/// A folder for the files of one test, removed when the test ends.
final class MigrationFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "store.sqlite") -> URL { url.appending(path: name) }

    /// The names of the files beside the store.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}

/// The file of a store as SQLite sees it; what it writes has checksums.
final class RawFile {
    private var handle: OpaquePointer?

    init(_ url: URL) throws {
        let system = csqlite_checked_files(nil)
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, system) == SQLITE_OK else {
            throw RawFileError(description: "\(url.path) cannot be opened")
        }
        csqlite_register_text(handle)
    }

    deinit { sqlite3_close_v2(handle) }

    /// The rows of a query, each as its columns joined by "|".
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw RawFileError(description: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var result: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let columns = (0..<sqlite3_column_count(statement)).map { index in
                    sqlite3_column_text(statement, index).map { String(cString: $0) } ?? "NULL"
                }
                result.append(columns.joined(separator: "|"))
            case SQLITE_DONE: return result
            default: throw RawFileError(description: String(cString: sqlite3_errmsg(handle)))
            }
        }
    }

    func execute(_ sql: String) throws {
        if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK {
            throw RawFileError(description: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Everything about the structure, whatever the order in which it was made.
    func structure() throws -> [String] {
        var result: [String] = []
        for table in try rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            let columns = try rows("SELECT name, type, pk FROM pragma_table_info('\(table)')")
            result.append("table \(table): \(columns.sorted().joined(separator: ", "))")
        }
        for row in try rows(
            "SELECT m.name, m.tbl_name, l.\"unique\", l.partial FROM sqlite_master m"
                + " JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name WHERE m.type = 'index'"
        ) {
            let name = row.prefix { $0 != "|" }
            let columns = try rows(
                "SELECT name, \"desc\", coll FROM pragma_index_xinfo('\(name)') WHERE key ORDER BY seqno"
            )
            result.append("index \(row): \(columns.joined(separator: ", "))")
        }
        result += try rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY").map { "entity \($0)" }
        result += try rows(
            "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
        )
        return result.sorted()
    }

    func integrity() throws -> String { try rows("PRAGMA integrity_check").joined() }
}

struct RawFileError: Error, CustomStringConvertible {
    let description: String
}
