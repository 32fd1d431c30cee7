import FoundationEssentials
import Glibc

/// Says that a process is moving a log into its file, by an empty file beside them.
///
/// Meanwhile the file is newer than the log without being a copy that somebody put there; so it is,
/// too, when that process was killed. See ``LogOwnership``.
struct FoldMark {
    private let path: String

    init(_ store: String) {
        path = "\(store)\(FoldMark.infix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
        // Without it, at worst, a log is kept aside that could have been used.
        _ = PrivateFile.make(path)
    }

    func remove() { unlink(path) }

    private static let infix = "-fold-"

    /// The marks beside a store.
    private static func marks(_ store: String) -> [String] {
        let end = store.lastIndex(of: "/").map { store.index(after: $0) } ?? store.startIndex
        let folder = end == store.startIndex ? "." : String(store[..<end])
        let start = store[end...] + infix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(start) }.map { folder + "/" + $0 }
    }

    /// Whether a log was, or is, being moved into the file.
    ///
    /// - Complexity: O(files in the folder).
    static func isThere(_ store: String) -> Bool { !marks(store).isEmpty }

    /// Removes the marks of processes that were killed; for who is alone with the file.
    static func removeAll(_ store: String) { for mark in marks(store) { unlink(mark) } }
}
