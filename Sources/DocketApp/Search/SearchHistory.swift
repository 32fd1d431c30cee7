import DocketCore
import FoundationEssentials
import Glibc

/// The last searches, the newest first, in a file of one line each.
///
/// Several windows use one file: each reads it when somebody asks for the searches and before it
/// adds one, never at the start, and replaces it as a whole. A file that cannot be read or written
/// keeps nothing, without a message: a search is not lost work.
struct SearchHistory {
    private var known: [String]?
    private let path: String?

    /// How many searches are kept.
    private static let most = 50
    private static let longest = 1000

    /// - Parameter path: the file; `nil` keeps the searches of this window only.
    init(path: String?) { self.path = path }

    /// The searches, the newest first.
    var texts: [String] {
        mutating get {
            let texts = known ?? read()
            known = texts
            return texts
        }
    }

    /// Puts a search before all others.
    mutating func add(_ text: String) {
        let text = text.trimmingSpace
        guard !text.isEmpty, text.utf8.count <= Self.longest else { return }
        let former = (path == nil ? texts : read()).filter { $0 != text }
        known = Array(([text] + former).prefix(Self.most))
        write()
    }

    private func read() -> [String] {
        guard let path, let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            return known ?? []
        }
        let lines = String(decoding: bytes.prefix(Self.most * Self.longest), as: UTF8.self)
            .split(separator: "\n").map { CaptureText.cleanLine(String($0)) }
        return Array(lines.filter { !$0.isEmpty }.prefix(Self.most))
    }

    private func write() {
        guard let path else { return }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let files = FileManager.default
        try? files.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lines = (known ?? []).map { $0 + "\n" }.joined()
        let temporary = "\(path)-\(ProcessInfo.processInfo.processIdentifier)"
        guard
            files.createFile(
                atPath: temporary,
                contents: Data(lines.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { return }
        if rename(temporary, path) != 0 { try? files.removeItem(atPath: temporary) }
    }
}
