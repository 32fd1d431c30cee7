import CSQLite
import ObjectModel

/// A prepared statement.
///
/// Text and data may be bound without a copy: they are then in a scratch buffer that lives until
/// the statement is reset.
final class Statement {
    /// `nil` once it is finished, which SQLite answers with an error.
    ///
    /// Safety: SQLite keeps its connection, also a closed one, until the statement is finished.
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    private unowned let connection: Connection
    @exclusivity(unchecked) private(set) var isRunning = false

    init(_ sql: String, on connection: Connection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle else {
            throw connection.failure(code, sql)
        }
        self.handle = handle
        self.connection = connection
    }

    deinit { finish() }

    func finish() {
        sqlite3_finalize(handle)
        handle = nil
    }

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one.
    @inline(__always)
    func step() throws -> Bool {
        isRunning = true
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Reads all rows as object IDs, some thousand at a time.
    ///
    /// The key is in the first column and, unless all rows are of one entity, its number in the
    /// second. Rows without an ID are left out.
    func readIDs(
        _ bases: UnsafeMutableBufferPointer<UInt64>,
        number: Int64?,
        _ body: (UnsafeBufferPointer<ManagedObjectID>) -> Void
    ) throws {
        isRunning = true
        let entities = csqlite_entities(bases: bases.baseAddress, count: bases.count)
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4096) { room in
            var code = SQLITE_ROW
            while code == SQLITE_ROW {
                var count = 0
                code = csqlite_read_ids(
                    handle,
                    entities,
                    number ?? 0,
                    ManagedObjectID.keyMask,
                    room.baseAddress,
                    room.count,
                    &count
                )
                let ids = UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(room)[..<(count * 8)]
                )
                body(ids.assumingMemoryBound(to: ManagedObjectID.self))
            }
            if code != SQLITE_DONE { throw failure(code) }
        }
    }

    func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    @inline(never)
    private func failure(_ code: Int32) -> SQLiteError {
        connection.failure(code, sqlite3_sql(handle).map { String(cString: $0) })
    }

    /// Runs a statement that has no rows, and makes it ready for the next arguments.
    @inline(__always)
    func run() throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else {
            defer { sqlite3_reset(handle) }
            throw failure(code)
        }
        sqlite3_reset(handle)
    }

    func reset() {
        sqlite3_reset(handle)
        isRunning = false
    }

    // MARK: Columns

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The UTF-8 bytes of a column's text, valid until the next step.
    func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        )
    }

    /// The bytes of a column, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        )
    }

}
