import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats

struct VaultEncryptCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypt the texts of notes with the key of the vault.",
        discussion: """
            The plain text is removed from the store, its history and its search index, so undo does \
            not bring back former texts of these notes. Titles, lists and tags stay as they are. \
            Backups and exports from before still have the text.
            """
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Short IDs or UUIDs of notes.") var ids: [String]

    func perform() throws {
        try access.withVault(.writing) { _, library in
            let notes = try ids.map { try library.note($0) }
            for note in notes where DraftFile.hasForm(of: note.uuid, beside: library.path) {
                throw InputError(
                    .conflict,
                    "\(Console.shown(note.title)) has unsaved text in a form; save or discard"
                        + " it in Docket, then encrypt the note."
                )
            }
            let changed = try library.encrypt(notes)
            try Console.print(VaultNotes.sentence("Encrypted", changed, "encrypted or empty"))
        }
    }
}

struct VaultDecryptCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Make the texts of encrypted notes plain again."
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Short IDs or UUIDs of notes.") var ids: [String]

    func perform() throws {
        try access.withVault(.writing) { _, library in
            let notes = try ids.map { try library.note($0) }
            let changed = try library.decrypt(notes)
            try Console.print(VaultNotes.sentence("Decrypted", changed, "plain"))
        }
    }
}

struct VaultReadCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the text of an encrypted note."
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "A short ID or a UUID.") var id: String

    func perform() throws {
        try access.withVault(.reading) { _, library in
            let text = try library.text(of: library.note(id))
            for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                try Console.print(Console.shown(String(line)))
            }
        }
    }
}

private enum VaultNotes {
    static func sentence(_ verb: String, _ notes: [Note], _ state: String) -> String {
        guard let first = notes.first else {
            return "Nothing changed: the text is \(state) already."
        }
        return notes.count == 1
            ? "\(verb) the text of \"\(Console.shown(first.title))\""
            : "\(verb) the texts of \(notes.count) notes"
    }
}

extension Library {
    fileprivate func note(_ id: String) throws -> Note {
        let item = try item(ItemReference(id))
        if let note = item as? Note { return note }
        throw InputError(
            .badReference,
            "\(ShortID.string(item.shortID)) is a task; only the text of a note can be encrypted."
        )
    }
}
