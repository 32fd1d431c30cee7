import ObjectModel

/// The order of managed objects by sort descriptors, ties broken by identity: new objects after
/// saved ones, in the order of their insertion.
struct ResultsOrder {
    /// What an object is ordered by, read once.
    struct Keys {
        fileprivate let values: [Value]
        let id: ManagedObjectID
    }

    private let descriptors: [FetchSortDescriptor]

    init(_ descriptors: [FetchSortDescriptor]) { self.descriptors = descriptors }

    func keys(of object: ManagedObject) -> Keys {
        Keys(
            values: descriptors.map { (try? object.value(forKeyPath: $0.keyPath)) ?? .null },
            id: object.objectID
        )
    }

    func precedes(_ left: Keys, _ right: Keys) -> Bool {
        for (index, descriptor) in descriptors.enumerated() {
            let order = left.values[index].order(to: right.values[index], by: descriptor.comparison)
            switch order {
            case .same: continue
            case .before: return descriptor.isAscending
            case .after: return !descriptor.isAscending
            }
        }
        return left.id < right.id
    }
}

extension Value {
    /// The order of two sort keys: `nil` first, text by the comparison, kinds without an order as
    /// equal.
    fileprivate func order(to other: Value, by comparison: FetchSortDescriptor.Comparison) -> Order
    {
        switch (isNull, other.isNull) {
        case (true, true): return .same
        case (true, false): return .before
        case (false, true): return .after
        case (false, false): break
        }
        if case .string(let a) = self, case .string(let b) = other {
            return TextFolding.order(a, b, by: comparison)
        }
        return ((try? naturalOrder(to: other)) ?? nil) ?? .same
    }
}
