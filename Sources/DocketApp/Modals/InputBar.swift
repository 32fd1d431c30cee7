import TerminalUI

/// An input line at the foot of the screen, with a line below that shows the meaning of the text.
///
/// Subclasses define the meaning of the text and the effect of Enter.
class InputBar: Modal {
    let label: String
    var field: TextField
    /// The meaning of the text, shown below it.
    var preview = RichLine()

    init(_ label: String, text: String = "", placeholder: String = "") {
        self.label = label
        field = TextField(text, placeholder: placeholder)
    }

    /// What the text is for, so that a cancelled one comes back there; `nil` if it is kept otherwise.
    var purpose: String? { label }
    /// The text that the bar began with.
    private(set) lazy var original = field.text

    // Declared here, so that subclasses can override it.
    var keepsDrafts: Bool { false }
    func addDrafts(to drafts: inout Drafts) {}

    var mode: String { label }
    var barRows: Int { 2 }

    func hints(_ look: Look) -> [Hint] {
        [Hint(look.isASCII ? "Enter" : "⏎", "accept"), Hint("Esc", "cancel")]
    }

    /// Takes up the text of an earlier bar that was cancelled.
    func restore(_ text: String, in workspace: Workspace) throws {
        _ = original
        field.text = text
        try textDidChange(in: workspace)
    }

    /// Called after each change of the text.
    func textDidChange(in workspace: Workspace) throws {}
    /// Called for Enter.
    func accept(in workspace: Workspace) throws {}
    /// Called for Esc, before the bar closes.
    func cancel(in workspace: Workspace) throws {}
    /// Called for keys that the field does not take.
    func other(_ key: Key, in workspace: Workspace) throws {}

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        switch event {
        case .key(.enter): try accept(in: workspace)
        case .key(.escape), .key(.ctrl("c")), .key(.ctrl("g")):
            workspace.close(self)
            workspace.keepText(of: self)
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

    func layout(in bounds: Rect) {
        _ = original
        field.layout(columns: max(1, bounds.columns - labelWidth))
    }

    func render(into canvas: inout Canvas, look: Look) {
        let columns = canvas.columns
        let lead = min(labelWidth, max(0, columns - 8))
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
        guard canvas.rows > 1 else { return }
        canvas.put(
            preview.textRuns(look),
            at: Position(row: 1, column: lead),
            width: columns - lead,
            fill: look[.text]
        )
    }

    /// Highlights parts of the field.
    func decorate(_ canvas: inout Canvas, _ look: Look) {}
}

/// Asks for a name.
final class NameBar: InputBar {
    private let apply: (String, Workspace) throws -> Void

    init(_ label: String, text: String, apply: @escaping (String, Workspace) throws -> Void) {
        self.apply = apply
        super.init(label, text: text, placeholder: "a name")
        field.offer()
    }

    override func accept(in workspace: Workspace) throws {
        try apply(field.text, workspace)
        workspace.close(self)
    }
}
