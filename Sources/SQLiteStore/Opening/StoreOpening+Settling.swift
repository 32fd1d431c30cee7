import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

// What is done before SQLite reads the first byte: a log, journal or index that lies beside the file
// is looked at, and taken away if it does not belong; see ``LogOwnership``.

extension StoreOpening {
    /// How often, and how long between, a log that seems wrong is looked at while others have the
    /// file open: they may be moving it and beginning it again.
    private static let looks = 110
    private static let longestPause: Int32 = 20

    /// Sets a log aside that does not belong to the file, and removes an index that may be another
    /// file's.
    ///
    /// - Returns: what was found, as a sentence; `nil` if all is as it should be. For reading, a
    ///   log that does not belong stays where it is, so the connection must not read it.
    /// - Throws: `ObjectGraphError` if somebody has the file open with such a log.
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
                // At rest, as it mostly is.
                if !hasIndex, !hasLog, !hasJournal, !WorkFolder(path).isThere { return nil }
                return try settleAlone(connection)
            }
            let isLogged = FileHeader(connection)?.isLogged ?? false
            if isLogged, hasIndex, hasLog, !isForeign(connection) { return nil }
            // Somebody makes the file, or works with a rollback journal. Else who has the file open
            // is about to make its log, or has lost it: two logs for one file must not be.
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

    /// Lets SQLite take back what a process that was killed had begun to write, as long as there
    /// was no write-ahead log: the file may look damaged, or be empty again, after that.
    func takeBackUnfinishedWork() throws {
        guard StoreFile.size(path + "-journal") ?? 0 > 0, StoreFile.size(path) ?? 0 > 0 else {
            return
        }
        let connection = try Connection(path, .readWrite, fileSystem: options.fileSystem)
        defer { connection.close(folds: !StoreFile.hasLog(path)) }
        // What belongs to another file is told when the file is opened.
        guard LogOwnership.journal(of: path, header: FileHeader(connection)) == .belongs else {
            return
        }
        // What cannot be read is judged by what comes after.
        _ = try? connection.integer("SELECT COUNT(*) FROM sqlite_master")
    }

    /// Nobody else has the file open: an index is of a killed process, or of one that has another
    /// file open which was here.
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

    /// Sets a log aside whose store is gone, so that a new one does not get it.
    func clearUnfinishedWork(_ file: StoreFile) throws -> [String] {
        if file == .database { return [] }
        var names: [String] = []
        // Nobody writes the log of a file that is not there.
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
            switch csqlite_place_file(path + suffix, target) {
            case 0:
                _ = PrivateFile.narrow(target)
                return target.split(separator: "/").last.map(String.init) ?? target
            case EEXIST: continue
            default:
                throw ObjectGraphError(
                    .cannotOpen,
                    "The log \"\(name)\(suffix)\" belongs to another file than \"\(name)\", and "
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
