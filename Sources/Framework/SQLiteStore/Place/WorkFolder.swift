import FoundationEssentials
import Glibc
import ObjectStore

/// A folder beside a store for files that exist only during some work: the marks of processes that
/// move a log, and stores that are being created.
///
/// The name of each file begins with its process, because several processes may work at the same
/// time. The folder exists as long as it holds anything; the next process that is alone with the
/// store removes the files of killed processes.
struct WorkFolder {
    let path: String

    init(_ store: String) { path = store + "-work" }

    var isThere: Bool { StoreFile.size(path) != nil }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Creates an empty file, and the folder if needed.
    ///
    /// - Returns: its path, and 0 or the error's number.
    func make(_ kind: String) -> (path: String, code: Int32) {
        let own = RunningProcess.own
        let file = "\(path)/\(own.number)-\(own.start)-\(UInt32.random(in: 0 ... .max)).\(kind)"
        // A process that ends at this moment may remove the folder again.
        for _ in 0..<10 {
            if mkdir(path, PrivateFile.folderMode) == 0 {
                // A umask may have removed the owner's permissions.
                chmod(path, PrivateFile.folderMode)
            } else if errno != EEXIST {
                return (file, errno)
            }
            let code = PrivateFile.make(file)
            if code != ENOENT { return (file, code) }
        }
        return (file, ENOENT)
    }

    func remove(_ file: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) }
        rmdir(path)
    }

    /// Whether the folder holds a file of a kind.
    ///
    /// - Complexity: O(files in the folder).
    func has(_ kind: String) -> Bool { names.contains { $0.hasSuffix(".\(kind)") } }

    /// Removes the files of killed processes.
    func clear() {
        guard isThere else { return }
        for name in names {
            let parts = name.split(separator: "-", maxSplits: 2)
            guard parts.count == 3, let number = Int64(parts[0]), let start = Int64(parts[1]),
                !RunningProcess(number: number, start: start).isRunning
            else { continue }
            unlink(path + "/" + name)
        }
        rmdir(path)
    }
}

/// Marks that a process is moving a log into its file.
///
/// During that time the file is newer than the log although it is not a copy that somebody put
/// there. The same is true after the process was killed. See ``LogOwnership``.
struct FoldMark {
    private static let kind = "fold"
    private let folder: WorkFolder
    private let file: String

    /// At worst, without a mark, a usable log is set aside.
    init(_ store: String) {
        folder = WorkFolder(store)
        file = folder.make(FoldMark.kind).path
    }

    func remove() { folder.remove(file) }

    /// Whether a process is moving a log into the file, or was killed while it did.
    static func isThere(_ store: String) -> Bool { WorkFolder(store).has(kind) }
}
