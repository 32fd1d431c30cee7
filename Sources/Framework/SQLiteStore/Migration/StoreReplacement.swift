import CFiles
import CSQLite
package import FoundationEssentials
import Glibc
package import ObjectModel
package import ObjectStore

/// A store that is being made beside another one, to replace it.
///
/// The old file is held alone from the start, so that nobody writes what the new one would lack, and
/// is replaced by one rename: whenever the process is killed, the old or the new store is there, and
/// whole. What is left in the work folder is removed by the next process that is alone with the
/// store.
package final class StoreReplacement {
    private let opening: StoreOpening
    private let connection: Connection
    private let work: WorkFolder
    private var files: [String] = []
    private var isReplaced = false
    private let isAlone: Bool

    /// The folder for large data of the old store and of the new one.
    package var externalFolder: String { opening.externalFolder }

    /// Whether the store has the wanted version already, because another process has migrated it.
    package let isDone: Bool

    /// Takes hold of a store, unless it has the wanted version of the model already.
    ///
    /// - Throws: `ObjectGraphError` if the store is open elsewhere, or cannot be opened.
    package init(
        _ url: URL,
        to model: ManagedObjectModel,
        configuration: String?,
        options: SQLiteStoreOptions
    ) throws {
        let opening = StoreOpening(
            url: url,
            model: model,
            configuration: configuration,
            options: options
        )
        self.opening = opening
        work = WorkFolder(opening.path)
        (connection, isAlone, isDone) = try translatingErrors {
            let (connection, isAlone) = try opening.connectAlone()
            if !isAlone { return (connection, false, true) }
            do {
                let metadata = try opening.readRow(from: connection).metadata
                try opening.checkIsMigratable(metadata)
                return (connection, true, opening.isCurrent(metadata))
            } catch {
                csqlite_release_file(connection.handle)
                connection.close(folds: true)
                throw error
            }
        }
        if isAlone { work.clear() }
    }

    deinit {
        for file in files { work.remove(file) }
        if isAlone, !isReplaced { csqlite_release_file(connection.handle) }
        connection.close(folds: isAlone)
    }

    /// The path of a new file in the work folder, which does not exist yet.
    package func newFile() throws -> URL {
        let (file, code) = work.make("migration")
        if code != 0 {
            throw ObjectGraphError(
                .cannotWrite,
                "There is no place for the migration of \"\(opening.name)\": "
                    + "\(String(cString: strerror(code))).",
                recovery: "Nothing was changed; check the space on the disk and its permissions."
            )
        }
        // An empty file keeps its name; a store makes its tables in it.
        files.append(file)
        return URL(filePath: file)
    }

    /// A copy of the old store.
    package func copy(_ monitor: MigrationMonitor) throws -> URL {
        let url = try newFile()
        monitor.note(0, "Copying the store")
        try translatingErrors { try connection.copy(to: url.path, monitor) }
        try connection.pages.checkForMigration(opening.name)
        return url
    }

    /// Removes a file that is not needed any more.
    package func remove(_ url: URL) {
        work.remove(url.path)
        files.removeAll { $0 == url.path }
    }

    /// Puts a finished file, which is closed, in the place of the old store.
    package func replace(with url: URL, keepsBackup: Bool) throws {
        try translatingErrors {
            if StoreFile.hasLog(url.path) { throw StoreReplacement.unfinished }
            // From here on the old file is whole without a log, and only this process can open it.
            try connection.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE")
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
        }
        for suffix in ["-wal", "-shm"] { unlink(url.path + suffix) }
        _ = PrivateFile.narrow(url.path)
        PrivateFile.sync(url.path)
        if keepsBackup {
            try StoreBackup(opening.path, externalFolder: externalFolder).keepFile()
        }
        guard rename(url.path, opening.path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ObjectGraphError(
                .cannotWrite,
                "The store \"\(opening.name)\" cannot be replaced: \(reason).",
                recovery: "Nothing was changed; check the permissions of its folder."
            )
        }
        isReplaced = true
        files.removeAll { $0 == url.path }
        let folder = opening.path.lastIndex(of: "/").map { String(opening.path[..<$0]) } ?? "."
        PrivateFile.sync(folder)
    }

    private static var unfinished: ObjectGraphError {
        ObjectGraphError(
            .migration,
            "The migrated store still has a log beside it.",
            recovery: "Nothing was changed; try again."
        )
    }
}

extension SQLiteStore {
    /// Gives a finished file, which is closed, its name.
    ///
    /// - Throws: `ObjectGraphError` if there is a file of that name.
    package static func place(_ file: URL, at url: URL) throws {
        PrivateFile.sync(file.path)
        let code = cfiles_place(file.path, url.path)
        if code != 0 {
            throw ObjectGraphError(
                .cannotWrite,
                "The new store cannot be named \"\(url.lastPathComponent)\": "
                    + "\(String(cString: strerror(code))).",
                recovery: "Choose another name, or check the permissions of the folder."
            )
        }
        PrivateFile.sync(url.deletingLastPathComponent().path)
    }
}
