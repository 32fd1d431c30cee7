import FoundationEssentials
import Glibc
import ObjectGraph
import Synchronization

/// A folder on the disk: the only place that reads it, and that counts what is read.
///
/// Nothing is kept: every call asks the file system.
final class FolderDisk: Sendable {
    /// A file or a folder, as a listing finds it.
    struct Found {
        var path: EntryPath
        var isFolder: Bool
    }

    /// What the file system says about an entry.
    struct Status {
        var isFolder: Bool
        var isFile: Bool
        var size: Int64
        var modified: Date
        /// Differs for two entries, whatever the way to them.
        var identity: Identity
        /// Differs after each change of the file, as far as its clock does.
        var version: Int64 {
            let moment = modified.timeIntervalSinceReferenceDate
            return Int64((moment * 1_000_000).rounded()) &* 31 &+ size
        }
    }

    struct Identity: Hashable {
        var device: UInt
        var number: UInt
    }

    /// An error number of the system.
    struct Failure: Error {
        var number: Int32
        var isMissing: Bool { number == ENOENT || number == ENOTDIR || number == ELOOP }
    }

    /// The root, without a slash at its end.
    let root: String
    private let counter = Mutex(FolderReads())

    init(root: String) { self.root = root }

    var reads: FolderReads { counter.withLock { $0 } }

    /// Whether a name is that of a Markdown file that is shown.
    static func isDocument(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard name.first != dot, let place = name.lastIndex(of: dot) else { return false }
        let ending = name[name.index(after: place)...].map { $0 | 0x20 }
        return ending.elementsEqual("md".utf8) || ending.elementsEqual("markdown".utf8)
    }

    // MARK: Reading

    /// The documents and folders in a folder, in the order of their names' bytes.
    ///
    /// Hidden entries are left out, and links to a folder that the entry is in.
    ///
    /// - Throws: ``Failure``.
    /// - Complexity: one reading of the folder; links, and entries of a file system that does not
    ///   report their kinds, cost one more call each.
    func list(_ folder: EntryPath) throws(Failure) -> [Found] {
        let descriptor = try open(folder, O_RDONLY | O_DIRECTORY)
        guard let stream = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw Failure(number: number)
        }
        defer { closedir(stream) }
        counter.withLock { $0.folders += 1 }
        var found: [Found] = []
        var above: Set<Identity>?
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { break }
                throw Failure(number: errno)
            }
            let name = FolderDisk.name(of: entry)
            if name.isEmpty || name[0] == UInt8(ascii: ".") { continue }
            let path = folder.appending(name)
            let isDocument = FolderDisk.isDocument(name)
            switch Int(entry.pointee.d_type) {
            case Int(DT_DIR): found.append(Found(path: path, isFolder: true))
            case Int(DT_REG):
                if isDocument { found.append(Found(path: path, isFolder: false)) }
            case Int(DT_LNK), Int(DT_UNKNOWN):
                guard let status = try? status(path) else { continue }
                if status.isFolder {
                    let known = above ?? identities(upTo: folder)
                    above = known
                    if known.contains(status.identity) { continue }
                    found.append(Found(path: path, isFolder: true))
                } else if status.isFile, isDocument {
                    found.append(Found(path: path, isFolder: false))
                }
            default: break
            }
        }
        return found.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// A folder and those that it is in: a link to one of them would lead in circles.
    private func identities(upTo folder: EntryPath) -> Set<Identity> {
        var result: Set<Identity> = []
        var place: EntryPath? = folder
        while let path = place {
            if let status = try? status(path) { result.insert(status.identity) }
            place = path.parent
        }
        return result
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { return [] }
        let start = UnsafeRawPointer(entry).advanced(by: offset)
        return Array(
            UnsafeRawBufferPointer(
                start: start,
                count: strlen(start.assumingMemoryBound(to: CChar.self))
            )
        )
    }

    /// What the file system says about an entry; of a link, about what it leads to.
    func status(_ path: EntryPath) throws(Failure) -> Status {
        var info = stat()
        let code = withPath(path) { stat($0, &info) }
        if code != 0 { throw Failure(number: errno) }
        return Status(info)
    }

    /// The status of a file and its first bytes.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the greatest number of bytes.
    /// - Returns: no bytes for what is not an ordinary file.
    /// - Throws: ``Failure``.
    func beginning(
        of path: EntryPath,
        limit: Int
    ) throws(Failure) -> (status: Status, bytes: [UInt8]) {
        // A pipe among the files must not stop the program, nor a terminal become its own.
        let descriptor = try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(descriptor) }
        var info = stat()
        if fstat(descriptor, &info) != 0 { throw Failure(number: errno) }
        let status = Status(info)
        if status.isFolder { throw Failure(number: EISDIR) }
        if !status.isFile { return (status, []) }
        var bytes = [UInt8](repeating: 0, count: min(limit, max(4096, Int(status.size) + 1)))
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if more < 0, errno == EINTR { continue }
            if more < 0 { throw Failure(number: errno) }
            if more == 0 { break }
            count += more
        }
        return (status, Array(bytes[..<count]))
    }

    func noteHead() { counter.withLock { $0.heads += 1 } }
    func noteText() { counter.withLock { $0.texts += 1 } }

    // MARK: The system

    private func open(_ path: EntryPath, _ flags: Int32) throws(Failure) -> Int32 {
        while true {
            let descriptor = withPath(path) { Glibc.open($0, flags | O_CLOEXEC) }
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw Failure(number: errno) }
        }
    }

    private func withPath<Result>(
        _ path: EntryPath,
        _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        FolderDisk.with(systemPath(path), body)
    }

    static func with<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (path + [0]).withUnsafeBytes { buffer in
            // The buffer has at least the zero at its end.
            body(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
        }
    }

    /// The path of an entry for the system, as far as it is a text.
    func systemPath(_ path: EntryPath) -> [UInt8] {
        Array(root.utf8) + (path.bytes.isEmpty ? [] : [UInt8(ascii: "/")] + path.bytes)
    }
}

extension FolderDisk.Status {
    fileprivate init(_ info: stat) {
        isFolder = info.st_mode & S_IFMT == S_IFDIR
        isFile = info.st_mode & S_IFMT == S_IFREG
        size = Int64(info.st_size)
        modified = Date(
            timeIntervalSince1970: Double(info.st_mtim.tv_sec)
                + Double(info.st_mtim.tv_nsec) / 1_000_000_000
        )
        identity = .init(device: UInt(info.st_dev), number: UInt(info.st_ino))
    }
}

/// How often a folder was asked for something, since the program began.
public struct FolderReads: Hashable, Sendable {
    /// Readings of a folder's list.
    public var folders = 0
    /// Readings of the first bytes of a file, for its title and tags.
    public var heads = 0
    /// Readings of a whole text.
    public var texts = 0

    public init() {}

    public init(folders: Int, heads: Int, texts: Int) {
        self.folders = folders
        self.heads = heads
        self.texts = texts
    }

    /// What was read between two moments.
    public static func - (later: FolderReads, earlier: FolderReads) -> FolderReads {
        FolderReads(
            folders: later.folders - earlier.folders,
            heads: later.heads - earlier.heads,
            texts: later.texts - earlier.texts
        )
    }
}
