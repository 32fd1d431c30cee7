import ObjectModel
import ObjectStore

// Conflicts: the store found rows of another version than the context had read. The merge policy
// decides what each object in conflict keeps; then the save plans again.

extension ManagedObjectContext {
    /// Includes an unchanged object in the conflict check of the next save.
    ///
    /// Use it for an object from whose values others were derived: if somebody else has changed it,
    /// the save fails or its merge policy decides.
    public func detectConflicts(for object: ManagedObject) {
        Misuse.trap(
            unless: object.context === self,
            "\(object) belongs to \(object.home), so \(label) cannot compare it"
        )
        if object.isFault { object.fireFault() }
        saving.guardVersion(of: object)
    }

    /// Conflicts of the guarded objects, whose rows have another version now.
    func conflictOfGuarded() throws -> StoreConflict? {
        // The plan compares pending objects itself, unless newer values were merged before they
        // were changed.
        let due = saving.guarded.filter { object, version in
            object.owner === self && (!object.isPending || object.comparedVersion != version)
        }
        if due.isEmpty { return nil }
        coordinator.forgetRows(due.map(\.object.objectID))
        coordinator.loadRows(due.map(\.object.objectID))
        let rows = try due.compactMap { object, read -> StoreConflict.Row? in
            let version = try coordinator.currentVersion(object.objectID) ?? 0
            if version == read { return nil }
            return StoreConflict.Row(id: object.objectID, oldVersion: read, newVersion: version)
        }
        return rows.isEmpty ? nil : StoreConflict(rows: rows)
    }

    /// Applies the merge policy to the objects in conflict.
    ///
    /// Throws code 133020 if the policy is ``MergePolicy/error``, or if `giveUp` is true because
    /// conflicts keep coming.
    func resolve(_ conflict: StoreConflict, giveUp: Bool) throws {
        let isDerived =
            conflict.hasOnlyRows
            && conflict.rows.allSatisfy { row in
                row.newVersion != 0 && registry.get(row.id)?.hasDerivedChangesOnly ?? false
            }
        if giveUp || (mergePolicy == .error && !isDerived) { throw error(for: conflict) }
        // An older generation does not contain the changes of others.
        movePin()
        coordinator.forgetRows(conflict.rows.map(\.id))
        for row in conflict.rows {
            guard let object = registry.get(row.id) else { continue }
            if object.hasDerivedChangesOnly, row.newVersion != 0 {
                // A derived value is nobody's edit: it is computed again from the saved values.
                try takeStoreValues(object, keeping: .changedHere)
            } else {
                try resolve(object, isGone: row.newVersion == 0)
            }
        }
        if !conflict.hasOnlyRows { try resolveLinks(of: conflict) }
        forgetStoredLinks(of: conflict)
        saving.acceptVersions()
        endOwnEvent()
        // A rule may refuse what a delete rule has done, or that it was not applied.
        if !conflict.hasOnlyRows { try validateForSave() }
        try computeDerived()
        pending.compact()
    }

    private func resolve(_ object: ManagedObject, isGone: Bool) throws {
        if isGone {
            resolveDisappearance(object)
            return
        }
        if object.isDeleted {
            switch mergePolicy {
            case .mergeByPropertyStoreTrump, .rollback:
                try undelete(object)
            default:
                object.version = try coordinator.currentVersion(object.objectID) ?? object.version
                object.changes?.basis = nil
            }
            return
        }
        switch mergePolicy {
        case .error: break
        case .mergeByPropertyObjectTrump:
            try takeStoreValues(object, keeping: .changedHere, membersToo: false)
        case .mergeByPropertyStoreTrump:
            try takeStoreValues(object, keeping: .changedHereAlone, membersToo: false)
        case .overwrite: try takeStoreValues(object, keeping: .everything, membersToo: false)
        case .rollback: try takeStoreValues(object, keeping: .nothing, membersToo: false)
        }
        object.awakeFromSnapshotEvents(.mergePolicy)
    }

    /// The store's change wins over the deletion here.
    func undelete(_ object: ManagedObject) throws {
        object.state.undelete()
        object.dropGoneMembers()
        reattach(object)
        object.dropLostMembers()
        try takeStoreValues(object, keeping: .nothing, membersToo: false)
        leaveDeletedPairs(object)
        pending.restore(object)
    }

    /// Takes objects that stay deleted out of the many-to-many relationships of one that does not.
    private func leaveDeletedPairs(_ object: ManagedObject) {
        for relationship in object.entity.relationships
        where relationship.isToMany && relationship.inverse?.isToMany == true {
            for other in object.destinationObjects(relationship) where other.isDeleted {
                object.forget(other, relationship)
            }
        }
    }

    /// Reverts the effects of delete rules on an object that is to stay.
    private func reattach(_ object: ManagedObject) {
        for relationship in object.entity.relationships where !relationship.isTransient {
            guard let inverse = relationship.inverse else { continue }
            for other in object.destinationObjects(relationship) {
                if other.isDeleted {
                    object.forget(other, relationship)
                } else if inverse.isToMany {
                    // A link that is new here is dropped with what else was pending.
                    let links = object.contentsInMemory(relationship)
                    if links?.added.contains(other.objectID) == true { continue }
                    other.touchObservers(inverse.slot, .reload)
                    other.contents(inverse)
                        .reconcile(object.objectID, isMember: true, isStored: true)
                    other.dropChangesIfClean()
                } else if other.reference(inverse.slot) == nil {
                    other.write(.objectID(object.objectID), inverse.slot)
                    other.dropChangesIfClean()
                }
            }
        }
    }

    /// Somebody else deleted the row.
    func resolveDisappearance(_ object: ManagedObject) {
        if object.isDeleted {
            // Both agree.
            unregister(object)
            return
        }
        switch mergePolicy {
        case .mergeByPropertyObjectTrump, .overwrite:
            object.state.insertAgain()
            object.version = 0
            object.changes = nil
            object.becomeUnsaved(resolving: resolve)
            observed.together {
                rejoin(object)
                object.dropLostMembers()
            }
        default:
            mergeDeletion(of: object)
        }
    }

    /// Makes an object that is inserted again a new member where it leads: the store has removed it
    /// there, and what is read from now on does not have it.
    private func rejoin(_ object: ManagedObject) {
        for relationship in object.entity.relationships where !relationship.isTransient {
            guard let inverse = relationship.inverse else { continue }
            let others = linked(object, by: relationship)
            source.loadRows(others.filter { registry.get($0)?.isFault ?? true })
            for id in others where id != object.objectID || !relationship.isToMany {
                let other = self.object(with: id)
                if other.isFault { other.fireFault() }
                if other.isDeleted || other.state.isInaccessible { continue }
                guard inverse.isToMany else {
                    if !relationship.isToMany { pair(object, with: other, relationship, inverse) }
                    continue
                }
                other.touchObservers(inverse.slot, .reload)
                other.contents(inverse)
                    .reconcile(object.objectID, isMember: true, isStored: false)
                other.noteChangeOfContents(inverse.slot)
            }
        }
    }

    /// Takes objects that are inserted again out of the many-to-many lists that have read them as
    /// members: the store has removed these links with the row.
    private func forgetStoredLinks(of conflict: StoreConflict) {
        let gone = conflict.rows.filter { $0.newVersion == 0 }.map(\.id)
        let again = (gone + conflict.lost.map(\.destination))
            .filter { registry.get($0)?.isInserted ?? false }
        if again.isEmpty { return }
        observed.together {
            for owner in registry.objects where !owner.isFault && !owner.isInserted {
                for relationship in owner.entity.relationships where relationship.isToMany {
                    guard relationship.inverse?.isToMany ?? false,
                        let contents = owner.contentsInMemory(relationship)
                    else { continue }
                    for id in again where contents.isStored(id) {
                        owner.touchObservers(relationship.slot, .reload)
                        contents.reconcile(id, isMember: false, isStored: false)
                    }
                }
                owner.dropChangesIfClean()
            }
        }
    }

    private func error(for conflict: StoreConflict) -> ObjectGraphError {
        let links = describeLinks(of: conflict)
        coordinator.forgetRows(conflict.rows.map(\.id))
        coordinator.loadRows(conflict.rows.map(\.id))
        return conflictError(conflict.rows.map(describe) + links)
    }

    /// The error of a save whose merge policy does not decide.
    func conflictError(_ conflicts: [MergeConflict]) -> ObjectGraphError {
        ObjectGraphError(
            .mergeConflict,
            "Somebody else has changed the objects that you save. "
                + conflicts.map(\.description).joined(separator: " "),
            recovery: "Refresh these objects and save again, or set a merge policy.",
            objectIDs: conflicts.flatMap { [$0.objectID] + ($0.destinationID.map { [$0] } ?? []) },
            underlying: conflicts
        )
    }

    func describe(_ row: StoreConflict.Row) -> MergeConflict {
        let object = registry.get(row.id)
        var (read, wanted): ([String: GraphValue], [String: GraphValue]) = ([:], [:])
        if let object, !object.isFault {
            read = object.readColumns
            wanted = object.columns(of: object.slots)
        }
        return MergeConflict(
            objectID: row.id,
            oldVersion: row.oldVersion,
            newVersion: row.newVersion,
            objectSnapshot: read,
            objectValues: wanted,
            storedSnapshot: row.newVersion == 0 ? nil : coordinator.cachedValues(row.id)
        )
    }
}

extension ManagedObject {
    /// The version of the row that the next save compares with the store's.
    final var comparedVersion: Int64 { changes?.basis?.version ?? version }

    /// The attributes and to-one relationships that this context had read, by name.
    final var readColumns: [String: GraphValue] {
        var result = columns(of: changes?.snapshot ?? slots)
        for (slot, value) in changes?.basis?.values ?? [:] {
            result[entity.slots[slot].name] = value
        }
        return result
    }

    /// The attributes and to-one relationships in some slots, by name.
    final func columns(of slots: UnsafeMutablePointer<GraphValue>) -> [String: GraphValue] {
        var result: [String: GraphValue] = [:]
        for property in entity.slots where !property.isTransient {
            let isToMany = (property as? RelationshipDescription)?.isToMany ?? false
            if (property as? AttributeDescription)?.type == .composite { continue }
            if !isToMany, !(property is FetchedPropertyDescription) {
                result[property.name] = slots[property.slot]
            }
        }
        return result
    }
}

extension PersistentStoreCoordinator {
    /// The version of an object's row now; `nil` if it is gone.
    func currentVersion(_ id: ManagedObjectID) throws -> Int64? {
        try checkCanRead(id)
        return try withStore(of: id) { store -> Int64? in
            if !store.rows.contains(id) { try store.load([id]) }
            return store.rows.version(id)
        } ?? nil
    }

    /// The values of a cached row, by name.
    func cachedValues(_ id: ManagedObjectID) -> [String: GraphValue]? {
        guard let entity = entity(of: id) else { return nil }
        return withStore(of: id) { store -> [String: GraphValue]? in
            guard let blob = store.rows.blob(id) else { return nil }
            let reader = RowReader(blob, store.layout(entity))
            var result: [String: GraphValue] = [:]
            for (index, column) in reader.layout.columns.enumerated() {
                result[entity.slots[column.slot].name] = reader.value(index)
            }
            return result
        } ?? nil
    }
}
