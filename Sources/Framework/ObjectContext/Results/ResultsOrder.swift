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

    /// Whether two objects with the same identity have the same place.
    func isSame(_ left: Keys, _ right: Keys) -> Bool {
        !precedes(left, right) && !precedes(right, left)
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
    ///
    /// - Parameters:
    ///   - sorted: the keys.
    ///   - count: how many rows there are.
    ///   - hint: where the first key may belong, or near.
    ///   - row: the keys of a row; with the range of rows among which the search goes on.
    /// - Returns: the numbers, in the order of the keys.
    /// - Throws: what `row` throws.
    func places(
        of sorted: [Keys],
        among count: Int,
        near hint: Int? = nil,
        keysAt row: (Int, Range<Int>) throws -> Keys
    ) throws -> [Int] {
        var known: [Int: Keys] = [:]
        func comesBefore(_ index: Int, _ keys: Keys, in range: Range<Int>) throws -> Bool {
            let other: Keys
            if let found = known[index] {
                other = found
            } else {
                other = try row(index, range)
                known[index] = other
            }
            return precedes(other, keys)
        }
        var start = 0
        var origin = hint ?? (sorted.count > 1 ? 0 : nil)
        return try sorted.map { keys in
            // All rows before `low` come before the key, and none from `high` on.
            var (low, high) = (start, count)
            if let origin {
                /// Looks at a row of a gallop; false ends it.
                func look(at index: Int, forward: Bool) throws -> Bool {
                    guard (low..<high).contains(index) else { return false }
                    let near = max(low, index - Self.reach)..<min(high, index + Self.reach)
                    let isBefore = try comesBefore(index, keys, in: near)
                    if isBefore { low = index + 1 } else { high = index }
                    return isBefore == forward
                }
                let forward = try origin <= low || look(at: origin - 1, forward: true)
                // Many keys are a walk; one that is far away is searched.
                var step = 1
                while sorted.count > 1 || step <= Self.reach,
                    try look(at: forward ? low + step - 1 : high - step, forward: forward)
                {
                    step *= 2
                }
            }
            while low < high {
                let middle = (low + high) / 2
                if try comesBefore(middle, keys, in: low..<high) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            start = low
            if sorted.count > 1 { origin = start }
            return low
        }
    }

    /// So many rows on either side are near.
    private static let reach = 64

    /// The rows that a binary search may look at next: those of its first steps.
    static func pivots(in range: Range<Int>, steps: Int = 8) -> [Int] {
        if range.isEmpty || steps == 0 { return [] }
        let middle = (range.lowerBound + range.upperBound) / 2
        return [middle] + pivots(in: range.lowerBound..<middle, steps: steps - 1)
            + pivots(in: middle + 1..<range.upperBound, steps: steps - 1)
    }
}

extension ManagedObjectID {
    /// Saved before new, then by key, which is unique in a hierarchy of entities.
    func precedesByInsertion(_ other: ManagedObjectID) -> Bool {
        if isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
        return key != other.key ? key < other.key : raw < other.raw
    }
}
