import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel

/// Watches over the files of an open store: whether what is at its path is still what it reads and
/// writes.
///
/// A file that was deleted or replaced lives on for whoever has it open, and takes writes that
/// nobody will ever see; one that another was copied into has pages of two stores. So the store asks
/// here before it reads, before and after it writes, and before it moves the log.
///
/// Cost: three looks at the file system, some microseconds, unless another process has moved the
/// log since the last time; then the headers in the log are read.
final class StorePlace {
    private let connection: Connection
    /// The store's path, as its user named it, and that of the file where it leads.
    private let path: String
    private let target: String
    /// What was last found to be ours.
    private var file: FileIdentity
    private let log: FileIdentity?
    private let index: FileIdentity?
    private var version: Int64
    /// Whether the contents are what this store has seen, or came from that by further saves.
    var isContinued: () -> Bool = { true }
    /// Why the files are not ours any more; once that is so it stays so.
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

    /// Takes what is at the path for the connection's own; it must have read something by now, so
    /// that nobody takes its log away.
    ///
    /// - Returns: `nil` if there is no file.
    init?(_ connection: Connection, at path: String) throws {
        self.connection = connection
        self.path = path
        target = connection.path
        guard let file = FileIdentity(path) else { return nil }
        self.file = file
        let isLogged = FileHeader(connection)?.isLogged ?? false
        log = isLogged ? FileIdentity(target + "-wal") : nil
        index = isLogged ? FileIdentity(target + "-shm") : nil
        version = try connection.integer("PRAGMA data_version") ?? 0
        connection.stamp = try connection.storedStamp()
    }

    /// Whether all files are where they were, and the store's own.
    func isOurs() -> Bool {
        if loss == nil { loss = findLoss() }
        return loss == nil
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    func check(_ consequence: String = "") throws {
        if isOurs() { return }
        throw error(consequence)
    }

    private func findLoss() -> Loss? {
        guard let found = FileIdentity(path) else { return .deleted }
        guard found.isSameFile(as: file) else { return .replaced }
        for (suffix, known) in [("-wal", log), ("-shm", index)] {
            guard let known else { continue }
            guard let found = FileIdentity(target + suffix), found.isSameFile(as: known) else {
                return .logLost
            }
        }
        if found.changed == file.changed, found.size == file.size { return nil }
        // Somebody wrote to the file: by moving the log into it, or by copying another one into it.
        for attempt in 0..<20 {
            // A log that others move and begin again meanwhile can look wrong for a moment.
            if attempt > 0 { sqlite3_sleep(5) }
            guard let now = FileIdentity(path), now.isSameFile(as: file) else { return .replaced }
            if hasOurContents() {
                file = now
                return nil
            }
        }
        return .overwritten
    }

    private func hasOurContents() -> Bool {
        guard let header = FileHeader(connection) else { return false }
        let log = LogOwnership.log(of: target, header: header)
        if log == .foreign { return false }
        // The state that this store knows is in the file or in its log.
        if header.stamp == connection.stamp { return true }
        if log == .belongs, LogOwnership.logHolds(connection.stamp, at: target) { return true }
        // Others have saved and moved what they saved, and SQLite knows that something happened. A
        // log that belongs to the file may still be that of a copy, which somebody else has opened
        // and gone on with; so what is there now has to come from what this store knew.
        // A read that goes on keeps others from moving more than it sees.
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
            recovery: "Open it again, or write what is not saved to another file."
        )
    }
}
