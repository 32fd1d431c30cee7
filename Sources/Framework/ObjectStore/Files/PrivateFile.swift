package import FoundationEssentials
import Glibc

/// Files that only their owner can read, from the first byte on.
package enum PrivateFile {
    package static let mode: UInt32 = 0o600
    package static let folderMode: UInt32 = 0o700

    /// Creates an empty file whatever the umask is; fails if there is a file already.
    package static func make(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor < 0 { return errno }
        // A umask can only have removed permissions, even the owner's.
        fchmod(descriptor, mode)
        close(descriptor)
        return 0
    }

    /// Creates a file with some bytes, synced.
    ///
    /// - Returns: 0, or the error's number.
    package static func write(_ data: Data, to path: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor < 0 { return errno }
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        return data.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return count < 0 ? errno : ENOSPC }
                start += count
            }
            return fsync(descriptor) == 0 ? 0 : errno
        }
    }

    /// Removes the permissions of other users.
    ///
    /// - Returns: whether there were any.
    package static func narrow(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o077 != 0
        else { return false }
        return chmod(path, status.st_mode & 0o700) == 0
    }

    /// Creates a folder and its missing parents.
    package static func makeFolder(_ path: String) {
        if mkdir(path, folderMode) != 0 {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex
            else { return }
            makeFolder(String(path[..<slash]))
            guard mkdir(path, folderMode) == 0 else { return }
        }
        chmod(path, folderMode)
    }

    package static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }
}
