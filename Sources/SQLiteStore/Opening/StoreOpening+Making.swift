import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

// A new store is made beside its place, and put there when it is whole: nobody sees half of one,
// whenever this process is killed, and nothing that lies there is taken for its journal.

extension StoreOpening {
    /// Makes the store's file, unless somebody else has made it by then.
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
                "The store \"\(name)\" cannot be made: there is no permission to write to its folder.",
                recovery: "Change the permissions of the folder, or choose another place."
            )
        default:
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be made: \(String(cString: strerror(code))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        let connection = try Connection(made, .readWrite, fileSystem: options.fileSystem)
        do {
            try setUp(connection, isNew: true)
            try makeStore(on: connection)
            try useLog(connection)
            connection.close(folds: true)
        } catch {
            connection.close()
            throw error
        }
        let placed = csqlite_place_file(made, path)
        if placed != 0, StoreFile.size(path) == nil {
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be made: \(String(cString: strerror(placed))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        PrivateFile.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
    }
}
