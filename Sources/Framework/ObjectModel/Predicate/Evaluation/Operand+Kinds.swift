final class ConstantOperand: Operand {
    private let constant: GraphValue

    init(_ constant: GraphValue) { self.constant = constant }

    override func value(_ context: inout EvaluationContext) -> GraphValue { constant }
}

final class SelfOperand: Operand {
    override func value(_ context: inout EvaluationContext) -> GraphValue { context.object }
}

final class FailingOperand: Operand {
    private let message: String

    init(_ message: String) { self.message = message }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        throw ObjectGraphError(.cannotEvaluate, message)
    }
}

final class NowOperand: Operand {
    override func value(_ context: inout EvaluationContext) -> GraphValue { .date(context.now) }
}

final class VariableOperand: Operand {
    private let name: String

    init(_ name: String) { self.name = name }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        if let value = context.bindings[name] { return value }
        throw ObjectGraphError(
            .cannotEvaluate,
            "The variable $\(name) has no value.",
            recovery: "Bind it, or substitute it first."
        )
    }
}

/// A single key of the evaluated object: the most frequent operand.
final class KeyOperand: Operand {
    /// Keys that mean the same for every object, so that the object is not asked.
    static let specialKeys: Set<String> = ["self", "entity", "objectID"]

    private let key: String
    private let plan: KeyPathPlan

    init(_ key: String, _ plan: KeyPathPlan) {
        self.key = key
        self.plan = plan
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        if case .object(let object) = context.object { return try object.value(forKey: key) }
        return try context.object.value(forKey: key)
    }

    override func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool {
        try plan.forEachMember(from: context.object, body)
    }
}

/// A key path from another operand.
final class PathOperand: Operand {
    private let base: Operand
    private let plan: KeyPathPlan

    init(_ base: Operand, _ plan: KeyPathPlan) {
        self.base = base
        self.plan = plan
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        try plan.value(from: base.value(&context))
    }

    override func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool {
        try plan.forEachMember(from: base.value(&context), body)
    }
}

/// ANYKEY: the values of all keys, where they are known.
final class AnyKeyOperand: Operand {
    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        if case .dictionary(let values) = context.object { return .array(Array(values.values)) }
        throw ObjectGraphError(
            .cannotEvaluate,
            "ANYKEY works on dictionaries only, not on \(context.object.kindWithArticle)."
        )
    }
}
