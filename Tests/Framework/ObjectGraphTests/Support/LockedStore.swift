import CSQLite
import Foundation
import ObjectGraph

/// Another connection that holds the write lock of a store.
final class LockedStore {
    private var connection: OpaquePointer?

    init(_ url: URL) throws {
        guard sqlite3_open(url.path, &connection) == SQLITE_OK,
            sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
        else { throw ObjectGraphError(.timedOut, "The lock was not given.") }
    }

    func end() {
        sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
        sqlite3_close(connection)
        connection = nil
    }

    deinit { if connection != nil { end() } }
}
