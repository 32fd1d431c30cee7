import DocketCore
import ObjectGraph
import TerminalUI

extension VaultPane {
    /// Commands on notes whose text the vault's key encrypts; they are keys of the main panes.
    static let noteCommands: [Command] = [
        Command(
            "item.encrypt",
            "Encrypt the note's text",
            keys: [],
            .change,
            help: "Encrypts it by the vault's key and erases the plain text from the history.",
            synonyms: ["secret", "vault", "seal"],
            disabled: { $0.noNote },
            run: { workspace in
                try workspace.withVault { workspace in
                    let changed = try workspace.library.encrypt(workspace.targetNotes())
                    // The draft of a cancelled form has the text too.
                    for note in changed {
                        _ = workspace.drafts.takeForm(of: note.uuid, isNote: true)
                    }
                    workspace.detail.forget()
                    guard let first = changed.first else {
                        return workspace.tell("The text is encrypted or empty already")
                    }
                    let what =
                        changed.count == 1
                        ? workspace.quoted(first.title) : localized("\(changed.count) notes")
                    workspace.tell(
                        "Encrypted the text of \(what); undo does not reach its former texts",
                        .success
                    )
                }
            }
        ),
        Command(
            "item.decrypt",
            "Make the note's text plain again",
            keys: [],
            .change,
            help: "Decrypts the text of an encrypted note for good.",
            synonyms: ["unseal"],
            disabled: { $0.noNote },
            run: { workspace in
                try workspace.withVault { workspace in
                    let changed = try workspace.library.decrypt(workspace.targetNotes())
                    workspace.detail.forget()
                    guard let first = changed.first else {
                        return workspace.tell("The text is plain already")
                    }
                    let what =
                        changed.count == 1
                        ? workspace.quoted(first.title) : localized("\(changed.count) notes")
                    workspace.tell("Decrypted the text of \(what)", .success)
                }
            }
        ),
        Command(
            "item.editEncrypted",
            "Edit the encrypted text",
            keys: [],
            .item,
            help: "Opens the text of an encrypted note; nothing of it is written in plain text.",
            synonyms: ["vault", "secret"],
            disabled: { workspace in
                if let reason = workspace.noNote { return reason }
                let note = workspace.items.selected as? Note
                return note?.isEncrypted == true
                    ? nil : localized("The text of this item is not encrypted.")
            },
            run: { workspace in
                if let note = workspace.items.selected { try workspace.editText(of: note) }
            }
        ),
    ]
}

extension Workspace {
    fileprivate func targetNotes() throws -> [Note] {
        try items.targets(localized("for one step")).compactMap { $0 as? Note }
    }

    /// Opens an item's text in the user's editor, an encrypted one in a box.
    func editText(of item: Item) throws {
        guard let note = item as? Note, note.isEncrypted else { return editTextOutside(of: item) }
        try withVault { $0.open(try SealedTextBox(note, in: $0)) }
    }

    fileprivate var noNote: String? {
        if let noItem { return noItem }
        if items.targetMarks.isEmpty {
            return items.selected is Note ? nil : localized("This is a task; only notes have this.")
        }
        return items.targetMarks.contains { $0.entityName == Note.entityName }
            ? nil : localized("Only tasks are marked; only notes have this.")
    }

    /// Does something with the unlocked vault, after asking for the passphrase if it is locked.
    fileprivate func withVault(_ body: @escaping (Workspace) throws -> Void) throws {
        if !vault.isLocked { return try body(self) }
        guard vault.vault.exists else { throw Vault.missing }
        open(try PassphraseBox(.unlock, then: body))
    }
}
