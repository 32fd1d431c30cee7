import ObjectModel

/// The order of managed objects by sort descriptors, ties broken by identity: new objects after
/// saved ones, each in the order of their insertion, which a save does not change.
struct ResultsOrder {
    /// What an object is ordered by, read once.
    struct Keys {
        fileprivate let values: [Value]
        let id: ManagedObjectID
    }

    private let order: SortOrder

    init(_ descriptors: [FetchSortDescriptor]) { order = SortOrder(descriptors) }

    /// - Throws: `ObjectGraphError` for an unknown key and for one without an order.
    func keys(of object: ManagedObject) throws -> Keys {
        Keys(values: try order.keys(of: .object(object)), id: object.objectID)
    }

    func precedes(_ left: Keys, _ right: Keys) -> Bool {
        switch order.order(left.values, right.values) {
        case .before: true
        case .after: false
        case .same: left.id.precedesByInsertion(right.id)
        }
    }
}

extension ManagedObjectID {
    /// Saved before new, then by key, which is unique in a hierarchy of entities.
    func precedesByInsertion(_ other: ManagedObjectID) -> Bool {
        if isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
        return key != other.key ? key < other.key : raw < other.raw
    }
}
