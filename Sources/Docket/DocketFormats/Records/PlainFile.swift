import Glibc

/// A file that is a file: no folder, pipe or device, of which reading might not end.
public struct PlainFile {
    /// In bytes.
    public let size: Int

    /// Why a path leads to no file.
    public struct Problem: Error {
        public let path: String
        /// The end of a sentence: `is a folder, not a file`.
        public let reason: String
        public let isMissing: Bool
    }

    /// Looks at a path, and follows links.
    public init(_ path: String) throws(Problem) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            throw Problem(
                path: path,
                reason: "cannot be read: \(String(cString: strerror(code)))",
                isMissing: code == ENOENT || code == ENOTDIR
            )
        }
        let kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: ""
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        if !kind.isEmpty {
            throw Problem(path: path, reason: "is \(kind), not a file", isMissing: false)
        }
        size = Int(status.st_size)
    }

    /// Refuses a path that leads to no file.
    ///
    /// - Throws: `InputError`, one sentence.
    public static func require(_ path: String) throws(InputError) {
        do throws(Problem) { _ = try PlainFile(path) } catch {
            throw InputError(.malformed, "\"\(path)\" \(error.reason).")
        }
    }
}
