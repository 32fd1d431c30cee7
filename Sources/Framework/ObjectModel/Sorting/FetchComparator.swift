public import FoundationEssentials

/// A closure that orders two values; two are equal only if they are the same instance.
///
///     let byLength = FetchComparator { left, right in
///         ComparisonResult.orderedSame  // compare the lengths here
///     }
///     try names.sorted(using: [FetchSortDescriptor("self", comparator: byLength)])
public final class FetchComparator: Hashable, Sendable {
    package let body: @Sendable (_ left: GraphValue, _ right: GraphValue) -> ComparisonResult

    /// A comparator.
    ///
    /// It is never called with `nil`, which always comes first.
    public init(
        _ body: @escaping @Sendable (_ left: GraphValue, _ right: GraphValue) -> ComparisonResult
    ) {
        self.body = body
    }

    public static func == (left: FetchComparator, right: FetchComparator) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Order {
    package init(_ result: ComparisonResult) {
        self =
            switch result {
            case .orderedAscending: .before
            case .orderedSame: .same
            case .orderedDescending: .after
            }
    }

    package var comparisonResult: ComparisonResult {
        switch self {
        case .before: .orderedAscending
        case .same: .orderedSame
        case .after: .orderedDescending
        }
    }
}
