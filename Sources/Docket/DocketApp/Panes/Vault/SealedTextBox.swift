import DocketCore
import TerminalUI

/// Edits the text of an encrypted note; the text is in memory only, without a draft.
final class SealedTextBox: VaultModal {
    private let note: Note
    private let original: String
    private var area: TextArea
    private var remark = VaultForm.promise

    /// - Throws: `InputError` while the vault is locked.
    init(_ note: Note, in workspace: Workspace) throws {
        self.note = note
        original = try workspace.library.text(of: note)
        area = TextArea(original)
    }

    var unsaved: UnsavedForm? {
        if area.text == original { return nil }
        return UnsavedForm(texts: [area.text]) { [note] workspace, texts in
            let box = try SealedTextBox(note, in: workspace)
            box.area.text = texts[0]
            box.remark = UnsavedForm.remark
            workspace.open(box)
        }
    }

    var mode: String { localized("Encrypted text") }

    func hints(_ look: Look) -> [Hint] { [Hint("^S", "save"), Hint("Esc", "cancel")] }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        remark = VaultForm.promise
        if case .key(let key) = event,
            case .command(let id) = workspace.keyMap.meaning(of: [key], in: .form)
        {
            if id == "form.accept" { return try accept(in: workspace) }
            if id == "form.cancel" { return workspace.close(self) }
        }
        if case .mouse = event { return }
        _ = area.handle(event)
    }

    private func accept(in workspace: Workspace) throws {
        do {
            let step = try workspace.library.setSealedText(area.text, of: note)
            workspace.close(self)
            workspace.detail.forget()
            workspace.tell(step, unchanged: "Nothing was changed")
        } catch {
            remark = "\(error)"
            throw error
        }
    }

    private func content(in bounds: Rect) -> Size {
        Size(rows: max(4, bounds.rows - 4), columns: 76)
    }

    func layout(in bounds: Rect) {
        let dialog = Dialog(title: "")
        let inside = dialog.inside(dialog.area(content: content(in: bounds), in: bounds))
        area.layout(TextArea.textSize(in: inside.inset(bottom: 1).size))
    }

    func render(into canvas: inout Canvas, look: Look) {
        let title = localized("Encrypted text of \(DisplayWidth.singleLine(note.title))")
        let size = content(in: canvas.bounds)
        Dialog(title: title).render(into: &canvas, theme: look.theme, content: size) { canvas in
            canvas.draw(in: canvas.bounds.inset(bottom: 1)) { canvas in
                area.render(into: &canvas, theme: look.theme, isFocused: true)
            }
            canvas.put(
                remark,
                at: Position(row: canvas.rows - 1, column: 0),
                width: canvas.columns,
                style: look[.dim]
            )
        }
    }
}
