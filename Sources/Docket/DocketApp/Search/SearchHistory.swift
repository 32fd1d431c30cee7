import DocketCore
import DocketFormats

/// The last searches, the newest first, in a file of one line each.
///
/// Several windows use one file: each reads it when somebody asks for the searches and before it
/// adds one, never at the start.
struct SearchHistory {
    private var known: [String]?
    private let file: StateFile?

    /// How many searches are kept.
    private static let most = 50
    private static let longest = 1000

    /// - Parameter path: the file; `nil` keeps the searches of this window only.
    init(path: String?) { file = path.map(StateFile.init) }

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
        let former = (file == nil ? texts : read()).filter { $0 != text }
        known = Array(([text] + former).prefix(Self.most))
        file?.write((known ?? []).map { $0 + "\n" }.joined())
    }

    private func read() -> [String] {
        guard let text = file?.read(most: Self.most * Self.longest) else { return known ?? [] }
        let lines = text.split(separator: "\n").map { CaptureText.cleanLine(String($0)) }
        return Array(lines.filter { !$0.isEmpty }.prefix(Self.most))
    }
}
