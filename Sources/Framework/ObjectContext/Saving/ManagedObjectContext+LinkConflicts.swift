import ObjectModel
import ObjectStore

// Conflicts of relationships: references to objects that somebody else has deleted (*lost*), references
// that somebody else has made to objects deleted here (*left*), and orders. See ``MergePolicy`` for what
// each policy does.

extension ManagedObjectContext {
    /// Applies the merge policy to the relationships in conflict.
    func resolveLinks(of conflict: StoreConflict) throws {
        try observed.together {
            try resolve(lost: conflict.lost)
            try resolve(left: conflict.left)
            for order in conflict.orders { try resolve(order) }
        }
        // Lists that were read again have members back that the rules of deleted ones took out.
        propagateAllDeletes()
    }

    // MARK: References to objects that somebody else has deleted

    private func resolve(lost references: [StoreConflict.Reference]) throws {
        let ids = Set(references.map(\.destination))
        coordinator.forgetRows(ids)
        coordinator.loadRows(Array(ids))
        for id in ids.sorted() {
            guard let object = registry.get(id), !object.isInserted else { continue }
            // It is this save that deletes the row.
            if object.isDeleted, try coordinator.currentVersion(id) != nil { continue }
            if isOursFirst, object.isPending, !object.isDeleted {
                resolveDisappearance(object)
            } else {
                mergeDeletion(of: object)
            }
        }
        for reference in references where registry.get(reference.destination)?.isInserted != true {
            guard let owner = registry.get(resolve(reference.owner)), !owner.isDeleted else {
                continue
            }
            clear(reference, of: owner)
        }
    }

    private func clear(_ reference: StoreConflict.Reference, of owner: ManagedObject) {
        let relationship = reference.relationship
        if !relationship.isToMany { return owner.forget(reference.destination, relationship) }
        guard case .opaque(let contents as ToManyContents) = owner.slots[relationship.slot] else {
            return
        }
        owner.touchObservers(relationship.slot, .reload)
        contents.reconcile(reference.destination, isMember: false, isStored: false)
        owner.dropChangesIfClean()
        pending.refresh(owner)
    }

    /// Whether changes here win over those in the store.
    private var isOursFirst: Bool {
        mergePolicy == .mergeByPropertyObjectTrump || mergePolicy == .overwrite
    }

    // MARK: References that somebody else has made to objects deleted here

    private func resolve(left references: [StoreConflict.Reference]) throws {
        let owners = references.map(\.owner)
        coordinator.forgetRows(owners)
        coordinator.loadRows(owners)
        if !isOursFirst {
            for id in Set(references.map(\.destination)).sorted() {
                guard let object = registry.get(id), object.isDeleted, object.isPending else {
                    continue
                }
                try undelete(object)
            }
        }
        for reference in references {
            let owner = object(with: reference.owner)
            // It seemed gone, and somebody has restored its row.
            if owner.state.isInaccessible { refresh(owner, mergeChanges: false) }
            if !owner.isFault { try takeStoreValues(owner, keeping: .changedHere) }
            let destination = registry.get(reference.destination)
            if let inverse = reference.relationship.inverse, inverse.isToMany,
                let destination, !destination.isFault,
                case .opaque(let contents as ToManyContents) = destination.slots[inverse.slot]
            {
                destination.touchObservers(inverse.slot, .reload)
                contents.unload(keepingBasis: true)
                pending.refresh(destination)
            }
            guard isOursFirst, destination?.isDeleted != false, !owner.isDeleted,
                owner.reference(reference.relationship.slot) == reference.destination
            else { continue }
            switch reference.relationship.inverse?.deleteRule ?? .nullify {
            case .cascade: delete(owner)
            case .nullify: owner.forget(reference.destination, reference.relationship)
            // The validation of the deletion reports it.
            case .deny, .noAction: break
            }
        }
    }

    // MARK: Orders

    private func resolve(_ order: StoreConflict.Order) throws {
        guard let owner = registry.get(resolve(order.owner)), !owner.isFault, !owner.isDeleted,
            case .opaque(let contents as ToManyContents) = owner.slots[order.relationship.slot]
        else { return }
        // Members that somebody else has moved or deleted say so themselves.
        let known = Set(contents.storedMembers).symmetricDifference(order.order)
        coordinator.forgetRows(known)
        coordinator.loadRows(Array(known))
        for id in known {
            guard let member = registry.get(id), !member.isFault, !member.isInserted else {
                continue
            }
            if try coordinator.currentVersion(id) == nil {
                mergeDeletion(of: member)
            } else {
                try takeStoreValues(member, keeping: .changedHere)
            }
        }
        owner.touchObservers(order.relationship.slot, .reload)
        if isOursFirst { contents.unload() } else { contents.dropOrder() }
        if mergePolicy == .rollback { try takeStoreValues(owner, keeping: .nothing) }
        _ = owner.loadedContents(order.relationship.slot)
        owner.dropChangesIfClean()
        pending.refresh(owner)
    }

    // MARK: The error

    /// The conflicts of relationships for the error of a save.
    func describeLinks(of conflict: StoreConflict) -> [MergeConflict] {
        var result: [MergeConflict] = []
        let references = conflict.lost.map { ($0, false) } + conflict.left.map { ($0, true) }
        for (reference, isDeletedHere) in references {
            var found = describe(unchanged: reference.owner)
            found.relationship = reference.relationship.name
            found.destinationID = reference.destination
            found.isDeletedHere = isDeletedHere
            result.append(found)
        }
        for order in conflict.orders {
            let owner = registry.get(resolve(order.owner))
            let contents = owner?.loadedContents(order.relationship.slot)
            func list(_ ids: [ManagedObjectID]?) -> GraphValue {
                .array((ids ?? []).map { .objectID($0) })
            }
            result.append(
                describe(unchanged: order.owner).adding(
                    order.relationship.name,
                    read: list(contents?.comparedOrder ?? contents?.order),
                    wanted: list(contents?.order),
                    stored: list(order.order)
                )
            )
        }
        return result
    }

    /// An object whose row is not in conflict.
    private func describe(unchanged id: ManagedObjectID) -> MergeConflict {
        let version = registry.get(resolve(id))?.version ?? 1
        return describe(StoreConflict.Row(id: id, oldVersion: version, newVersion: max(1, version)))
    }
}

extension StoreConflict {
    /// Whether no relationship is in conflict.
    var hasOnlyRows: Bool { lost.isEmpty && left.isEmpty && orders.isEmpty }
}

extension ManagedObject {
    /// Clears a to-one reference if it leads to an object.
    fileprivate final func forget(_ id: ManagedObjectID, _ relationship: RelationshipDescription) {
        if reference(relationship.slot) == id { write(.null, relationship.slot) }
    }
}
