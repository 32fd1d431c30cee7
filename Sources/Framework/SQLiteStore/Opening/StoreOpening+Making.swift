import CFiles
import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

// A new store is created in a folder beside its place, and moved there when it is complete. So
// nobody sees an incomplete store, whenever this process is killed, and SQLite does not take other
// files there for its journal.

extension StoreOpening {
    /// Creates the store's file, unless another process has created it by then.
    func makeFile() throws {
        let folder = WorkFolder(path)
        folder.clear()
        let (made, code) = folder.make("new")
        defer { folder.remove(made) }
        switch code {
        case 0: break
        case EACCES, EPERM, EROFS:
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be created: there is no permission to write to its folder.",
                recovery: "Change the permissions of the folder, or choose another place."
            )
        default:
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be created: \(String(cString: strerror(code))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        let connection = try Connection(made, .readWrite, fileSystem: options.fileSystem)
        do {
            try setUp(connection, isNew: true)
            try makeStore(on: connection)
            try useLog(connection)
            connection.close(folds: true)
        } catch let error as SQLiteError {
            connection.close()
            throw error.named(path)
        } catch {
            connection.close()
            throw error
        }
        let placed = cfiles_place(made, path)
        if placed != 0, StoreFile.size(path) == nil {
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be created: \(String(cString: strerror(placed))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        PrivateFile.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
    }
}
