import DocketCore
import Glibc

/// Reading a file or standard input.
enum Input {
    struct ReadError: Error, CustomStringConvertible {
        let description: String
    }

    /// A file, or standard input for "-".
    static func open(_ path: String) throws -> ByteSource {
        let file = path == "-" ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        var status = stat()
        if file != STDIN_FILENO, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return ByteSource(file: file)
        }
        defer { if file != STDIN_FILENO { close(file) } }
        do {
            return try ByteSource.copying(file)
        } catch {
            if !error.isOfCopy { throw unreadable(path, error.code) }
            let reason = String(cString: strerror(error.code))
            throw ReadError(
                description: "A copy of the input cannot be written to the temporary folder: "
                    + "\(reason). Set TMPDIR to a folder with space."
            )
        }
    }

    /// All bytes of a file, or of standard input for "-".
    static func read(_ path: String) throws -> [UInt8] {
        let source = try open(path)
        let bytes = source.remaining()
        do { try source.checkWhole() } catch { throw ReadError(description: error.message) }
        return bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ReadError {
        ReadError(description: "\(path) cannot be read: \(String(cString: strerror(code))).")
    }
}

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

    private func failure(_ code: Int32) -> Input.ReadError {
        Input.ReadError(
            description: "\(path) cannot be written: \(String(cString: strerror(code)))."
        )
    }
}
