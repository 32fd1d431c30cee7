public import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// Fills an object's slots from the row cache, reading the row first if needed.
    ///
    /// `batch` lists the rows to read together with it, if it has to be read; `staleness` is
    /// how long a cached row is used: `nil` = always, zero = never. The result is the row's
    /// version, or `nil` if there is no row.
    func realise(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        batch: FetchBatch?,
        staleness: Duration?,
        into slots: UnsafeMutablePointer<GraphValue>
    ) throws -> Int64? {
        let found = try withStore(of: id) { store -> Int64? in
            let rows = store.rows
            var blob = rows.blob(id)
            var isHit = true
            if let staleness {
                isHit = false
                try refreshRows(id, batch, staleness, from: store)
                blob = rows.blob(id)
            } else if blob == nil {
                isHit = false
                try load(id, batch, from: store)
                blob = rows.blob(id)
            }
            if trace.isOn {
                trace.count { counters in
                    counters.faultsFired += 1
                    if isHit { counters.rowCacheHits += 1 } else { counters.rowCacheMisses += 1 }
                }
            }
            guard let blob else { return nil }
            let row = RowReader(blob, store.layout(entity))
            row.realise(into: slots)
            return row.version
        }
        if let found { return found }
        try checkCanRead(id)
        return nil
    }

    private func load(
        _ id: ManagedObjectID,
        _ batch: FetchBatch?,
        from store: any PersistentStore
    ) throws {
        if batch == nil { return try store.load([id]) }
        let missing = members(of: batch, with: id, in: store)
            .filter { !store.rows.contains($0) }
        try store.load(missing)
    }

    /// An ID and those that are read along with it.
    private func members(
        of batch: FetchBatch?,
        with id: ManagedObjectID,
        in store: any PersistentStore
    ) -> [ManagedObjectID] {
        guard let batch, batch.ids.count > 1, store.readsInBatches else { return [id] }
        let members = batch.ids.filter { $0.spaceNumber == id.spaceNumber && !$0.isTemporaryID }
        return members.contains(id) ? members : members + [id]
    }

    /// Reads rows that are older than allowed.
    private func refreshRows(
        _ id: ManagedObjectID,
        _ batch: FetchBatch?,
        _ staleness: Duration,
        from store: any PersistentStore
    ) throws {
        let now = ContinuousClock.now
        if staleness <= .zero { return try store.load([id]) }
        if rowAges.isFresh(id, within: staleness, at: now), store.rows.contains(id) { return }
        let ids = members(of: batch, with: id, in: store)
        try store.load(ids)
        rowAges.noteRead(ids, at: now)
    }

    /// The destinations of a to-one relationship in some cached rows.
    func references(_ slot: Int, of ids: [ManagedObjectID]) -> [ManagedObjectID] {
        lock.withLock {
            var result: [ManagedObjectID] = []
            for id in ids {
                guard let entity = entity(of: id), slot < entity.slots.count else { continue }
                let found: GraphValue? =
                    withStore(of: id) { store -> GraphValue? in
                        let layout = store.layout(entity)
                        guard let blob = store.rows.blob(id), layout.columnBySlot[slot] >= 0 else {
                            return nil
                        }
                        return RowReader(blob, layout).value(layout.columnBySlot[slot])
                    } ?? nil
                if case .objectID(let destination) = found { result.append(destination) }
            }
            return result
        }
    }

    /// The destinations of a to-many relationship for several owners of one store; an owner that was
    /// never saved has none.
    func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        guard let first = owners.first(where: { !$0.isTemporaryID }) else {
            return owners.map { _ in [] }
        }
        let found = try withStore(of: first) { store in
            try store.destinations(of: relationship, owners: owners)
        }
        if let found { return found }
        try checkCanRead(first)
        return owners.map { _ in [] }
    }

    /// Reads objects with the members of their to-many relationships, and the answers to fetches, if
    /// asking for each of them would take long: all of them in one round trip for each store.
    ///
    /// - Parameters:
    ///   - ids: the objects.
    ///   - keys: the names of the relationships; `nil` for all.
    ///   - plans: the fetches.
    /// - Throws: the store's error.
    func learn(
        _ ids: some Sequence<ManagedObjectID>,
        keys: Set<String>? = nil,
        _ plans: [FetchPlan] = []
    ) throws {
        guard answersFromMemory else { return }
        var wanted: [UInt16: ReadAhead] = [:]
        for ids in Dictionary(grouping: ids, by: \.spaceNumber).values where !ids[0].isTemporaryID {
            var found: [ObjectIdentifier: RelationshipDescription] = [:]
            for ids in Dictionary(grouping: ids, by: \.entityNumber).values {
                for relationship in entity(of: ids[0])?.relationships ?? []
                where relationship.isToMany && keys?.contains(relationship.name) != false {
                    found[ObjectIdentifier(relationship)] = relationship
                }
            }
            wanted[ids[0].spaceNumber] = ReadAhead(
                objects: ids,
                relationships: Array(found.values)
            )
        }
        for plan in plans {
            for store in try storesToRead(plan.entity) {
                wanted[store.space.number, default: ReadAhead()].plans.append(plan)
            }
        }
        for store in openStores {
            guard let wanted = wanted[store.space.number] else { continue }
            try lock.withLock { try store.learn(wanted) }
        }
    }

    /// Removes cached rows, so that they are read again.
    public func forgetRows(_ ids: some Sequence<ManagedObjectID>) {
        lock.withLock {
            noteChange()
            for id in ids {
                withStore(of: id) { store in store.rows.remove(id) }
            }
        }
    }
}
