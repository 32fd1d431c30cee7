import DocketCore
import ObjectGraph
import TerminalUI

/// A modal form for one item, on a scratch context with an undo of its own.
///
/// ```
/// open ─→ editing ─→ accept: one step in the store, the screen's context merges
///             └────→ cancel: the scratch context is thrown away; the text stays as a draft
/// ```
/// Each edit of a field is one step of the form's undo: it ends when the focus leaves the field,
/// at undo, and at accept.
///
/// Split by concern: `+Input`, `+Render`, `+Opening`, `+Problems`.
final class Form: Modal {
    let item: Item
    /// Whether accepting adds the item.
    let isNew: Bool
    let fields: [FieldEditor]
    let scratch: ManagedObjectContext
    let session: EditSession
    /// The field with the focus; behind the last one stand Save and Cancel.
    var focus = 0
    /// The first row of the content that shows.
    var scroll = 0
    /// What an earlier form held that was cancelled.
    var draft: FormDraft?
    var note = ""
    /// Whether the field with the focus was edited since its last undo step.
    var isEditing = false
    var area = Rect(row: 0, column: 0, rows: 0, columns: 0)
    var places: [Rect] = []
    private let original: [String]

    init(item: Item, isNew: Bool, scratch: ManagedObjectContext, fields: [FieldEditor]) {
        self.item = item
        self.isNew = isNew
        self.scratch = scratch
        self.fields = fields
        // A new item is there before the session: undo takes back edits, not the item.
        scratch.processPendingChanges()
        session = EditSession(scratch, name: Form.name(item, isNew: isNew))
        for field in fields { field.load() }
        original = fields.map(\.text)
        check()
    }

    private static func name(_ item: Item, isNew: Bool) -> String {
        "\(isNew ? "Add" : "Edit") \(item is Note ? "Note" : "Task")"
    }

    var mode: String { session.name }
    var keyContext: KeyContext? { .form }

    // MARK: Focus

    /// How many places the focus can be at: the fields, Save, Cancel.
    var stops: Int { fields.count + 2 }
    var saveStop: Int { fields.count }
    var focused: FieldEditor? { focus < fields.count ? fields[focus] : nil }

    func moveFocus(by steps: Int) { moveFocus(to: (focus + steps + stops) % stops) }

    func moveFocus(to stop: Int) {
        endEdit()
        focus = min(max(0, stop), stops - 1)
    }

    // MARK: Edits

    /// Ends the edit of the field with the focus; it becomes one step of the form's undo.
    func endEdit() {
        guard isEditing else { return }
        isEditing = false
        do {
            try focused?.apply()
        } catch {
            focused?.problem = "\(error)"
        }
        session.endEdit()
        check()
    }

    func undo() throws {
        endEdit()
        // A text that means nothing never reached the object; taking it back is the first step.
        if let field = fields.first(where: \.isUnapplied) {
            field.load()
            check()
            note = "Undid the last field edit."
            return
        }
        guard session.canUndo else {
            note = "There is nothing to undo in this form."
            return
        }
        try session.undo()
        reload()
        note = "Undid the last field edit."
    }

    func redo() throws {
        endEdit()
        guard session.canRedo else {
            note = "There is nothing to redo in this form."
            return
        }
        try session.redo()
        reload()
        note = "Did the field edit again."
    }

    private func reload() {
        for field in fields { field.load() }
        check()
    }

    // MARK: Ends

    /// Saves everything as one named step and closes; stays open with the reason if it cannot.
    func accept(in workspace: Workspace) throws {
        endEdit()
        if let problem = firstProblem {
            note = "It cannot be saved yet: \(problem)"
            return
        }
        try session.accept()
        do {
            try workspace.library.save(scratch, as: session.name)
        } catch {
            note = "\(error)"
            throw error
        }
        workspace.close(self)
        workspace.formDidSave(self)
    }

    /// Closes without a trace; what was typed stays as a draft, offered once.
    func cancel(in workspace: Workspace) {
        endEdit()
        let texts = fields.map(\.text)
        if texts != original {
            workspace.draft = currentDraft
            let edit = isNew ? (item is Note ? "n" : "o") : "e"
            workspace.tell("Cancelled; nothing was changed. \(edit) offers the text again.")
        }
        session.cancel()
        workspace.close(self)
    }

    /// What the form holds now.
    var currentDraft: FormDraft {
        FormDraft(
            itemID: isNew ? nil : item.objectID,
            isNote: item is Note,
            texts: fields.map(\.text)
        )
    }

    /// Takes the text of a cancelled form over.
    func takeDraft() {
        guard let draft else {
            note = "There is no draft."
            return
        }
        self.draft = nil
        endEdit()
        for (field, text) in zip(fields, draft.texts) where field.text != text {
            field.text = text
            try? field.apply()
        }
        session.endEdit()
        note = "The draft is back."
        check()
    }
}
