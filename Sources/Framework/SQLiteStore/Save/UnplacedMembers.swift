import ObjectModel

/// The members of one owner, in their order.
struct OrderedList: Hashable {
    let owner: ManagedObjectID
    let relationship: RelationshipDescription
}

/// Members that joined an ordered list through its inverse, and so without a position.
struct UnplacedMembers {
    private(set) var members: [OrderedList: [Int64]] = [:]
    private(set) var lists: [OrderedList] = []

    mutating func add(_ key: Int64, to list: OrderedList) {
        if members[list] == nil { lists.append(list) }
        members[list, default: []].append(key)
    }
}
