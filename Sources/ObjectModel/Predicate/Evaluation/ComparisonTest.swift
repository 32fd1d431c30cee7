/// The operator and the right side of a comparison, made ready.
class ComparisonTest {
    let `operator`: FetchComparison.Operator
    let options: FetchComparison.Options

    init(_ comparison: FetchComparison) {
        `operator` = comparison.operator
        options = comparison.options
    }

    /// Whether the comparison holds with this left side.
    func holds(_ left: Value, _ context: inout EvaluationContext) throws -> Bool {
        try matcher(&context).matches(left)
    }

    /// What decides for any left side.
    func matcher(_ context: inout EvaluationContext) throws -> Matcher {
        preconditionFailure("a test without a rule")
    }

    static func make(_ comparison: FetchComparison) -> ComparisonTest {
        if case .constant(let value) = comparison.right {
            return PreparedTest(comparison, value)
        }
        return DynamicTest(comparison, Operand.make(comparison.right))
    }
}

/// A constant right side: everything about it is done once.
private final class PreparedTest: ComparisonTest {
    private let matcher: Matcher

    init(_ comparison: FetchComparison, _ right: Value) {
        matcher = Matcher.make(
            comparison.operator,
            right,
            comparison.options,
            isReused: true
        )
        super.init(comparison)
    }

    override func holds(_ left: Value, _ context: inout EvaluationContext) throws -> Bool {
        try matcher.matches(left)
    }

    override func matcher(_ context: inout EvaluationContext) -> Matcher { matcher }
}

/// A right side that depends on the object.
private final class DynamicTest: ComparisonTest {
    private let right: Operand
    /// The last text on the right and what was made of it: patterns seldom change from row to row.
    private var last: (text: String, matcher: Matcher)?

    init(_ comparison: FetchComparison, _ right: Operand) {
        self.right = right
        super.init(comparison)
    }

    override func holds(_ left: Value, _ context: inout EvaluationContext) throws -> Bool {
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

/// Equality and order of two values, as predicates see them.
enum Comparing {
    /// Literal equality of text, numeric equality of numbers, identity of objects; `nil` equals
    /// only `nil`, values of different kinds are never equal.
    @inline(__always)
    static func areEqual(_ left: Value, _ right: Value) -> Bool {
        if case .string(let a) = left, case .string(let b) = right { return a.isIdentical(to: b) }
        return left == right
    }

    static func isOrdered(
        _ left: Value,
        _ comparison: FetchComparison.Operator,
        _ right: Value
    ) throws -> Bool {
        if left.isNull || right.isNull {
            let allowsSame = comparison == .lessOrEqual || comparison == .greaterOrEqual
            return allowsSame && left.isNull && right.isNull
        }
        return holds(try left.naturalOrder(to: right), comparison)
    }

    static func holds(_ order: Order?, _ comparison: FetchComparison.Operator) -> Bool {
        switch (comparison, order) {
        case (.less, .before), (.lessOrEqual, .before), (.lessOrEqual, .same),
            (.greater, .after), (.greaterOrEqual, .after), (.greaterOrEqual, .same):
            true
        default: false
        }
    }
}
