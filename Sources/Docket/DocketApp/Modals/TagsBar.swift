import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Asks for tags to add and, with a minus before them, to remove.
final class TagsBar: ItemsBar {
    /// The tags of the items; empty for very many items.
    private let current: [String]
    private let known: KnownNames

    init(workspace: Workspace) throws {
        let targets = try workspace.items.targets()
        let items = targets.count > 1000 ? [] : targets.items ?? []
        current = Set(items.flatMap { $0.tags.map(\.name) }).sorted()
        known = workspace.knownNames
        super.init("Tags", targets, placeholder: "names to add, like bank; -bank removes")
        show()
    }

    override func hints(_ look: Look) -> [Hint] {
        super.hints(look) + [Hint(look.isASCII ? "Tab" : "⇥", "complete")]
    }

    override func suggestions(in workspace: Workspace) -> Suggestions? {
        let text = field.text
        let words = TagWords(text)
        guard field.cursor == text.utf8.count else { return nil }
        let sign = words.last.isRemoved ? "-" : ""
        let start = text.utf8.distance(from: text.startIndex, to: words.lastStart)
        let isWhole = known.names.missingTags([words.last.name]).isEmpty && !words.last.name.isEmpty
        let found = isWhole ? [] : known.tags(words.last.name)
        return Suggestions(start..<text.utf8.count, found, sign: "#") {
            sign + TagWords.written($0.name) + " "
        }
    }

    override func accept(in workspace: Workspace) throws {
        let words = TagWords(field.text)
        if words.added.isEmpty, words.removed.isEmpty { return workspace.close(self) }
        let change = ItemChange.tags(adding: words.added, removing: words.removed)
        try perform(change, unchanged: "Tagged like this already", in: workspace)
    }

    override func show() {
        preview = RichLine()
        if !current.isEmpty {
            preview.runs.append(
                .init(text: current.map { "#\($0)" }.joined(separator: " ") + "  ", role: .tag)
            )
        }
        let missing = known.names.missingTags(TagWords(field.text).added).sorted()
        if missing.isEmpty { return }
        let names = missing.map { "#\($0)" }.joined(separator: " ")
        let word = missing.count == 1 ? localized("new tag") : localized("new tags")
        preview.runs.append(.init(text: "\(word) \(names)", role: .info))
    }
}
