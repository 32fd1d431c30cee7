import DocketCore
import ObjectGraph
import TerminalUI

/// A row of the command table: everything that dispatch, footer, palette, help, manual and tests
/// need for a command.
public struct Command: Sendable {
    /// The headings of commands in the help.
    public enum Category: String, Sendable, CaseIterable {
        case move = "Moving around"
        case item = "Items"
        case change = "Quick changes"
        case arrange = "Order and view"
        case list = "Lists"
        case find = "Search"
        case history = "Undo"
        case sync = "Servers"
        case program = "Program"
        case form = "In a form"

        var title: String { Phrase(stringLiteral: rawValue).text }

        /// What most of its commands act on.
        var subject: Subject {
            switch self {
            case .item, .change: .items
            case .arrange, .list, .find: .list
            case .history: .history
            case .move, .sync, .program, .form: .window
            }
        }
    }

    /// What a command acts on; ``PaneKind/takes`` says which of it a pane has.
    enum Subject: Sendable {
        /// The window, the rows of the pane with the focus, the program.
        case window
        /// The saved steps of the library.
        case history
        /// The lists as a whole: a new one.
        case lists
        /// The list that is shown or selected: what is added to it, its order, its name.
        case list
        /// The selected row, whatever it is.
        case row
        /// The marked items, or the selected one.
        case items
        /// The mark of the selected item.
        case mark
        /// The marks of items.
        case marks

        /// The subject that a pane has to take.
        var needed: Subject {
            switch self {
            case .lists, .row: .list
            case .mark: .marks
            case .window, .history, .list, .items, .marks: self
            }
        }
    }

    /// The stable name, which key maps use: `item.done`.
    public let id: String
    /// The title in palette and help: `Mark as done`.
    public var title: String { name.text }
    private let name: Phrase
    /// Other words by which the palette finds it: `delete` for the trash.
    public let synonyms: [String]
    /// One sentence of help.
    public var help: String { sentence.text }
    private let sentence: Phrase
    public let category: Category
    let subject: Subject
    public let context: KeyContext
    /// Whether a number before the key repeats it: `3J`.
    let takesCount: Bool
    /// The default keys, each a spelling or a sequence of spellings: `["space"]`, `["g g"]`.
    public let keys: [String]
    /// The word for the footer; empty for a command that the footer does not show.
    public var hint: String { word.text }
    private let word: Phrase
    /// Why it cannot be run although the pane takes it; ``reason(in:)`` has both.
    private let disabled: @Sendable (Workspace) -> String?
    let run: @Sendable (Workspace) throws -> Void

    init(
        _ id: String,
        _ title: Phrase,
        keys: [String],
        _ category: Category,
        help: Phrase,
        hint: Phrase = "",
        synonyms: [String] = [],
        on subject: Subject? = nil,
        context: KeyContext = .main,
        takesCount: Bool = false,
        disabled: @escaping @Sendable (Workspace) -> String? = { _ in nil },
        run: @escaping @Sendable (Workspace) throws -> Void
    ) {
        self.id = id
        name = title
        self.synonyms = synonyms
        self.keys = keys
        self.category = category
        self.subject = subject ?? category.subject
        self.takesCount = takesCount
        sentence = help
        word = hint
        self.context = context
        self.disabled = disabled
        self.run = run
    }

    /// Whether a pane takes it: its own commands, and those on what it has.
    func works(in pane: PaneKind) -> Bool {
        context == .main ? pane.takes.contains(subject.needed) : context == pane.keyContext
    }

    /// Why it cannot be run now, one sentence; `nil` if it can.
    public func reason(in workspace: Workspace) -> String? {
        if let need = need(in: workspace) { return localized("\"\(title)\" \(need)") }
        return disabled(workspace)
    }

    /// The same beside its title.
    func reasonBesideTitle(in workspace: Workspace) -> String? {
        need(in: workspace) ?? disabled(workspace)
    }

    /// What the pane with the focus lacks, `needs an item; …`.
    private func need(in workspace: Workspace) -> String? {
        context == .main && !works(in: workspace.paneKind) ? workspace.need(of: self) : nil
    }

    /// Runs it, or reports why it cannot be run now; then ends the event.
    func perform(in workspace: Workspace) {
        if let reason = reason(in: workspace) {
            workspace.tell("\(reason)", .warning)
            return
        }
        workspace.respond {
            try run(workspace)
            workspace.recordUse(of: self)
            workspace.tour?.note(id)
        }
    }
}

extension Workspace {
    /// What a command would need that the pane with the focus does not have.
    fileprivate func need(of command: Command) -> String {
        if paneKind.place == .whole {
            return localized("does not work here; \(key("back")) leaves \(paneKind.title).")
        }
        if command.subject.needed == .marks, focus != panes.columns.first {
            return localized("works among the items; \(key("pane.left")) goes there.")
        }
        return localized("needs an item; \(key("pane.right")) goes to the items.")
    }
}
