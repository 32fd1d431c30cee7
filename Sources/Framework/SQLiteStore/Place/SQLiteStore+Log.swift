import CSQLite
import FoundationEssentials
import Glibc
import ObjectStore

// The write-ahead log moves into the file when the store is closed, so that a closed store is one
// file; when the log has grown long; and when the program is idle. It never moves after the file
// was replaced: that would write pages of one store into another.

extension SQLiteStore {
    /// A log of this number of pages is moved after the save that reached it.
    private static let longLog = 1000
    /// The same while an import runs, which writes the same pages again and again.
    private static let longLogOfImport = 16_000

    /// Moves the write-ahead log into the file and empties it, as far as readers allow it.
    ///
    /// Call it when the program is idle.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced`` if the file
    ///   is not the store's own any more, or the error of the disk.
    public func checkpoint() throws {
        guard foldsLog else { return }
        try translatingErrors {
            try place?.check()
            try connection.foldLog(empties: true)
        }
    }

    /// How many bytes the write-ahead log has; 0 when the store is one file, or has no log.
    package var logSize: Int { StoreFile.size(connection.path + "-wal") ?? 0 }

    public func setImporting(_ isImporting: Bool) throws {
        self.isImporting = isImporting
        try translatingErrors {
            // The checkpoint at the end syncs everything at once.
            try connection.execute(
                isImporting
                    ? "PRAGMA cache_size=-16384; PRAGMA synchronous=NORMAL"
                    : "PRAGMA cache_size=-8192; PRAGMA synchronous=FULL"
            )
        }
        if !isImporting { try checkpoint() }
    }

    /// Keeps the log short, because every reader has to search it.
    ///
    /// If moving fails, the log stays complete and synced.
    func foldLongLog() {
        let limit = isImporting ? SQLiteStore.longLogOfImport : SQLiteStore.longLog
        guard foldsLog, connection.logFrames > limit, place?.isOurs() ?? true
        else { return }
        try? connection.foldLog(empties: false)
    }

    /// Closes the file.
    ///
    /// The last connection removes the log; others leave no log that holds more than the file.
    ///
    /// Cost: about four syncs if the log is not empty. Commands that run once would need as many
    /// with a rollback journal. That would save half a millisecond, but readers and writers would
    /// have to wait for each other.
    func closeConnection() {
        if connection.isClosed || !ownsConnection { return }
        let isOurs = place?.isOurs() ?? false
        // A program that only wanted to read leaves the file as it is.
        var mayFold = isOurs && (foldsLog || logSize == 0)
        if mayFold, foldsLog {
            do {
                try connection.foldLog(empties: false)
            } catch let error as SQLiteError
                where [SQLITE_IOERR, SQLITE_FULL].contains(error.primaryCode)
            {
                // SQLite would try once more, without a mark.
                mayFold = false
            } catch {}
        }
        connection.close(folds: mayFold)
        if let indexPath { StoreOpening.removeIndex(of: indexPath) }
    }

    // MARK: The place

    /// Whether the store's file is still at its path, before anything is read from it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    package func checkPlace() throws {
        if readsLostFile { return }
        try place?.check()
    }

    /// Takes the files at the path for the store's own from now on.
    func watchPlace() throws {
        place = try StorePlace(connection, at: url?.path ?? connection.path)
        guard keepsHistory else { return }
        newest = try newestTransaction()
        place?.isContinued = { [unowned self] in isContinued() }
    }

    private func newestTransaction() throws -> (number: Int64, date: Double) {
        let statement = try connection.statement(
            "SELECT number, date FROM OG_TRANSACTION ORDER BY number DESC LIMIT 1"
        )
        defer { statement.reset() }
        return try statement.step() ? (statement.integer(0), statement.real(1)) : (0, 0)
    }

    /// Whether the newest transaction that this store knew is still in the history, or was deleted
    /// with old history since.
    private func isContinued() -> Bool {
        do {
            let now = try newestTransaction()
            guard now.number >= newest.number else { return false }
            let sql = "SELECT COUNT(*) FROM OG_TRANSACTION WHERE number = ? AND date = ?"
            if try connection.integer(sql, .integer(newest.number), .real(newest.date)) == 0,
                try connection.integer("SELECT MIN(number) FROM OG_TRANSACTION") ?? 0
                    <= newest.number
            {
                return newest.number == 0
            }
            newest = now
            return true
        } catch {
            return false
        }
    }
}
