package import FoundationEssentials
package import ObjectModel

/// A store without a file: its rows live as long as the store.
///
/// It answers requests by evaluating them on its rows (``RequestEvaluation``), with the same
/// meaning as every other store. It keeps history, so undo works as with a file.
package final class InMemoryStore: PersistentStore {
    package let type = StoreType.inMemory
    package let identifier: UUID
    package let url: URL?
    package let configurationName: String?
    package let isReadOnly = false
    package let space: IDSpace
    package let rows = RowCache()
    package var metadata: StoreMetadata

    let model: ManagedObjectModel
    private var layouts: [RowLayout?]
    /// All rows by the number of their entity and their key.
    var tables: [UInt16: [Int64: StoredRow]] = [:] {
        didSet { if !idLists.isEmpty { idLists = [:] } }
    }
    /// The IDs of an entity's rows in order, until the next save of the entity.
    private var idLists: [UInt16: [ManagedObjectID]] = [:]
    var links = MemoryLinks()
    var unique = UniqueValues()
    var lastKeys: [UInt16: Int64] = [:]
    var log = MemoryHistory()

    struct StoredRow {
        var version: Int64
        var values: [GraphValue]
    }

    /// An empty store for a model; it freezes the model.
    package init(
        model: ManagedObjectModel,
        configuration: String? = nil,
        identifier: UUID = UUID(),
        url: URL? = nil
    ) throws {
        try model.freeze()
        self.model = model
        self.identifier = identifier
        self.url = url
        configurationName = configuration
        space = IDSpace.space(for: identifier, entityNames: model.entityNames)
        layouts = model.entitiesByNumber.map { _ in nil }
        metadata = [
            "NSStoreType": .string(StoreType.inMemory.rawValue),
            "NSStoreUUID": .string(identifier.uuidString),
        ]
    }

    package func layout(_ entity: EntityDescription) -> RowLayout {
        if let known = layouts[Int(entity.number)] { return known }
        let made = RowLayout(entity)
        layouts[Int(entity.number)] = made
        return made
    }

    package func close() { rows.removeAll() }

    func entity(_ id: ManagedObjectID) -> EntityDescription? {
        let number = Int(id.entityNumber)
        return number < model.entitiesByNumber.count ? model.entitiesByNumber[number] : nil
    }

    func row(_ id: ManagedObjectID) -> StoredRow? { tables[id.entityNumber]?[id.key] }

    // MARK: Reading

    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        let ids = ids(of: plan.entity, withDescendants: plan.request.includesSubentities)
        let evaluation = RequestEvaluation(plan: plan, store: self, model: model)
        return try withExtendedLifetime(evaluation) { try evaluation.answer(from: ids) }
    }

    /// The objects of an entity in the order of their keys, which is the order of insertion.
    ///
    /// Cost: O(n), but O(n log n) after a save of that entity.
    private func ids(
        of entity: EntityDescription,
        withDescendants: Bool
    ) -> [ManagedObjectID] {
        let last = withDescendants ? entity.lastNumber : entity.number
        var result: [ManagedObjectID] = []
        for number in entity.number...last {
            guard let table = tables[number], !table.isEmpty else { continue }
            let isFirst = result.isEmpty
            result += sortedIDs(table, number)
            if !isFirst { result.sort { $0.key < $1.key } }
        }
        return result
    }

    private func sortedIDs(_ table: [Int64: StoredRow], _ number: UInt16) -> [ManagedObjectID] {
        if let known = idLists[number] { return known }
        let ids = table.keys.sorted().map {
            ManagedObjectID(space: space.number, entity: number, key: $0)
        }
        idLists[number] = ids
        return ids
    }

    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids {
            guard let row = row(id), let entity = entity(id) else {
                rows.remove(id)
                continue
            }
            try cache(row, id, entity, in: rows)
        }
    }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        for id in ids {
            if let row = row(id), let entity = entity(id) { try cache(row, id, entity, in: rows) }
        }
    }

    func cache(
        _ row: StoredRow,
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
        owners.map { links.members(of: relationship, $0) }
    }

    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        (0..<max(0, count)).map { _ in nextID(entity) }
    }

    func nextID(_ entity: EntityDescription) -> ManagedObjectID {
        let key = (lastKeys[entity.root.number] ?? 0) + 1
        lastKeys[entity.root.number] = key
        return ManagedObjectID(space: space.number, entity: entity.number, key: key)
    }

    /// A copy; it shares the tables until one of them changes.
    package func snapshot() throws -> any PersistentStore {
        let copy = try InMemoryStore(
            model: model,
            configuration: configurationName,
            identifier: identifier,
            url: url
        )
        copy.tables = tables
        copy.links = links
        copy.unique = unique
        copy.lastKeys = lastKeys
        copy.log = log
        copy.metadata = metadata
        return copy
    }

    // MARK: History

    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        try log.transactions(after: token, limit: limit)
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        log.transaction(number)
    }

    package func undoSteps(limit: Int) throws -> [HistoryStep] { log.steps(.done, limit) }

    package func redoSteps(limit: Int) throws -> [HistoryStep] { log.steps(.undone, limit) }

    package func trimHistory(_ limit: HistoryLimit) throws -> Int { log.trim(limit) }
}
