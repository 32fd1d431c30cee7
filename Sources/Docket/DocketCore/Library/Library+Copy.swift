public import FoundationEssentials
import ObjectContext
import ObjectGraph

extension Library {
    /// Copies a library to a place where there is none, which may be a file or a database.
    ///
    /// Objects keep their IDs, and the history comes along.
    ///
    /// - Parameters:
    ///   - source: the library's file, or its address.
    ///   - destination: the new place.
    /// - Returns: the number of items.
    /// - Throws: `ObjectGraphError`: there is no library at the old place, there is something at the
    ///   new one, or one of them cannot be read or written.
    public static func copy(_ source: URL, to destination: URL) throws -> Int {
        let container = try openReadOnly(source)
        defer { container.close() }
        guard let store = container.coordinator.persistentStores.first else { return 0 }
        let upgrade = LibraryUpgrade(destination) { _, _ in false }
        let description = StoreDescription(
            url: destination,
            options: upgrade.options(isReadOnly: false)
        )
        // A file is its owner's; from a server everybody's steps stay theirs.
        let owner = source.isFileURL ? LibraryPlace(destination).member() : nil
        try container.coordinator.migrateStore(store, to: description, historyAuthor: owner)
        let request = FetchRequest<Item>()
        return try container.newContext().count(for: request)
    }
}
