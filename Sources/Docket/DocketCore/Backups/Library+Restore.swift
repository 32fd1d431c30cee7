public import CivilTime
import DocketFormats
public import FoundationEssentials
import Glibc
public import ObjectGraph

/// The result of putting a backup in the place of a library.
public struct RestoredLibrary {
    /// How many items are in the library now, those in the trash included.
    public var items: Int
    /// The backup of the former library; `nil` if there was nothing in it.
    public var former: String?
    /// Whether the vault was put back too, from the file beside the backup.
    public var hasVault = false
    /// What the checksums of the backup's pages say.
    public var pages = PageReport()
}

extension Library {
    /// Puts a backup in the place of a library, after a backup of the library itself.
    ///
    /// The vault that was copied beside the backup comes back with it: the texts of encrypted notes
    /// belong to its key. Without such a copy the vault stays as it is.
    ///
    /// - Parameters:
    ///   - backup: the file of a backup, or of another library.
    ///   - vaultCopy: the copy of the vault that belongs to it; by default the one beside it.
    ///   - store: the library's file, which nobody has open; it may be missing or damaged.
    ///   - clock: the time.
    /// - Returns: what is there now, and where the former library is.
    /// - Throws: `ObjectGraphError` or `InputError`: the backup is not a library or is damaged, the
    ///   library is open, or a file cannot be written. Then nothing has changed, except that there
    ///   may be one more backup.
    public static func restore(
        _ backup: URL,
        vaultCopy: String? = nil,
        over store: URL,
        clock: @escaping () -> DateContext
    ) throws -> RestoredLibrary {
        let items = try itemCount(of: backup)
        var status = stat()
        var former: String?
        if stat(store.path, &status) == 0, status.st_size > 0 {
            former = try keep(store, clock)
        }
        let vault = Vault.path(beside: store.path)
        let kept = vaultCopy ?? Vault.path(beside: backup.path)
        var formerVault = former.map { Vault.path(beside: $0) }
        let hasVault = access(kept, F_OK) == 0
        if hasVault {
            if former == nil, access(vault, F_OK) == 0 {
                // There were no items, but a vault.
                let place = try BackupFolder(store: store.path)
                    .newPath(.beforeRestore, at: clock().now)
                try backUpVault(of: store.path, beside: place)
                formerVault = Vault.path(beside: place)
                former = formerVault
            }
            try PersistentStoreCoordinator.replaceStore(
                at: URL(filePath: vault),
                with: URL(filePath: kept)
            )
        }
        let pages: PageReport
        do {
            pages = try PersistentStoreCoordinator.replaceStore(at: store, with: backup)
        } catch {
            if hasVault { takeBack(vault, formerVault) }
            throw error
        }
        return RestoredLibrary(items: items, former: former, hasVault: hasVault, pages: pages)
    }

    /// Puts the former vault in its place again, or removes the one that was not there.
    private static func takeBack(_ vault: String, _ former: String?) {
        guard let former, access(former, F_OK) == 0 else {
            for suffix in ["", "-wal", "-shm"] { unlink(vault + suffix) }
            return
        }
        _ = try? PersistentStoreCoordinator.replaceStore(
            at: URL(filePath: vault),
            with: URL(filePath: former)
        )
    }

    /// The number of items of a library of this or an older version.
    private static func itemCount(of backup: URL) throws -> Int {
        let container = try openReadOnly(backup)
        defer { container.close() }
        return try container.viewContext.count(for: FetchRequest<ManagedObject>(entityName: "Item"))
    }

    /// Makes a backup of the library that is to be replaced; of a damaged one a plain copy.
    private static func keep(_ store: URL, _ clock: @escaping () -> DateContext) throws -> String? {
        do {
            let library = try Library(url: store, author: "restore", clock: clock)
            defer { library.close() }
            return try library.backUp(.beforeRestore)?.path
        } catch let error as ObjectGraphError
            where [.damagedFile, .cannotOpen, .incompatibleVersion].contains(error.code)
        {
            let folder = BackupFolder(store: store.path)
            let path = try folder.newPath(.beforeRestore, at: clock().now)
            // The extension shows that it is not a usable backup.
            let copy = path.dropLast(".sqlite".count) + ".damaged"
            do {
                try FileManager.default.copyItem(atPath: store.path, toPath: String(copy))
            } catch {
                throw InputError(
                    .conflict,
                    "The damaged store \"\(store.path)\" cannot be copied to \"\(copy)\", so it"
                        + " was not replaced."
                )
            }
            try backUpVault(of: store.path, beside: path)
            return String(copy)
        }
    }
}
