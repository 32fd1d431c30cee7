import CSQLite
import ObjectStore

extension SQLiteStore {
    /// Removes former values from this process's memory: rows that were replaced, arguments of
    /// statements that wait for the next use, pages that SQLite keeps, and its pool of small blocks, which it gives out again without clearing them.
    ///
    /// What is freed is cleared only by a heap that does so. Call it while nobody reads rows.
    func scrubMemory() throws {
        rows.removeAll()
        finishStatements()
        connection.dropIdleStatements()
        sqlite3_db_release_memory(connection.handle)
        // A bound value that is copied takes a block of the pool: as many as there can be, each
        // filled to its end.
        let count: Int32 = 400
        let marks = (1...count).map { _ in "?" }.joined(separator: ",")
        for size in [128, 1200, 512] {
            let statement = try Statement("SELECT \(marks)", on: connection)
            defer { statement.finish() }
            let zeros = [UInt8](repeating: 0, count: size)
            for index in 1...count {
                _ = zeros.withUnsafeBytes {
                    csqlite_bind_copied_blob(statement.handle, index, $0.baseAddress, $0.count)
                }
            }
        }
    }
}
