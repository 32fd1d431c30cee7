import DocketCore
import DocketFormats
import Encryption
import ObjectGraph
import TerminalUI

/// A form for one credential, with an undo of its own.
///
/// Its text is in memory only: a cancelled form leaves no draft, and none is written meanwhile.
///
/// Split by concern: `+Render`.
final class VaultForm: VaultModal, FieldForm {
    /// The credential; `nil` for a new one.
    let id: ManagedObjectID?
    let fields = CredentialField.allCases
    var lines: [TextField]
    var notes: TextArea
    var focus = 0
    var remark = VaultForm.promise
    var scroll = 0
    var area = Rect(row: 0, column: 0, rows: 0, columns: 0)
    /// The exact strength of the present password, if it was generated.
    private var generated: (text: String, bits: Double)?
    private var original: CredentialRecord
    private let categories: [String]
    private var history = EditHistory<[String]>([])

    static var promise: String {
        localized("Kept in memory only: a cancelled form leaves no draft.")
    }

    /// A form for a new credential.
    convenience init(in workspace: Workspace) throws {
        try self.init(nil, CredentialRecord(), workspace.vault.vault.categories())
    }

    /// A form for an existing credential.
    convenience init(editing id: ManagedObjectID, in workspace: Workspace) throws {
        let vault = workspace.vault.vault
        try self.init(id, vault.record(id), vault.categories())
    }

    private init(
        _ id: ManagedObjectID?,
        _ record: CredentialRecord,
        _ categories: [String]
    ) throws {
        self.id = id
        self.categories = categories
        original = record
        lines = fields.dropLast().map { field in
            TextField(
                record[field],
                placeholder: field == .name ? localized("what it is for") : localized("none"),
                isMasked: field == .password
            )
        }
        notes = TextArea(record.notes)
        history = EditHistory(texts)
    }

    var title: String { id == nil ? localized("Add credential") : localized("Edit credential") }
    var mode: String { title }

    func hints(_ look: Look) -> [Hint] {
        [
            Hint("^S", "save"), Hint("Esc", "cancel"), Hint("^G", "generate"),
            Hint("^T", lines[2].isMasked ? "show" : "hide"), Hint("^Z", "undo"),
        ]
    }

    // MARK: Locking

    /// The typed texts, then those of the credential when it was read.
    var unsaved: UnsavedForm? {
        let saved = fields.map { original[$0] }
        if texts == saved { return nil }
        return UnsavedForm(texts: texts + saved) { [id, focus] workspace, texts in
            var record = CredentialRecord()
            let count = CredentialField.allCases.count
            for (field, text) in zip(CredentialField.allCases, texts.dropFirst(count)) {
                record[field] = text
            }
            let form = try VaultForm(id, record, workspace.vault.vault.categories())
            form.load(Array(texts.prefix(count)))
            form.endEdit()
            form.focus = focus
            form.remark = UnsavedForm.remark
            workspace.open(form)
        }
    }

    // MARK: Texts

    var texts: [String] { lines.map(\.text) + [notes.text] }

    private func load(_ texts: [String]) {
        for place in lines.indices where lines[place].text != texts[place] {
            lines[place].text = texts[place]
        }
        if notes.text != texts[lines.count] { notes.text = texts[lines.count] }
    }

    private func endEdit() { history.endEdit(texts) }

    /// Shows or hides the password: a form of the vault has no drafts.
    func useDraftKey(in workspace: Workspace) { lines[2].isMasked.toggle() }

    func step(back: Bool, in workspace: Workspace) {
        endEdit()
        guard let texts = history.step(back: back) else {
            remark = localized(
                "There is nothing to \(back ? localized("undo") : localized("redo")) in this form."
            )
            return
        }
        load(texts)
        remark =
            back ? localized("Undid the last field edit.") : localized("Redid the last field edit.")
    }

    /// How hard the password is to guess; `nil` without one.
    var strength: PasswordStrength? {
        let text = lines[2].text
        if text.isEmpty { return nil }
        if let generated, generated.text == text { return PasswordStrength(bits: generated.bits) }
        return PasswordStrength(of: text)
    }

    // MARK: Input

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .key(let key) = event, try handle(key, in: workspace) { return }
        if case .mouse = event { return }
        remark = VaultForm.promise
        if focus < lines.count {
            _ = lines[focus].handle(event)
        } else {
            _ = notes.handle(event)
        }
    }

    /// - Returns: whether the form has used the key, which the fields do not get then.
    private func handle(_ key: Key, in workspace: Workspace) throws -> Bool {
        if try perform(key, in: workspace) { return true }
        switch key {
        case .ctrl("g"): try generate()
        case .ctrl("c"): cancel(in: workspace)
        case .enter where focus < lines.count, .down where focus < lines.count: move(by: 1)
        case .up where focus < lines.count: move(by: -1)
        default: return false
        }
        return true
    }

    func move(by steps: Int) {
        endEdit()
        focus = (focus + steps + fields.count) % fields.count
        if focus < lines.count, fields[focus] != .password { lines[focus].keep() }
    }

    private func generate() throws {
        endEdit()
        let made = try PasswordGenerator.password()
        generated = (made.text, made.bits)
        lines[2].text = made.text
        focus = 2
        endEdit()
        remark = localized("Generated a password; ^G makes another one, ^T shows it.")
    }

    func cancel(in workspace: Workspace) { workspace.close(self) }

    func accept(in workspace: Workspace) throws {
        endEdit()
        var record = CredentialRecord()
        for (field, text) in zip(fields, texts) { record[field] = text }
        if let (field, error) = record.problem {
            focus = fields.firstIndex(of: field) ?? focus
            try refusing { throw error }
        }
        let vault = workspace.vault.vault
        guard let id else {
            let step = try refusing { try vault.add(record) }
            return finish(step, in: workspace)
        }
        var changes: [CredentialField: String] = [:]
        for field in fields where record[field] != original[field] {
            changes[field] = record[field]
        }
        let now = try vault.record(id)
        let both = changes.keys.filter { now[$0] != original[$0] && now[$0] != record[$0] }
        if !both.isEmpty {
            original = now
            remark = localized("Changed elsewhere meanwhile: save again to replace that.")
            return
        }
        let step = try refusing { try vault.edit(id, changes) }
        finish(step, in: workspace)
    }

    /// Shows a refusal in the form, which stays open.
    private func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            remark = "\(error)"
            throw error
        }
    }

    private func finish(_ step: VaultStep?, in workspace: Workspace) {
        workspace.close(self)
        workspace.tell(step)
        guard let id = step?.id ?? id, let pane = workspace.pane as? VaultPane else { return }
        try? pane.select(id)
    }

    /// Names of categories that begin like the typed one, for the line below it.
    var suggestions: [String] {
        let typed = lines[4].text.lowercased()
        return categories.filter { typed.isEmpty || $0.lowercased().hasPrefix(typed) }
    }
}
