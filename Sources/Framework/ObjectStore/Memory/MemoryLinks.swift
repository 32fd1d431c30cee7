import ObjectModel

/// The members of all to-many relationships, according to the rows and link changes of the saves.
///
/// The members of a one-to-many relationship with an inverse are in the members' own to-one
/// relationships; only their order is here. Who refers to an object by another to-one relationship is
/// here too, for the check of a deletion. A one-way relationship gives each member one owner,
/// like the key in the member's row of an SQLite file; adding a member removes it from its former
/// owner.
struct MemoryLinks {
    private struct ListKey: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var members: [ListKey: MemberList] = [:]
    /// The owners of a member in one-way relationships.
    private var owners: [ManagedObjectID: [ObjectIdentifier: ManagedObjectID]] = [:]

    private func list(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> ListKey {
        ListKey(relationship: ObjectIdentifier(relationship), owner: owner)
    }

    /// Members in their order; those of an unordered relationship by their IDs.
    func members(
        of relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] {
        guard let found = members[list(relationship, owner)] else { return [] }
        return relationship.isOrdered ? found.ids : found.ids.sorted()
    }

    /// The objects whose to-one relationship leads to an object.
    func referrers(
        by relationship: RelationshipDescription,
        to destination: ManagedObjectID
    ) -> [ManagedObjectID] {
        members[list(MemoryLinks.side(relationship), destination)]?.ids ?? []
    }

    /// The list of those who refer to an object by a to-one relationship: its inverse, or one of its
    /// own where that is no list.
    private static func side(_ relationship: RelationshipDescription) -> RelationshipDescription {
        guard let inverse = relationship.inverse, inverse.isToMany else { return relationship }
        return inverse
    }

    // MARK: Changes

    /// Follows a changed to-one relationship of a row.
    mutating func move(
        _ id: ManagedObjectID,
        _ relationship: RelationshipDescription,
        from old: GraphValue,
        to new: GraphValue
    ) {
        let side = MemoryLinks.side(relationship)
        if case .objectID(let owner) = old { remove(id, list(side, owner)) }
        if case .objectID(let owner) = new { append(id, list(side, owner)) }
    }

    /// Notes a to-one relationship of a row that no other call has noted.
    mutating func enter(
        _ id: ManagedObjectID,
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) {
        members[list(MemoryLinks.side(relationship), owner), default: MemberList()].appendNew(id)
    }

    mutating func remove(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        for member in link.removed {
            unlink(link.relationship, resolve(link.owner), resolve(member))
        }
    }

    /// Applies the additions and the order of a link change.
    mutating func add(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        let owner = resolve(link.owner)
        let relationship = link.relationship
        for member in link.added { self.link(relationship, owner, resolve(member)) }
        guard let order = link.order else { return }
        let key = list(relationship, owner)
        let wanted = order.map(resolve)
        guard var present = members[key] else { return }
        let known = Set(wanted)
        // Only members have a position; a member that the order does not list stays at the end.
        members[key] = MemberList(
            wanted.filter { present.contains($0) } + present.ids.filter { !known.contains($0) }
        )
    }

    /// Removes a deleted object from the relationships that its row does not hold.
    ///
    /// - Returns: the objects that it was linked to.
    mutating func removeAll(
        of id: ManagedObjectID,
        _ entity: EntityDescription
    ) -> [(RelationshipDescription, [ManagedObjectID])] {
        var result: [(RelationshipDescription, [ManagedObjectID])] = []
        for relationship in entity.relationships where relationship.isToMany {
            if relationship.inverse?.isToMany == false { continue }
            let found = members(of: relationship, id)
            if found.isEmpty { continue }
            result.append((relationship, found))
            for member in found { unlink(relationship, id, member) }
        }
        for (relationship, owner) in owners.removeValue(forKey: id) ?? [:] {
            remove(id, ListKey(relationship: relationship, owner: owner))
        }
        return result
    }

    private mutating func link(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ member: ManagedObjectID
    ) {
        guard let inverse = relationship.inverse else {
            let name = ObjectIdentifier(relationship)
            if let former = owners[member]?[name], former != owner {
                remove(member, list(relationship, former))
            }
            owners[member, default: [:]][name] = owner
            append(member, list(relationship, owner))
            return
        }
        guard inverse.isToMany else { return }
        append(member, list(relationship, owner))
        append(owner, list(inverse, member))
    }

    private mutating func unlink(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ member: ManagedObjectID
    ) {
        guard let inverse = relationship.inverse else {
            let name = ObjectIdentifier(relationship)
            if owners[member]?[name] == owner {
                owners[member]?[name] = nil
                remove(member, list(relationship, owner))
            }
            return
        }
        guard inverse.isToMany else { return }
        remove(member, list(relationship, owner))
        remove(owner, list(inverse, member))
    }

    private mutating func append(_ id: ManagedObjectID, _ key: ListKey) {
        members[key, default: MemberList()].append(id)
    }

    private mutating func remove(_ id: ManagedObjectID, _ key: ListKey) {
        members[key]?.remove(id)
    }
}

/// Distinct IDs in the order in which they were appended; appending and removing cost O(1).
///
/// Invariant: at least one of `places` and `list` exists, and both hold the same IDs.
private struct MemberList {
    /// The order of each ID; `nil` until something is removed or looked up.
    private var places: [ManagedObjectID: Int]?
    private var next = 0
    /// The IDs in order; `nil` after a change that was not at the end.
    private var list: [ManagedObjectID]? = []

    init(_ ids: [ManagedObjectID] = []) {
        for id in ids { append(id) }
    }

    /// Cost: O(n log n) after a removal from the middle.
    var ids: [ManagedObjectID] {
        list ?? (places ?? [:]).sorted { $0.value < $1.value }.map(\.key)
    }

    mutating func contains(_ id: ManagedObjectID) -> Bool {
        makePlaces()
        return places?[id] != nil
    }

    mutating func append(_ id: ManagedObjectID) { if !contains(id) { appendNew(id) } }

    /// Appends an ID that is not here; costs no lookup while nothing was removed.
    mutating func appendNew(_ id: ManagedObjectID) {
        if places != nil { places?[id] = next }
        next += 1
        list?.append(id)
    }

    mutating func remove(_ id: ManagedObjectID) {
        makePlaces()
        guard places?.removeValue(forKey: id) != nil else { return }
        if list?.last == id { list?.removeLast() } else { list = nil }
    }

    private mutating func makePlaces() {
        guard places == nil, let list else { return }
        var made: [ManagedObjectID: Int] = [:]
        made.reserveCapacity(list.count)
        for (place, id) in list.enumerated() { made[id] = place }
        places = made
        next = list.count
    }
}
