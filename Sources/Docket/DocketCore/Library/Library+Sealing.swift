import DocketFormats
import Encryption
import FoundationEssentials
import ObjectGraph

// The text of a note in encrypted form: `sealedBody` in place of `body`, by the keys of the vault.
//
//   encrypt: one transaction moves the text and notes the debt ── erase history and search index
//                                                              ── forget the debt
//
// After a crash between the two the next opening of the library erases.

extension Note {
    /// Whether the text is encrypted; readable while the vault is locked.
    public var isEncrypted: Bool {
        // Locked, or sealed with keys that are gone: there is something.
        guard let value = try? value(forKey: Note.Keys.sealedBody) else { return true }
        return !value.isNull
    }
}

extension Library {
    private static let erasingKey = "DocketErasing"

    /// Encrypts the texts of notes with the vault's key.
    ///
    /// The plain texts are removed from the file: from the notes' history, which undo cannot bring
    /// back any more, from the search index and from the log. Earlier backups and exports still
    /// have them. It is not a step of undo: ``decrypt(_:)`` is the way back.
    ///
    /// - Returns: the notes that were changed; those without text or encrypted already are left.
    /// - Throws: `InputError` while the vault is locked; the store's error. Then nothing is
    ///   changed, or, if only erasing has failed, the next opening of the library completes it.
    /// - Complexity: the search index is written again.
    @discardableResult
    public func encrypt(_ notes: [Note]) throws -> [Note] {
        requireOutsideChange()
        if vault.isLocked { throw vault.exists ? Vault.locked : Vault.missing }
        try refresh()
        let changed = existing(notes).filter { !$0.isEncrypted && !($0.body ?? "").isEmpty }
        if changed.isEmpty { return [] }
        try vault.requireOwnKeys()
        do {
            for note in changed {
                note.sealedBody = note.body
                note.body = nil
            }
            let debt = changed.map { UUIDText.lowercase($0.uuid) }.joined(separator: " ")
            context.coordinator.setMetadata(.string(debt), for: Library.erasingKey)
            try saveSilently()
        } catch {
            context.coordinator.setMetadata(nil, for: Library.erasingKey)
            revertChanges()
            throw error
        }
        try erase(changed)
        return changed
    }

    /// Makes the texts of encrypted notes plain again.
    ///
    /// - Returns: the notes that were changed.
    /// - Throws: `InputError` while the vault is locked; nothing is changed then.
    @discardableResult
    public func decrypt(_ notes: [Note]) throws -> [Note] {
        requireOutsideChange()
        if vault.isLocked { throw vault.exists ? Vault.locked : Vault.missing }
        try refresh()
        let changed = existing(notes).filter(\.isEncrypted)
        if changed.isEmpty { return [] }
        do {
            for note in changed {
                try note.setValue(note.value(forKey: Note.Keys.sealedBody), forKey: Note.Keys.body)
                note.sealedBody = nil
            }
            try saveSilently()
        } catch {
            revertChanges()
            throw error
        }
        return changed
    }

    /// The text of a note, decrypted if it is encrypted.
    ///
    /// - Throws: `InputError` while the vault is locked.
    public func text(of note: Note) throws -> String {
        guard note.isEncrypted else { return note.body ?? "" }
        if vault.isLocked { throw Vault.locked }
        guard case .string(let text) = try note.value(forKey: Note.Keys.sealedBody) else {
            return ""
        }
        return text
    }

    /// Replaces the text of an encrypted note; one step of undo, with encrypted values only.
    ///
    /// - Returns: the step; `nil` if the text is the same.
    @discardableResult
    public func setSealedText(_ text: String, of note: Note) throws -> SavedStep? {
        if vault.isLocked { throw Vault.locked }
        return try change {
            try Library.requireOutsideTrash([note])
            if !note.isDeleted, note.isEncrypted, try self.text(of: note) != text {
                try note.setValue(.string(text), forKey: Note.Keys.sealedBody)
            }
            return StepName(edited: note)
        }
    }

    func saveSilently() throws {
        _ = try followLinks(in: context)
        var info = TransactionInfo()
        info.kind = .silent
        _ = try save(context, info)
    }

    func erase(_ notes: [Note]) throws {
        let coordinator = context.coordinator
        guard let store = coordinator.persistentStores.first else { return }
        let ids = notes.map(\.objectID)
        try coordinator.withOpenStore(store) { try $0.eraseHistory(of: ids) }
        try context.coordinator.saveMetadata(.none, for: Library.erasingKey)
    }

    /// Erases what an interrupted encryption has left in the history.
    ///
    /// Cost: one look at the metadata in memory, if there is nothing to do.
    func finishErasing() throws {
        guard case .string(let debt)? = context.coordinator.metadata(Library.erasingKey),
            !isReadOnly
        else { return }
        let uuids = debt.split(separator: " ").compactMap { UUIDText.parse(String($0)) }
        let condition = Condition<Note> { $0.uuid.in(uuids) }
        try erase(context.fetch(FetchRequest<Note>(where: condition)))
    }
}
