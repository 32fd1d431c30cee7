import ObjectModel

extension GraphValue {
    /// The ID in the slot of a to-one relationship; `nil` for none.
    var objectID: ManagedObjectID? {
        if case .objectID(let id) = self { return id }
        return nil
    }

    /// Whether storing one value in place of the other would change nothing.
    ///
    /// Stricter than equality: two spellings of "é" are equal, and so are 1 and 1.0, but replacing
    /// one by the other is a change. NaN is identical to itself.
    @inline(__always)
    func isIdentical(to other: GraphValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.int(let a), .int(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.objectID(let a), .objectID(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.isIdentical(to: b)
        case (.opaque(let a), .opaque(let b)): a === b || GraphValue.areIdentical(self, other)
        case (.int, _), (.bool, _), (.double, _), (.decimal, _):
            hasKind(of: other) && self == other
        default: self == other
        }
    }

    /// Sealed values with different data are not identical, even if they open to the same value.
    private static func areIdentical(_ left: GraphValue, _ right: GraphValue) -> Bool {
        guard let sealed = left.sealed, let other = right.sealed else { return left == right }
        return sealed.isIdentical(to: other)
    }

    private func hasKind(of other: GraphValue) -> Bool {
        switch (self, other) {
        case (.int, .int), (.bool, .bool), (.double, .double), (.decimal, .decimal): true
        default: false
        }
    }
}
