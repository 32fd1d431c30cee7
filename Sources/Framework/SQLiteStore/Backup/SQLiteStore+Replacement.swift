import CSQLite
package import FoundationEssentials
import Glibc
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// Puts a copy of one store in the place of another one.
    ///
    /// The copy is written beside its place, checked, synced, and moved there while nobody can open
    /// the old store; so at each moment one of the two is there as a whole.
    ///
    /// - Parameters:
    ///   - url: the place; a store there must not be open in this or another process.
    ///   - source: the file of the other store, which may be in use.
    /// - Returns: the pages of the source without their checksum; they are without it in the copy too.
    /// - Throws: `ObjectGraphError`: the source is not a store, is damaged or is the same file; the
    ///   store at the place is open; the copy cannot be written. Then nothing has changed.
    @discardableResult
    package static func replaceStore(at url: URL, with source: URL) throws -> PageReport {
        let target = FilePlace.resolved(url.path)
        let origin = FilePlace.resolved(source.path)
        if target == origin {
            throw ObjectGraphError(
                .cannotWrite,
                "\"\(url.path)\" cannot be replaced by itself.",
                recovery: "Name another file."
            )
        }
        _ = try metadata(at: source)
        return try translatingErrors {
            let folder = WorkFolder(target)
            folder.clear()
            let (made, code) = folder.make("new")
            defer { folder.remove(made) }
            guard code == 0 else { throw unwritable(target, code) }
            let report = try copy(origin, to: made)
            try move(made, to: target)
            return report
        }
    }

    private static func unwritable(_ target: String, _ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The store \"\(target)\" cannot be written: \(String(cString: strerror(code))).",
            recovery: "Check the folder and the space on its disk."
        )
    }

    /// Copies a store that others may use.
    private static func copy(_ origin: String, to made: String) throws -> PageReport {
        // A closed store is only read, so that nothing is written beside it.
        if StoreFile.size(origin + "-wal") == nil {
            let before = FileState(origin)
            let result = Result { try copy(origin, to: made, isInUse: false) }
            // Somebody who has opened it meanwhile has a log, or has changed the file by it.
            if StoreFile.size(origin + "-wal") == nil, FileState(origin) == before {
                return try result.get()
            }
            truncate(made, 0)
        }
        return try copy(origin, to: made, isInUse: true)
    }

    /// What changes when a file is written to, or replaced.
    private struct FileState: Equatable {
        private var values: [Int] = []

        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            values = [
                Int(bitPattern: UInt(status.st_ino)), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec,
            ]
        }
    }

    private static func copy(
        _ origin: String,
        to made: String,
        isInUse: Bool
    ) throws -> PageReport {
        let source = try Connection(origin, isInUse ? .readWrite : .immutable)
        defer { source.close(folds: false) }
        try source.execute("PRAGMA query_only=1")
        let copy = try Connection(made, .readWrite)
        defer { copy.close() }
        try copy.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
        try source.copyPages(to: copy, nil)
        try copy.useNoJournal()
        try copy.checkStructure(of: origin)
        let file = open(made, O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { Glibc.close(file) } }
        guard file >= 0, fsync(file) == 0 else { throw unwritable(made, errno) }
        return source.pages
    }

    private static func move(_ made: String, to target: String) throws {
        var old: Connection?
        if StoreFile.size(target) ?? 0 > 0 {
            // An unreadable file cannot be in use as a store either.
            old = try? Connection(target, .readWrite)
            if let old, csqlite_lock_file(old.handle) != SQLITE_OK {
                throw ObjectGraphError(
                    .cannotWrite,
                    "The store \"\(target)\" is open in another program.",
                    recovery: "Close every window of it, and try again."
                )
            }
        }
        defer {
            if let old { csqlite_unlock_file(old.handle) }
            old?.close(folds: false)
        }
        guard rename(made, target) == 0 else { throw unwritable(target, errno) }
        // They belong to the old store; until then opening would set such a log aside.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(target + suffix) }
        PrivateFile.sync(target.lastIndex(of: "/").map { String(target[..<$0]) } ?? ".")
    }
}
