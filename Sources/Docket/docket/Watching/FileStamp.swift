import CFiles
import Glibc

/// Which content a file has, as far as that can be told without reading it.
struct FileStamp: Equatable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int
    private let kind: mode_t

    var isPlainFile: Bool { kind == S_IFREG }
    var isFolder: Bool { kind == S_IFDIR }

    /// The stamp of the file at a path, at the end of links; `nil` if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of an open file.
    init?(_ file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
        kind = status.st_mode & S_IFMT
    }

    /// Whether a program has the file open for writing; false where the system cannot tell.
    static func isBeingWritten(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(file) }
        return file >= 0 && cfiles_guard(file) == EAGAIN
    }

    /// Whether two files have the same bytes; false if one cannot be read.
    static func haveSameContent(_ first: String, _ second: String) -> Bool {
        let files = [open(first, O_RDONLY | O_CLOEXEC), open(second, O_RDONLY | O_CLOEXEC)]
        defer { for file in files where file >= 0 { close(file) } }
        guard files[0] >= 0, files[1] >= 0, let one = FileStamp(files[0]),
            let other = FileStamp(files[1]), one.size == other.size
        else { return false }
        let size = 1 << 16
        var part = [UInt8](repeating: 0, count: size)
        var otherPart = part
        while true {
            let count = read(files[0], &part, size)
            guard count >= 0, read(files[1], &otherPart, size) == count else { return false }
            if count == 0 { return true }
            if part[..<count] != otherPart[..<count] { return false }
        }
    }
}
