import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// A modal form for one item, on a scratch context with its own undo.
///
/// ```
/// open ─→ editing ─→ accept: one step in the store, the screen's context merges
///             └────→ cancel: the scratch context is thrown away; the text stays as a draft
/// ```
/// Each edit of a field is one step of the form's undo: it ends when the focus leaves the field,
/// at undo, and at accept.
///
/// Split by concern: `+Input`, `+Render`, `+Opening`, `+Problems`, `+Draft`, `+Meanwhile`.
final class Form: Modal {
    let item: Item
    /// Whether accepting adds the item.
    let isNew: Bool
    let fields: [FieldEditor]
    let scratch: ManagedObjectContext
    let clock: DateContext
    let session: EditSession
    /// The field with the focus; after the last one come Save and Cancel.
    var focus = 0
    /// What can complete the word at the cursor of the field with the focus, after it was typed.
    var menu = SuggestionMenu()
    /// The first visible row of the content.
    var scroll = 0
    /// Whether the wheel has scrolled it, so that the field with the focus may be out of sight.
    var isScrolledByWheel = false
    /// The draft of an earlier form that was cancelled.
    var draft: FormDraft?
    /// Whether its first content was typed too.
    var isFromCapture = false
    /// The saves of others since it was opened.
    var meanwhile = Meanwhile()
    var remark = ""
    /// The text of the field with the focus before it was edited; `nil` if it was not edited since
    /// the last undo step.
    var textBeforeEdit: String?
    var isEditing: Bool { textBeforeEdit != nil }
    /// The texts that an undo or a redo brings back, by place.
    private var restored: [Int: String] = [:]
    var area = Rect(row: 0, column: 0, rows: 0, columns: 0)
    /// Whether the content is higher than the screen.
    var isScrolled = false
    var places: [Rect] = []
    /// The value of each field in the store, as far as the form knows.
    private(set) var original: [String]

    init(
        item: Item,
        isNew: Bool,
        scratch: ManagedObjectContext,
        fields: [FieldEditor],
        clock: DateContext,
        seen transaction: Int64
    ) {
        self.item = item
        self.isNew = isNew
        self.scratch = scratch
        self.fields = fields
        self.clock = clock
        // A new item is inserted before the session: undo reverts edits, but does not remove the
        // item.
        scratch.processPendingChanges()
        session = EditSession(scratch, name: Form.name(item, isNew: isNew))
        for field in fields { field.load() }
        fields.first?.offer()
        original = fields.map(\.text)
        meanwhile.opened = transaction
        meanwhile.seen = transaction
        // Saves of others after the last check must not be overwritten without notice.
        scratch.mergePolicy = .error
        check()
    }

    func setOriginal(_ text: String, at place: Int) { original[place] = text }

    private static func name(_ item: Item, isNew: Bool) -> String {
        item is Note
            ? isNew ? localized("Add Note") : localized("Edit Note")
            : isNew ? localized("Add Task") : localized("Edit Task")
    }

    var mode: String { session.name }
    var keyContext: KeyContext? { .form }

    // MARK: Focus

    /// The number of places for the focus: the fields, Save, Cancel.
    var stops: Int { fields.count + 2 }
    var saveStop: Int { fields.count }
    var focused: FieldEditor? { focus < fields.count ? fields[focus] : nil }

    func moveFocus(by steps: Int) { moveFocus(to: (focus + steps + stops) % stops) }

    func moveFocus(to stop: Int) {
        endEdit()
        menu = SuggestionMenu()
        focused?.isTouched = true
        focus = min(max(0, stop), stops - 1)
        focused?.offer()
    }

    // MARK: Edits

    /// Ends the edit of the field with the focus; it becomes one step of the form's undo.
    func endEdit() {
        guard let before = textBeforeEdit, let field = focused else { return }
        textBeforeEdit = nil
        do {
            try field.apply(at: clock)
        } catch {
            field.problem = "\(error)"
        }
        if field.text != before { registerUndo(to: before, at: focus) }
        session.endEdit()
        check()
    }

    /// Adds the text of a field to the present step of undo, beside what the edit does to the item:
    /// a text that is not valid has no effect there.
    func registerUndo(to text: String, at place: Int) {
        try? session.undoManager.registerUndo(withTarget: self) { form in
            form.registerUndo(to: form.fields[place].text, at: place)
            form.restored[place] = text
        }
    }

    func undo() throws {
        endEdit()
        guard session.canUndo else {
            remark = localized("There is nothing to undo in this form.")
            return
        }
        // A text that was changed and typed again leaves a step without a difference.
        repeat { try session.undo() } while restored.isEmpty && session.canUndo
        reload()
        remark = localized("Undid the last field edit.")
    }

    func redo() throws {
        endEdit()
        guard session.canRedo else {
            remark = localized("There is nothing to redo in this form.")
            return
        }
        repeat { try session.redo() } while restored.isEmpty && session.canRedo
        reload()
        remark = localized("Redid the last field edit.")
    }

    /// Shows what an undo or a redo has brought back, and goes there.
    private func reload() {
        for (place, field) in fields.enumerated() where restored[place] != nil || !field.isUnapplied
        {
            field.load()
            if let text = restored[place], field.text != text { field.text = text }
        }
        if let place = restored.keys.min() { focus = place }
        restored = [:]
        check()
    }

    // MARK: Ends

    /// Saves everything as one named step and closes.
    ///
    /// Stays open with the reason if that fails, and with a question if others have changed the
    /// same field.
    func accept(in workspace: Workspace) throws {
        endEdit()
        for field in fields { field.isTouched = true }
        let library = workspace.library
        try library.refresh()
        var step: SavedStep?
        for attempt in 0... {
            try noticeOthers(in: library)
            if let question = question() {
                remark = question
                return
            }
            if let place = fields.firstIndex(where: { $0.problem != nil }) {
                moveFocus(to: place)
                remark = localized("It cannot be saved yet: \(fields[place].problem ?? "")")
                return
            }
            do {
                step = try library.saveForm(scratch, of: item)
                break
            } catch let error as ObjectGraphError
                where error.code == .mergeConflict && attempt < Form.attempts
            {
                // Somebody has saved between the check and the save: check the item again. A
                // conflict that remains is about its list or tags, which the form does not edit.
                scratch.refreshAllObjects()
                meanwhile.seen = meanwhile.opened
                if attempt >= Form.strictAttempts {
                    scratch.mergePolicy = library.context.mergePolicy
                }
            } catch {
                remark = "\(error)"
                throw error
            }
        }
        try session.accept()
        workspace.close(self)
        workspace.formDidSave(self, step)
    }

    private static let attempts = 20
    private static let strictAttempts = 2
}
