import ObjectModel

/// The pairs of many-to-many, one-way and ordered relationships.
struct LinkTable {
    private struct Key: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var members: [Key: [ManagedObjectID]] = [:]

    func destinations(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] {
        members[Key(relationship: ObjectIdentifier(relationship), owner: owner)] ?? []
    }

    mutating func apply(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        let owner = resolve(link.owner)
        let relationship = link.relationship
        for id in link.removed { unlink(relationship, owner, resolve(id)) }
        for id in link.added { self.link(relationship, owner, resolve(id)) }
        if let order = link.order {
            members[Key(relationship: ObjectIdentifier(relationship), owner: owner)] =
                order.map(resolve)
        }
    }

    /// The members of every relationship of an object that is kept here.
    func all(
        of id: ManagedObjectID,
        _ entity: EntityDescription
    ) -> [(RelationshipDescription, [ManagedObjectID])] {
        entity.relationships.filter(\.isToMany).compactMap { relationship in
            let ids = destinations(relationship, id)
            return ids.isEmpty ? nil : (relationship, ids)
        }
    }

    mutating func removeAll(of id: ManagedObjectID) {
        for key in Array(members.keys) {
            if key.owner == id {
                members[key] = nil
            } else {
                members[key]?.removeAll { $0 == id }
            }
        }
    }

    private mutating func link(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ id: ManagedObjectID
    ) {
        append(id, Key(relationship: ObjectIdentifier(relationship), owner: owner))
        if let inverse = relationship.inverse, inverse.isToMany {
            append(owner, Key(relationship: ObjectIdentifier(inverse), owner: id))
        }
    }

    private mutating func append(_ id: ManagedObjectID, _ key: Key) {
        if members[key]?.contains(id) != true { members[key, default: []].append(id) }
    }

    private mutating func unlink(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ id: ManagedObjectID
    ) {
        let key = Key(relationship: ObjectIdentifier(relationship), owner: owner)
        members[key]?.removeAll { $0 == id }
        if let inverse = relationship.inverse, inverse.isToMany {
            members[Key(relationship: ObjectIdentifier(inverse), owner: id)]?
                .removeAll { $0 == owner }
        }
    }
}
