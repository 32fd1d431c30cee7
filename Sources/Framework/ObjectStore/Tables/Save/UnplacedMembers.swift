package import ObjectModel

/// The members of one owner, in their order.
package struct OrderedList: Hashable {
    package let owner: ManagedObjectID
    package let relationship: RelationshipDescription

    package init(
        owner: ManagedObjectID,
        relationship: RelationshipDescription
    ) {
        self.owner = owner
        self.relationship = relationship
    }
}

/// Members that joined an ordered list through its inverse, and so without a position.
package struct UnplacedMembers {
    package private(set) var members: [OrderedList: [Int64]] = [:]
    package private(set) var lists: [OrderedList] = []

    package init() {}

    /// Collects the ordered lists to which a row was added.
    ///
    /// - Parameters:
    ///   - change: the row.
    ///   - schema: the storage of its entity.
    ///   - id: its permanent ID.
    ///   - changed: what the save writes of it; `nil` for a new row.
    ///   - permanentIDs: the permanent IDs of the save's objects.
    package mutating func note(
        _ change: ObjectChange,
        _ schema: EntitySchema,
        _ id: ManagedObjectID,
        changed: SlotSet?,
        _ permanentIDs: IDMap
    ) {
        for slot in schema.orderColumns.keys.sorted() {
            if let changed, !changed.contains(slot) { continue }
            guard case .objectID(let owner) = change.slots[slot],
                let relationship = change.entity.slots[slot] as? RelationshipDescription,
                let list = relationship.inverse
            else { continue }
            add(id.key, to: OrderedList(owner: permanentIDs.permanent(owner), relationship: list))
        }
    }

    package mutating func add(_ key: Int64, to list: OrderedList) {
        if members[list] == nil { lists.append(list) }
        members[list, default: []].append(key)
    }
}
