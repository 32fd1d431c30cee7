import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Asks for tags to add and, with a minus before them, to remove; Tab completes a name.
final class TagsBar: ItemsBar {
    /// The tags of the items; empty for very many items.
    private let current: [String]
    private let known: [String]

    init(workspace: Workspace) throws {
        let targets = try workspace.items.targets()
        let items = targets.count > 1000 ? [] : targets.items ?? []
        current = Set(items.flatMap { $0.tags.map(\.name) }).sorted()
        known = (try? workspace.library.tags().map(\.name)) ?? []
        super.init("Tags", targets, placeholder: "names to add, like bank; -bank removes")
        show()
    }

    override func hints(_ look: Look) -> [Hint] {
        super.hints(look) + [Hint(look.isASCII ? "Tab" : "⇥", "complete")]
    }

    override func other(_ key: Key, in workspace: Workspace) throws {
        guard key == .tab, let name = completions.first else { return }
        let text = field.text
        let words = TagWords(text)
        let sign = words.last.isRemoved ? "-" : ""
        field.text = text[..<words.lastStart] + sign + TagWords.written(name) + " "
        show()
    }

    override func accept(in workspace: Workspace) throws {
        let words = TagWords(field.text)
        if words.added.isEmpty, words.removed.isEmpty { return workspace.close(self) }
        let change = ItemChange.tags(adding: words.added, removing: words.removed)
        try perform(change, unchanged: "Tagged like this already", in: workspace)
    }

    /// The known names that complete the last word.
    private var completions: [String] {
        let name = TagWords(field.text).last.name.lowercased()
        return known.filter { $0.lowercased().hasPrefix(name) }
    }

    override func show() {
        preview = RichLine()
        if !current.isEmpty {
            preview.runs.append(
                .init(text: current.map { "#\($0)" }.joined(separator: " ") + "  ", role: .tag)
            )
        }
        let offered = completions.prefix(8).joined(separator: " ")
        preview.runs.append(.init(text: offered, role: .dim))
    }
}
