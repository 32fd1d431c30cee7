import CFiles
import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

// Before SQLite reads the first byte, the log, journal and index beside the file are checked, and
// moved away if they do not belong to it; see ``LogOwnership``.

extension StoreOpening {
    /// How often, and at what interval, a log that seems wrong is checked while others have the
    /// file open: they may be moving it and starting it again.
    private static let looks = 110
    private static let longestPause: Int32 = 20

    /// Sets a log aside that does not belong to the file, and removes an index that may belong to
    /// another file.
    ///
    /// - Returns: what was found, as a sentence; `nil` if everything is in order. If the store is
    ///   opened for reading, a log that does not belong stays, so the connection must not read it.
    /// - Throws: `ObjectGraphError` if another program has the file open with such a log.
    func settle(_ connection: Connection) throws -> String? {
        for attempt in 0..<StoreOpening.looks {
            if attempt > 0 { sqlite3_sleep(min(Int32(attempt), StoreOpening.longestPause)) }
            let hasIndex = StoreFile.size(path + "-shm") != nil
            let hasLog = StoreFile.size(path + "-wal") != nil
            let hasJournal = StoreFile.size(path + "-journal") ?? 0 > 0
            if sqlite3_db_readonly(connection.handle, "main") == 1 {
                return isForeign(connection) ? ignored("-wal") : nil
            }
            if csqlite_lock_file(connection.handle) == SQLITE_OK {
                defer { csqlite_unlock_file(connection.handle) }
                // The normal case: the store is at rest.
                if !hasIndex, !hasLog, !hasJournal, !WorkFolder(path).isThere { return nil }
                return try settleAlone(connection)
            }
            let isLogged = FileHeader(connection)?.isLogged ?? false
            if isLogged, hasIndex, hasLog, !isForeign(connection) { return nil }
            // Another program creates the file, or works with a rollback journal. Otherwise the
            // program that has the file open is about to create its log, or has lost it: there must
            // never be two logs for one file.
            if !isLogged, !hasIndex, !hasLog { return nil }
        }
        throw ObjectGraphError(
            .storeReplaced,
            "Another program has the store \"\(name)\" open, but its file or its log was replaced "
                + "meanwhile.",
            recovery: "Close that program, then try again."
        )
    }

    private func isForeign(_ connection: Connection) -> Bool {
        LogOwnership.log(of: path, header: FileHeader(connection)) == .foreign
    }

    /// Lets SQLite roll back the writes of a killed process, where there was no write-ahead log.
    ///
    /// The file may look damaged before that, or be empty after it.
    func takeBackUnfinishedWork() throws {
        guard StoreFile.size(path + "-journal") ?? 0 > 0, StoreFile.size(path) ?? 0 > 0 else {
            return
        }
        let connection = try openFile(.readWrite)
        defer { connection.close(folds: !StoreFile.hasLog(path)) }
        // Opening the file reports a journal of another file.
        guard LogOwnership.journal(of: path, header: FileHeader(connection)) == .belongs else {
            return
        }
        // The following steps report a file that cannot be read.
        _ = try? connection.integer("SELECT COUNT(*) FROM sqlite_master")
    }

    /// Nobody else has the file open: an index is left by a killed process, or by one that has
    /// another file open which was here before.
    private func settleAlone(_ connection: Connection) throws -> String? {
        let header = FileHeader(connection)
        var names: [String] = []
        for (suffix, owner) in [
            ("-wal", LogOwnership.log(of: path, header: header)),
            ("-journal", LogOwnership.journal(of: path, header: header)),
        ] where owner == .foreign {
            if options.isReadOnly { return ignored(suffix) }
            names.append(try setAside(suffix))
        }
        WorkFolder(path).clear()
        unlink(path + "-shm")
        if LogOwnership.log(of: path, header: header) == .empty { unlink(path + "-wal") }
        return names.isEmpty ? nil : sentence(names)
    }

    /// Sets a log aside whose store does not exist any more, so that a new store does not get it.
    func clearUnfinishedWork(_ file: StoreFile) throws -> [String] {
        if file == .database { return [] }
        var names: [String] = []
        // No program writes the log of a file that does not exist.
        if LogOwnership.log(of: path, header: nil) == .foreign {
            names.append(try setAside("-wal"))
        }
        if file == .absent {
            if LogOwnership.journal(of: path, header: nil) != .empty {
                names.append(try setAside("-journal"))
            }
            unlink(path + "-wal")
            unlink(path + "-journal")
        }
        unlink(path + "-shm")
        return names.isEmpty ? [] : [sentence(names)]
    }

    // MARK: Setting aside

    /// - Returns: the name under which the file is kept.
    private func setAside(_ suffix: String) throws -> String {
        for number in 1... {
            let target = "\(path).aside\(suffix)-\(number)"
            switch cfiles_place(path + suffix, target) {
            case 0:
                _ = PrivateFile.narrow(target)
                return target.split(separator: "/").last.map(String.init) ?? target
            case EEXIST: continue
            default:
                throw ObjectGraphError(
                    .cannotOpen,
                    "The log \"\(name)\(suffix)\" does not belong to \"\(name)\", and "
                        + "cannot be renamed.",
                    recovery: "Change the permissions of the folder, or move the log elsewhere."
                )
            }
        }
        return ""
    }

    private func sentence(_ names: [String]) -> String {
        let list = names.map { "\"\($0)\"" }.joined(separator: " and ")
        return "A log beside the store \"\(name)\" was not written for this file, so it was not "
            + "used; it is kept as \(list)."
    }

    private func ignored(_ suffix: String) -> String {
        "The log \"\(name)\(suffix)\" was not written for this store, so it was not used."
    }
}
