import FoundationEssentials

extension GraphValue {
    /// The natural order of two values of one kind: numbers by size, text by Unicode scalar,
    /// dates by time, data and UUIDs by their bytes.
    ///
    /// - Returns: `nil` if there is no order, because one of them is not-a-number.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotEvaluate`` for values
    ///   of different kinds and for kinds without an order.
    package func naturalOrder(to other: GraphValue) throws -> Order? {
        switch (self, other) {
        case (.string(let a), .string(let b)): return a.scalarOrder(to: b)
        case (.date(let a), .date(let b)): return Order(a, b)
        case (.uuid(let a), .uuid(let b)): return Order(a, b)
        case (.data(let a), .data(let b)):
            return a.lexicographicallyPrecedes(b) ? .before : a == b ? .same : .after
        case (.url(let a), .url(let b)):
            return a.absoluteString.scalarOrder(to: b.absoluteString)
        default:
            if isNumber, other.isNumber { return numericOrder(to: other) }
            throw ObjectGraphError(
                .cannotEvaluate,
                "\(kindAtStart) cannot be ordered against \(other.kindWithArticle)."
            )
        }
    }
}

extension String {
    /// The order by Unicode scalar, which is the order of the UTF-8 bytes and so SQLite's.
    package func scalarOrder(to other: String) -> Order {
        TextFolding.order(self, other, by: .binary)
    }

    /// Whether both consist of the same Unicode scalars.
    ///
    /// Comparisons of predicates are literal, as in Foundation and in SQL: the composed and the
    /// decomposed "é" differ unless `[n]`, `[c]` or `[d]` is given.
    package func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && scalarOrder(to: other) == .same
    }
}
