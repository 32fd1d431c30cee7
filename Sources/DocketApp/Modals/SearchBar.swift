import TerminalUI

/// Search during typing; the items pane shows the results.
///
/// Enter keeps the results and goes to them, Esc ends the search and keeps the selection.
final class SearchBar: InputBar {
    init(workspace: Workspace) {
        super.init(
            "/",
            text: workspace.session.text,
            placeholder: "words from title, notes, list, tags"
        )
        field.offer()
        workspace.search.prepareOrder()
    }

    /// The last search comes back as an offer, which the first character replaces.
    override func restore(_ text: String, in workspace: Workspace) throws {
        try super.restore(text, in: workspace)
        field.offer()
    }

    override var mode: String { "Search" }
    override var barRows: Int { 1 }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "keep"), Hint("Esc", "end"),
            Hint(look.isASCII ? "Tab" : "⇥", "everywhere or here"),
            Hint(look.isASCII ? "Up/Down" : "↑↓", "choose"),
        ]
    }

    override func textDidChange(in workspace: Workspace) throws {
        let selected = workspace.items.selectedID
        try workspace.search(field.text)
        // The selection stays on its item while the search finds it.
        if workspace.items.selectedID != selected { try workspace.items.selectEnd(first: true) }
    }

    override func accept(in workspace: Workspace) throws {
        workspace.close(self)
        workspace.go(to: .items)
    }

    override func cancel(in workspace: Workspace) throws { workspace.clearSearch() }

    override func other(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .tab:
            workspace.session.isEverywhere.toggle()
            try workspace.runSearch()
        case .up, .ctrl("p"): workspace.items.move(by: -1)
        case .down, .ctrl("n"): workspace.items.move(by: 1)
        case .pageUp: workspace.items.page(-1)
        case .pageDown: workspace.items.page(1)
        default: break
        }
    }

    /// The number of results at the right of the line.
    var summary = ""

    override func decorate(_ canvas: inout Canvas, _ look: Look) {
        let width = DisplayWidth.of(summary)
        guard field.text.utf8.count < 8 * canvas.columns else { return }
        let used = DisplayWidth.of(field.text)
        guard width > 0, used + width + 3 < canvas.columns else { return }
        canvas.put(
            summary,
            at: Position(row: 0, column: canvas.columns - width - 1),
            style: look[.input].overlaid(by: look[.dim])
        )
    }
}
