import FoundationEssentials
import Glibc
import ObjectStore

/// A folder beside a store, for what is there only while something is going on: the marks of
/// processes that move a log, and stores that are being made.
///
/// Each file's name begins with its process, since one can begin before another has ended.
/// The folder is there as long as it holds anything; what a killed process left is removed by the
/// next that is alone with the store.
struct WorkFolder {
    let path: String

    init(_ store: String) { path = store + "-work" }

    var isThere: Bool { StoreFile.size(path) != nil }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Makes an empty file, and the folder if need be.
    ///
    /// - Returns: its path, and 0 or the error's number.
    func make(_ kind: String) -> (path: String, code: Int32) {
        let own = RunningProcess.own
        let file = "\(path)/\(own.number)-\(own.start)-\(UInt32.random(in: 0 ... .max)).\(kind)"
        // Whoever ends at this moment may remove the folder again.
        for _ in 0..<10 {
            if mkdir(path, PrivateFile.folderMode) == 0 {
                // A umask may have taken the owner's permissions away.
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

    /// Removes what killed processes have left.
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

/// Says that a process is moving a log into its file.
///
/// Meanwhile the file is newer than the log without being a copy that somebody put there; so it is,
/// too, when that process was killed. See ``LogOwnership``.
struct FoldMark {
    private static let kind = "fold"
    private let folder: WorkFolder
    private let file: String

    /// Without a mark, at worst, a log is kept aside that could have been used.
    init(_ store: String) {
        folder = WorkFolder(store)
        file = folder.make(FoldMark.kind).path
    }

    func remove() { folder.remove(file) }

    /// Whether a log was, or is, being moved into the file.
    static func isThere(_ store: String) -> Bool { WorkFolder(store).has(kind) }
}
