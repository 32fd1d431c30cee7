import ObjectModel
import ObjectStore

// Finding all collisions of the pending objects at once: the values that they want, constraint by
// constraint, and the objects that have these values in the stores.

extension ManagedObjectContext {
    /// Every collision: saved claimants first, then new ones in the order of insertion.
    ///
    /// The rows of the holders are read again; the objects do not change.
    /// - Complexity: one pass over the pending objects; for each constraint one query and one for rows.
    func uniquenessClashes() throws -> [UniquenessClash] {
        var claimants: [UniquenessConstraint: [ManagedObject]] = [:]
        for object in pending.objects where object.isPending && !object.isDeleted {
            let isNew = object.isInserted
            for constraint in UniquenessConstraint.all(of: object.entity)
            where isNew || object.hasChanged(constraint.names) {
                claimants[constraint, default: []].append(object)
            }
        }
        let constraints = claimants.keys.sorted {
            ($0.entity.number, $0.names.joined(separator: ","))
                < ($1.entity.number, $1.names.joined(separator: ","))
        }
        return try constraints.flatMap { constraint in
            try clashes(of: (claimants[constraint] ?? []).sorted(by: comesFirst), constraint)
        }
    }

    private func comesFirst(_ one: ManagedObject, _ other: ManagedObject) -> Bool {
        let (isNew, isOtherNew) = (one.isInserted, other.isInserted)
        if isNew != isOtherNew { return isOtherNew }
        return one.objectID.precedesByInsertion(other.objectID)
    }

    private func clashes(
        of claimants: [ManagedObject],
        _ constraint: UniquenessConstraint
    ) throws -> [UniquenessClash] {
        let claims = try claimants.compactMap { object -> (ManagedObject, Place)? in
            try constraint.key(of: object).map {
                (object, Place(store: try storeNumber(of: object), key: $0))
            }
        }
        if claims.isEmpty { return [] }
        var holders = try holders(of: claims.map(\.0), constraint)
        var result: [UniquenessClash] = []
        for (object, place) in claims {
            guard let holder = holders[place] else {
                holders[place] = object
                continue
            }
            if holder === object { continue }
            result.append(
                UniquenessClash(
                    constraint: constraint,
                    key: place.key,
                    holder: holder,
                    claimant: object
                )
            )
        }
        return result
    }

    /// Values are unique within a store.
    private struct Place: Hashable {
        let store: UInt16
        let key: UniqueKey
    }

    private func storeNumber(of object: ManagedObject) throws -> UInt16 {
        if !object.objectID.isTemporaryID { return object.objectID.spaceNumber }
        return try storeForInsertion(object).space.number
    }

    /// The objects that have the values in the stores, and are to keep them.
    private func holders(
        of claimants: [ManagedObject],
        _ constraint: UniquenessConstraint
    ) throws -> [Place: ManagedObject] {
        let ids = try storedHolders(of: claimants, constraint)
        coordinator.forgetRows(ids)
        coordinator.loadRows(ids)
        var result: [Place: ManagedObject] = [:]
        for object in instances(ids) {
            guard let row = coordinator.cachedValues(object.objectID) else { continue }
            // Values of objects that this save deletes are free; a changed object is a claimant
            // itself.
            let isDeleted = object.isPending && object.isDeleted
            if isDeleted || object.hasChanged(constraint.names) { continue }
            guard let key = UniqueKey(constraint, { row[$0] }) else { continue }
            result[Place(store: object.objectID.spaceNumber, key: key)] = object
        }
        return result
    }

    /// Objects that may hold the values; some may not.
    private func storedHolders(
        of claimants: [ManagedObject],
        _ constraint: UniquenessConstraint
    ) throws -> [ManagedObjectID] {
        var request = FetchDescription(entityName: constraint.entity.name)
        request.resultType = .objectIDs
        request.includesPropertyValues = false
        request.predicate = .and(
            constraint.names.map { name in
                var seen: Set<GraphValue> = []
                let values = claimants.compactMap { object -> GraphValue? in
                    guard let slot = object.entity.slotByName[name] else { return nil }
                    let value = object.slots[slot]
                    return !value.isNull && seen.insert(value).inserted ? value : nil
                }
                return .comparison(FetchComparison(.keyPath(name), .in, .constant(.array(values))))
            }
        )
        let plan = FetchPlan(request: request, entity: constraint.entity)
        let stores = coordinator.stores(holding: constraint.entity)
        return try coordinator.fetch(plan, from: stores).flatMap(\.ids)
    }

    /// Updates a clean object with the saves of others.
    func bringUpToDate(_ object: ManagedObject) throws {
        if object.isPending { return }
        if object.state.isInaccessible {
            refresh(object, mergeChanges: false)
        } else if !object.isFault,
            try coordinator.currentVersion(object.objectID) != object.version
        {
            try takeStoreValues(object, keeping: .changedHere)
        }
    }

    /// The error with the collisions.
    func describing(_ error: ObjectGraphError, _ clashes: [UniquenessClash]) -> ObjectGraphError {
        if clashes.isEmpty { return error }
        var order: [Group] = []
        var groups: [Group: (holder: ManagedObject, claimants: [ManagedObject])] = [:]
        for clash in clashes {
            let group = Group(holder: clash.holder, constraint: clash.constraint)
            if groups[group] == nil { order.append(group) }
            groups[group, default: (clash.holder, [])].claimants.append(clash.claimant)
        }
        let conflicts = order.compactMap { group -> ConstraintConflict? in
            guard let (holder, claimants) = groups[group] else { return nil }
            let isStored = !holder.isInserted && !holder.hasChanged(group.constraint.names)
            let objects = isStored ? claimants : [holder] + claimants
            return ConstraintConflict(
                constraint: group.constraint.names,
                databaseObject: isStored ? holder.objectID : nil,
                conflictingObjects: objects.map(\.objectID),
                conflictingSnapshots: objects.map { $0.columns(of: $0.slots) }
            )
        }
        var error = error
        error.objectIDs = conflicts.flatMap { conflict in
            conflict.conflictingObjects + (conflict.databaseObject.map { [$0] } ?? [])
        }
        error.underlying = conflicts + error.underlying
        return error
    }

    private struct Group: Hashable {
        let holder: ManagedObject
        let constraint: UniquenessConstraint
    }
}
