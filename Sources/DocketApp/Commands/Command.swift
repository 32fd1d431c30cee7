import DocketCore
import ObjectGraph
import TerminalUI

/// A row of the command table: everything that dispatch, footer, palette, help, manual and tests
/// need for a command.
package struct Command: Sendable {
    /// The headings of commands in the help.
    package enum Category: String, Sendable, CaseIterable {
        case move = "Moving around"
        case item = "Items"
        case change = "Quick changes"
        case arrange = "Order and view"
        case list = "Lists"
        case find = "Search"
        case history = "Undo"
        case program = "Program"
        case form = "In a form"

        /// Whether its commands work in every pane, not only in those of items.
        var isEverywhere: Bool { self == .move || self == .history || self == .program }
    }

    /// The stable name, which key maps use: `item.done`.
    package let id: String
    /// The title in palette and help: `Mark as done`.
    package let title: String
    /// Other words by which the palette finds it: `delete` for the trash.
    package let synonyms: [String]
    /// One sentence of help.
    package let help: String
    package let category: Category
    package let context: KeyContext
    /// The default keys, each a spelling or a sequence of spellings: `["space"]`, `["g g"]`.
    package let keys: [String]
    /// The word for the footer; empty for a command that the footer does not show.
    package let hint: String
    /// Why it cannot be run now, one sentence; `nil` if it can.
    let disabled: @Sendable (Workspace) -> String?
    let run: @Sendable (Workspace) throws -> Void

    init(
        _ id: String,
        _ title: String,
        keys: [String],
        _ category: Category,
        help: String,
        hint: String = "",
        synonyms: [String] = [],
        context: KeyContext = .main,
        disabled: @escaping @Sendable (Workspace) -> String? = { _ in nil },
        run: @escaping @Sendable (Workspace) throws -> Void
    ) {
        self.id = id
        self.title = title
        self.synonyms = synonyms
        self.keys = keys
        self.category = category
        self.help = help
        self.hint = hint
        self.context = context
        self.disabled = disabled
        self.run = run
    }

    /// Runs it, or reports why it cannot be run now; then ends the event.
    func perform(in workspace: Workspace) {
        if let reason = disabled(workspace) {
            workspace.tell(reason, .warning)
            return
        }
        do {
            try run(workspace)
            workspace.recordUse(of: self)
        } catch {
            workspace.tell(error)
        }
        workspace.library.context.processPendingChanges()
    }
}
