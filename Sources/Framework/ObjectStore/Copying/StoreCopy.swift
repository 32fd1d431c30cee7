package import ObjectModel

/// Copies all objects of a store into an empty one, which may be of another type.
///
/// 1. All IDs are listed, and numbered again only if the new store cannot have them.
/// 2. The rows follow in batches, by entity; then the members and orders of to-many relationships
///    that no row has.
/// 3. Between stores in tables the history follows.
/// 4. The entries of programs in the metadata are written last.
///
/// The old store is only read.
package struct StoreCopy {
    /// How many rows are in memory at a time, if the new store can be written in parts.
    private static let batch = 2_000

    private let source: any PersistentStore
    private let model: ManagedObjectModel
    private let entities: [EntityDescription]
    private let ids: [[ManagedObjectID]]
    /// Whether the objects have the same IDs in the new store.
    package let keepsIDs: Bool
    /// Whose the commands of the history are in the new store; `nil` leaves them to their authors.
    package var historyAuthor: String?

    /// - Parameters:
    ///   - source: the old store, in use by nobody else meanwhile.
    ///   - model: the model of both stores.
    ///   - needsStoreWideNumbers: see ``AtomicStore/hasStoreWideNumbers``.
    ///   - takesReferences: whether the new store takes any reference object, not only numbers.
    /// - Throws: the store's error.
    package init(
        of source: any PersistentStore,
        _ model: ManagedObjectModel,
        needsStoreWideNumbers: Bool,
        takesReferences: Bool
    ) throws {
        self.source = source
        self.model = model
        entities = model.storedEntities(in: source.configurationName).filter { !$0.isAbstract }
        var ids: [[ManagedObjectID]] = []
        for entity in entities {
            var request = FetchDescription(entityName: entity.name)
            request.includesSubentities = false
            request.resultType = .objectIDs
            let plan = FetchPlan(request: request, entity: entity)
            ids.append(try source.fetch(plan).ids.sorted())
        }
        self.ids = ids
        keepsIDs = StoreCopy.canKeep(
            ids,
            storeWide: needsStoreWideNumbers,
            takesReferences: takesReferences
        )
    }

    private static func canKeep(
        _ ids: [[ManagedObjectID]],
        storeWide: Bool,
        takesReferences: Bool
    ) -> Bool {
        if !takesReferences, ids.joined().contains(where: \.standsForReference) { return false }
        guard storeWide else { return true }
        var keys: Set<Int64> = []
        return ids.joined().allSatisfy { keys.insert($0.key).inserted }
    }

    /// Copies everything.
    ///
    /// - Parameters:
    ///   - target: an empty store of the same model and configuration; if ``keepsIDs`` is true, with
    ///     the identifier of the old one.
    ///   - inParts: whether it can be written in parts; if not, all rows are in memory once.
    /// - Throws: the error of one of the stores.
    package func write(to target: any PersistentStore, inParts: Bool) throws {
        let map = keepsIDs ? nil : numbers(in: target.space)
        var metadata = target.metadata
        metadata.merge(source.metadata.ofPrograms) { _, new in new }
        if target.identifier != source.identifier { metadata.noteFormer(source.metadata) }
        target.metadata = metadata
        try source.reading {
            if inParts {
                try target.setImporting(true)
                try writeInParts(to: target, map)
                try target.setImporting(false)
            } else {
                try writeAtOnce(to: target, map)
            }
            if keepsIDs, let source = source as? any TableStore,
                let target = target as? any TableStore
            {
                try target.takeHistory(of: source, author: historyAuthor)
            }
        }
        _ = try target.save(SavePlan())
    }

    /// New IDs, in the order of the old ones.
    private func numbers(in space: IDSpace) -> [ManagedObjectID: ManagedObjectID] {
        var map: [ManagedObjectID: ManagedObjectID] = [:]
        for id in ids.joined() {
            map[id] = ManagedObjectID(
                space: space.number,
                entity: id.entityNumber,
                key: Int64(map.count + 1)
            )
        }
        return map
    }

    private func writeInParts(
        to target: any PersistentStore,
        _ map: [ManagedObjectID: ManagedObjectID]?
    ) throws {
        for (entity, ids) in zip(entities, ids) {
            for start in stride(from: 0, to: ids.count, by: StoreCopy.batch) {
                let rows = CopiedRows()
                var plan = newPlan()
                let part = ids[start..<min(start + StoreCopy.batch, ids.count)]
                try rows.read(Array(part), entity, source, map, into: &plan)
                _ = try withExtendedLifetime(rows) { try target.save(plan) }
                target.rows.removeAll()
            }
        }
        for (entity, ids) in zip(entities, ids) {
            for start in stride(from: 0, to: ids.count, by: StoreCopy.batch) {
                var plan = newPlan()
                let part = ids[start..<min(start + StoreCopy.batch, ids.count)]
                try addLinks(of: Array(part), entity, map, to: &plan)
                if !plan.isEmpty { _ = try target.save(plan) }
            }
        }
    }

    private func writeAtOnce(
        to target: any PersistentStore,
        _ map: [ManagedObjectID: ManagedObjectID]?
    ) throws {
        let rows = CopiedRows()
        var plan = newPlan()
        for (entity, ids) in zip(entities, ids) {
            for start in stride(from: 0, to: ids.count, by: StoreCopy.batch) {
                let part = Array(ids[start..<min(start + StoreCopy.batch, ids.count)])
                try rows.read(part, entity, source, map, into: &plan)
                try addLinks(of: part, entity, map, to: &plan)
            }
        }
        if plan.isEmpty { return }
        _ = try withExtendedLifetime(rows) { try target.save(plan) }
        target.rows.removeAll()
    }

    private func newPlan() -> SavePlan {
        var plan = SavePlan()
        plan.ignoresVersions = true
        plan.checksReferences = false
        // Undo must not take the objects away again.
        plan.transaction.kind = .silent
        return plan
    }

    private func addLinks(
        of ids: [ManagedObjectID],
        _ entity: EntityDescription,
        _ map: [ManagedObjectID: ManagedObjectID]?,
        to plan: inout SavePlan
    ) throws {
        func mapped(_ id: ManagedObjectID) -> ManagedObjectID { map.map { $0[id] ?? id } ?? id }
        for relationship in entity.relationships
        where relationship.isToMany && !relationship.isTransient {
            let hasMembers = relationship.inverse.map { $0.isToMany } ?? true
            let reports = hasMembers && relationship.isMainSide
            if !reports && !relationship.isOrdered { continue }
            let members = try source.destinations(of: relationship, owners: ids)
            for (owner, members) in zip(ids, members) where !members.isEmpty {
                let found = members.map(mapped)
                plan.links.append(
                    LinkChange(
                        relationship: relationship,
                        owner: mapped(owner),
                        added: reports || !hasMembers ? found : [],
                        removed: [],
                        order: relationship.isOrdered ? found : nil
                    )
                )
            }
        }
    }
}

/// The values of rows that are being copied, at addresses that a plan can point to.
private final class CopiedRows {
    private var slots: [(UnsafeMutablePointer<GraphValue>, Int)] = []

    deinit {
        for (start, count) in slots {
            start.deinitialize(count: count)
            start.deallocate()
        }
    }

    func read(
        _ ids: [ManagedObjectID],
        _ entity: EntityDescription,
        _ source: any PersistentStore,
        _ map: [ManagedObjectID: ManagedObjectID]?,
        into plan: inout SavePlan
    ) throws {
        let cache = RowCache()
        try source.read(ids, into: cache)
        let layout = source.layout(entity)
        let count = entity.slots.count
        for id in ids {
            guard let blob = cache.blob(id) else { continue }
            let start = UnsafeMutablePointer<GraphValue>.allocate(capacity: max(1, count))
            RowReader(blob, layout).realise(into: start)
            slots.append((start, count))
            if let map {
                for slot in 0..<count {
                    if case .objectID(let other) = start[slot], let new = map[other] {
                        start[slot] = .objectID(new)
                    }
                }
            }
            plan.inserted.append(
                ObjectChange(
                    id: map?[id] ?? id,
                    entity: entity,
                    slots: start,
                    snapshot: nil,
                    changed: SlotSet(),
                    version: 1
                )
            )
        }
    }
}
