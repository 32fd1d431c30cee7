import CSQLite
package import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

// A backup is the store as one file: the pages of one state, without a log, with large data that
// the store keeps in files of their own. It is written beside its place and moved there when it is
// complete, checked and synced.

extension SQLiteStore {
    /// Writes the present state of the store into a file.
    ///
    /// Pages that do not have their checksum stay so in the backup; ``pages`` counts them.
    ///
    /// Others may read and write the store meanwhile; what they save after the beginning is not in
    /// the backup. Call it on a snapshot, to use the store itself meanwhile.
    ///
    /// - Parameters:
    ///   - url: the place; a file there is replaced.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the backup.
    /// - Throws: `ObjectGraphError`: the place is the store itself, or cannot be written; the store
    ///   cannot be read, or the copy is damaged as the store is.
    package func backUp(to url: URL, progress: ((Double) throws -> Void)?) throws {
        let target = FilePlace.resolved(url.path)
        try checkIsOther(target)
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        let made = "\(target).part-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let code = PrivateFile.make(made)
        if code != 0 { throw unwritable(target, code) }
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(made + suffix) } }
        do {
            let copy = try Connection(made, .readWrite)
            defer { copy.close() }
            // An incomplete copy is removed, and a complete one synced, so no journal is needed.
            try copy.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
            try connection.copyPages(to: copy, progress)
            try copy.useNoJournal()
            try takeIn(externalDataOf: copy)
            try copy.checkStructure(of: connection.path)
        } catch let error as SQLiteError where error.path == made {
            throw unwritable(target, error)
        } catch let error as SQLiteError {
            throw error.error
        }
        let file = open(made, O_RDONLY | O_CLOEXEC)
        let isSynced = file >= 0 && fsync(file) == 0
        let failure = errno
        if file >= 0 { Glibc.close(file) }
        guard isSynced else { throw unwritable(target, failure) }
        guard rename(made, target) == 0 else { throw unwritable(target, errno) }
        PrivateFile.sync(folder.isEmpty ? "/" : folder)
    }

    private func checkIsOther(_ target: String) throws {
        let own = connection.path
        for suffix in ["", "-wal", "-shm", "-journal"]
        where StoreFile.isSame(own + suffix, target) {
            throw ObjectGraphError(
                .cannotWrite,
                "The backup of \"\(own)\" cannot be written onto the store itself.",
                recovery: "Name another file."
            )
        }
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw ObjectGraphError(
                .cannotWrite,
                "\"\(target)\" is not a file, so the backup cannot replace it.",
                recovery: "Name a file."
            )
        }
    }

    private func unwritable(_ target: String, _ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The backup \"\(target)\" cannot be written: \(String(cString: strerror(code))).",
            recovery: "Check the folder and the space on its disk, or name another file."
        )
    }

    private func unwritable(_ target: String, _ error: SQLiteError) -> ObjectGraphError {
        if error.primaryCode == SQLITE_FULL { return unwritable(target, ENOSPC) }
        return ObjectGraphError(
            .cannotWrite,
            "The backup \"\(target)\" cannot be written: \(error.message).",
            recovery: "Check the folder and the space on its disk, or name another file.",
            underlying: [error]
        )
    }

    /// Replaces references to files of large data by the data.
    private func takeIn(externalDataOf copy: Connection) throws {
        for schema in schema.entities where schema.entity.superentity == nil {
            for descendant in self.schema.hierarchy(of: schema.entity) {
                for column in descendant.externalColumns {
                    try takeIn(column.name, of: descendant, in: copy)
                }
            }
        }
    }

    private func takeIn(_ column: String, of schema: EntitySchema, in copy: Connection) throws {
        guard let folder = schema.layout.columns.lazy.compactMap(\.externalFolder).first else {
            return
        }
        let (table, name) = (quoted(schema.table.name), quoted(column))
        let find = try copy.statement(
            "SELECT Z_PK, \(name) FROM \(table)"
                + " WHERE Z_PK > ? AND Z_ENT = ? AND SUBSTR(\(name), 1, 1) = x'02'"
                + " ORDER BY Z_PK LIMIT 1"
        )
        let update = try copy.statement("UPDATE \(table) SET \(name) = ? WHERE Z_PK = ?")
        var last: Int64 = 0
        while true {
            try find.bind([.integer(last), .integer(schema.number)])
            guard try find.step() else {
                find.reset()
                return
            }
            last = find.integer(0)
            let value = ExternalData.value(find.bytes(1), in: folder)
            find.reset()
            // A missing file stays missing in the copy, as it is in the store.
            guard case .data(let data) = value else { continue }
            try update.run(.blob(ExternalData.inline(data)), .integer(last))
        }
    }
}
