import CivilTime
import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials
import ObjectGraph
import TerminalUI

extension Workspace {
    /// Shows the vault; asks for its passphrase if it is locked, or for a new one if there is none.
    func openVault() throws {
        if vault.isLocked { return open(try PassphraseBox(vault.vault.exists ? .unlock : .create)) }
        go(to: VaultPane.kind.id)
    }

    /// Opens the form again that was open when the vault was locked, with its text.
    func reopenUnsaved() throws {
        guard let (texts, form) = try vault.takeUnsaved() else { return }
        try form.reopen(self, texts)
    }

    /// Locks the vault and removes everything of it from the window; what was typed in a form is
    /// encrypted until the vault is unlocked.
    ///
    /// - Returns: whether it was unlocked.
    @discardableResult
    func lockVault() -> Bool {
        guard !vault.isLocked else { return false }
        vault.keep(modals.lazy.compactMap { ($0 as? any VaultModal)?.unsaved }.first)
        vault.lock()
        modals.removeAll { $0 is any VaultModal }
        detail.forget()
        (pane as? ReaderPane)?.forget()
        // A message may name a credential.
        messages.clear()
        if focus == VaultPane.kind.id { leavePane() }
        panes.forget(VaultPane.kind.id)
        requests.append(.forgetSecrets)
        return true
    }

    /// What the row of the vault says: how many credentials there are, or why none are shown.
    var vaultState: String {
        if !vault.isLocked { return "\(vault.count)" }
        return vault.vault.exists ? localized("locked") : localized("not made")
    }
}
