package import FoundationEssentials
package import ObjectModel

/// A store without a file: its rows live as long as the store.
///
/// It answers requests by evaluating them on its rows (``RequestEvaluation``), with the same
/// meaning as every other store. It keeps history, so undo works as with a file.
///
/// It is also the engine of the stores that read and write a file as a whole: these give it a
/// ``MemoryBacking``.
package final class InMemoryStore: PersistentStore {
    package let type: StoreType
    package let identifier: UUID
    package let url: URL?
    package let configurationName: String?
    package let isReadOnly: Bool
    package let space: IDSpace
    package let rows = RowCache()
    package var metadata: StoreMetadata {
        didSet {
            metadata.keepOwnEntries(of: oldValue)
            if metadata != oldValue { hasUnsavedMetadata = true }
        }
    }
    package internal(set) var hasUnsavedMetadata = false

    let model: ManagedObjectModel
    /// The file; `nil` for a store that ends with the process.
    let backing: (any MemoryBacking)?
    private var layouts: [RowLayout?]
    var state = MemoryState() {
        didSet { if !idLists.isEmpty { idLists = [:] } }
    }
    /// Whether new objects of all hierarchies are numbered together, as in an XML store.
    var numbersStoreWide = false
    /// Writes the store's objects, as they are, into a new file; `nil` if the store has no format.
    var writeCopy: ((InMemoryStore, URL) throws -> Void)?
    /// The IDs of an entity's rows in order, until the next save.
    private var idLists: [UInt16: [ManagedObjectID]] = [:]

    /// An empty store for a model; it freezes the model.
    package convenience init(
        model: ManagedObjectModel,
        configuration: String? = nil,
        identifier: UUID = UUID(),
        url: URL? = nil
    ) throws {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        var metadata = StoreMetadata.new(.inMemory, model, configuration)
        metadata[StoreMetadataKey.identifier] = .string(identifier.uuidString)
        self.init(
            model: model,
            configuration: configuration,
            metadata: metadata,
            identifier: identifier,
            url: url
        )
    }

    init(
        type: StoreType = .inMemory,
        model: ManagedObjectModel,
        configuration: String?,
        metadata: StoreMetadata,
        identifier: UUID,
        url: URL?,
        isReadOnly: Bool = false,
        backing: (any MemoryBacking)? = nil
    ) {
        self.type = type
        self.model = model
        self.identifier = identifier
        self.url = url
        self.isReadOnly = isReadOnly
        self.backing = backing
        configurationName = configuration
        space = IDSpace.space(for: identifier, entityNames: model.entityNames)
        layouts = model.entitiesByNumber.map { _ in nil }
        self.metadata = metadata
    }

    package func layout(_ entity: EntityDescription) -> RowLayout {
        if let known = layouts[Int(entity.number)] { return known }
        let made = RowLayout(entity)
        layouts[Int(entity.number)] = made
        return made
    }

    package func close() {
        rows.removeAll()
        backing?.close()
    }

    package func checkPlace() throws { try backing?.checkPlace() }

    func row(_ id: ManagedObjectID) -> MemoryState.Row? { state.row(id) }

    // MARK: Reading

    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        let ids = ids(of: plan.entity, withDescendants: plan.request.includesSubentities)
        let evaluation = RequestEvaluation(plan: plan, store: self, model: model)
        return try withExtendedLifetime(evaluation) { try evaluation.answer(from: ids) }
    }

    /// The objects of an entity in the order of their keys, which is the order of insertion.
    ///
    /// Cost: O(n), but O(n log n) after a save of that entity.
    private func ids(of entity: EntityDescription, withDescendants: Bool) -> [ManagedObjectID] {
        let last = withDescendants ? entity.lastNumber : entity.number
        var result: [ManagedObjectID] = []
        for number in entity.number...last {
            guard let table = state.tables[number], !table.isEmpty else { continue }
            let isFirst = result.isEmpty
            result += sortedIDs(table, number)
            if !isFirst { result.sort { $0.key < $1.key } }
        }
        return result
    }

    private func sortedIDs(_ table: [Int64: MemoryState.Row], _ number: UInt16) -> [ManagedObjectID]
    {
        if let known = idLists[number] { return known }
        let ids = table.keys.sorted().map {
            ManagedObjectID(space: space.number, entity: number, key: $0)
        }
        idLists[number] = ids
        return ids
    }

    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids {
            guard let row = row(id), let entity = model.entity(of: id) else {
                rows.remove(id)
                continue
            }
            try cache(row, id, entity, in: rows)
        }
    }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        for id in ids {
            if let row = row(id), let entity = model.entity(of: id) {
                try cache(row, id, entity, in: rows)
            }
        }
    }

    func cache(
        _ row: MemoryState.Row,
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        in rows: RowCache
    ) throws {
        try row.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            try RowWriter.store(
                base,
                version: row.version,
                id: id,
                layout: layout(entity),
                in: rows
            ) { $0 }
        }
    }

    package func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        owners.map { state.links.members(of: relationship, $0) }
    }

    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        if let backing {
            let object = StoreObject(
                objectID: ManagedObjectID(space: space.number, entity: entity.number, key: 0),
                entity: entity,
                changedKeys: [],
                values: entity.defaults
            ) { _ in [] }
            return try (0..<max(0, count)).map { _ in try backing.newID(for: object) }
        }
        let counter = counter(of: entity)
        let last = state.lastKeys[counter] ?? 0
        let count = Int64(max(0, count))
        if count > ManagedObjectID.largestKey - last { throw ObjectGraphError.noKeysLeft(entity) }
        if count > 0 { state.lastKeys[counter] = last + count }
        return (0..<count).map { index in
            ManagedObjectID(space: space.number, entity: entity.number, key: last + 1 + index)
        }
    }

    /// Where the last key of an entity's objects is counted.
    func counter(of entity: EntityDescription) -> UInt16 {
        numbersStoreWide ? 0 : entity.root.number
    }

    /// A copy; it shares the tables until one of them changes.
    package func snapshot() throws -> any PersistentStore { copy(isReadOnly: true) }

    func copy(isReadOnly: Bool) -> InMemoryStore {
        let copy = InMemoryStore(
            type: type,
            model: model,
            configuration: configurationName,
            metadata: metadata,
            identifier: identifier,
            url: url,
            isReadOnly: isReadOnly
        )
        copy.state = state
        copy.writeCopy = writeCopy
        return copy
    }

    package func backUp(to url: URL, progress: ((Double) throws -> Void)?) throws {
        guard let writeCopy else {
            throw ObjectGraphError(
                .unsupported,
                "A store in memory has no file, so there is none to write as a backup.",
                recovery: "Migrate it to a store of another type with migrateStore(_:to:)."
            )
        }
        if let own = self.url.map({ FilePlace.resolved($0.path) }),
            own == FilePlace.resolved(url.path)
        {
            throw ObjectGraphError(
                .cannotWrite,
                "The backup of \"\(url.lastPathComponent)\" would replace the store itself.",
                recovery: "Choose another place for it."
            )
        }
        try progress?(0)
        try writeCopy(self, url)
        try progress?(1)
    }

    // MARK: History

    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        try state.log.transactions(after: token, limit: limit)
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        state.log.transaction(number)
    }

    package func latestTransaction() throws -> Int64 { state.log.latest }

    package func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        state.log.steps(.done, limit, author)
    }

    package func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        state.log.steps(.undone, limit, author)
    }

    package func trimHistory(_ limit: HistoryLimit) throws -> Int { state.log.trim(limit) }
}
