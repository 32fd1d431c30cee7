import FoundationEssentials
public import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// The store that holds an object's row.
    func storeForChange(_ id: ManagedObjectID) throws -> any PersistentStore {
        guard let store = store(of: id) else {
            throw refusalOfWriting(id)
                ?? ObjectGraphError(
                    .cannotWrite,
                    "The store of \(id.uri) is not open.",
                    recovery: "Open it before you save.",
                    objectIDs: [id]
                )
        }
        if store.isReadOnly { throw ObjectGraphError.readOnly(store, [id]) }
        return store
    }

    /// Writes the plans, store after store, until one fails.
    ///
    /// The outcome lists what was written, and the failure: ``StoreConflict`` or the store's error.
    func save(_ plans: SavePlans) -> SaveOutcome {
        traced("save of \(plans.count) objects", counting: \.saves) { write(plans) }
    }

    private func write(_ plans: SavePlans) -> SaveOutcome {
        lock.withLock {
            var outcome = SaveOutcome()
            let due = plans.plans.filter { !$0.plan.isEmpty }
            for (index, (store, plan)) in due.enumerated() {
                do {
                    let receipt = try store.save(plan)
                    store.rows.trim(to: rowAges.limit)
                    outcome.permanentIDs.reserveCapacity(plan.inserted.count)
                    plan.inserted.withUnsafeBufferPointer { inserted in
                        for (index, id) in receipt.insertedIDs.enumerated() {
                            outcome.permanentIDs.append((inserted[index].id, id))
                        }
                    }
                    if receipt.transaction > 0 {
                        outcome.transactions[store.identifier.uuidString] = receipt.transaction
                        noteTransaction(receipt.transaction, in: store.identifier.uuidString)
                    }
                    for change in plan.updated { outcome.writtenRows.insert(change.id) }
                } catch {
                    outcome.fail(error, after: due[..<index].map(\.plan))
                    break
                }
            }
            if outcome.failure == nil {
                do {
                    try writeMetadata()
                } catch {
                    outcome.fail(error, after: due.map(\.plan))
                }
            }
            hasDueMetadata = openStores.contains(where: \.hasUnsavedMetadata)
            noteChange()
            outcome.generation = generation
            return outcome
        }
    }
}

extension PersistentStoreCoordinator {
    /// A value of the application's store's metadata.
    public func metadata(_ key: String) -> GraphValue? {
        withHistoryStore { $0.metadata[key] } ?? nil
    }

    /// Sets or removes a value of the metadata; the next save writes it.
    public func setMetadata(_ value: GraphValue?, for key: String) {
        withHistoryStore { $0.metadata[key] = value }
        hasDueMetadata = true
    }

    /// Sets or removes a value of the metadata and writes it, without saving objects.
    public func saveMetadata(_ value: GraphValue?, for key: String) throws {
        setMetadata(value, for: key)
        _ = try withHistoryStore { try $0.save(SavePlan()) }
    }
    /// Writes metadata that was set, without saving objects and without a transaction of the
    /// history.
    public func writeMetadata() throws {
        try lock.withLock {
            for store in openStores where store.hasUnsavedMetadata {
                _ = try store.save(SavePlan())
            }
            hasDueMetadata = false
        }
    }

    /// Prepares the stores for very large saves, or ends that; see ``importing(_:)``.
    public func setImporting(_ isImporting: Bool) throws {
        try lock.withLock { for store in openStores { try store.setImporting(isImporting) } }
    }

    /// The ID space of the application's store.
    public var historySpace: IDSpace? { withHistoryStore { $0.space } }
}
