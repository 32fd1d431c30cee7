import Phrases
import TerminalUI

/// Asks for words that filter the rows of a pane, during typing or at its end.
final class FilterBar: RowsBar {
    private let show: (String) -> Void
    private let keep: (String) throws -> Void

    /// - Parameters:
    ///   - text: the present filter.
    ///   - show: called after each change of the text.
    ///   - keep: called with the text at the end, and without one for Esc; its error leaves the bar
    ///     open.
    init(
        text: String,
        show: @escaping (String) -> Void,
        keep: @escaping (String) throws -> Void = { _ in }
    ) {
        self.show = show
        self.keep = keep
        super.init("/", text: text, placeholder: "words of the rows to show")
    }

    override var mode: String { localized("Filter") }

    override func hints(_ look: Look) -> [Hint] {
        [Hint(look.isASCII ? "Enter" : "⏎", "keep"), Hint("Esc", "show all")]
    }

    override func textDidChange(in workspace: Workspace) throws { show(field.text) }
    override func accept(in workspace: Workspace) throws {
        try keep(field.text)
        workspace.close(self)
    }

    override func cancel(in workspace: Workspace) throws {
        show("")
        try keep("")
    }
}
