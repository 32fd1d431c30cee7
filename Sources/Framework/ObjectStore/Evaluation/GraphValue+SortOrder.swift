package import ObjectModel

extension FetchSortDescriptor {
    /// The order of two values by this descriptor: `nil` first when ascending, text by the
    /// descriptor's comparison, everything else by its natural order.
    ///
    /// - Throws: `ObjectGraphError` for values without a common order.
    package func order(_ left: GraphValue, _ right: GraphValue) throws -> Order {
        let order: Order
        switch (left, right) {
        case (.null, .null): order = .same
        case (.null, _): order = .before
        case (_, .null): order = .after
        case (.string(let a), .string(let b)): order = TextFolding.order(a, b, by: comparison)
        default: order = try left.naturalOrder(to: right) ?? .same
        }
        return isAscending ? order : order.reversed
    }
}
