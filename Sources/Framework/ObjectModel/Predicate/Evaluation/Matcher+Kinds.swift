final class ConstantMatcher: Matcher {
    private let value: Bool

    init(_ value: Bool) { self.value = value }

    override func matches(_ left: GraphValue) -> Bool { value }
}

/// A comparison that cannot be evaluated; throws when an evaluation reaches it.
final class FailingMatcher: Matcher {
    private let message: String

    init(_ message: String) { self.message = message }

    override func matches(_ left: GraphValue) throws -> Bool {
        throw ObjectGraphError(.cannotEvaluate, message)
    }
}

final class EqualityMatcher: Matcher {
    private let right: GraphValue
    private let isNegated: Bool

    init(_ right: GraphValue, _ isNegated: Bool) {
        self.right = right
        self.isNegated = isNegated
    }

    override func matches(_ left: GraphValue) -> Bool {
        Comparing.areEqual(left, right) != isNegated
    }
}

final class FoldedEqualityMatcher: Matcher {
    private let pattern: FoldedPattern
    private let isNegated: Bool

    init(_ pattern: FoldedPattern, _ isNegated: Bool) {
        self.pattern = pattern
        self.isNegated = isNegated
    }

    override func matches(_ left: GraphValue) -> Bool {
        guard case .string(let text) = left else { return isNegated }
        return pattern.isEqual(to: text) != isNegated
    }
}

final class OrderMatcher: Matcher {
    private let comparison: FetchComparison.Operator
    private let right: GraphValue
    private let options: FetchComparison.Options

    init(
        _ comparison: FetchComparison.Operator,
        _ right: GraphValue,
        _ options: FetchComparison.Options
    ) {
        self.comparison = comparison
        self.options = options
        if case .string(let text) = right, !options.isEmpty {
            self.right = .string(TextFolding.fold(text, options: options))
        } else {
            self.right = right
        }
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        if !options.isEmpty, case .string(let text) = left {
            let folded = GraphValue.string(TextFolding.fold(text, options: options))
            return try Comparing.isOrdered(folded, comparison, right)
        }
        return try Comparing.isOrdered(left, comparison, right)
    }
}

/// BETWEEN: from the lower bound to the upper one, both included.
final class RangeMatcher: Matcher {
    private let lower: OrderMatcher?
    private let upper: OrderMatcher?

    init(_ right: GraphValue, _ options: FetchComparison.Options) {
        if case .array(let bounds) = right, bounds.count == 2 {
            lower = OrderMatcher(.greaterOrEqual, bounds[0], options)
            upper = OrderMatcher(.lessOrEqual, bounds[1], options)
        } else {
            lower = nil
            upper = nil
        }
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        guard let lower, let upper else {
            throw ObjectGraphError(
                .cannotEvaluate,
                "BETWEEN needs two bounds on its right side: {lower, upper}."
            )
        }
        if left.isNull { return false }
        return try lower.matches(left) && upper.matches(left)
    }
}

final class CustomMatcher: Matcher {
    private let name: String
    private let right: GraphValue
    private let comparison: FetchFunctions.Comparison?

    init(_ name: String, _ right: GraphValue) {
        self.name = name
        self.right = right
        comparison = FetchFunctions.comparison(name)
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        guard let comparison else {
            throw ObjectGraphError(
                .cannotEvaluate,
                "The comparison \"\(name)\" does not exist.",
                recovery: "Register it with FetchFunctions."
            )
        }
        return try comparison(left, right)
    }
}
