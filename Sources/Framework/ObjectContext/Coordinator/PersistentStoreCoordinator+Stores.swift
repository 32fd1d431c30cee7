public import FoundationEssentials
public import ObjectModel
public import ObjectStore

extension PersistentStoreCoordinator {
    /// The stores that are open, in the order in which they were added.
    public var persistentStores: [StoreReference] { openStores.map(StoreReference.init) }

    /// The open store with a URL; `nil` if there is none.
    public func persistentStore(at url: URL) -> StoreReference? {
        let path = url.standardized.path
        return persistentStores.first { $0.url?.standardized.path == path }
    }

    /// The store of a saved object; `nil` for a new object, or if the store is not open.
    public func persistentStore(of id: ManagedObjectID) -> StoreReference? {
        store(of: id).map(StoreReference.init)
    }

    /// Closes and removes a store.
    ///
    /// Its objects keep the values that contexts have read. From now on it is an error to fill
    /// their faults, to fetch them and to save them (cannot read, cannot write). So reset or
    /// release the contexts that used the store.
    ///
    /// - Throws: `ObjectGraphError` if the store does not belong to this coordinator.
    public func removeStore(_ store: StoreReference) throws { remove(try openStore(store)) }

    /// The metadata of a store: its type, its identifier, the versions of its model, and the
    /// entries of programs.
    ///
    /// - Throws: `ObjectGraphError` if the store does not belong to this coordinator.
    public func metadata(of store: StoreReference) throws -> StoreMetadata {
        let store = try openStore(store)
        return lock.withLock { store.metadata }
    }

    /// Replaces the entries of programs in a store's metadata; the next save writes them.
    ///
    /// The store's own entries (type, identifier, versions of the model) do not change, whatever
    /// the new metadata contain for them.
    ///
    /// They are part of the next save of any context over the stores, also of one without changes;
    /// a save that fails leaves them to the next one.
    ///
    ///     var metadata = try coordinator.metadata(of: store)
    ///     metadata["Notes.sorting"] = .string("date")
    ///     try coordinator.setMetadata(metadata, of: store)
    ///     try context.save()
    ///
    /// - Parameters:
    ///   - metadata: numbers, texts, dates, data, and lists and dictionaries of them.
    ///   - store: one of the open stores.
    /// - Throws: `ObjectGraphError` if the store does not belong to this coordinator, or is
    ///   read-only, or if a value is not one of these kinds; then nothing has changed.
    public func setMetadata(_ metadata: StoreMetadata, of store: StoreReference) throws {
        let open = try openStore(store)
        if open.isReadOnly || !open.canBeWritten {
            throw ObjectGraphError.readOnly(open, purpose: "to change its metadata")
        }
        _ = try MetadataBytes.data(metadata)
        lock.withLock {
            open.metadata = open.metadata.replacingEntries(ofPrograms: metadata)
        }
        hasDueMetadata = true
    }

    /// Writes the present state of a store into one file, while it is in use.
    ///
    ///     try container.coordinator.backUp(store, to: URL(filePath: "tasks-backup.sqlite"))
    ///
    /// The file appears complete or not at all: it is written beside its place, checked, synced and
    /// moved there. It is a store like the original, with the same identifier and history; large
    /// data that the store keeps in files of their own are inside. Reads and saves go on meanwhile.
    ///
    /// - Parameters:
    ///   - store: one of the open stores.
    ///   - url: the place of the backup; a file there is replaced.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the backup.
    /// - Throws: `ObjectGraphError`: the store is of a type that cannot do it, the place is the store
    ///   itself or cannot be written, or the store is damaged. A file that was there stays.
    /// - Complexity: O(bytes of the store).
    public func backUp(
        _ store: StoreReference,
        to url: URL,
        progress: ((Double) throws -> Void)? = nil
    ) throws {
        let open = try openStore(store)
        let snapshot = try lock.withLock { try open.snapshot() }
        defer { snapshot.close() }
        try snapshot.backUp(to: url, progress: progress)
    }

    /// Calls the body with an open store, while nobody else uses the coordinator's stores.
    public func withOpenStore<Result>(
        _ store: StoreReference,
        _ body: (any PersistentStore) throws -> Result
    ) throws -> Result {
        let open = try openStore(store)
        return try lock.withLock { try body(open) }
    }

    func openStore(_ store: StoreReference) throws -> any PersistentStore {
        if let open = openStores.first(where: { $0.identifier == store.identifier }) { return open }
        throw ObjectGraphError(
            .invalidRequest,
            "The store \(store.name) does not belong to this coordinator.",
            recovery: "Add it first, or use one of its persistent stores."
        )
    }
}

extension ManagedObjectContext {
    /// Chooses the store of a new object, where several hold its entity.
    ///
    /// By default it is the first writable one, in the order in which the stores were added.
    ///
    /// - Throws: `ObjectGraphError` if the object belongs to another context or has a store
    ///   already, or if the store does not belong to the coordinator, is read-only, or does not
    ///   hold the entity.
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
        if object.context !== self {
            throw refuse(
                "The \(place) belongs to another context.",
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
                "Assign the object to a writable store."
            )
        }
        if !coordinator.stores(holding: object.entity).contains(where: { $0 === open }) {
            throw refuse(
                "The store \(store.name) does not hold the entity \(object.entity.name).",
                "Assign the object to a store whose configuration has its entity."
            )
        }
        assign(object, to: open)
    }
}
