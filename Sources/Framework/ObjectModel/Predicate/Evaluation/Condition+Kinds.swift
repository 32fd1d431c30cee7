final class ConstantCondition: PredicateNode {
    private let value: Bool

    init(_ value: Bool) { self.value = value }

    override func holds(_ context: inout EvaluationContext) -> Bool { value }
}

/// A condition that cannot be evaluated.
final class FailingCondition: PredicateNode {
    private let error: ObjectGraphError

    init(_ error: ObjectGraphError) { self.error = error }

    override func holds(_ context: inout EvaluationContext) throws -> Bool { throw error }
}

final class AndCondition: PredicateNode {
    private let parts: [PredicateNode]

    init(_ parts: [PredicateNode]) { self.parts = parts }

    override func holds(_ context: inout EvaluationContext) throws -> Bool {
        for part in parts where try !part.holds(&context) { return false }
        return true
    }
}

final class OrCondition: PredicateNode {
    private let parts: [PredicateNode]

    init(_ parts: [PredicateNode]) { self.parts = parts }

    override func holds(_ context: inout EvaluationContext) throws -> Bool {
        for part in parts where try part.holds(&context) { return true }
        return false
    }
}

final class NotCondition: PredicateNode {
    private let part: PredicateNode

    init(_ part: PredicateNode) { self.part = part }

    override func holds(_ context: inout EvaluationContext) throws -> Bool {
        try !part.holds(&context)
    }
}

final class BlockCondition: PredicateNode {
    private let block: FetchBlock

    init(_ block: FetchBlock) { self.block = block }

    override func holds(_ context: inout EvaluationContext) -> Bool {
        block.body(context.object, context.bindings)
    }
}

final class ComparisonCondition: PredicateNode {
    private let left: Operand
    private let test: ComparisonTest

    init(_ left: Operand, _ test: ComparisonTest) {
        self.left = left
        self.test = test
    }

    override func holds(_ context: inout EvaluationContext) throws -> Bool {
        let value = try left.value(&context)
        return try test.holds(value, &context)
    }
}

/// ANY and ALL.
///
/// For an empty collection ANY fails and ALL holds; `nil` is an empty collection.
final class QuantifiedCondition: PredicateNode {
    private let left: Operand
    private let test: ComparisonTest
    private let isAny: Bool

    init(_ left: Operand, _ test: ComparisonTest, isAny: Bool) {
        self.left = left
        self.test = test
        self.isAny = isAny
    }

    override func holds(_ context: inout EvaluationContext) throws -> Bool {
        let matcher = try test.matcher(&context)
        var result = !isAny
        let isCollection = try left.forEachMember(&context) { member in
            if try matcher.matches(member) == isAny { result = isAny }
            return result != isAny
        }
        if isCollection { return result }
        throw ObjectGraphError(
            .cannotEvaluate,
            "The left side of \(isAny ? "ANY" : "ALL") is not a collection.",
            recovery: "Remove the \(isAny ? "ANY" : "ALL")."
        )
    }
}
