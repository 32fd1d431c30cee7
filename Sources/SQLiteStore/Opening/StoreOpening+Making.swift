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
        removeLeftovers()
        let made = path + StoreOpening.infix + "\(getpid())-\(UInt32.random(in: 0 ... .max))"
        switch PrivateFile.make(made) {
        case 0: break
        case EACCES, EPERM, EROFS:
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be made: there is no permission to write to its folder.",
                recovery: "Change the permissions of the folder, or choose another place."
            )
        case let code:
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be made: \(String(cString: strerror(code))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        defer { StoreOpening.remove(made) }
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
        let code = csqlite_place_file(made, path)
        if code != 0, code != EEXIST {
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" cannot be made: \(String(cString: strerror(code))).",
                recovery: "Check the folder and the space on its disk."
            )
        }
        PrivateFile.sync(folder)
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static let infix = ".new-"

    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Removes what processes have left that were killed while they made this store.
    private func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let start = (path.split(separator: "/").last.map(String.init) ?? path) + StoreOpening.infix
        for name in names where name.hasPrefix(start) {
            guard let process = Int32(name.dropFirst(start.count).prefix { $0.isNumber }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink(folder + "/" + name)
        }
    }
}
