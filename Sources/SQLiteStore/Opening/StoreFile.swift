import FoundationEssentials
import ObjectModel

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
    static func inspect(
        _ path: String,
        isReadOnly: Bool,
        _ createsFile: Bool
    ) throws -> StoreFile {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var status = stat()
        guard stat(path, &status) == 0 else {
            return try absent(path, name, error: errno, mayCreate: createsFile && !isReadOnly)
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

    /// The path of a file, or of one that will be created, without links.
    static func resolved(_ path: String) -> String {
        var path = path
        // A link may lead to a file that does not exist yet.
        for _ in 0..<40 {
            if let real = realpath(path, nil) {
                defer { free(real) }
                return String(cString: real)
            }
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = readlink(path, &target, target.count - 1)
            guard length > 0 else { return path }
            let text = String(
                decoding: target.prefix(length).map { UInt8(bitPattern: $0) },
                as: UTF8.self
            )
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = text.hasPrefix("/") ? text : folder + text
        }
        return path
    }

    /// Whether a write-ahead log that is not empty is beside the file.
    static func hasLog(_ path: String) -> Bool { size(path + "-wal") ?? 0 > 0 }

    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func absent(
        _ path: String,
        _ name: String,
        error: Int32,
        mayCreate: Bool
    ) throws -> StoreFile {
        if error == EACCES {
            throw ObjectGraphError(
                .cannotOpen,
                "There is no permission to look for \"\(name)\".",
                recovery: "Change the permissions of its folder."
            )
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        var status = stat()
        if !folder.isEmpty, stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
            throw ObjectGraphError(
                .cannotOpen,
                "The folder for the store \"\(name)\" does not exist.",
                recovery: "Create it, or choose another place."
            )
        }
        if mayCreate { return .absent }
        throw ObjectGraphError(
            .cannotOpen,
            "There is no store \"\(name)\".",
            recovery: "Check the name."
        )
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
