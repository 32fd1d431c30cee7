public import FoundationEssentials
public import ObjectContext
import ObjectModel
public import ObjectStore
import SQLiteStore

extension PersistentStoreCoordinator {
    /// The metadata of a store, read without opening it and without a model.
    ///
    ///     let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: file)
    ///     print(metadata["NSStoreType"] ?? .null)
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - type: the type of the store; by default it is found by ``storeType(at:)``.
    /// - Returns: property-list values by key.
    /// - Throws: `ObjectGraphError` if the file does not exist, is not a store, or is of another type.
    /// - Complexity: O(bytes of the file) at most.
    public static func metadata(
        ofStoreAt url: URL,
        type: StoreType? = nil
    ) throws -> StoreMetadata {
        let type = type ?? storeType(at: url) ?? .sqlite
        let metadata: StoreMetadata
        switch try StoreClass.of(type) {
        case .sqlite: metadata = try SQLiteStore.metadata(at: url)
        case .atomic(let storeClass): metadata = try storeClass.metadata(ofStoreAt: url)
        case .incremental(let storeClass): metadata = try storeClass.metadata(ofStoreAt: url)
        case .inMemory:
            throw ObjectGraphError(
                .invalidRequest,
                "A store in memory has no metadata that could be read before it is opened.",
                recovery: "Ask the open store."
            )
        }
        if let found = metadata.storeType, found != type {
            throw ObjectGraphError(
                .storeTypeMismatch,
                "The store \"\(url.lastPathComponent)\" is of type \(found.rawValue), not"
                    + " \(type.rawValue).",
                recovery: "Ask for the metadata of that type."
            )
        }
        return metadata
    }

    /// The type of the store at a place, found by the first bytes of its file.
    ///
    /// Registered classes of the program are asked for metadata, if the file is of none of the
    /// framework's types.
    ///
    /// - Returns: `nil` if the file is not a store, or does not exist.
    /// - Complexity: O(1) for the framework's types.
    public static func storeType(at url: URL) -> StoreType? {
        if let type = StoreType.ofFile(at: url) { return type }
        for (type, storeClass) in StoreClass.all where !StoreClass.ownTypes.contains(type) {
            let metadata: StoreMetadata?
            switch storeClass {
            case .atomic(let storeClass): metadata = try? storeClass.metadata(ofStoreAt: url)
            case .incremental(let storeClass): metadata = try? storeClass.metadata(ofStoreAt: url)
            case .sqlite, .inMemory: metadata = nil
            }
            if metadata?.storeType == type { return type }
        }
        return nil
    }
}

extension StoreType {
    /// The type of a file by its first bytes; `nil` for a file of none of the framework's types.
    ///
    /// The file may be open in this process.
    static func ofFile(at url: URL) -> StoreType? {
        SQLiteStore.isDatabase(at: url) ? .sqlite : ofWholeFile(at: url)
    }
}
