public import FoundationEssentials
public import ObjectContext
public import ObjectModel
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
        case .database(let storeClass): metadata = try storeClass.metadata(ofStoreAt: url)
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

    /// The model that a store was made with, as far as its file shows it.
    ///
    /// Of a store that this framework made it is all but code; of one that Apple's framework made, its
    /// compiled model. The store can be opened with these. Of any other file it is what its tables or its
    /// text show: names, and types as they are stored.
    ///
    ///     let model = try PersistentStoreCoordinator.model(ofStoreAt: file)
    ///     let container = try PersistentContainer(model: model, url: file)
    ///
    /// - Parameter url: the store's file, which is only read.
    /// - Returns: a model that can be read and opened, and not be changed; `ModelArchive(model).model()`
    ///   is a copy that can.
    /// - Throws: `ObjectGraphError` if the file does not exist, is not a store, or shows nothing of its
    ///   model, as an incremental store.
    public static func model(ofStoreAt url: URL) throws -> ManagedObjectModel {
        let model: ManagedObjectModel?
        switch try StoreClass.of(storeType(at: url) ?? .sqlite) {
        case .sqlite: model = try SQLiteStore.inspect(url).found.model
        case .atomic(let storeClass): model = try StoredModel(of: storeClass, at: url)?.model
        case .database(let storeClass):
            model = try storeClass.modelArchive(ofStoreAt: url)?.storedModel()
        case .incremental, .inMemory: model = nil
        }
        if let model {
            try model.freeze()
            return model
        }
        throw ObjectGraphError(
            .cannotOpen,
            "The store \"\(url.lastPathComponent)\" does not contain its model.",
            recovery: "Give the model that it was made with."
        )
    }

    /// The type of the store at a place, found by the first bytes of its file.
    ///
    /// Registered classes of the program are asked for metadata, if the file is of none of the
    /// framework's types.
    ///
    /// - Returns: `nil` if the file is not a store, or does not exist.
    /// - Complexity: O(1) for the framework's types.
    public static func storeType(at url: URL) -> StoreType? {
        if let found = StoreClass.database(of: url) { return found.type }
        if let type = StoreType.ofFile(at: url) { return type }
        for (type, storeClass) in StoreClass.all where !StoreClass.ownTypes.contains(type) {
            let metadata: StoreMetadata?
            switch storeClass {
            case .atomic(let storeClass): metadata = try? storeClass.metadata(ofStoreAt: url)
            case .incremental(let storeClass): metadata = try? storeClass.metadata(ofStoreAt: url)
            case .sqlite, .inMemory, .database: metadata = nil
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
