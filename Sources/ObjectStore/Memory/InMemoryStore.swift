package import FoundationEssentials
package import ObjectModel

/// A store without a file: rows live as long as it does.
///
/// It answers requests by evaluating them on its rows (``RequestEvaluation``), with the semantics
/// of every other store. Keeps history, so undo works as in a file.
package final class InMemoryStore: PersistentStore {
    package let type = StoreType.inMemory
    package let identifier: UUID
    package let url: URL?
    package let configurationName: String?
    package let isReadOnly = false
    package let space: IDSpace
    package let rows = RowCache()
    package var metadata: StoreMetadata

    private let model: ManagedObjectModel
    private var layouts: [RowLayout?]
    /// All rows by the number of their entity.
    private var tables: [MemoryTable]
    private var references = ReverseReferences()
    private var links = LinkTable()
    private var lastKeys: [UInt16: Int64] = [:]
    private var log = MemoryHistory()

    /// An empty store for a model, which is frozen by it.
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
        tables = model.entitiesByNumber.map { _ in MemoryTable() }
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

    private func entity(_ id: ManagedObjectID) -> EntityDescription? {
        let number = Int(id.entityNumber)
        return number < model.entitiesByNumber.count ? model.entitiesByNumber[number] : nil
    }

    // MARK: Reading

    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        let numbers =
            plan.request.includesSubentities
            ? plan.entity.number...plan.entity.lastNumber
            : plan.entity.number...plan.entity.number
        var ids: [ManagedObjectID] = []
        var filled = 0
        for number in numbers where !tables[Int(number)].isEmpty {
            filled += 1
            let keys = tables[Int(number)].sortedKeys()
            ids.reserveCapacity(ids.count + keys.count)
            for key in keys {
                ids.append(ManagedObjectID(space: space.number, entity: number, key: key))
            }
        }
        // Keys are unique in a hierarchy, and tell the order of insertion.
        if filled > 1 { ids.sort { $0.key < $1.key } }
        return try RequestEvaluation(plan: plan, store: self, model: model).answer(from: ids)
    }

    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids {
            guard let entity = entity(id), let row = tables[Int(id.entityNumber)][id.key] else {
                rows.remove(id)
                continue
            }
            cache(row, id, entity)
        }
    }

    private func cache(_ row: MemoryTable.Row, _ id: ManagedObjectID, _ entity: EntityDescription) {
        row.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            RowWriter.store(
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
        if relationship.isOrdered || relationship.inverse?.isToMany != false {
            return owners.map { links.destinations(relationship, $0) }
        }
        return owners.map { references.members(of: relationship, $0) }
    }

    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        (0..<count).map { _ in nextID(entity) }
    }

    private func nextID(_ entity: EntityDescription) -> ManagedObjectID {
        let key = (lastKeys[entity.root.number] ?? 0) + 1
        lastKeys[entity.root.number] = key
        return ManagedObjectID(space: space.number, entity: entity.number, key: key)
    }

    // MARK: Saving

    package func save(_ plan: SavePlan) throws -> SaveReceipt {
        try checkVersions(plan)
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        let insertedIDs = plan.inserted.map { change in
            let id = change.id.isTemporaryID ? nextID(change.entity) : change.id
            permanent[change.id] = id
            return id
        }
        func resolve(_ id: ManagedObjectID) -> ManagedObjectID { permanent[id] ?? id }
        var changes = HistoryRecorder(resolve: resolve)
        for (change, id) in zip(plan.inserted, insertedIDs) {
            changes.insert(id)
            put(change, id, version: 1, resolve)
        }
        for change in plan.updated {
            changes.update(change)
            put(change, change.id, version: change.version + 1, resolve)
        }
        for link in plan.links {
            changes.link(link)
            links.apply(link, resolve)
        }
        for change in plan.deleted {
            changes.delete(change, links: links.all(of: change.id, change.entity))
            remove(change.id, change.entity)
        }
        let number = log.append(plan.transaction, changes.changes)
        return SaveReceipt(transaction: number, insertedIDs: insertedIDs)
    }

    private func checkVersions(_ plan: SavePlan) throws {
        if plan.ignoresVersions { return }
        let conflicts = (plan.updated + plan.deleted).compactMap { change -> StoreConflict.Row? in
            let version = tables[Int(change.id.entityNumber)][change.id.key]?.version ?? 0
            if version == change.version { return nil }
            return StoreConflict.Row(
                id: change.id,
                oldVersion: change.version,
                newVersion: version
            )
        }
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
    }

    private func put(
        _ change: ObjectChange,
        _ id: ManagedObjectID,
        version: Int64,
        _ resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        let layout = layout(change.entity)
        var row = MemoryTable.Row(
            version: version,
            values: Array(repeating: .null, count: change.entity.slots.count)
        )
        for column in layout.columns {
            if case .objectID(let other) = change.slots[column.slot] {
                row.values[column.slot] = .objectID(resolve(other))
            } else {
                row.values[column.slot] = change.slots[column.slot]
            }
        }
        let old = tables[Int(id.entityNumber)].set(row, id.key)
        references.note(id, change.entity, from: old?.values, to: row.values)
        let root = change.entity.root.number
        lastKeys[root] = max(lastKeys[root] ?? 0, id.key)
        cache(row, id, change.entity)
    }

    private func remove(_ id: ManagedObjectID, _ entity: EntityDescription) {
        if let old = tables[Int(id.entityNumber)].remove(id.key) {
            references.note(id, entity, from: old.values, to: nil)
        }
        links.removeAll(of: id, entity)
        rows.remove(id)
    }

    // MARK: History

    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        log.transactions(after: token, limit: limit)
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        log.transaction(number)
    }

    package func undoSteps(limit: Int) throws -> [HistoryStep] { log.steps(.done, limit) }

    package func redoSteps(limit: Int) throws -> [HistoryStep] { log.steps(.undone, limit) }
}
