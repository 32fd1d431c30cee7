import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// Fills an object's slots from the row cache, reading the row first if need be.
    ///
    /// - Parameters:
    ///   - batch: what to read along with it, if it has to be read.
    ///   - fresh: whether to read it in any case.
    /// - Returns: the version, or `nil` if there is no row.
    func realise(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        batch: FetchBatch?,
        fresh: Bool,
        into slots: UnsafeMutablePointer<Value>
    ) throws -> Int64? {
        try withStore(of: id) { store -> Int64? in
            if fresh {
                store.rows.remove(id)
                try store.load([id])
            } else if !store.rows.contains(id) {
                try load(id, batch, from: store)
            }
            guard let blob = store.rows.blob(id) else { return nil }
            RowReader(blob, store.layout(entity)).realise(into: slots)
            return store.rows.version(id)
        } ?? nil
    }

    private func load(
        _ id: ManagedObjectID,
        _ batch: FetchBatch?,
        from store: any PersistentStore
    ) throws {
        guard let batch, batch.ids.count > 1 else { return try store.load([id]) }
        let missing = batch.ids.filter {
            $0.spaceNumber == id.spaceNumber && !$0.isTemporaryID && !store.rows.contains($0)
        }
        try store.load(missing.contains(id) ? missing : missing + [id])
    }

    /// The IDs that a to-one relationship leads to from each of some cached rows.
    func references(_ slot: Int, of ids: [ManagedObjectID]) -> [ManagedObjectID] {
        lock.withLock {
            var result: [ManagedObjectID] = []
            for id in ids {
                guard let entity = entity(of: id), slot < entity.slots.count else { continue }
                let found: Value? =
                    withStore(of: id) { store -> Value? in
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

    /// The destinations of a to-many relationship for several owners of one store.
    func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        guard let first = owners.first else { return [] }
        return try withStore(of: first) { store in
            try store.destinations(of: relationship, owners: owners)
        } ?? owners.map { _ in [] }
    }

    /// Forgets cached rows, so that they are read anew.
    func forgetRows(_ ids: some Sequence<ManagedObjectID>) {
        lock.withLock {
            noteChange()
            for id in ids {
                withStore(of: id) { store in store.rows.remove(id) }
            }
        }
    }
}
