import DocketFormats
import Glibc

/// A file that does not exist yet, only for its owner; it is removed unless it is finished.
final class NewFile {
    private let path: String
    private var file: Int32

    /// - Parameter name: its path; `~/` is the user's folder.
    /// - Throws: `InputError` if the file exists or cannot be created.
    init(_ name: String) throws {
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw InputError(.malformed, "The file needs a name; write one.")
        }
        path = UserPath.expanded(name)
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 { throw NewFile.failure(path, errno) }
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        unlink(path)
    }

    func write(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(file, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw NewFile.failure(path, errno) }
            start += count
        }
    }

    /// Waits until everything is on the disk.
    func finish() throws {
        guard fsync(file) == 0 else { throw NewFile.failure(path, errno) }
        close(file)
        file = -1
    }

    private static func failure(_ path: String, _ code: Int32) -> InputError {
        code == EEXIST
            ? InputError(.malformed, "The file \"\(path)\" exists already; write another name.")
            : InputError(
                .malformed,
                "\"\(path)\" cannot be written: \(String(cString: strerror(code)))."
            )
    }
}
