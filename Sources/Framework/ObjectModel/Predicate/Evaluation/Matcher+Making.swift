extension Matcher {
    /// The matcher for a comparison with this right side.
    ///
    /// `isReused` asks for preparation that is worth its cost only for many rows.
    static func make(
        _ comparison: FetchComparison.Operator,
        _ right: GraphValue,
        _ options: FetchComparison.Options,
        isReused: Bool
    ) -> Matcher {
        let folding = options.subtracting(.localeSensitive)
        switch comparison {
        case .equal: return equality(right, folding, isNegated: false)
        case .notEqual: return equality(right, folding, isNegated: true)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return OrderMatcher(comparison, right, folding)
        case .between: return RangeMatcher(right, folding)
        case .in: return membership(right, folding, isReused)
        case .contains: return ContainsMatcher(right, folding)
        case .beginsWith, .endsWith, .like: return TextMatcher(comparison, right, folding)
        case .matches: return PatternMatcher(right, folding)
        case .custom(let name): return CustomMatcher(name, right)
        }
    }

    private static func equality(
        _ right: GraphValue,
        _ options: FetchComparison.Options,
        isNegated: Bool
    ) -> Matcher {
        if case .string(let text) = right, !options.isEmpty {
            return FoldedEqualityMatcher(FoldedPattern(text, options: options), isNegated)
        }
        return EqualityMatcher(right, isNegated)
    }

    private static func membership(
        _ right: GraphValue,
        _ options: FetchComparison.Options,
        _ isReused: Bool
    ) -> Matcher {
        switch right {
        case .null: ConstantMatcher(false)
        case .string(let text): SubstringMatcher(of: text, options)
        case .array(let values): MembershipMatcher(values, options, isReused)
        case .set(let values): MembershipMatcher(Array(values), options, isReused)
        case .dictionary(let values): MembershipMatcher(Array(values.values), options, isReused)
        default: FailingMatcher("IN needs a collection or text on its right side.")
        }
    }
}
