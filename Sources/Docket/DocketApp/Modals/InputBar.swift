import DocketCore
import ObjectGraph
import TerminalUI

/// An input line at the foot of the screen, with the meaning of the text below, in up to three rows.
///
/// Subclasses define the meaning of the text and the effect of Enter.
class InputBar: Modal {
    let label: String
    var field: TextField
    /// The meaning of the text, shown below it.
    var preview = RichLine()
    /// What can complete the word at the cursor, below the field.
    private(set) var menu = SuggestionMenu()
    private var suggestions: Suggestions?

    init(_ label: Phrase, text: String = "", placeholder: Phrase = "") {
        self.label = label.text
        field = TextField(text, placeholder: placeholder.text)
    }

    /// What the text is for, so that a cancelled one is offered there; `nil` if it is kept otherwise.
    var purpose: String? { label }
    /// The text of the last such bar that was cancelled; the key of drafts brings it back.
    private(set) var kept: String?
    /// The text that the bar began with.
    private(set) lazy var original = field.text

    // Declared here, so that subclasses can override it.
    var keepsDrafts: Bool { false }
    func addDrafts(to drafts: inout Drafts) {}

    var mode: String { label }
    func barRows(columns: Int) -> Int { 1 + menuRows + max(1, previewRows(columns).count) }
    private var menuRows: Int { menu.isOpen ? menu.rows.count : 0 }
    private static let mostPreviewRows = 3

    private func previewRows(_ columns: Int) -> [RichLine] {
        let room = columns - lead(columns)
        return Array(RichWrap.wrap(preview.runs, columns: room).prefix(Self.mostPreviewRows))
    }

    func hints(_ look: Look) -> [Hint] {
        [Hint(look.isASCII ? "Enter" : "⏎", "accept"), Hint("Esc", "cancel")]
    }

    /// The text that is kept for this bar.
    func keptText(in workspace: Workspace) -> String? {
        purpose.flatMap { workspace.keptTexts[$0] }
    }
    /// Keeps another text in place of the one that is offered.
    func keep(_ text: String?, in workspace: Workspace) {
        if let purpose { workspace.keptTexts[purpose] = text }
    }

    func offerKept(in workspace: Workspace) {
        _ = original
        kept = keptText(in: workspace)
    }

    /// Exchanges the text with the kept one.
    private func restoreKept(in workspace: Workspace) throws {
        guard let text = keptText(in: workspace) else {
            if try restoreOther(in: workspace) { return }
            return workspace.tell("No text of an earlier line is kept.")
        }
        keep(isTyped ? field.text : nil, in: workspace)
        field.text = text
        kept = keptText(in: workspace)
        try textDidChange(in: workspace)
    }

    /// Whether it has a text that somebody has typed.
    var isTyped: Bool { !field.isEmpty && field.text != original }

    /// Called after each change of the text.
    func textDidChange(in workspace: Workspace) throws {}
    /// Restores what was typed elsewhere for the same purpose; called if no text is kept.
    ///
    /// - Returns: whether there was something.
    func restoreOther(in workspace: Workspace) throws -> Bool { false }
    /// Called for Enter.
    func accept(in workspace: Workspace) throws {}
    /// Called for Esc, before the bar closes.
    func cancel(in workspace: Workspace) throws {}
    /// Called for keys that the field does not take.
    func other(_ key: Key, in workspace: Workspace) throws {}

    /// What can complete the word at the cursor; `nil` for nothing.
    func suggestions(in workspace: Workspace) -> Suggestions? { nil }

    /// Brings the menu up to date with the word at the cursor.
    func followWord(in workspace: Workspace) {
        suggestions = suggestions(in: workspace)
        menu.show(suggestions?.rows ?? [], from: suggestions?.range.lowerBound ?? 0)
    }

    /// Puts a row of the menu in the place of the word.
    private func take(_ row: Int, in workspace: Workspace) throws {
        guard let suggestions, suggestions.texts.indices.contains(row) else { return }
        field.replace(suggestions.range, with: suggestions.texts[row])
        try textDidChange(in: workspace)
        followWord(in: workspace)
    }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .key(let key) = event {
            switch menu.handle(key, takesFirst: true) {
            case .taken(let row): return try take(row, in: workspace)
            case .changed: return
            case .ignored: break
            }
        }
        try handleLine(event, in: workspace)
        followWord(in: workspace)
    }

    private func handleLine(_ event: InputEvent, in workspace: Workspace) throws {
        switch event {
        case .key(let key) where workspace.isDraftKey(key): try restoreKept(in: workspace)
        case .key(.enter): try accept(in: workspace)
        case .key(.escape), .key(.ctrl("c")), .key(.ctrl("g")):
            workspace.close(self)
            if isTyped, purpose != nil { keep(field.text, in: workspace) }
            try cancel(in: workspace)
        case .key(.tab):
            field.keep()
            try other(.tab, in: workspace)
        default:
            switch field.handle(event) {
            case .changed: try textDidChange(in: workspace)
            case .moved: break
            case .ignored:
                if case .key(let key) = event { try other(key, in: workspace) }
            }
        }
    }

    private var labelWidth: Int { DisplayWidth.of(label) + 3 }
    private func lead(_ columns: Int) -> Int { min(labelWidth, max(0, columns - 8)) }

    func layout(in bounds: Rect) {
        _ = original
        field.layout(columns: max(1, bounds.columns - labelWidth))
    }

    func render(into canvas: inout Canvas, look: Look) {
        let columns = canvas.columns
        let lead = lead(columns)
        canvas.fill(canvas.bounds, style: look[.text])
        canvas.put(
            " \(label) ",
            at: Position(row: 0, column: 0),
            width: lead,
            style: look[.hintKey]
        )
        let area = Rect(row: 0, column: lead, rows: 1, columns: columns - lead)
        canvas.draw(in: area) { canvas in
            field.render(into: &canvas, theme: look.theme, isFocused: true)
            decorate(&canvas, look)
        }
        let menuRows = min(menuRows, max(0, canvas.rows - 1))
        if menuRows > 0 {
            let word = field.text.utf8.prefix(menu.start)
            let column = lead + DisplayWidth.of(String(decoding: word, as: UTF8.self))
            canvas.draw(in: Rect(row: 1, column: 0, rows: menuRows, columns: columns)) { canvas in
                menu.render(into: &canvas, from: min(column, columns), theme: look.theme)
            }
        }
        let rest = max(0, canvas.rows - 1 - menuRows)
        for (row, line) in previewRows(columns).prefix(rest).enumerated() {
            canvas.put(
                line.textRuns(look),
                at: Position(row: row + 1 + menuRows, column: lead),
                width: columns - lead,
                fill: look[.text]
            )
        }
    }

    /// Highlights parts of the field.
    func decorate(_ canvas: inout Canvas, _ look: Look) {}
}

/// A bar that filters or searches the rows of the pane, among which the arrows move.
class RowsBar: InputBar {
    override var purpose: String? { nil }
    override func barRows(columns: Int) -> Int { 1 }

    override func other(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .up, .ctrl("p"): workspace.pane.move(by: -1)
        case .down, .ctrl("n"): workspace.pane.move(by: 1)
        default: break
        }
    }
}

/// Asks for a name.
final class NameBar: InputBar {
    private let apply: (String, Workspace) throws -> Void

    init(_ label: Phrase, text: String, apply: @escaping (String, Workspace) throws -> Void) {
        self.apply = apply
        super.init(label, text: text, placeholder: "a name")
        field.offer()
    }

    override func accept(in workspace: Workspace) throws {
        try apply(field.text, workspace)
        workspace.close(self)
    }
}

/// Asks for a value of items, which are looked up again once there is an answer.
class ItemsBar: InputBar {
    let ids: [ManagedObjectID]

    init(_ label: Phrase, _ targets: Targets, text: String = "", placeholder: Phrase) {
        ids = targets.ids
        super.init(label, text: text, placeholder: placeholder)
        field.offer()
    }

    override var purpose: String? { "\(label) \(ids)" }
    override func textDidChange(in workspace: Workspace) throws { show() }

    /// Shows the meaning of the text.
    func show() {}

    func perform(_ change: ItemChange, unchanged: Phrase, in workspace: Workspace) throws {
        // After a refusal the text is still there.
        try workspace.perform(change, on: workspace.library.targets(ids), unchanged: unchanged)
        workspace.close(self)
    }
}

/// Asks for the location of tasks.
final class LocationBar: ItemsBar {
    private let names: KnownNames

    init(_ workspace: Workspace) throws {
        let targets = try workspace.items.targets().tasks
        names = workspace.knownNames
        let name = targets.onlyTask?.location?.name ?? ""
        super.init("Location", targets, text: name, placeholder: "a name, like Bank")
        show()
    }

    override func hints(_ look: Look) -> [Hint] {
        super.hints(look) + [Hint(look.isASCII ? "Tab" : "⇥", "complete")]
    }

    override func suggestions(in workspace: Workspace) -> Suggestions? {
        if field.isPrefilled { return nil }
        let found = names.locations(field.text).filter { $0.name != field.text }
        return Suggestions(0..<field.text.utf8.count, found, sign: "@") { $0.name }
    }

    override func accept(in workspace: Workspace) throws {
        let unchanged: Phrase = "It has that location already"
        try perform(.location(field.text), unchanged: unchanged, in: workspace)
    }

    override func show() {
        let isKnown = names.locations(field.text).contains {
            $0.name.lowercased() == field.text.lowercased()
        }
        let words =
            field.isEmpty
            ? localized("no location") : isKnown ? "" : localized("new location \(field.text)")
        preview = .plain(words, .dim)
    }
}
