import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

#if canImport(Glibc)
import Glibc
#endif

/// The file at a store's path, before SQLite opens it.
enum StoreFile {
    case absent
    case empty
    case database

    /// Checks the file.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen`` and a sentence
    ///   for each way in which the file can be unusable.
    static func inspect(_ path: String, isReadOnly: Bool, _ createsFile: Bool) throws -> StoreFile {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var status = stat()
        guard stat(path, &status) == 0 else {
            try FilePlace.checkAbsence(path, errno, mayCreate: createsFile && !isReadOnly)
            return .absent
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw ObjectGraphError(
                .cannotOpen,
                "\"\(name)\" is a folder, not a store.",
                recovery: "Name the file inside it."
            )
        }
        if status.st_size == 0 {
            if isReadOnly || !createsFile {
                throw ObjectGraphError(
                    .cannotOpen,
                    "The file \"\(name)\" is empty.",
                    recovery:
                        "Restore a backup, or open it for writing to start with an empty store."
                )
            }
            return .empty
        }
        // SQLite treats a file shorter than its smallest page as empty, and overwrites it.
        if status.st_size < 512 {
            throw ObjectGraphError(
                .cannotOpen,
                "The file \"\(name)\" is not a database.",
                recovery: "Check the name, or restore it from a backup."
            )
        }
        return .database
    }

    /// Whether a write-ahead log that is not empty is beside the file.
    static func hasLog(_ path: String) -> Bool { size(path + "-wal") ?? 0 > 0 }

    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Whether two paths lead to one file.
    static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard stat(path, &one) == 0, stat(other, &two) == 0 else { return path == other }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Whether a file begins as a database; false if it cannot be read.
    ///
    /// The file may be open in this process: no lock of a connection is lost.
    static func isDatabase(_ path: String) -> Bool {
        let start = Array("SQLite format 3\0".utf8)
        var bytes = [UInt8](repeating: 0, count: start.count)
        return csqlite_read_start(path, &bytes, Int32(bytes.count)) == SQLITE_OK && bytes == start
    }

    /// Whether a file that is not a database starts with zeros only.
    ///
    /// Use it only for a file that SQLite has refused: closing a file that another connection of
    /// this process has open would drop the locks of that connection.
    static func isBlank(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 && bytes.prefix(count).allSatisfy { $0 == 0 }
    }
}
