package import FoundationEssentials
package import ObjectModel

/// A store without a file: rows live as long as it does.
///
/// It leaves predicates, order and windows to its caller, which evaluates them in memory, so the
/// semantics are the same as everywhere. Keeps history, so undo works as in a file.
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
    /// All rows by the number of their entity, in the order of their keys.
    private var tables: [UInt16: [Int64: StoredRow]] = [:]
    private var links = LinkTable()
    private var lastKeys: [UInt16: Int64] = [:]
    private var log = MemoryHistory()

    struct StoredRow {
        var version: Int64
        var values: [Value]
    }

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
        if plan.request.resultType == .dictionaries {
            throw ObjectGraphError(
                .unsupported,
                "An in-memory store answers no dictionary requests yet.",
                recovery: "Fetch objects and read their values."
            )
        }
        let last = plan.request.includesSubentities ? plan.entity.lastNumber : plan.entity.number
        var answer = FetchAnswer()
        for number in plan.entity.number...last {
            let keys = (tables[number]?.keys).map { $0.sorted() } ?? []
            answer.ids += keys.map {
                ManagedObjectID(space: space.number, entity: number, key: $0)
            }
        }
        if plan.loadsRows { try load(answer.ids.filter { !rows.contains($0) }) }
        answer.remainder = plan.request.predicate
        answer.isSorted = plan.request.sortDescriptors.isEmpty
        answer.isWindowed = plan.request.limit == 0 && plan.request.offset == 0
        if answer.isComplete, plan.request.resultType == .count { answer.count = answer.ids.count }
        return answer
    }

    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids {
            guard let row = tables[id.entityNumber]?[id.key], let entity = entity(id) else {
                rows.remove(id)
                continue
            }
            cache(row, id, entity)
        }
    }

    private func cache(_ row: StoredRow, _ id: ManagedObjectID, _ entity: EntityDescription) {
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
        guard let inverse = relationship.inverse, let entity = inverse.entity else {
            return owners.map { _ in [] }
        }
        var byOwner: [ManagedObjectID: [ManagedObjectID]] = [:]
        for number in entity.number...entity.lastNumber {
            for (key, row) in tables[number] ?? [:] {
                guard case .objectID(let owner) = row.values[inverse.slot] else { continue }
                byOwner[owner, default: []].append(
                    ManagedObjectID(space: space.number, entity: number, key: key)
                )
            }
        }
        return owners.map { (byOwner[$0] ?? []).sorted() }
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
            tables[change.id.entityNumber]?[change.id.key] = nil
            links.removeAll(of: change.id)
            rows.remove(change.id)
        }
        let number = log.append(plan.transaction, changes.changes)
        return SaveReceipt(transaction: number, insertedIDs: insertedIDs)
    }

    private func checkVersions(_ plan: SavePlan) throws {
        if plan.ignoresVersions { return }
        let conflicts = (plan.updated + plan.deleted).compactMap { change -> StoreConflict.Row? in
            let version = tables[change.id.entityNumber]?[change.id.key]?.version ?? 0
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
        var row = StoredRow(
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
        tables[id.entityNumber, default: [:]][id.key] = row
        let root = change.entity.root.number
        lastKeys[root] = max(lastKeys[root] ?? 0, id.key)
        cache(row, id, change.entity)
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
