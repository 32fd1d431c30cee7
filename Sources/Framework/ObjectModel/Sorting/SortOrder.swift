/// Prepared sort descriptors: key paths are split once, keys read once for each element.
///
///     let order = SortOrder(descriptors)
///     let keys = try objects.map { try order.keys(of: .object($0)) }
///     order.order(keys[0], keys[1])
///
/// The order of two keys is total: `nil` and not-a-number first, then numbers, text, dates, UUIDs,
/// data, URLs, object IDs. The properties of a model do not mix kinds, but plain arrays may.
package struct SortOrder {
    private let keys: [(path: KeyPathPlan?, descriptor: FetchSortDescriptor)]

    package init(_ descriptors: [FetchSortDescriptor]) {
        keys = descriptors.map { descriptor in
            let isSelf = descriptor.keyPath.isEmpty || descriptor.keyPath == "self"
            return (isSelf ? nil : KeyPathPlan(descriptor.keyPath), descriptor)
        }
    }

    /// The sort key of an element under one descriptor.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if the key
    ///   path ends in something without an order, such as a to-many relationship.
    public func key(_ index: Int, of element: GraphValue) throws -> GraphValue {
        let (path, descriptor) = keys[index]
        let value = try path?.value(from: element) ?? element
        switch value {
        case .double(let number): return number.isNaN ? .null : value
        case .object(let object):
            if let id = object.managedObjectID { return .objectID(id) }
        case .array, .set, .dictionary, .opaque: break
        default: return value
        }
        if descriptor.comparator != nil { return value }
        throw ObjectGraphError(
            .invalidRequest,
            "Objects cannot be sorted by \"\(descriptor.keyPath)\": it leads to a "
                + "\(value.kindName), which has no order.",
            recovery: "Sort by an attribute, or by a key path through to-one relationships.",
            key: descriptor.keyPath
        )
    }

    /// The sort keys of an element, one for each descriptor.
    package func keys(of element: GraphValue) throws -> [GraphValue] {
        try keys.indices.map { try key($0, of: element) }
    }

    /// The order of two keys under one descriptor, its direction included.
    package func order(_ index: Int, _ left: GraphValue, _ right: GraphValue) -> Order {
        let descriptor = keys[index].descriptor
        let order = left.sortOrder(to: right, by: descriptor)
        return descriptor.isAscending ? order : order.reversed
    }

    /// The order of two elements by their keys.
    package func order(_ left: [GraphValue], _ right: [GraphValue]) -> Order {
        for index in keys.indices {
            let order = order(index, left[index], right[index])
            if order != .same { return order }
        }
        return .same
    }
}

extension GraphValue {
    fileprivate func sortOrder(to other: GraphValue, by descriptor: FetchSortDescriptor) -> Order {
        switch (self, other) {
        case (.null, .null): return .same
        case (.null, _): return .before
        case (_, .null): return .after
        default: break
        }
        if let comparator = descriptor.comparator { return Order(comparator.body(self, other)) }
        switch (self, other) {
        case (.string(let a), .string(let b)):
            return descriptor.comparison == .binary
                ? a.scalarOrder(to: b) : TextFolding.order(a, b, by: descriptor.comparison)
        case (.objectID(let a), .objectID(let b)): return Order(a, b)
        default:
            let order = Order(sortRank, other.sortRank)
            if order != .same { return order }
            return ((try? naturalOrder(to: other)) ?? nil) ?? .same
        }
    }

    private var sortRank: Int {
        switch self {
        case .null: 0
        case .bool, .int, .double, .decimal: 1
        case .string: 2
        case .date: 3
        case .uuid: 4
        case .data: 5
        case .url: 6
        case .objectID: 7
        case .object, .array, .set, .dictionary, .opaque: 8
        }
    }
}
