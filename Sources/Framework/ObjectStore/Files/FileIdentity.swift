package import Glibc

/// The identity of the file at a path, and when it was changed.
package struct FileIdentity: Equatable {
    package let device: UInt
    package let inode: UInt
    package let size: Int
    /// When the file or its inode was changed, in nanoseconds since 1970.
    package let changed: Int

    /// - Returns: `nil` if there is no file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        changed = status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
    }

    package func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode
    }
}
