package import ObjectModel

// To-many relationships by the IDs of their members: a count, a test or an edit creates no member
// objects.

extension ManagedObject: DirectMembers {
    /// The number of members of a relationship; loads IDs, but no objects.
    package final func memberCount(forKey key: String) -> Int? {
        guard let slot = toManySlot(key) else { return nil }
        return toManyCount(at: slot)
    }

    package final func hasOrderedMembers(forKey key: String) -> Bool? {
        guard let slot = toManySlot(key) else { return nil }
        return (entity.slots[slot] as? RelationshipDescription)?.isOrdered
    }

    package final func isMember(_ member: GraphValue, forKey key: String) -> Bool? {
        guard let slot = toManySlot(key) else { return nil }
        switch member {
        case .object(let object):
            return object.managedObjectID.map { isMember($0, at: slot) } ?? false
        case .objectID(let id): return isMember(id, at: slot)
        default: return false
        }
    }

    package final func member(at index: Int, forKey key: String) -> GraphValue? {
        guard let slot = toManySlot(key), let owner, let contents = loadedContents(slot),
            contents.isOrdered
        else { return nil }
        return .object(owner.object(with: contents.order[index]))
    }

    package final func moveMember(from index: Int, to target: Int, forKey key: String) -> Bool {
        guard let slot = toManySlot(key), hasOrderedMembers(forKey: key) == true else {
            return false
        }
        moveMember(from: index, to: target, at: slot)
        return true
    }

    private final func toManySlot(_ key: String) -> Int? {
        guard let slot = entity.slotByName[key],
            let relationship = entity.slots[slot] as? RelationshipDescription,
            relationship.isToMany
        else { return nil }
        return slot
    }

    /// Whether an object is a member of a to-many relationship.
    ///
    /// Loads the membership only where neither a pending change nor the other side has the answer.
    final func isMember(_ id: ManagedObjectID, at slot: Int) -> Bool {
        guard let relationship = entity.slots[slot] as? RelationshipDescription else {
            return false
        }
        let id = owner?.resolve(id) ?? id
        if let known = contents(relationship).contains(id) { return known }
        return loadedContents(slot)?.contains(id) == true
    }

    /// Moves a member of an ordered relationship; `target` is its index after the move.
    ///
    /// Traps if an index is out of range.
    final func moveMember(from index: Int, to target: Int, at slot: Int) {
        observingTogether {
            guard let contents = loadedContents(slot) else { return }
            var order = contents.order
            order.insert(order.remove(at: index), at: target)
            reorder(contents, order, slot)
        }
    }

    /// The objects at some indexes of an ordered relationship; traps if an index is out of range.
    final func members(at places: Range<Int>, of slot: Int) -> [ManagedObject] {
        guard let owner, let contents = loadedContents(slot) else { return [] }
        return contents.order[places].map { owner.object(with: $0) }
    }
}
