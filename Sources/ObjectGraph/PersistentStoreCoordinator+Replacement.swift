public import FoundationEssentials
public import ObjectContext
import ObjectModel
import SQLiteStore

extension PersistentStoreCoordinator {
    /// Puts a copy of one store in the place of another one, for example of a backup.
    ///
    /// At each moment, also after a crash, one of the two is at the place as a whole.
    ///
    /// - Parameters:
    ///   - url: the place of an SQLite store; it must not be open in this or another process.
    ///   - source: the file of the other store, which may be in use.
    /// - Throws: `ObjectGraphError`: the source is not a store, is damaged or is the same file; the
    ///   store at the place is open; the copy cannot be written. Then nothing has changed.
    public static func replaceStore(at url: URL, with source: URL) throws {
        try SQLiteStore.replaceStore(at: url, with: source)
    }
}
