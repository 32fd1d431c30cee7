/// `{a, b}` with members that depend on the object.
final class ListOperand: Operand {
    private let elements: [Operand]

    init(_ elements: [Operand]) { self.elements = elements }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        var values: [GraphValue] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try element.value(&context)) }
        return .array(values)
    }
}

/// `operand[…]`: an element by position or key; `nil` outside the collection.
final class SubscriptOperand: Operand {
    enum ElementPlace {
        case index(Operand)
        case first
        case last
        case size
    }

    private let operand: Operand
    private let position: ElementPlace

    init(_ operand: Operand, _ position: ElementPlace) {
        self.operand = operand
        self.position = position
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        let collection = try operand.value(&context)
        if collection.isNull { return .null }
        switch position {
        case .size:
            if let elements = collection.elements { return .int(Int64(elements.count)) }
        case .first:
            if case .array(let values) = collection { return values.first ?? .null }
        case .last:
            if case .array(let values) = collection { return values.last ?? .null }
        case .index(let index):
            let index = try index.value(&context)
            if index.isNull { return .null }
            switch collection {
            case .array(let values):
                guard let number = index.integerValue else { break }
                return number >= 0 && number < values.count ? values[Int(number)] : .null
            case .dictionary(let values):
                if case .string(let key) = index { return values[key] ?? .null }
            default: break
            }
        }
        throw ObjectGraphError(
            .cannotEvaluate,
            "\(collection.kindAtStart) has no element at this kind of position.",
            recovery: "Use [FIRST], [LAST] or a number with arrays, a key with dictionaries."
        )
    }
}

/// SUBQUERY: the members for which the predicate holds.
///
/// Within the predicate the variable is the member, and SELF is still the outer object.
final class SubqueryOperand: Operand {
    private let collection: Operand
    private let variable: String
    private let condition: PredicateNode

    init(_ collection: Operand, _ variable: String, _ condition: PredicateNode) {
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        var inner = context
        var found: [GraphValue] = []
        let isCollection = try collection.forEachMember(&context) { member in
            inner.bindings[variable] = member
            if try condition.holds(&inner) { found.append(member) }
            return true
        }
        if isCollection { return .array(found) }
        throw ObjectGraphError(.cannotEvaluate, "SUBQUERY needs a collection.")
    }
}

/// UNION, INTERSECT and MINUS; the result is a set.
final class SetOperand: Operand {
    enum Kind: String {
        case union = "UNION"
        case intersect = "INTERSECT"
        case minus = "MINUS"
    }

    private let kind: Kind
    private let left: Operand
    private let right: Operand

    init(_ kind: Kind, _ left: Operand, _ right: Operand) {
        self.kind = kind
        self.left = left
        self.right = right
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        let left = try set(left, &context)
        let right = try set(right, &context)
        return switch kind {
        case .union: .set(left.union(right))
        case .intersect: .set(left.intersection(right))
        case .minus: .set(left.subtracting(right))
        }
    }

    private func set(
        _ operand: Operand,
        _ context: inout EvaluationContext
    ) throws -> Set<GraphValue> {
        switch try operand.value(&context) {
        case .null: return []
        case .set(let values): return values
        case .array(let values): return Set(values)
        case .dictionary(let values): return Set(values.values)
        case let other:
            throw ObjectGraphError(
                .cannotEvaluate,
                "\(kind.rawValue) needs collections, not \(other.kindWithArticle)."
            )
        }
    }
}

/// TERNARY.
final class ConditionalOperand: Operand {
    private let condition: PredicateNode
    private let first: Operand
    private let second: Operand

    init(_ condition: PredicateNode, _ first: Operand, _ second: Operand) {
        self.condition = condition
        self.first = first
        self.second = second
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        try condition.holds(&context) ? first.value(&context) : second.value(&context)
    }
}

/// `$name := expression`: binds the variable for the parts that are evaluated later.
final class AssignmentOperand: Operand {
    private let name: String
    private let operand: Operand

    init(_ name: String, _ operand: Operand) {
        self.name = name
        self.operand = operand
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        let value = try operand.value(&context)
        context.bindings[name] = value
        return value
    }
}

/// CAST; a value that cannot be converted is an error, `nil` stays `nil`.
final class CastOperand: Operand {
    private let operand: Operand
    private let name: String
    private let type: CastType?

    init(_ operand: Operand, _ name: String) {
        self.operand = operand
        self.name = name
        type = CastType(name: name)
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        let value = try operand.value(&context)
        if value.isNull { return .null }
        if let result = type?.cast(value) { return result }
        throw ObjectGraphError(
            .cannotEvaluate,
            "\(value.kindAtStart) cannot be cast to \"\(name)\"."
        )
    }
}
