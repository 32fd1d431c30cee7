/// A node of a compiled expression.
class Operand {
    func value(_ context: inout EvaluationContext) throws -> Value {
        preconditionFailure("an operand without a rule")
    }

    /// Calls `body` with each member of the collection that this is, until it returns `false`.
    ///
    /// - Returns: whether it is a collection; `nil` is one without members.
    func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (Value) throws -> Bool
    ) throws -> Bool {
        let value = try value(&context)
        if value.isNull { return true }
        guard let members = value.elements else { return false }
        for member in members where try !body(member) { break }
        return true
    }

    /// The members of the collection that this is; a single value counts as one.
    final func members(_ context: inout EvaluationContext) throws -> [Value] {
        var members: [Value] = []
        let isCollection = try forEachMember(&context) { member in
            members.append(member)
            return true
        }
        return isCollection ? members : [try value(&context)]
    }

    static func make(_ expression: FetchExpression) -> Operand {
        switch expression {
        case .constant(let value): ConstantOperand(value)
        case .evaluatedObject: SelfOperand()
        case .variable(let name): VariableOperand(name)
        case .keyPath(let path): make(path: path)
        case .keyPathOf(let operand, let path):
            PathOperand(make(operand), KeyPathPlan(path))
        case .subscripted(let operand, let position): make(operand, position)
        case .function(let name, let arguments): make(function: name, arguments)
        case .call(let operand, let selector, let arguments):
            CallOperand(make(operand), selector, arguments.map(make))
        case .aggregate(let elements): ListOperand(elements.map(make))
        case .subquery(let collection, let variable, let predicate):
            SubqueryOperand(make(collection), variable, Condition.make(predicate))
        case .union(let left, let right): SetOperand(.union, make(left), make(right))
        case .intersect(let left, let right): SetOperand(.intersect, make(left), make(right))
        case .minus(let left, let right): SetOperand(.minus, make(left), make(right))
        case .conditional(let predicate, let first, let second):
            ConditionalOperand(Condition.make(predicate), make(first), make(second))
        case .assignment(let name, let operand): AssignmentOperand(name, make(operand))
        case .cast(let operand, let type): CastOperand(make(operand), type)
        case .anyKey: AnyKeyOperand()
        }
    }

    private static func make(path: String) -> Operand {
        let plan = KeyPathPlan(path)
        if plan.operation == nil, plan.keys.count == 1, let key = plan.keys.first,
            !KeyOperand.specialKeys.contains(key)
        {
            return KeyOperand(key, plan)
        }
        return PathOperand(SelfOperand(), plan)
    }

    private static func make(_ operand: FetchExpression, _ position: FetchSubscript) -> Operand {
        switch position {
        case .index(let index): SubscriptOperand(make(operand), .index(make(index)))
        case .first: SubscriptOperand(make(operand), .first)
        case .last: SubscriptOperand(make(operand), .last)
        case .size: SubscriptOperand(make(operand), .size)
        }
    }

    private static func make(function name: String, _ arguments: [FetchExpression]) -> Operand {
        let operands = arguments.map(make)
        guard let function = BuiltInFunction(name: name) else {
            return RegisteredOperand(name, operands)
        }
        guard function.accepts(arguments.count) else {
            return FailingOperand(
                "\(function.rawValue) takes \(function.arity) arguments, not \(arguments.count)."
            )
        }
        switch function {
        case .objectFrom: return SubscriptOperand(operands[0], .index(operands[1]))
        case .now: return NowOperand()
        default:
            return function.isStatistic
                ? StatisticOperand(function, operands) : FunctionOperand(function, operands)
        }
    }
}

final class ConstantOperand: Operand {
    private let constant: Value

    init(_ constant: Value) { self.constant = constant }

    override func value(_ context: inout EvaluationContext) -> Value { constant }
}

final class SelfOperand: Operand {
    override func value(_ context: inout EvaluationContext) -> Value { context.object }
}

final class FailingOperand: Operand {
    private let message: String

    init(_ message: String) { self.message = message }

    override func value(_ context: inout EvaluationContext) throws -> Value {
        throw ObjectGraphError(.cannotEvaluate, message)
    }
}

final class NowOperand: Operand {
    override func value(_ context: inout EvaluationContext) -> Value { .date(context.now) }
}

final class VariableOperand: Operand {
    private let name: String

    init(_ name: String) { self.name = name }

    override func value(_ context: inout EvaluationContext) throws -> Value {
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
    /// Keys that mean the same for every object and are not asked of it.
    static let specialKeys: Set<String> = ["self", "entity", "objectID"]

    private let key: String
    private let plan: KeyPathPlan

    init(_ key: String, _ plan: KeyPathPlan) {
        self.key = key
        self.plan = plan
    }

    override func value(_ context: inout EvaluationContext) throws -> Value {
        if case .object(let object) = context.object { return try object.value(forKey: key) }
        return try context.object.value(forKey: key)
    }

    override func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (Value) throws -> Bool
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

    override func value(_ context: inout EvaluationContext) throws -> Value {
        try plan.value(from: base.value(&context))
    }

    override func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (Value) throws -> Bool
    ) throws -> Bool {
        try plan.forEachMember(from: base.value(&context), body)
    }
}

/// ANYKEY: the values of all keys, where they can be told.
final class AnyKeyOperand: Operand {
    override func value(_ context: inout EvaluationContext) throws -> Value {
        if case .dictionary(let values) = context.object { return .array(Array(values.values)) }
        throw ObjectGraphError(
            .cannotEvaluate,
            "ANYKEY works on dictionaries only, not on a \(context.object.kindName)."
        )
    }
}
