import DocketCore
import TerminalUI

extension KeyContext {
    static let vault = KeyContext(name: "vault")
}

extension VaultPane {
    static let commands: [Command] =
        [
            Command(
                "vault.open",
                "Go to the vault",
                keys: ["g v"],
                .move,
                help: "Asks for the passphrase if the vault is locked, and creates a missing one.",
                synonyms: ["passwords", "credentials", "unlock"],
                run: { try $0.openVault() }
            ),
            Command(
                "vault.lock",
                "Lock the vault",
                keys: ["g L"],
                .program,
                help: "Zeroes the keys and removes everything of the vault from the screen.",
                disabled: { $0.vault.isLocked ? localized("The vault is locked already.") : nil },
                run: { $0.lockVaultAndTell() }
            ),
            row("vault.leave", "Lock the vault and leave it", ["L"], hint: "lock") {
                _,
                workspace in
                workspace.lockVaultAndTell()
            },
            Command(
                "vault.passphrase",
                "Change the passphrase of the vault",
                keys: [],
                .program,
                help:
                    "The present one is asked for first; the credentials are not encrypted again.",
                disabled: { $0.vault.vault.exists ? nil : localized("There is no vault yet.") },
                run: { $0.open(try PassphraseBox(.change)) }
            ),
            onSelected("vault.edit", "Edit the credential", ["enter", "e"], hint: "edit") {
                pane,
                _ in
                try pane.open()
            },
            row("vault.add", "Add a credential", ["a"], hint: "add") { _, workspace in
                workspace.open(try VaultForm(in: workspace))
            },
            onSelected("vault.copyPassword", "Copy the password", ["y"], hint: "copy password") {
                try $1.copy(.password, of: $0)
            },
            onSelected("vault.copyUser", "Copy the user id", ["Y"], hint: "user id") {
                try $1.copy(.user, of: $0)
            },
            onSelected(
                "vault.show",
                "Show the password for 10 seconds",
                ["v"],
                hint: "show",
                synonyms: ["reveal", "unhide"]
            ) { pane, workspace in
                if let entry = pane.selected { try workspace.vault.show(entry.id) }
            },
            onSelected("vault.remove", "Remove the credential", ["d"]) { pane, workspace in
                guard let entry = pane.selected else { return }
                workspace.tell(try workspace.vault.vault.remove(entry.id))
            },
            row("vault.find", "Find a credential", ["/"], hint: "find") { _, workspace in
                workspace.open(VaultSearchBar(workspace))
            },
            row("vault.undo", "Undo the last change of the vault", ["u"], hint: "undo") {
                _,
                workspace in
                let name = try workspace.vault.vault.undo()
                workspace.vault.markStale()
                workspace.tell(
                    name.map { "Undid: \(Phrase.step($0))" }
                        ?? "There is nothing to undo in the vault."
                )
            },
            row("vault.redo", "Redo the change of the vault", ["ctrl+r"]) { _, workspace in
                let name = try workspace.vault.vault.redo()
                workspace.vault.markStale()
                workspace.tell(
                    name.map { "Redid: \(Phrase.step($0))" }
                        ?? "There is nothing to redo in the vault."
                )
            },
        ] + noteCommands

    private static func row(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        hint: Phrase = "",
        synonyms: [String] = [],
        disabled: @escaping @Sendable (VaultPane) -> String? = { _ in nil },
        _ run: @escaping @Sendable (VaultPane, Workspace) throws -> Void
    ) -> Command {
        Command(
            id,
            title,
            keys: keys,
            .find,
            help: "\(title), in the vault.",
            hint: hint,
            synonyms: synonyms,
            context: .vault,
            disabled: { workspace in
                guard let pane = workspace.pane as? VaultPane else {
                    return localized("The vault is not open; g v opens it.")
                }
                return disabled(pane)
            },
            run: { workspace in
                if let pane = workspace.pane as? VaultPane { try run(pane, workspace) }
            }
        )
    }

    private static func onSelected(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        hint: Phrase = "",
        synonyms: [String] = [],
        _ run: @escaping @Sendable (VaultPane, Workspace) throws -> Void
    ) -> Command {
        row(id, title, keys, hint: hint, synonyms: synonyms, disabled: { $0.cannotOpen }, run)
    }
}

extension Workspace {
    fileprivate func lockVaultAndTell() {
        lockVault()
        tell("Locked the vault", .success)
    }

    /// Shows a change of the vault and reads its entries again.
    func tell(_ step: VaultStep?) {
        vault.markStale()
        guard let step else { return tell("Nothing changed: it is like that already.") }
        let key = self.key("vault.undo")
        tell("\(step.sentence) \(look.signs.separator) \(key) undoes", .success)
    }

    /// Puts a field on the clipboard, which is emptied after 30 seconds.
    fileprivate func copy(_ field: CredentialField, of pane: VaultPane) throws {
        guard let entry = pane.selected else { return }
        let text = try vault.vault.record(entry.id)[field]
        let name = field.title.lowercased()
        if text.isEmpty { return tell("\(quoted(entry.name)) has no \(name).", .warning) }
        requests.append(.copySecret(text))
        tell("Sent the \(name) of \(quoted(entry.name)) to the clipboard, for 30 seconds")
    }
}
