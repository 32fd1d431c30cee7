import CivilTime
import DocketFormats
import FoundationEssentials
import Glibc
public import ObjectGraph

extension Library {
    public var backupFolder: BackupFolder { BackupFolder(store: path) }

    /// Writes a backup into the folder beside the store, and deletes the oldest beyond the policy.
    ///
    /// - Returns: the backup, which may be doubtful; `nil` for a library without items, which has
    ///   nothing to lose.
    /// - Throws: `ObjectGraphError` or `InputError` if it cannot be written; a store whose structure
    ///   is damaged is not backed up, so that it does not replace a good backup.
    /// - Complexity: O(bytes of the store).
    @discardableResult
    public func backUp(
        _ reason: Backup.Reason,
        _ policy: BackupPolicy = BackupPolicy(),
        progress: ((Double) throws -> Void)? = nil
    ) throws -> Backup? {
        if reason != .asked, try items(matching: nil, limit: 1).isEmpty { return nil }
        return try backupWork(reason, policy)?(progress)
    }

    /// The work of a daily backup, which may run on another thread while the library is used; `nil`
    /// if none is due.
    ///
    /// Cost: see ``needsDailyBackup(_:)``.
    public func dailyBackup(_ policy: BackupPolicy) throws -> BackupWork? {
        try needsDailyBackup(policy) ? backupWork(.daily, policy) : nil
    }

    /// What writes a backup; the parameter gets the finished part.
    public typealias BackupWork =
        @Sendable (_ progress: ((Double) throws -> Void)?) throws -> Backup?

    private func backupWork(_ reason: Backup.Reason, _ policy: BackupPolicy) -> BackupWork? {
        let coordinator = context.coordinator
        guard let store = coordinator.persistentStores.first else { return nil }
        return { [backupFolder, path] progress in
            let turn = reason == .daily ? try backupFolder.takeTurn() : nil
            defer { turn?.end() }
            // Somebody else makes it, or has just made it.
            if reason == .daily, turn == nil || !backupFolder.isNewestOlderThanADay { return nil }
            // The real time, whatever the time of the program is set to.
            var file = try backupFolder.newPath(reason, at: Date())
            try coordinator.backUp(store, to: URL(filePath: file), progress: progress)
            let vault = try Library.backUpVault(of: path, beside: file)
            if try vault.doubtfulCount + coordinator.pageReport(of: store).doubtfulCount > 0 {
                let doubtful = BackupFolder.doubtful(file)
                Glibc.rename(Vault.path(beside: file), Vault.path(beside: doubtful))
                if Glibc.rename(file, doubtful) == 0 { file = doubtful }
            }
            backupFolder.prune(policy)
            return backupFolder.backups.first { $0.path == file }
        }
    }

    /// Writes a backup to a place of the user's choice.
    ///
    /// A file there is replaced only if it is an earlier backup of the same store.
    ///
    /// - Throws: `InputError` if the file is something else, or `ObjectGraphError` if it cannot be
    ///   written.
    public func backUp(to file: String, progress: ((Double) throws -> Void)? = nil) throws {
        let coordinator = context.coordinator
        guard let store = coordinator.persistentStores.first else { return }
        var status = stat()
        // The store itself has a sentence of its own.
        if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            !isOwnFile(status)
        {
            let known = try? PersistentStoreCoordinator.metadata(ofStoreAt: URL(filePath: file))
            guard known?["NSStoreUUID"] == .string(store.identifier.uuidString) else {
                throw InputError(
                    .conflict,
                    "The file \"\(file)\" exists and is not a backup of this store;"
                        + " name another file."
                )
            }
        }
        try coordinator.backUp(store, to: URL(filePath: file), progress: progress)
    }

    /// Copies the vault of a store, if there is one, to the place beside a backup.
    ///
    /// The copy is encrypted like the vault itself; no passphrase is needed.
    ///
    /// - Returns: what the checksums of the vault's pages say.
    /// - Throws: `ObjectGraphError` if it cannot be written.
    @discardableResult
    public static func backUpVault(of store: String, beside backup: String) throws -> PageReport {
        let vault = Vault.path(beside: store)
        guard access(vault, F_OK) == 0 else { return PageReport() }
        return try PersistentStoreCoordinator.replaceStore(
            at: URL(filePath: Vault.path(beside: backup)),
            with: URL(filePath: vault)
        )
    }

    private func isOwnFile(_ status: stat) -> Bool {
        var own = stat()
        return stat(path, &own) == 0 && own.st_ino == status.st_ino && own.st_dev == status.st_dev
    }

    /// Whether the daily backup is due: the store was used before today, and the newest backup is
    /// older than a day.
    ///
    /// Cost: one listing of the folder; without a backup also a search in the list of transactions.
    public func needsDailyBackup(_ policy: BackupPolicy) throws -> Bool {
        if !policy.isDaily || isReadOnly || isOnServer { return false }
        let folder = backupFolder
        if !folder.backups.isEmpty { return folder.isNewestOlderThanADay }
        let before = Date().addingTimeInterval(-BackupPolicy.day)
        let last = try context.coordinator.withFirstStore { try $0.lastTransaction(before: before) }
        return last ?? 0 > 0
    }
}
