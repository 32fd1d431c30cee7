public import FoundationEssentials

extension Array where Element: FetchOperand {
    /// The elements in the order of the descriptors; equal ones stay in their order.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` for an unknown
    ///   key, and with ``ObjectGraphError/Code/invalidRequest`` if a key leads to something without
    ///   an order.
    /// - Complexity: O(*n* log *n*) comparisons; each key is read once for each element.
    public func sorted(using descriptors: [FetchSortDescriptor]) throws -> [Element] {
        try permutation(of: map(\.operandValue), by: descriptors).map { self[$0] }
    }

    /// Sorts in place; unchanged if that fails.
    ///
    /// - Throws: as `sorted(using:)`.
    /// - Complexity: O(*n* log *n*) comparisons.
    public mutating func sort(using descriptors: [FetchSortDescriptor]) throws {
        self = try sorted(using: descriptors)
    }
}

extension Array where Element == any KeyValueCoding {
    /// The objects in the order of the descriptors; equal ones stay in their order.
    ///
    /// - Throws: `ObjectGraphError` if a key is unknown or leads to something without an order.
    /// - Complexity: O(*n* log *n*) comparisons; each key is read once for each object.
    public func sorted(using descriptors: [FetchSortDescriptor]) throws -> [Element] {
        try permutation(of: map { .object($0) }, by: descriptors).map { self[$0] }
    }

    /// Sorts in place; unchanged if that fails.
    ///
    /// - Throws: as `sorted(using:)`.
    /// - Complexity: O(*n* log *n*) comparisons.
    public mutating func sort(using descriptors: [FetchSortDescriptor]) throws {
        self = try sorted(using: descriptors)
    }
}

extension Set where Element: FetchOperand {
    /// The elements as an array in the order of the descriptors.
    ///
    /// - Throws: `ObjectGraphError` if a key is unknown or leads to something without an order.
    /// - Complexity: O(*n* log *n*) comparisons.
    public func sorted(using descriptors: [FetchSortDescriptor]) throws -> [Element] {
        try Array(self).sorted(using: descriptors)
    }
}

extension Array where Element == FetchSortDescriptor {
    /// The order of two values or objects: the first descriptor under which they differ decides.
    ///
    /// To sort many elements use `sorted(using:)`, which reads each key once.
    ///
    /// - Throws: `ObjectGraphError` if a key is unknown or leads to something without an order.
    /// - Complexity: O(descriptors).
    public func compare(
        _ left: some FetchOperand,
        _ right: some FetchOperand
    ) throws -> ComparisonResult {
        let order = SortOrder(self)
        return order.order(
            try order.keys(of: left.operandValue),
            try order.keys(of: right.operandValue)
        ).comparisonResult
    }
}

/// The positions of the values in sorted order.
///
/// Sorts by the first descriptor, then each run of equals by the next one.
private func permutation(
    of values: [GraphValue],
    by descriptors: [FetchSortDescriptor]
) throws -> [Int] {
    let order = SortOrder(descriptors)
    var positions = Array(values.indices)
    var pending = values.count > 1 ? [values.indices] : []
    for (index, descriptor) in descriptors.enumerated() {
        // Keys are read even if the order is decided already, so that a wrong key always fails.
        let keys = try values.map { try order.key(index, of: $0) }
        if pending.isEmpty { continue }
        let column = SortColumn(keys, index, descriptor)
        pending = pending.flatMap { column.sort(&positions, $0, in: order) }
    }
    return positions
}
