import DocketCore
import FoundationEssentials
import Glibc

/// Reading a file or standard input as a whole.
enum Input {
    struct ReadError: Error, CustomStringConvertible {
        let description: String
    }

    /// The bytes of a file, or of standard input for "-".
    static func read(_ path: String) throws -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw ReadError(description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if errno != EINTR {
                throw ReadError(
                    description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// A file that is written beside its place and put there when it is complete.
final class WholeFile {
    private let path: String
    private let temporary: String
    private var file: Int32

    init(_ path: String) throws {
        self.path = path
        temporary = "\(path).part-\(getpid())"
        file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if file < 0 { throw failure() }
    }

    deinit {
        if file >= 0 {
            close(file)
            unlink(temporary)
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let count = Glibc.write(
                    file, bytes.baseAddress.map { $0 + start }, bytes.count - start)
                if count > 0 { start += count } else if errno != EINTR { throw failure() }
            }
        }
    }

    func finish() throws {
        guard fsync(file) == 0, rename(temporary, path) == 0 else { throw failure() }
        close(file)
        file = -1
    }

    private func failure() -> Input.ReadError {
        Input.ReadError(
            description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
