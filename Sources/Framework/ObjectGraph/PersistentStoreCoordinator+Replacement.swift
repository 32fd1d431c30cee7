public import FoundationEssentials
public import ObjectContext
public import ObjectModel
public import ObjectStore
import SQLiteStore

extension PersistentStoreCoordinator {
    /// Puts a copy of one store in the place of another one, for example of a backup.
    ///
    /// At each moment, also after a crash, one of the two is at the place as a whole.
    ///
    /// - Parameters:
    ///   - url: the place of an SQLite store; it must not be open in this or another process.
    ///   - source: the file of the other store, which may be in use.
    /// - Returns: the pages of the source without their checksum, which they do not get by the copy.
    /// - Throws: `ObjectGraphError`: the source is not a store, is damaged or is the same file; the
    ///   store at the place is open; the copy cannot be written. Then nothing has changed.
    @discardableResult
    public static func replaceStore(at url: URL, with source: URL) throws -> PageReport {
        try SQLiteStore.replaceStore(at: url, with: source)
    }

    /// Whether a file belongs to a store that this process has open; then it must not be opened by
    /// other means, which would drop the store's locks.
    ///
    /// Cost: one look at each open store's file.
    public static func isOpenHere(_ path: String) -> Bool { SQLiteStore.isOpenHere(path) }

    /// Corrects flipped bits in the file of an SQLite store.
    ///
    /// A page that differs from its checksum in one bit gets its former value. Other pages without
    /// their checksum stay as they are: another program wrote them, or ``inspect(_:progress:)`` finds
    /// what is wrong with them; no save changes them. `adopts` gives them a checksum if the structure
    /// of the file is whole, and a store that an earlier version made room for checksums.
    ///
    /// - Parameters:
    ///   - url: the file of a store that must not be open in this or another process.
    ///   - adopts: whether all pages get a checksum.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: the pages that were corrected, and those that got a checksum as they are.
    /// - Throws: `ObjectGraphError`: the store is open, or cannot be read or written; with `adopts`,
    ///   its structure is damaged, and only flipped bits were corrected.
    /// - Complexity: O(bytes of the file).
    @discardableResult
    public static func repairPages(
        at url: URL,
        adopts: Bool = false,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> PageReport {
        try SQLiteStore.repairPages(at: url, adopts: adopts, progress: progress)
    }
}

extension PersistentStoreCoordinator {
    /// Reads as much as can be read of a damaged SQLite store into a new one.
    ///
    ///     let report = try PersistentStoreCoordinator.salvage(damaged, into: saved, model: model)
    ///     print("\(report.objects) objects, \(report.lostObjects) are lost")
    ///
    /// The file is read page by page and is not changed. The new store is in order: references to
    /// what is lost are removed, and the history notes it.
    ///
    /// - Parameters:
    ///   - source: the damaged file; nobody may write to it meanwhile.
    ///   - url: the place of the new store, where no file may be.
    ///   - model: the model of the new store.
    ///   - configuration: the configuration whose entities the store holds; `nil` for all.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was read, and what is lost.
    /// - Throws: `ObjectGraphError` if the file cannot be read at all or holds nothing of a store, or
    ///   the new one cannot be written. Then there is no new store.
    /// - Complexity: O(bytes of the file).
    public static func salvage(
        _ source: URL,
        into url: URL,
        model: ManagedObjectModel,
        configuration: String? = nil,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> SalvageReport {
        try SQLiteStore.salvage(
            source,
            into: url,
            model: model,
            configuration: configuration,
            progress: progress
        )
    }
}
