import ObjectModel

/// Which rows refer to an object over a to-one relationship: the members of one-to-many
/// relationships, without a scan of the members' table.
struct ReverseReferences {
    private struct Key: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var members: [Key: Set<ManagedObjectID>] = [:]

    /// The members of a one-to-many relationship, in the order of their IDs.
    func members(
        of relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] {
        (members[Key(relationship: ObjectIdentifier(relationship), owner: owner)] ?? []).sorted()
    }

    /// Takes note that an object's row changed from some values to others.
    mutating func note(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        from old: [Value]?,
        to new: [Value]?
    ) {
        for relationship in entity.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isToMany, !relationship.isTransient
            else { continue }
            let before = reference(old, relationship.slot)
            let after = reference(new, relationship.slot)
            if before == after { continue }
            let name = ObjectIdentifier(inverse)
            if let before { members[Key(relationship: name, owner: before)]?.remove(id) }
            if let after {
                members[Key(relationship: name, owner: after), default: []].insert(id)
            }
        }
    }

    private func reference(_ values: [Value]?, _ slot: Int) -> ManagedObjectID? {
        if case .objectID(let id)? = values?[slot] { return id }
        return nil
    }
}
