import CFiles
package import FoundationEssentials
import Glibc
import ObjectModel

/// A file that a store reads as a whole and replaces as a whole.
///
/// Invariants:
/// 1. At the path there is always the old or the new content, whole, also after a kill of the
///    process or a power loss.
/// 2. A file that somebody else has changed or replaced since it was read is never overwritten.
///    Programs with this framework take turns by a lock of the folder. For all others, the new file
///    and the present one exchange their names, and change back if the present one was not the one
///    that was read.
/// 3. A new file can be read by its owner only; a replaced one keeps its permissions. A link stays,
///    and the file that it leads to is replaced.
package final class StoreDataFile {
    private let path: String
    private let name: String
    /// The file as it was read or written last; `nil` if there was none.
    private var mark: Mark?

    package init(_ url: URL) {
        path = FilePlace.resolved(url.path)
        name = url.lastPathComponent
    }

    /// The content, or `nil` if there is no file, or one without any bytes.
    ///
    /// - Parameter mayBeAbsent: whether the store may be created.
    /// - Returns: all bytes.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``.
    package func read(mayBeAbsent: Bool) throws -> Data? {
        try read(mayBeAbsent: mayBeAbsent, atMost: .max)
    }

    /// The first bytes of a file, to look at it only.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - count: how many bytes are read of a longer file.
    /// - Returns: the bytes.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``, also if there is no
    ///   file, or an empty one.
    package static func start(of url: URL, count: Int) throws -> Data? {
        try StoreDataFile(url).read(mayBeAbsent: false, atMost: count)
    }

    private func read(mayBeAbsent: Bool, atMost limit: Int) throws -> Data? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            try FilePlace.checkAbsence(path, errno, mayCreate: mayBeAbsent)
            mark = nil
            return nil
        }
        try checkKind(status)
        for _ in 0..<3 {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            if descriptor < 0 { throw unreadable(errno) }
            defer { close(descriptor) }
            let (data, before) = try read(descriptor, atMost: limit)
            guard let after = Mark(descriptor, sum: before.sum), after.isSame(as: before) else {
                continue
            }
            mark = after
            if !data.isEmpty { return data }
            if mayBeAbsent { return nil }
            throw ObjectGraphError(
                .cannotOpen,
                "The file \"\(name)\" is empty.",
                recovery: "Restore a backup, or open it for writing to start with an empty store."
            )
        }
        throw ObjectGraphError(
            .cannotOpen,
            "Another program is writing to the file \"\(name)\".",
            recovery: "Wait until it is done, then try again."
        )
    }

    /// Checks whether the file is still the one that was read.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    package func check() throws {
        let present = Mark(path: path)
        switch (mark, present) {
        case (nil, nil): return
        case (nil, _?): throw replaced("was created by another program")
        case (_?, nil): throw replaced("was deleted")
        case (let mark?, let present?):
            if !present.isSame(as: mark) { throw replaced("was changed by another program") }
            // A change within one tick of the file system's clock can leave the times as they were.
            if mark.mayHideChange, Mark.sum(path) != mark.sum {
                throw replaced("was changed by another program")
            }
        }
    }

    /// Replaces the file, or creates it.
    ///
    /// - Throws: `ObjectGraphError`; then the file is as it was.
    package func replace(with data: Data) throws {
        let folder = try FolderLock(path, name)
        defer { folder.unlock() }
        folder.removeUnfinished(name: FilePlace.name(of: path))
        try check()
        if mark != nil, access(path, W_OK) != 0 { throw unwritable(errno) }
        let new = folder.newName(for: FilePlace.name(of: path))
        let code = PrivateFile.write(data, to: new)
        if code != 0 {
            unlink(new)
            throw unwritable(code)
        }
        if let present = Mark(path: path) {
            chown(new, present.owner, present.group)
            chmod(new, present.mode)
        }
        do {
            try place(new, sum: data.withUnsafeBytes { Checksum.of($0) })
        } catch {
            unlink(new)
            throw error
        }
        folder.sync()
    }

    private func place(_ new: String, sum: UInt32) throws {
        guard let mark else {
            // Fails if somebody has created a file meanwhile.
            switch cfiles_place(new, path) {
            case 0: break
            case EEXIST: throw replaced("was created by another program")
            case let code: throw unwritable(code)
            }
            self.mark = Mark(path: path, sum: sum)
            return
        }
        switch cfiles_exchange(new, path) {
        case 0:
            if let former = Mark(path: new), former.isSame(as: mark) { break }
            _ = cfiles_exchange(new, path)
            throw replaced("was changed by another program")
        case ENOENT: throw replaced("was deleted")
        case EINVAL:
            // Not every file system can exchange two names.
            if rename(new, path) != 0 { throw unwritable(errno) }
            self.mark = Mark(path: path, sum: sum)
            return
        case let code: throw unwritable(code)
        }
        unlink(new)
        self.mark = Mark(path: path, sum: sum)
    }

    private func checkKind(_ status: stat) throws {
        if status.st_mode & S_IFMT == S_IFREG { return }
        throw ObjectGraphError(
            .cannotOpen,
            status.st_mode & S_IFMT == S_IFDIR
                ? "\"\(name)\" is a folder, not a store." : "\"\(name)\" is not a regular file.",
            recovery: "Name the file of a store."
        )
    }

    private func read(_ descriptor: Int32, atMost limit: Int) throws -> (Data, Mark) {
        guard let status = Mark(descriptor, sum: 0) else { throw unreadable(errno) }
        var data = Data(count: min(limit, status.size))
        var start = 0
        while start < data.count {
            let count = data.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw unreadable(errno) }
            if count == 0 { break }
            start += count
        }
        data.removeLast(data.count - start)
        // The checksum decides only about a file that was changed a moment ago.
        if !status.mayHideChange { return (data, status) }
        return (data, status.with(sum: data.withUnsafeBytes { Checksum.of($0) }))
    }

    // MARK: Errors

    private func unreadable(_ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotOpen,
            code == EACCES
                ? "There is no permission to read the store \"\(name)\"."
                : "The store \"\(name)\" cannot be read: \(String(cString: strerror(code))).",
            recovery: "Change the permissions of the file, or check its disk."
        )
    }

    private func unwritable(_ code: Int32) -> ObjectGraphError {
        StoreDataFile.unwritable(name, code)
    }

    fileprivate static func unwritable(_ name: String, _ code: Int32) -> ObjectGraphError {
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            ObjectGraphError(
                .cannotWrite,
                "The disk is full, so the store \"\(name)\" was not saved.",
                recovery: "Free some space, then save again."
            )
        case EACCES, EPERM, EROFS:
            ObjectGraphError(
                .cannotWrite,
                "There is no permission to write the store \"\(name)\", or to write in its folder.",
                recovery: "Change the permissions, then save again, or open the store read-only."
            )
        case ENOENT, ENOTDIR:
            ObjectGraphError(
                .storeReplaced,
                "The folder of the store \"\(name)\" was removed, so nothing was saved.",
                recovery: "Create the folder, or save the objects to another store."
            )
        default:
            ObjectGraphError(
                .cannotWrite,
                "The store \"\(name)\" was not saved: \(String(cString: strerror(code))).",
                recovery: "Check the disk, then save again."
            )
        }
    }

    private func replaced(_ what: String) -> ObjectGraphError {
        ObjectGraphError(
            .storeReplaced,
            "The store \"\(name)\" \(what) while it was open, so it was not saved.",
            recovery: "Open it again, or save the pending changes to another file."
        )
    }
}

/// What shows whether a file is still the same, with the same content.
private struct Mark {
    let device: UInt
    let inode: UInt
    let size: Int
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    /// When the content was changed, in nanoseconds since 1970.
    private let modified: Int
    /// The checksum of the content, if it can change without a change of the time.
    private(set) var sum: UInt32
    /// Whether the content could change without a change of the time.
    let mayHideChange: Bool

    init?(path: String, sum: UInt32 = 0) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status, sum)
    }

    init?(_ descriptor: Int32, sum: UInt32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, sum)
    }

    private init(_ status: stat, _ sum: UInt32) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        self.sum = sum
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // Two seconds: some file systems count in such steps.
        mayHideChange = modified > (now.tv_sec - 2) * 1_000_000_000 + now.tv_nsec
    }

    func with(sum: UInt32) -> Mark {
        var copy = self
        copy.sum = sum
        return copy
    }

    func isSame(as other: Mark) -> Bool {
        device == other.device && inode == other.inode && size == other.size
            && modified == other.modified
    }

    static func sum(_ path: String) -> UInt32? {
        (try? Data(contentsOf: URL(filePath: path))).map { data in
            data.withUnsafeBytes { Checksum.of($0) }
        }
    }
}

/// A folder that no other program with this framework writes to.
///
/// The lock is on the folder itself, so it leaves no file behind; it ends with the process.
private struct FolderLock {
    /// How long others may hold the lock: 1,000 times 10 milliseconds.
    private static let attempts = 1_000

    private let path: String
    private let descriptor: Int32

    init(_ file: String, _ name: String) throws {
        path = FilePlace.folder(of: file)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw StoreDataFile.unwritable(name, errno) }
        for _ in 0..<FolderLock.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            // A file system without such locks: the exchange of names still protects the file.
            if errno != EWOULDBLOCK && errno != EINTR { return }
            usleep(10_000)
        }
        close(descriptor)
        throw ObjectGraphError(
            .timedOut,
            "Another program is writing beside the store \"\(name)\" for more than ten seconds.",
            recovery: "Try again when it is done."
        )
    }

    func unlock() { close(descriptor) }

    func sync() { fsync(descriptor) }

    private func prefix(_ name: String) -> String { ".\(name).new-" }

    func newName(for name: String) -> String {
        "\(path)/\(prefix(name))\(UInt32.random(in: 0 ... .max))"
    }

    /// Removes what a killed process has left.
    func removeUnfinished(name: String) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for file in found where file.hasPrefix(prefix(name)) { unlink("\(path)/\(file)") }
    }
}

extension StoreType {
    /// The type of a file that is read as a whole, by its first bytes; `nil` for a file of another
    /// type.
    ///
    /// Not for a file that may be an SQLite store: closing it would drop the locks of a connection of
    /// this process.
    package static func ofWholeFile(at url: URL) -> StoreType? {
        let descriptor = open(FilePlace.resolved(url.path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &bytes, bytes.count)
        let start = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        if start.hasPrefix("OGBINARY") { return .binary }
        if start.hasPrefix("# ObjectGraph text store") { return .text }
        if start.contains("<!DOCTYPE database") || start.contains("<database>") { return .xml }
        return nil
    }
}
