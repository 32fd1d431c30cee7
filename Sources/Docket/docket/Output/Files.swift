import DocketCore
import DocketFormats
import Glibc

/// A file that is written beside its place and moved there when it is complete.
///
/// If the path is not a plain file (a device, a pipe), it is written directly. If it is a link, the
/// file at its end is replaced. A replaced file keeps its permissions; only the user can read a new
/// one.
final class OutputFile {
    private let path: String
    private let target: String
    private let temporary: String?
    private var file: Int32 = -1

    init(_ path: String) throws {
        self.path = path
        let resolved = realpath(path, nil)
        target = resolved.map { String(cString: $0) } ?? path
        free(resolved)
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            temporary = nil
            file = open(target, O_WRONLY | O_CLOEXEC)
        } else {
            let name = "\(target).part-\(getpid())"
            temporary = name
            file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            if file >= 0, exists { fchmod(file, status.st_mode & 0o777) }
        }
        if file < 0 { throw failure(errno) }
    }

    deinit {
        if file < 0 { return }
        close(file)
        if let temporary { unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try bytes.withUnsafeBytes { try Console.write($0, to: file) }
        } catch let error as Console.OutputError {
            throw failure(error.code)
        }
    }

    func finish() throws {
        defer {
            close(file)
            file = -1
        }
        guard let temporary else { return }
        guard fsync(file) == 0, rename(temporary, target) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(code)
        }
    }

    private func failure(_ code: Int32) -> InputError {
        InputError(.malformed, "\(path) cannot be written: \(String(cString: strerror(code))).")
    }
}
