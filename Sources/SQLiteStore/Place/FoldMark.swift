import FoundationEssentials
import Glibc

/// Says that a process is moving a log into its file, by an empty file in a folder beside them.
///
/// Meanwhile the file is newer than the log without being a copy that somebody put there; so it is,
/// too, when that process was killed. See ``LogOwnership``. Each process has a file of its own, since
/// one can begin before another has ended; the folder is there as long as one of them is.
struct FoldMark {
    private let folder: String
    private let path: String

    init(_ store: String) {
        folder = FoldMark.folder(store)
        path = "\(folder)/\(getpid())-\(UInt32.random(in: 0 ... .max))"
        // Whoever ends at this moment may remove the folder again. Without a mark, at worst, a log is
        // kept aside that could have been used.
        for _ in 0..<10 {
            mkdir(folder, PrivateFile.folderMode)
            if PrivateFile.make(path) != ENOENT { break }
        }
    }

    func remove() {
        unlink(path)
        rmdir(folder)
    }

    private static func folder(_ store: String) -> String { store + "-fold" }

    /// Whether a log was, or is, being moved into the file.
    static func isThere(_ store: String) -> Bool { StoreFile.size(folder(store)) != nil }

    /// Removes the marks of processes that were killed; for who is alone with the file.
    static func removeAll(_ store: String) {
        let folder = folder(store)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
