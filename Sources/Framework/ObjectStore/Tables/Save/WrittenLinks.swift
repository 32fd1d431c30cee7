package import ObjectModel

/// Changed to-many relationships by their owner, for the observers of a save.
package struct WrittenLinks {
    private var byOwner: [ManagedObjectID: [WrittenLink]] = [:]
    /// The objects whose links are removed already.
    private var unlinked: Set<ManagedObjectID> = []

    package init() {}

    /// Collects the changed links and orders of all owners that have a row, before anything is
    /// written.
    ///
    /// - Parameters:
    ///   - plan: the save.
    ///   - insertedIDs: the IDs of its new objects.
    ///   - permanentIDs: their permanent IDs.
    ///   - store: where it goes.
    ///   - read: the stored members of an owner, in their order.
    /// - Throws: what `read` throws.
    package mutating func collect(
        _ plan: SavePlan,
        _ insertedIDs: [ManagedObjectID],
        _ permanentIDs: IDMap,
        in store: some TableStore,
        _ read: (RelationshipDescription, ManagedObjectID) throws -> [ManagedObjectID]
    ) rethrows {
        for change in plan.deleted {
            for relationship in change.entity.relationships where relationship.isOrdered {
                let order = try read(relationship, change.id)
                if order.isEmpty { continue }
                add(.oldOrder, order, relationship, of: change.id, permanentIDs)
            }
        }
        if plan.links.isEmpty { return }
        let inserted = Set(insertedIDs)
        for link in plan.links {
            let owner = permanentIDs.permanent(link.owner)
            if inserted.contains(owner) { continue }
            let relationship = link.relationship
            // Membership of a one-to-many relationship is part of the members' own changes.
            if case .memberKey(_, _, true)? = store.storage(of: relationship) {
            } else {
                add(.added, link.added, relationship, of: owner, permanentIDs)
                add(.removed, link.removed, relationship, of: owner, permanentIDs)
            }
            guard let order = link.order else { continue }
            let old = try read(relationship, owner)
            if old == order.map({ permanentIDs.permanent($0) }) { continue }
            add(.oldOrder, old, relationship, of: owner, isKept: true, permanentIDs)
            add(.newOrder, order, relationship, of: owner, isKept: true, permanentIDs)
        }
    }

    /// Adds a change; one without members only where that says something.
    private mutating func add(
        _ change: WrittenLink.Change,
        _ members: [ManagedObjectID],
        _ relationship: RelationshipDescription,
        of owner: ManagedObjectID,
        isKept: Bool = false,
        _ permanentIDs: IDMap
    ) {
        if members.isEmpty, !isKept { return }
        byOwner[owner, default: []].append(
            WrittenLink(
                change: change,
                relationship: relationship,
                members: members.map { permanentIDs.permanent($0) }
            )
        )
    }

    /// Takes the changed links of one object, which are reported with its row.
    package mutating func take(of id: ManagedObjectID) -> [WrittenLink] {
        byOwner.isEmpty ? [] : byOwner.removeValue(forKey: id) ?? []
    }

    /// Takes the links of an object that is deleted.
    ///
    /// - Parameters:
    ///   - id: the object.
    ///   - schema: the storage of its entity.
    ///   - members: those of the relationships that its row does not hold, by slot.
    /// - Returns: what is reported with its row.
    package mutating func take(
        ofDeleted id: ManagedObjectID,
        _ schema: EntitySchema,
        _ members: [Int: [ManagedObjectID]]
    ) -> [WrittenLink] {
        var result = take(of: id)
        for (relationship, _) in members.isEmpty ? [] : schema.outsideLinks {
            var members = members[relationship.slot] ?? []
            // Objects that were deleted before have removed their links already.
            if relationship.inverse != nil { members.removeAll(where: unlinked.contains) }
            if members.isEmpty { continue }
            result.append(
                WrittenLink(change: .removed, relationship: relationship, members: members)
            )
        }
        unlinked.insert(id)
        return result
    }

    /// Takes the changed links of objects whose own rows did not change.
    package mutating func takeRest(
        _ plan: SavePlan,
        _ permanentIDs: IDMap
    ) -> [(owner: ManagedObjectID, links: [WrittenLink])] {
        if byOwner.isEmpty { return [] }
        return plan.links.compactMap { link in
            let owner = permanentIDs.permanent(link.owner)
            let links = take(of: owner)
            return links.isEmpty ? nil : (owner, links)
        }
    }
}

extension EntitySchema {
    /// The relationships that the rows of the entity's objects do not hold.
    package var outsideLinks: [(RelationshipDescription, ToManyStorage)] {
        entity.relationships.compactMap { relationship in
            guard let storage = toMany[relationship.slot] else { return nil }
            if case .memberKey(_, _, true) = storage { return nil }
            return (relationship, storage)
        }
    }
}
