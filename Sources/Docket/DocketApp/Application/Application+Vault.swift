import DocketCore
import TerminalUI

// The vault in the loop. It sets no timer while it is locked. Unlocked, the program is woken when
// it is to be locked, and each second only while a countdown is on the screen.

extension Application {
    /// Whether a key is to be derived, after the frame that says so.
    var hasVaultWork: Bool { workspace.vault.work != nil }

    func doVaultWork() {
        guard let work = workspace.vault.work else { return }
        workspace.vault.work = nil
        workspace.vault.vault.wake = wake
        do { try work() } catch { workspace.tell(error) }
        writeDrafts()
        isStale = true
    }

    /// What has become due: locking, hiding a password, emptying the clipboard, a countdown.
    func tickVault() {
        let session = workspace.vault
        if session.isIdleTooLong {
            lockVault()
            let end =
                session.hasUnsaved ? localized("; unlock it to go on with what was typed") : ""
            workspace.tell(
                "Locked the vault after \(session.lockAfter) seconds without a key\(end)"
            )
        }
        if session.takeClipboardEnd(false) { _ = device.copy("") }
        session.expire()
        isStale = true
    }

    /// Locks before the program is stopped or ends; the screen keeps nothing of the vault.
    func lockVault() {
        guard workspace.lockVault() else { return }
        performRequests()
    }

    /// Before the end of the program: nobody empties the clipboard later.
    func closeVault() {
        lockVault()
        if workspace.vault.takeClipboardEnd(true) { _ = device.copy("") }
        workspace.vault.vault.close()
    }

    /// Draws the screen completely without the secrets, which replaces them in the buffers of the
    /// terminal's library, then clears the memory.
    func forgetSecrets() {
        drawFrame()
        device.redraw()
        drawFrame()
        SecretMemory.end()
    }

    /// Shows what other programs have changed in the unlocked vault.
    func takeVaultChanges() {
        do {
            let steps = try workspace.vault.vault.takeOthersSteps()
            guard let last = steps.last else { return }
            workspace.vault.markStale()
            isStale = true
            let news: Phrase = "Changed elsewhere in the vault: \(last)"
            workspace.news = (news.text, 0)
        } catch {
            workspace.tell(error)
        }
    }
}
