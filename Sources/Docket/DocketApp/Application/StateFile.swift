import FoundationEssentials
import Glibc

/// A small text that the interface remembers from one start to the next.
///
/// Several windows use one file; each replaces it as a whole. A file that cannot be read or written
/// keeps nothing, without a message: it is not lost work.
struct StateFile {
    let path: String

    /// The beginning of the text; `nil` if there is none.
    func read(most bytes: Int) -> String? {
        let data = try? Data(contentsOf: URL(filePath: path))
        return data.map { String(decoding: $0.prefix(bytes), as: UTF8.self) }
    }

    /// Replaces the text; the file is readable by its owner only.
    func write(_ text: String) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        let files = FileManager.default
        try? files.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let temporary = "\(path)-\(ProcessInfo.processInfo.processIdentifier)"
        guard
            files.createFile(
                atPath: temporary,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { return }
        if rename(temporary, path) != 0 { try? files.removeItem(atPath: temporary) }
    }
}
