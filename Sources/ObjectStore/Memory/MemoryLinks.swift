import ObjectModel

/// The members of all to-many relationships, kept as the rows and link changes of saves say.
///
/// A one-to-many relationship with an inverse follows the members' own to-one relationships; here
/// is only their order. A one-way relationship gives each member one owner, as its key in the
/// member's row does in a file; to take a member is to take it from its former owner.
struct MemoryLinks {
    private struct MemberList: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var members: [MemberList: [ManagedObjectID]] = [:]
    /// The owner of a member in a one-way relationship.
    private var owners: [MemberList: ManagedObjectID] = [:]

    private func list(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> MemberList {
        MemberList(relationship: ObjectIdentifier(relationship), owner: owner)
    }

    /// Members in their order; those of an unordered relationship by their IDs.
    func members(
        of relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) -> [ManagedObjectID] {
        let found = members[list(relationship, owner)] ?? []
        return relationship.isOrdered ? found : found.sorted()
    }

    // MARK: Changes

    /// A to-one relationship of a row led somewhere and now leads elsewhere.
    mutating func move(
        _ id: ManagedObjectID,
        _ relationship: RelationshipDescription,
        from old: Value,
        to new: Value
    ) {
        guard let inverse = relationship.inverse, inverse.isToMany else { return }
        if case .objectID(let owner) = old { remove(id, list(inverse, owner)) }
        if case .objectID(let owner) = new { append(id, list(inverse, owner)) }
    }

    /// Takes away what a link change takes away.
    mutating func remove(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        for member in link.removed {
            unlink(link.relationship, resolve(link.owner), resolve(member))
        }
    }

    /// Adds what a link change adds, and sets the order.
    mutating func add(_ link: LinkChange, _ resolve: (ManagedObjectID) -> ManagedObjectID) {
        let owner = resolve(link.owner)
        let relationship = link.relationship
        for member in link.added { self.link(relationship, owner, resolve(member)) }
        guard let order = link.order else { return }
        let key = list(relationship, owner)
        let wanted = order.map(resolve)
        let present = Set(members[key] ?? [])
        let known = Set(wanted)
        // Only members have a place; one that the order forgets keeps its own at the end.
        members[key] =
            wanted.filter { present.contains($0) }
            + (members[key] ?? []).filter { !known.contains($0) }
    }

    /// Takes a deleted object out of the relationships that its row does not hold.
    ///
    /// - Returns: What it was linked to.
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
        for key in Array(owners.keys) where key.owner == id {
            if let owner = owners.removeValue(forKey: key) {
                members[MemberList(relationship: key.relationship, owner: owner)]?.removeAll {
                    $0 == id
                }
            }
        }
        return result
    }

    private mutating func link(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ member: ManagedObjectID
    ) {
        guard let inverse = relationship.inverse else {
            let place = list(relationship, member)
            if let former = owners[place], former != owner {
                remove(member, list(relationship, former))
            }
            owners[place] = owner
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
            let place = list(relationship, member)
            if owners[place] == owner {
                owners[place] = nil
                remove(member, list(relationship, owner))
            }
            return
        }
        guard inverse.isToMany else { return }
        remove(member, list(relationship, owner))
        remove(owner, list(inverse, member))
    }

    private mutating func append(_ id: ManagedObjectID, _ key: MemberList) {
        if members[key]?.contains(id) != true { members[key, default: []].append(id) }
    }

    private mutating func remove(_ id: ManagedObjectID, _ key: MemberList) {
        guard let index = members[key]?.firstIndex(of: id) else { return }
        members[key]?.remove(at: index)
    }
}
