extension ComparisonTest {
    static func make(_ comparison: FetchComparison) -> ComparisonTest {
        if case .constant(let value) = comparison.right {
            return PreparedTest(comparison, value)
        }
        return DynamicTest(comparison, Operand.make(comparison.right))
    }
}

/// A constant right side: it is prepared once.
private final class PreparedTest: ComparisonTest {
    private let matcher: Matcher

    init(_ comparison: FetchComparison, _ right: GraphValue) {
        matcher = Matcher.make(comparison.operator, right, comparison.options, isReused: true)
        super.init(comparison)
    }

    override func holds(_ left: GraphValue, _ context: inout EvaluationContext) throws -> Bool {
        try matcher.matches(left)
    }

    override func matcher(_ context: inout EvaluationContext) -> Matcher { matcher }
}

/// A right side that depends on the object.
private final class DynamicTest: ComparisonTest {
    private let right: Operand
    /// The last text on the right and its matcher: patterns seldom change from row to row.
    private var last: (text: String, matcher: Matcher)?

    init(_ comparison: FetchComparison, _ right: Operand) {
        self.right = right
        super.init(comparison)
    }

    override func holds(_ left: GraphValue, _ context: inout EvaluationContext) throws -> Bool {
        if options.isEmpty || options == .localeSensitive {
            switch self.operator {
            case .equal: return Comparing.areEqual(left, try right.value(&context))
            case .notEqual: return !Comparing.areEqual(left, try right.value(&context))
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                return try Comparing.isOrdered(left, self.operator, try right.value(&context))
            default: break
            }
        }
        return try matcher(&context).matches(left)
    }

    override func matcher(_ context: inout EvaluationContext) throws -> Matcher {
        let value = try right.value(&context)
        guard case .string(let text) = value else {
            return Matcher.make(self.operator, value, options, isReused: false)
        }
        if let last, last.text.isIdentical(to: text) { return last.matcher }
        let matcher = Matcher.make(self.operator, value, options, isReused: false)
        last = (text, matcher)
        return matcher
    }
}
