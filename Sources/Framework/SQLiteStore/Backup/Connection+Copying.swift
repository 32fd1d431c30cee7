import CSQLite
import ObjectModel
import ObjectStore

extension Connection {
    /// Copies all pages of one state.
    func copyPages(to copy: Connection, _ progress: ((Double) throws -> Void)?) throws {
        // One read transaction holds the state, whoever writes meanwhile.
        let isPinned = isInTransaction
        if !isPinned { try execute("BEGIN") }
        defer { if !isPinned { try? execute("COMMIT") } }
        _ = try integer("SELECT COUNT(*) FROM sqlite_master")
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main")
        else {
            throw SQLiteError(copy.handle, code: sqlite3_errcode(copy.handle), path: copy.path)
        }
        // The pages come with the room for their checksums, if they have it.
        if pages.isChecked { copy.checkNewPages() }
        var code = SQLITE_OK
        do {
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, 1024)
                let total = Double(max(1, sqlite3_backup_pagecount(backup)))
                try progress?(1 - Double(sqlite3_backup_remaining(backup)) / total)
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        // Reading errors belong to the store, the others to the copy.
        let isOfStore = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff)
        sqlite3_backup_finish(backup)
        if code == SQLITE_DONE { return }
        if code & 0xff == SQLITE_IOERR, sqlite3_errcode(copy.handle) == SQLITE_OK {
            throw SQLiteError(nil, code: code, path: path)
        }
        throw SQLiteError(nil, code: code, path: isOfStore ? path : copy.path)
    }

    /// Ends the log mode that came with the copied pages, so that the copy is one file.
    ///
    /// The store that is opened there switches to a log again.
    func useNoJournal() throws {
        try execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE")
        try execute("PRAGMA journal_mode=OFF")
    }

    /// Checks the structure of this copy, so that no damaged one takes the place of a good one.
    ///
    /// - Parameter original: the path of the store, for the message.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile``.
    /// - Complexity: O(bytes).
    func checkStructure(of original: String) throws {
        let statement = try statement("PRAGMA quick_check(1)")
        defer { statement.reset() }
        guard try statement.step(), statement.text(0) == "ok" else {
            throw ObjectGraphError(
                .damagedFile,
                "The store \"\(original)\" is damaged, so no copy of it was kept.",
                recovery: "Keep the file, and restore a backup."
            )
        }
    }
}
