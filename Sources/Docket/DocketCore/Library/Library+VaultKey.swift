public import Encryption
import FoundationEssentials
import ObjectGraph

// A new key for everything that the vault encrypts, for somebody whose old passphrase was known to
// others: a new passphrase alone would not help, because they may know the key.
//
//   add a key ── seal all values again ── forget the history ── remove the old keys
//
// Each value names its key, so the work can stop anywhere and goes on at the next call: while the
// envelope has several keys it is not finished.

extension Library {
    /// Encrypts all credentials and encrypted notes with a new key, and forgets the vault's history.
    ///
    /// - Parameter passphrase: the present one.
    /// - Returns: how many values were encrypted again.
    /// - Throws: `EncryptionError` for a wrong passphrase; the store's error. Everything is readable
    ///   then, and the next call goes on.
    @discardableResult
    public func renewVaultKey(passphrase: SecretBytes) throws -> Int {
        requireOutsideChange()
        let passphrase = try vault.unlock(passphrase: passphrase)
        if !vault.hasOldKeys { try vault.addKey(passphrase) }
        var count = try vault.resealAll()
        let notes = try context.fetch(FetchRequest<Note>()).filter(\.isEncrypted)
        count += try reseal(notes)
        try vault.removeOldKeys(passphrase)
        return count
    }

    private func reseal(_ notes: [Note]) throws -> Int {
        let ring = try vault.unlocked().ring
        do {
            let changed = try notes.filter {
                try $0.resealValue(forKey: Note.Keys.sealedBody, if: ring.isSealedWithOldKey)
            }
            try saveSilently()
            // Undo would bring back what the old key sealed.
            if !notes.isEmpty { try erase(notes) }
            return changed.count
        } catch {
            revertChanges()
            throw error
        }
    }
}

extension Vault {
    /// Whether some values may still be sealed with a former key.
    var hasOldKeys: Bool { store.map { $0.ring.envelope.keyCount > 1 } ?? false }

    fileprivate func addKey(_ passphrase: SecretBytes) throws {
        try change(passphrase) { try $0.addingKey(passphrase: passphrase) }
    }

    fileprivate func removeOldKeys(_ passphrase: SecretBytes) throws {
        try change(passphrase) { try $0.removingOldKeys(passphrase: passphrase) }
    }

    /// Seals all values with the current key in one transaction, and forgets the history.
    fileprivate func resealAll() throws -> Int {
        let store = try unlocked()
        try refresh(store)
        var count = 0
        do {
            for credential in try Credential.all(in: store.context) {
                for key in [
                    Credential.Keys.name, Credential.Keys.userID, Credential.Keys.password,
                    Credential.Keys.address, Credential.Keys.notes,
                ] where try credential.resealValue(forKey: key, if: store.ring.isSealedWithOldKey) {
                    count += 1
                }
            }
            for category in try Category.all(in: store.context)
            where try category.resealValue(
                forKey: Category.Keys.name,
                if: store.ring.isSealedWithOldKey
            ) {
                count += 1
            }
            var info = TransactionInfo()
            info.kind = .silent
            _ = try store.context.save(info)
        } catch {
            store.context.rollback()
            throw error
        }
        var limit = HistoryLimit(keepsBytes: 0, keepsSteps: 0)
        limit.mostSteps = 0
        _ = try store.context.coordinator.withFirstStore { try $0.trimHistory(limit) }
        return count
    }
}
