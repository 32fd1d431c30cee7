import ObjectModel

/// The order of managed objects by sort descriptors.
///
/// Objects with equal keys are ordered by identity: new objects after saved ones, each in the order
/// of their insertion, which a save does not change.
struct ResultsOrder {
    /// The sort keys of an object, read once.
    struct Keys {
        fileprivate let values: [GraphValue]
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

extension ResultsOrder {
    /// For each of some ordered keys, the number of ordered rows before it.
    ///
    /// Gallops from one place to the next: for one key this is a binary search, for very many a
    /// walk along the rows; no row is compared twice.
    func places(
        of sorted: [Keys],
        among count: Int,
        keysAt row: (Int) throws -> Keys
    ) throws -> [Int] {
        var known: [Int: Keys] = [:]
        func comesBefore(_ index: Int, _ keys: Keys) throws -> Bool {
            let other: Keys
            if let found = known[index] {
                other = found
            } else {
                other = try row(index)
                known[index] = other
            }
            return precedes(other, keys)
        }
        var start = 0
        return try sorted.map { keys in
            var step = sorted.count > 1 ? 1 : count
            var low = start
            var high = min(count, start + step)
            while high < count, try comesBefore(high - 1, keys) {
                low = high
                step *= 2
                high = min(count, high + step)
            }
            while low < high {
                let middle = (low + high) / 2
                if try comesBefore(middle, keys) { low = middle + 1 } else { high = middle }
            }
            start = low
            return low
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
