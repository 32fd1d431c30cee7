package import FoundationEssentials
package import ObjectModel

/// An atomic store on its way to another version of its model.
///
/// The steps work on copies in memory. Only ``finish(with:)`` writes: a new instance of the store's
/// class, which has not loaded anything, gets the objects and saves them once. So the file is
/// replaced as by any save, and a failure or a kill leaves the old one.
package final class AtomicStoreMigration {
    private let source: AtomicStore
    private let former: InMemoryStore
    private let storeClass: AtomicStore.Type

    /// Reads the store.
    ///
    /// - Parameters:
    ///   - storeClass: the class of the store.
    ///   - type: under which the class is registered.
    ///   - url: the place of the store.
    ///   - model: that the store was made with.
    ///   - configuration: the part of that model that the store holds; `nil` = all of it.
    /// - Throws: `ObjectGraphError`, as for an opening with that model.
    package init(
        _ storeClass: AtomicStore.Type,
        as type: StoreType,
        at url: URL,
        model: ManagedObjectModel,
        configuration: String?
    ) throws {
        self.storeClass = storeClass
        (source, former) = try AtomicStoreOpening.open(
            storeClass,
            as: type,
            url: url,
            model: model,
            configuration: configuration,
            isReadOnly: true
        )
    }

    /// The objects as they are, for the first step.
    package func start() -> any PersistentStore {
        let copy = former.copy(isReadOnly: false)
        copy.numbersStoreWide = true
        copy.state.lastKeys = [0: source.nextReferenceNumber - 1]
        return copy
    }

    /// An empty store in memory for the objects of the next version.
    ///
    /// - Parameters:
    ///   - store: that of the former version.
    ///   - lineage: the checksum of its model.
    ///   - model: the next version.
    ///   - configuration: the part of the model that the store holds.
    ///   - readableBy: what can read the store.
    ///   - keepsIDs: whether the objects keep their IDs, and the store its identifier.
    /// - Returns: a store that is not open anywhere.
    /// - Throws: `ObjectGraphError` if the model contradicts itself.
    package func next(
        after store: any PersistentStore,
        lineage: String,
        model: ManagedObjectModel,
        configuration: String?,
        readableBy: String?,
        keepsIDs: Bool
    ) throws -> any PersistentStore {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        let identifier = keepsIDs ? store.identifier : UUID()
        let new = StoreMetadata.new(
            store.type,
            model,
            configuration,
            format: 1,
            identifier: identifier
        )
        var metadata = keepsIDs ? store.metadata.merging(new) { _, new in new } : new
        var checksums: [GraphValue] = []
        if case .array(let known)? = store.metadata[StoreMetadataKey.lineage] { checksums = known }
        metadata[StoreMetadataKey.lineage] = .array(checksums + [.string(lineage)])
        metadata[StoreMetadataKey.model] = .data(ModelArchive(model).data)
        metadata[StoreMetadataKey.readableBy] = readableBy.map { .string($0) }
        let next = InMemoryStore(
            type: store.type,
            model: model,
            configuration: configuration,
            metadata: metadata,
            identifier: identifier,
            url: nil
        )
        next.space.useReferences()
        next.numbersStoreWide = true
        if keepsIDs, let store = store as? InMemoryStore {
            next.state.lastKeys = store.state.lastKeys
        }
        return next
    }

    /// Writes the store as it was to another place.
    package func backUp(to url: URL) throws { try former.backUp(to: url, progress: nil) }

    /// Replaces the store's file.
    ///
    /// - Parameter store: the objects of the last version.
    /// - Throws: `ObjectGraphError`: what the save of the class throws;
    ///   ``ObjectGraphError/Code/storeReplaced`` if somebody else has changed the file meanwhile.
    package func finish(with store: any PersistentStore) throws {
        guard let store = store as? InMemoryStore else { return }
        let url = try source.location
        try AtomicStoreOpening.write(store, as: storeClass, to: url, files: source.files)
    }
}
