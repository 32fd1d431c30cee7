import CFiles
import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// A copy of a store that is kept when the store is migrated: `~name` in the same folder, or
/// `~2-name` and so on if that exists.
///
/// Nothing removes it but the user.
/// Large data that lie in files are linked, not copied.
struct StoreBackup {
    private let path: String
    private let externalFolder: String
    private let folder: String
    private let name: String

    init(_ path: String, externalFolder: String) {
        self.path = path
        self.externalFolder = externalFolder
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        name = String(path.dropFirst(folder.count))
    }

    /// Copies the state that a connection sees.
    func make(from connection: Connection, _ monitor: MigrationMonitor) throws {
        monitor.note(0, "Making a backup")
        let work = WorkFolder(path)
        let (file, code) = work.make("backup")
        defer { work.remove(file) }
        if code != 0 { throw failure(code) }
        try connection.copy(to: file, monitor)
        try place { cfiles_place(file, $0) }
    }

    /// Keeps the file itself, which is about to be replaced.
    func keepFile() throws { try place { link(path, $0) == 0 ? 0 : errno } }

    private func place(_ body: (String) -> Int32) throws {
        for number in 1...10_000 {
            let target = folder + (number == 1 ? "~" : "~\(number)-") + name
            let files = SQLiteStore.externalFolder(of: URL(filePath: target))
            if StoreFile.size(files) != nil { continue }
            let code = body(target)
            if code == EEXIST { continue }
            if code != 0 { throw failure(code) }
            try linkFiles(to: files)
            PrivateFile.sync(folder.isEmpty ? "." : folder)
            return
        }
        throw failure(EEXIST)
    }

    private func linkFiles(to target: String) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: externalFolder)) ?? []
        if names.isEmpty { return }
        PrivateFile.makeFolder(target)
        for name in names {
            let (from, to) = (externalFolder + "/" + name, target + "/" + name)
            if link(from, to) != 0, errno != EEXIST {
                do {
                    try FileManager.default.copyItem(atPath: from, toPath: to)
                } catch { throw failure(EIO) }
            }
        }
    }

    private func failure(_ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The backup of the store \"\(name)\" cannot be made: "
                + "\(String(cString: strerror(code))).",
            recovery: "Nothing was changed; check the space on the disk and its permissions."
        )
    }
}

extension Connection {
    /// Copies the database, as this connection sees it, to an empty file.
    func copy(to path: String, _ monitor: MigrationMonitor) throws {
        let target = try Connection(path, .readWrite)
        defer { target.close() }
        try copyPages(to: target) { _ in try monitor.check() }
        // The copy is of a logged database, and is complete without a log.
        target.close(folds: true)
        PrivateFile.sync(path)
    }
}
