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

    package mutating func add(_ key: Int64, to list: OrderedList) {
        if members[list] == nil { lists.append(list) }
        members[list, default: []].append(key)
    }
}
