import ObjectModel
import ObjectStore

/// One save for each store concerned, and the objects behind it.
struct SavePlans {
    var plans: [(store: any PersistentStore, plan: SavePlan)] = []

    /// How many objects are written.
    var count: Int { plans.reduce(0) { $0 + $1.plan.count } }
}

/// The result of the stores.
struct SaveOutcome {
    var permanentIDs: [(temporary: ManagedObjectID, permanent: ManagedObjectID)] = []
    /// The objects whose rows were updated, so whose version went up by one.
    var writtenRows: Set<ManagedObjectID> = []
    /// History transaction numbers by store identifier.
    var transactions: [String: Int64] = [:]
    /// The coordinator's generation after it.
    var generation = 0
    /// The error of the store that did not write its plan; the plans after it were not tried.
    var failure: (any Error)?
    /// The objects that other stores had written before the failure.
    var writtenBeforeFailure: Set<ManagedObjectID> = []

    /// Whether an object's changes are in its store now.
    func hasWritten(_ id: ManagedObjectID) -> Bool {
        failure == nil || writtenBeforeFailure.contains(id)
    }

    mutating func fail(_ error: any Error, after plans: some Sequence<SavePlan>) {
        failure = error
        for plan in plans {
            for change in plan.inserted { writtenBeforeFailure.insert(change.id) }
            for change in plan.updated { writtenBeforeFailure.insert(change.id) }
            for change in plan.deleted { writtenBeforeFailure.insert(change.id) }
        }
    }
}

extension ManagedObjectContext {
    /// Turns the pending changes into plans.
    ///
    /// The pointers in them are valid until the context is used again.
    func makePlans(_ info: TransactionInfo) throws -> SavePlans {
        var byStore: [ObjectIdentifier: Int] = [:]
        var result = SavePlans()
        func index(of store: any PersistentStore) -> Int {
            if let known = byStore[ObjectIdentifier(store)] { return known }
            var plan = SavePlan()
            plan.transaction = info
            plan.beforeWriting = beforeWriting
            plan.inserted.reserveCapacity(pending.objects.count)
            result.plans.append((store, plan))
            byStore[ObjectIdentifier(store)] = result.plans.count - 1
            return result.plans.count - 1
        }
        var lastEntity: EntityDescription?
        var lastIndex = 0
        for object in pending.objects where object.isPending {
            let isInserted = object.isInserted
            let isDeleted = object.isDeleted
            if isInserted, object.entity !== lastEntity || !object.objectID.isTemporaryID {
                lastIndex = index(of: try storeForInsertion(object))
                let isUsual = object.objectID.isTemporaryID && !pending.hasAssignments
                lastEntity = isUsual ? object.entity : nil
            }
            let at =
                isInserted ? lastIndex : index(of: try coordinator.storeForChange(object.objectID))
            if isDeleted {
                result.plans[at].plan.deleted.append(object.change(SlotSet()))
            } else if isInserted {
                object.takeVersionOfNewRow()
                result.plans[at].plan.inserted.append(object.change(SlotSet()))
                object.appendLinks(to: &result.plans[at].plan, resolve)
            } else if object.isUpdated {
                let changed = object.changedColumns()
                if !changed.isEmpty {
                    result.plans[at].plan.updated.append(object.change(changed))
                }
                object.appendLinks(to: &result.plans[at].plan, resolve)
            }
        }
        for index in result.plans.indices { result.plans[index].plan.orderRows() }
        if coordinator.hasSeveralStores { try checkReferences(in: result) }
        return result
    }

    /// A relationship cannot lead from one store to another.
    private func checkReferences(in plans: SavePlans) throws {
        for (store, plan) in plans.plans {
            for change in plan.inserted + plan.updated {
                guard let object = registry.get(change.id) else { continue }
                for relationship in object.entity.relationships
                where !relationship.isToMany && !relationship.isTransient {
                    guard let id = object.reference(relationship.slot) else { continue }
                    try check(id, from: change.id, relationship, in: store)
                }
            }
            for link in plan.links {
                for id in link.added {
                    try check(id, from: link.owner, link.relationship, in: store)
                }
            }
        }
    }

    private func check(
        _ id: ManagedObjectID,
        from owner: ManagedObjectID,
        _ relationship: RelationshipDescription,
        in store: any PersistentStore
    ) throws {
        let other =
            id.isTemporaryID
            ? try registry.get(id).map { try storeForInsertion($0) }
            : coordinator.store(of: id)
        if other === store { return }
        throw ObjectGraphError(
            .externalRelationship,
            "\(owner.entityName).\(relationship.name) leads to a \(id.entityName) in another "
                + "store.",
            recovery: "Use a fetched property, or put both entities into one store.",
            objectIDs: [owner, id],
            key: relationship.name
        )
    }

    /// The store that a new object goes to.
    func storeForInsertion(_ object: ManagedObject) throws -> any PersistentStore {
        // An object that undo restored returns to its old store.
        if !object.objectID.isTemporaryID {
            return try coordinator.storeForChange(object.objectID)
        }
        if let store = pending.store(of: object) {
            if coordinator.openStores.contains(where: { $0 === store }) { return store }
            throw ObjectGraphError(
                .cannotWrite,
                "The store that a new \(object.entity.name) was assigned to is not open any more.",
                recovery: "Assign it to another store, or delete it.",
                objectIDs: [object.objectID]
            )
        }
        guard let store = coordinator.storeForInsertion(of: object.entity) else {
            try coordinator.checkCanInsert(object.entity)
            let refusing = coordinator.stores(holding: object.entity)
                .first { $0.missingRight != nil }
            if let refusing { throw ObjectGraphError.readOnly(refusing, [object.objectID]) }
            throw ObjectGraphError(
                .cannotWrite,
                "No writable store holds the entity \(object.entity.name).",
                recovery: "Add a store for it, or open the store for writing.",
                objectIDs: [object.objectID]
            )
        }
        return store
    }
}

extension ManagedObject {
    fileprivate final func change(_ changed: SlotSet) -> ObjectChange {
        ObjectChange(
            id: objectID,
            entity: entity,
            slots: UnsafePointer(slots),
            snapshot: changes?.snapshot.map { UnsafePointer($0) },
            changed: changed,
            version: changes?.basis?.version ?? version
        )
    }

    /// A row that comes back under its ID gets a version that nobody has read: to a context that still
    /// shows the former row, the same number would say that nothing has happened.
    fileprivate final func takeVersionOfNewRow() {
        if objectID.isTemporaryID {
            version = 1
        } else if version == 0 {
            // The cache of rows keeps 32 bits, and there is room for changes to come.
            version = .random(in: 1 << 16..<1 << 31)
        }
    }

    /// Whether a save has to compare the row with the values that were read.
    final var hasColumnChanges: Bool {
        isUpdated && !changedColumns().isEmpty
    }

    /// The changed slots that have a column and differ from the store or from the values that were
    /// read.
    final func changedColumns() -> SlotSet {
        guard let changes, let snapshot = changes.snapshot else { return SlotSet() }
        var result = SlotSet()
        for slot in changes.sinceSave {
            let property = entity.slots[slot]
            if property.isTransient { continue }
            if let relationship = property as? RelationshipDescription, relationship.isToMany {
                continue
            }
            let isChanged =
                !slots[slot].isIdentical(to: snapshot[slot])
                || changes.basis?.values[slot].map { !slots[slot].isIdentical(to: $0) } ?? false
            if isChanged { result.insert(slot) }
        }
        return result
    }

    /// Adds the changes of to-many relationships that no column expresses.
    fileprivate final func appendLinks(
        to plan: inout SavePlan,
        _ resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        guard layout.hasRelationships else { return }
        for relationship in entity.relationshipList
        where relationship.isToMany && !relationship.isTransient {
            guard case .opaque(let contents as ToManyContents) = slots[relationship.slot],
                contents.isChangedSinceSave
            else { continue }
            let isPlain = relationship.inverse.map { !$0.isToMany } ?? false
            if isPlain && !relationship.isOrdered { continue }
            if relationship.isOrdered, !contents.isLoaded {
                // A merge came in between: the pending order goes on top of the stored one.
                _ = loadedContents(relationship.slot)
                if !contents.isChangedSinceSave { continue }
            }
            if !relationship.isOrdered, !relationship.reportsLinks { continue }
            plan.links.append(
                LinkChange(
                    relationship: relationship,
                    owner: objectID,
                    added: contents.added.map(resolve).sorted(),
                    removed: contents.removed.map(resolve).sorted(),
                    order: relationship.isOrdered ? contents.order.map(resolve) : nil,
                    oldOrder: contents.savedOrder,
                    readOrder: isInserted ? nil : contents.comparedOrder
                )
            )
        }
    }
}

extension SavePlan {
    /// Sorts rows by their keys.
    ///
    /// New rows get their keys in the order of insertion, also those that undo and redo listed in
    /// another order. Rows are changed and deleted in file order: a search index whose entries
    /// arrive out of order starts a segment for each.
    fileprivate mutating func orderRows() {
        SavePlan.order(&inserted)
        SavePlan.order(&updated)
        SavePlan.order(&deleted)
    }

    private static func order(_ changes: inout [ObjectChange]) {
        let isOrdered = changes.withUnsafeBufferPointer { changes in
            changes.indices.dropFirst().allSatisfy {
                changes[$0 - 1].id.precedesByInsertion(changes[$0].id)
            }
        }
        if !isOrdered { changes.sort { $0.id.precedesByInsertion($1.id) } }
    }
}

extension RelationshipDescription {
    /// Whether this side of a many-to-many relationship reports the links: the one whose entity
    /// has the lower number, or the lower name within one entity.
    fileprivate var reportsLinks: Bool {
        guard let inverse, let entity, let other = inverse.entity, inverse !== self else {
            return true
        }
        if inverse.isOrdered { return false }
        return entity.number != other.number ? entity.number < other.number : name < inverse.name
    }
}
