import ObjectModel

/// The pairs of many-to-many, one-way and ordered relationships.
///
/// Invariant: `places[id]` are the keys whose members hold `id`.
struct LinkTable {
    private struct Key: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var members: [Key: Set<ManagedObjectID>] = [:]
    /// The order of the members of ordered relationships.
    private var orders: [Key: [ManagedObjectID]] = [:]
    private var places: [ManagedObjectID: Set<Key>] = [:]

    func destinations(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] {
        let key = Key(relationship: ObjectIdentifier(relationship), owner: owner)
        return relationship.isOrdered ? orders[key] ?? [] : (members[key] ?? []).sorted()
    }

    mutating func apply(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        let owner = resolve(link.owner)
        let relationship = link.relationship
        for id in link.removed { unlink(relationship, owner, resolve(id)) }
        for id in link.added { self.link(relationship, owner, resolve(id)) }
        guard let order = link.order?.map(resolve) else { return }
        let key = Key(relationship: ObjectIdentifier(relationship), owner: owner)
        let wanted = Set(order)
        for id in members[key] ?? [] where !wanted.contains(id) { remove(id, key) }
        for id in order where members[key]?.contains(id) != true { append(id, key, false) }
        orders[key] = order
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

    /// Forgets an object, as owner and as member.
    mutating func removeAll(of id: ManagedObjectID, _ entity: EntityDescription) {
        for relationship in entity.relationships where relationship.isToMany {
            let key = Key(relationship: ObjectIdentifier(relationship), owner: id)
            for member in members[key] ?? [] { places[member]?.remove(key) }
            members[key] = nil
            orders[key] = nil
        }
        for key in places.removeValue(forKey: id) ?? [] { remove(id, key) }
    }

    private mutating func link(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ id: ManagedObjectID
    ) {
        let key = Key(relationship: ObjectIdentifier(relationship), owner: owner)
        append(id, key, relationship.isOrdered)
        if let inverse = relationship.inverse, inverse.isToMany {
            let key = Key(relationship: ObjectIdentifier(inverse), owner: id)
            append(owner, key, inverse.isOrdered)
        }
    }

    private mutating func unlink(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ id: ManagedObjectID
    ) {
        remove(id, Key(relationship: ObjectIdentifier(relationship), owner: owner))
        if let inverse = relationship.inverse, inverse.isToMany {
            remove(owner, Key(relationship: ObjectIdentifier(inverse), owner: id))
        }
    }

    private mutating func append(_ id: ManagedObjectID, _ key: Key, _ isOrdered: Bool) {
        guard members[key, default: []].insert(id).inserted else { return }
        places[id, default: []].insert(key)
        if isOrdered { orders[key, default: []].append(id) }
    }

    private mutating func remove(_ id: ManagedObjectID, _ key: Key) {
        guard members[key]?.remove(id) != nil else { return }
        places[id]?.remove(key)
        orders[key]?.removeAll { $0 == id }
    }
}
