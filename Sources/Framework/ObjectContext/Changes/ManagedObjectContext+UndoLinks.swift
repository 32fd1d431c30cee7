import ObjectModel

// Relationships in an undo. A record holds both sides of each link as its event changed them.
// Refreshes and merges since then are not recorded, so that restoring each side by itself could
// leave the sides in disagreement. So undo restores links, in this order:
//   1. to-one references, by the setter: the former and the new destination follow;
//   2. memberships: of a one-to-many relationship the member's reference decides, a many-to-many
//      link is restored on both sides at once;
//   3. orders, as far as their members are present.
// An object that comes back also settles the links that it kept with objects that have changed
// since it left.

/// The links that one undo has restored.
struct RestoredLinks {
    private struct Link: Hashable {
        let slot: Int
        let owner: ManagedObjectID
        let member: ManagedObjectID
    }

    private var links: Set<Link> = []

    /// Notes a many-to-many link; false if it was noted before, from either side.
    mutating func note(
        _ owner: ManagedObject,
        _ relationship: RelationshipDescription,
        _ member: ManagedObject
    ) -> Bool {
        let (id, other) = (owner.objectID, member.objectID)
        if let inverse = relationship.inverse {
            if links.contains(Link(slot: inverse.slot, owner: other, member: id)) { return false }
        }
        return links.insert(Link(slot: relationship.slot, owner: id, member: other)).inserted
    }
}

extension ManagedObjectContext {
    /// Restores a to-one reference; `nil` in place of an object that is gone.
    func restoreReference(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        _ id: ManagedObjectID?
    ) {
        guard let id = id.map(resolve), !isGone(id) else {
            return object.setToOne(nil, at: relationship.slot)
        }
        // The reference into a store that was closed since can only be put back.
        guard registry.get(id) != nil || coordinator.knows(id) else {
            return object.write(.objectID(id), relationship.slot)
        }
        let target = self.object(with: id)
        if target.isFault { target.fireFault() }
        let isLost = target.isDeleted && target.state.isInaccessible
        object.setToOne(isLost ? nil : target, at: relationship.slot)
    }

    /// Restores the members of a to-many relationship from before an event.
    func restoreMembers(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        _ delta: ToManyDelta,
        _ restored: inout RestoredLinks
    ) {
        let contents = object.contents(relationship)
        guard let inverse = relationship.inverse else {
            for id in delta.added { contents.removeTracked(resolve(id), from: object) }
            for id in delta.removed { contents.addTracked(resolve(id), to: object) }
            return
        }
        for id in delta.added.union(delta.removed).map(resolve) {
            guard let member = registry.get(id) else {
                if contents.contains(id) == true { contents.removeTracked(id, from: object) }
                continue
            }
            if !inverse.isToMany {
                follow(member, inverse, in: contents, of: object)
            } else if restored.note(object, relationship, member) {
                let isMember = !delta.added.contains(where: { resolve($0) == id })
                restoreLink(object, contents, member, inverse, isMember)
            }
        }
    }

    /// Restores the order of the members that are present; others follow them.
    func restoreOrder(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        _ order: [ManagedObjectID]
    ) {
        guard let contents = object.loadedContents(relationship.slot) else { return }
        var seen: Set<ManagedObjectID> = []
        var wanted = order.map(resolve).filter {
            contents.members.contains($0) && seen.insert($0).inserted
        }
        wanted += contents.order.filter { !seen.contains($0) }
        object.reorder(contents, wanted, relationship.slot)
    }

    /// Settles the links of an object that has come back with objects that have changed since it
    /// left.
    func settleLinks(of object: ManagedObject) {
        guard object.context === self, !object.isFault, !object.state.isInaccessible else { return }
        for relationship in object.entity.relationships where !relationship.isTransient {
            guard let inverse = relationship.inverse else { continue }
            if !relationship.isToMany {
                settleReference(of: object, relationship, inverse)
            } else if case .opaque(let contents as ToManyContents) = object.slots[relationship.slot]
            {
                settleMembers(of: object, contents, inverse)
            }
        }
    }

    private func settleReference(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        _ inverse: RelationshipDescription
    ) {
        guard let id = object.reference(relationship.slot), let target = registry.get(id),
            !target.isFault
        else { return }
        if target.isDeleted {
            object.write(.null, relationship.slot)
        } else if inverse.isToMany {
            target.contents(inverse).addTracked(object.objectID, to: target)
        } else if target.reference(inverse.slot) == nil {
            target.write(.objectID(object.objectID), inverse.slot)
        } else if target.reference(inverse.slot) != object.objectID {
            object.write(.null, relationship.slot)
        }
    }

    private func settleMembers(
        of object: ManagedObject,
        _ contents: ToManyContents,
        _ inverse: RelationshipDescription
    ) {
        for id in contents.members.union(contents.added) {
            guard let member = registry.get(resolve(id)) else { continue }
            // The row of a fault cannot refer to an object that has none.
            if member.isFault, !object.isInserted { continue }
            if !inverse.isToMany {
                follow(member, inverse, in: contents, of: object)
            } else {
                restoreLink(object, contents, member, inverse, true)
            }
        }
    }

    /// Lets the membership in a one-to-many relationship follow the member's reference.
    private func follow(
        _ member: ManagedObject,
        _ inverse: RelationshipDescription,
        in contents: ToManyContents,
        of object: ManagedObject
    ) {
        let refers = member.reference(inverse.slot) == object.objectID
        let isMember = refers && !member.isDeleted && !member.state.isInaccessible
        // Contents that were not read contain what is stored.
        let isStored = member.savedReference(inverse.slot) == object.objectID
        if contents.contains(member.objectID) == nil, isMember == isStored { return }
        setMember(member.objectID, of: object, contents, isMember)
    }

    private func setMember(
        _ id: ManagedObjectID,
        of object: ManagedObject,
        _ contents: ToManyContents,
        _ isMember: Bool
    ) {
        if isMember {
            contents.addTracked(id, to: object)
        } else {
            contents.removeTracked(id, from: object)
        }
    }

    /// Makes or removes a many-to-many link on both sides; one with a deleted object is removed.
    private func restoreLink(
        _ object: ManagedObject,
        _ contents: ToManyContents,
        _ member: ManagedObject,
        _ inverse: RelationshipDescription,
        _ isMember: Bool
    ) {
        if member.isDeleted { return contents.removeTracked(member.objectID, from: object) }
        setMember(member.objectID, of: object, contents, isMember)
        let back = member.contents(inverse)
        setMember(object.objectID, of: member, back, isMember)
    }
}
