import ArgumentParser
import DocketCore
import DocketFormats
import Encryption

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Credentials, encrypted by a passphrase.",
        discussion: """
            The vault is in a file of its own beside the store. All text of a credential is \
            encrypted, its name included. The passphrase is asked for on the terminal, or read from \
            --passphrase-file; it is never an argument or a variable.
            """,
        subcommands: [
            VaultInitCommand.self, VaultListCommand.self, VaultShowCommand.self,
            VaultAddCommand.self, VaultEditCommand.self, VaultRemoveCommand.self,
            VaultCopyCommand.self, VaultGenerateCommand.self, VaultPassphraseCommand.self,
            VaultImportCommand.self, VaultUndoCommand.self, VaultRedoCommand.self,
            VaultEncryptCommand.self, VaultDecryptCommand.self, VaultReadCommand.self,
            ClearClipboardCommand.self,
        ]
    )
}

struct VaultInitCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the vault, with a passphrase that is typed twice.",
        discussion: "Nobody can read the vault without the passphrase, and nothing brings it back."
    )

    @OptionGroup var access: VaultAccess

    func perform() throws {
        let library = try access.store.open(.reading)
        defer { library.close() }
        if library.vault.exists {
            throw InputError(
                .conflict,
                "There is a vault already; `docket vault passphrase` changes its passphrase."
            )
        }
        let passphrase = try access.newPassphrase(from: access.passphraseFile)
        defer { library.vault.close() }
        try library.vault.create(passphrase: passphrase)
        Exit.noteWritten()
        try Console.print("Created the vault \(Console.shown(library.vault.path))")
    }
}

struct VaultPassphraseCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Change the passphrase.",
        discussion: """
            The data keys stay the same and are encrypted again. Copies and backups of the vault \
            from before are opened by the old passphrase. If somebody else knew it, use --new-key: \
            then everything is encrypted again with a new key, and the vault's history is forgotten.
            """
    )

    @OptionGroup var access: VaultAccess
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the new passphrase; - for standard input, after the old one.",
            valueName: "file"
        )
    )
    var newPassphraseFile: String?
    @Flag(help: "Encrypt all credentials and encrypted notes again with a new key.")
    var newKey = false

    func perform() throws {
        let library = try access.store.open(.writing)
        defer { library.close() }
        let vault = library.vault
        guard vault.exists else { throw Vault.missing }
        defer { vault.close() }
        let old = try access.passphrase("Present passphrase: ")
        // A wrong one is reported before the new one is typed twice.
        try vault.unlock(passphrase: old)
        let new = try access.newPassphrase(from: newPassphraseFile)
        try vault.changePassphrase(from: old, to: new)
        Exit.noteWritten()
        try Console.print("Changed the passphrase of the vault")
        guard newKey else { return }
        let count: Int
        do {
            count = try library.renewVaultKey(passphrase: new)
        } catch {
            throw DoneBefore(
                "The passphrase was changed: the new one opens the vault. Not everything is "
                    + "encrypted with a new key yet.",
                error,
                next: "Everything can be read; to go on, use --new-key again, with the new "
                    + "passphrase as the present one."
            )
        }
        try Console.print("Encrypted \(count) value\(count == 1 ? "" : "s") with a new key")
    }
}

struct VaultUndoCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last change of the vault."
    )

    @OptionGroup var access: VaultAccess

    func perform() throws {
        try access.withVault(.writing) { try tell($0.undo(), "undo", "Undone") }
    }
}

struct VaultRedoCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo the change of the vault that was undone last."
    )

    @OptionGroup var access: VaultAccess

    func perform() throws {
        try access.withVault(.writing) { try tell($0.redo(), "redo", "Redone") }
    }
}

/// Prints the name of a step that was undone or redone.
private func tell(_ step: String?, _ verb: String, _ done: String) throws {
    guard let step else {
        Console.fail("There is nothing to \(verb) in the vault.")
        throw ExitCode(Exit.nothingToUndo)
    }
    try Console.print("\(done): \(step)")
}
