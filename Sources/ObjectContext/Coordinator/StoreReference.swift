public import FoundationEssentials
public import ObjectModel
public import ObjectStore

/// A store that a coordinator has, or had, open: what it is, by value.
///
/// Two are equal if they name the same store by its identifier, wherever it lies.
public struct StoreReference: Hashable, Sendable {
    /// The store's own UUID, from its metadata.
    public let identifier: UUID
    /// How the store keeps its rows.
    public let type: StoreType
    /// The store's file; `nil` for one that has none.
    public let url: URL?
    /// The part of the model that the store holds; `nil` = all of it.
    public let configuration: String?
    /// Whether it was opened for reading only.
    public let isReadOnly: Bool

    package init(_ store: any PersistentStore) {
        identifier = store.identifier
        type = store.type
        url = store.url
        configuration = store.configurationName
        isReadOnly = store.isReadOnly
    }

    public static func == (first: StoreReference, second: StoreReference) -> Bool {
        first.identifier == second.identifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// The store in a message: its file, or else its identifier.
    var name: String { url?.path ?? identifier.uuidString }
}

extension PersistentStoreCoordinator {
    /// The stores that are open, in the order in which they were added.
    public var persistentStores: [StoreReference] { openStores.map(StoreReference.init) }

    /// The store that lies at a URL; `nil` if none of these stores does.
    public func persistentStore(at url: URL) -> StoreReference? {
        let path = url.standardized.path
        return persistentStores.first { $0.url?.standardized.path == path }
    }

    /// The store that holds a saved object; `nil` for a new one, or if its store is not open.
    public func persistentStore(of id: ManagedObjectID) -> StoreReference? {
        withStore(of: id) { StoreReference($0) }
    }

    /// Closes a store and forgets it.
    ///
    /// Objects that contexts have of it keep the values that were read; to fill their faults, to
    /// fetch them and to save them is an error (cannot read, cannot write) from now on. So reset or
    /// drop the contexts that used it.
    ///
    /// - Throws: `ObjectGraphError` if the store is none of these.
    public func removeStore(_ store: StoreReference) throws { remove(try openStore(store)) }

    /// What a store says of itself: its type, its identifier, the versions of its model, and what
    /// programs have added.
    ///
    /// - Throws: `ObjectGraphError` if the store is none of these.
    public func metadata(of store: StoreReference) throws -> StoreMetadata {
        let store = try openStore(store)
        return lock.withLock { store.metadata }
    }

    /// Replaces what programs have added to a store's metadata; the next save writes it.
    ///
    /// The entries that are the store's own (type, identifier, versions of the model) stay as they
    /// are, whatever the new metadata say of them.
    ///
    /// - Parameters:
    ///   - metadata: numbers, texts, dates, data, and lists and dictionaries of them.
    ///   - store: one of these stores.
    /// - Throws: `ObjectGraphError` if the store is none of these, or may not be written.
    public func setMetadata(_ metadata: StoreMetadata, of store: StoreReference) throws {
        let open = try openStore(store)
        if open.isReadOnly {
            throw ObjectGraphError(
                .cannotWrite,
                "The store \(store.name) is open for reading only.",
                recovery: "Open it for writing to change its metadata."
            )
        }
        lock.withLock { open.metadata = metadata }
    }

    func openStore(_ store: StoreReference) throws -> any PersistentStore {
        if let open = openStores.first(where: { $0.identifier == store.identifier }) { return open }
        throw ObjectGraphError(
            .invalidRequest,
            "The store \(store.name) is none of this coordinator's.",
            recovery: "Add it first, or use one of its persistent stores."
        )
    }
}

extension ManagedObjectContext {
    /// Chooses the store of a new object, where several hold its entity.
    ///
    /// Without a choice it is the first writable one, in the order in which they were added.
    ///
    /// - Throws: `ObjectGraphError` if the object is of another context or has its place already,
    ///   or if the store is none of the coordinator's, is open for reading only, or holds no objects
    ///   of that entity.
    public func assign(_ object: ManagedObject, to store: StoreReference) throws {
        let open = try coordinator.openStore(store)
        let place = "\(object.entity.name) \(object.objectID.uri)"
        func refuse(_ text: String, _ recovery: String) -> ObjectGraphError {
            ObjectGraphError(
                .invalidRequest,
                text,
                recovery: recovery,
                objectIDs: [object.objectID]
            )
        }
        if object.owner !== self {
            throw refuse(
                "The \(place) is of another context.",
                "Assign it in the context that inserted it."
            )
        }
        if !object.isInserted || !object.objectID.isTemporaryID {
            throw refuse(
                "The \(place) has its store already.",
                "Assign objects before they are saved."
            )
        }
        if open.isReadOnly {
            throw refuse(
                "The store \(store.name) is open for reading only.",
                "Assign the object to a store that may be written."
            )
        }
        if !coordinator.stores(holding: object.entity).contains(where: { $0 === open }) {
            throw refuse(
                "The store \(store.name) holds no objects of the entity \(object.entity.name).",
                "Assign the object to a store whose configuration has its entity."
            )
        }
        assign(object, to: open)
    }
}
