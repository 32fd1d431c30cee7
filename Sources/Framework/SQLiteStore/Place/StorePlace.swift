import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// Watches the files of an open store: whether the file at its path is still the one that it reads
/// and writes.
///
/// A deleted or replaced file still exists for the programs that have it open, and takes writes
/// that nobody will ever see. A file into which another one was copied has pages of two stores. So
/// the store checks here before it reads, before and after it writes, and before it moves the log.
///
/// Cost: three calls to the file system, some microseconds; if another process has moved the log
/// since the last check, also the headers in the log.
final class StorePlace {
    private let connection: Connection
    /// The store's path, as its user named it, and the path of the file itself.
    private let path: String
    private let target: String
    /// The file that was our own at the last check.
    private var file: FileIdentity
    private let log: FileIdentity?
    private let index: FileIdentity?
    private var version: Int64
    /// Whether the contents are those that this store has seen, or followed from them by further
    /// saves.
    var isContinued: () -> Bool = { true }
    /// Why the files are not our own any more; this never becomes `nil` again.
    private(set) var loss: Loss?

    enum Loss {
        /// Nothing is at the path.
        case deleted
        /// Another file is there.
        case replaced
        /// Another file was copied into this one.
        case overwritten
        /// The write-ahead log, or its index, was deleted or replaced.
        case logLost
    }

    /// Takes the file at the path for the connection's own.
    ///
    /// The connection must have read something before, so that nobody removes its log.
    ///
    /// - Returns: `nil` if there is no file.
    init?(_ connection: Connection, at path: String) throws {
        self.connection = connection
        self.path = path
        target = connection.path
        guard let file = FileIdentity(path) else { return nil }
        self.file = file
        // An immutable connection reads the file alone.
        let isLogged =
            connection.access != .immutable && FileHeader(connection)?.isLogged ?? false
        log = isLogged ? FileIdentity(target + "-wal") : nil
        index = isLogged ? FileIdentity(target + "-shm") : nil
        version = try connection.integer("PRAGMA data_version") ?? 0
        connection.stamp = try connection.storedStamp()
    }

    /// Whether all files are in their places and are the store's own.
    func isOurs() -> Bool {
        if loss == nil { loss = findLoss() }
        return loss == nil
    }

    /// Throws if the files are not the store's own any more.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    func check(_ consequence: String = "") throws {
        if isOurs() { return }
        throw error(consequence)
    }

    private func findLoss() -> Loss? {
        guard let found = FileIdentity(path) else { return isMissing ? .deleted : nil }
        guard found.isSameFile(as: file) else { return .replaced }
        for (suffix, known) in [("-wal", log), ("-shm", index)] {
            guard let known else { continue }
            guard let found = FileIdentity(target + suffix) else {
                if isMissing { return .logLost }
                continue
            }
            if !found.isSameFile(as: known) { return .logLost }
        }
        if found.changed == file.changed, found.size == file.size { return nil }
        // Another process has written to the file: by moving the log into it, or by copying another
        // file into it.
        for attempt in 0..<20 {
            // While others move a log and start it again, it can look wrong for a moment.
            if attempt > 0 { sqlite3_sleep(5) }
            guard let now = FileIdentity(path) else { return isMissing ? .replaced : nil }
            guard now.isSameFile(as: file) else { return .replaced }
            if hasOurContents() {
                file = now
                return nil
            }
        }
        return .overwritten
    }

    /// Whether the file that was just looked for is not there; after another failure nobody knows, and
    /// what is read or written next reports what is wrong.
    private var isMissing: Bool { [ENOENT, ENOTDIR, ESTALE].contains(errno) }

    private func hasOurContents() -> Bool {
        guard let header = FileHeader(connection) else { return false }
        let log = LogOwnership.log(of: target, header: header)
        if log == .foreign { return false }
        // The state that this store knows is in the file or in its log.
        if header.stamp == connection.stamp { return true }
        if log == .belongs, LogOwnership.logHolds(connection.stamp, at: target) { return true }
        // Others have saved and moved their saves, and SQLite has noticed a change. A log that
        // belongs to the file may still be the log of a copy that another program has opened and
        // changed. So the present state must follow from the state that this store knew. An open
        // read prevents others from moving more than it sees.
        if connection.isInTransaction { return true }
        guard let now = try? connection.integer("PRAGMA data_version"), now != version,
            let stamp = try? connection.storedStamp(), log == .belongs || header.stamp == stamp,
            isContinued()
        else { return false }
        version = now
        connection.stamp = stamp
        return true
    }

    private func error(_ consequence: String) -> ObjectGraphError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let what =
            switch loss {
            case .deleted: "The store \"\(name)\" was deleted while it was open"
            case .logLost: "The log of the store \"\(name)\" was deleted while it was open"
            default: "The store \"\(name)\" was replaced by another file while it was open"
            }
        return ObjectGraphError(
            .storeReplaced,
            consequence.isEmpty ? "\(what)." : "\(what), so \(consequence).",
            recovery: "Open it again, or save the pending changes to another file."
        )
    }
}
