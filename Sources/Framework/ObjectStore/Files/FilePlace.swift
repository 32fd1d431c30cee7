import Glibc
import ObjectModel

/// The place of a store's file, before the file is opened or created.
package enum FilePlace {
    /// The path of a file, or of one that will be created, without links.
    package static func resolved(_ path: String) -> String {
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
            path = text.hasPrefix("/") ? text : folder(of: path) + "/" + text
        }
        return path
    }

    /// The folder of a file.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Checks whether a file that does not exist may be created.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - error: why the file could not be looked up.
    ///   - mayCreate: whether the store may be new.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``: there is no
    ///   permission, the folder does not exist, or the store is to be there already.
    package static func checkAbsence(_ path: String, _ error: Int32, mayCreate: Bool) throws {
        let name = name(of: path)
        if error == EACCES {
            throw ObjectGraphError(
                .cannotOpen,
                "There is no permission to look for \"\(name)\".",
                recovery: "Change the permissions of its folder."
            )
        }
        var status = stat()
        if stat(folder(of: path), &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
            throw ObjectGraphError(
                .cannotOpen,
                "The folder for the store \"\(name)\" does not exist.",
                recovery: "Create it, or choose another place."
            )
        }
        if mayCreate { return }
        throw ObjectGraphError(
            .cannotOpen,
            "There is no store \"\(name)\".",
            recovery: "Check the name."
        )
    }
}
