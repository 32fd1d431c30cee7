package import FoundationEssentials
import ObjectModel

// Logic, comparisons, values and key paths.

extension PredicateExpressions.Conjunction: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        .condition(try translation.condition(lhs) && translation.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        .condition(try translation.condition(lhs) || translation.condition(rhs))
    }
}

extension PredicateExpressions.Negation: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        .condition(!(try translation.condition(wrapped)))
    }
}

extension PredicateExpressions.Equal: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.equality(lhs, rhs, isEqual: true) }
}

extension PredicateExpressions.NotEqual: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.equality(lhs, rhs, isEqual: false) }
}

extension PredicateTranslation {
    fileprivate func equality(_ left: Any, _ right: Any, isEqual: Bool) throws -> Part {
        let parts = (try part(left), try part(right))
        switch parts {
        case (.condition(let condition), .value(.constant(.bool(let flag)))),
            (.value(.constant(.bool(let flag))), .condition(let condition)):
            return .condition(flag == isEqual ? condition : !condition)
        default: return try compared(left, isEqual ? .equal : .notEqual, right)
        }
    }
}

extension PredicateExpressions.Comparison: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let comparison: FetchComparison.Operator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default:
                throw translation.failure("an unknown comparison", "Use <, <=, > or >=.")
            }
        return try translation.compared(lhs, comparison, rhs)
    }
}

/// A value that was known when the predicate was made.
protocol ConstantPart {
    var constant: Any { get }
}

extension PredicateExpressions.Value: TranslatablePart, ConstantPart {
    var constant: Any { value }

    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { .value(.constant(try translation.constant(value))) }
}

extension PredicateTranslation {
    fileprivate func constant(_ value: Any) throws -> GraphValue {
        if let value = value as? any GraphValueConvertible { return value.value }
        if let object = value as? ManagedObject { return .object(object) }
        if let objects = value as? [ManagedObject] {
            return .array(objects.map { .object($0) })
        }
        if let objects = value as? Set<ManagedObject> {
            return .set(Set(objects.map { .object($0) }))
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, mirror.children.isEmpty { return .null }
        if mirror.displayStyle == .optional, let wrapped = mirror.children.first {
            return try constant(wrapped.value)
        }
        if let raw = (value as? any RawRepresentable)?.rawValue { return try constant(raw) }
        throw failure(
            "a value of the type \(type(of: value))",
            "Let the type conform to AttributeValue."
        )
    }
}

extension PredicateExpressions.NilLiteral: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { .value(.constant(.null)) }
}

extension PredicateExpressions.Variable: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        guard let expression = translation.variables[key] else {
            throw translation.failure("a variable of another predicate", "Use $0.")
        }
        return .value(expression)
    }
}

extension PredicateExpressions.KeyPath: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let base = try translation.value(root)
        if let type = Root.Output.self as? ManagedObject.Type {
            let key = ClassDeclaration.of(type).key(keyPath)
            return .value(base.appending(keyPath: key))
        }
        if let members = Root.Output.self as? any MemberCollection.Type {
            let count = base.appending(keyPath: CollectionOperator.count.rawValue)
            if members.countPath == keyPath { return .value(count) }
            if members.isEmptyPath == keyPath {
                return .condition(.comparison(FetchComparison(count, .equal, .constant(.int(0)))))
            }
        }
        if keyPath == \String.isEmpty {
            return .condition(
                .comparison(FetchComparison(base, .equal, .constant(.string(""))))
            )
        }
        if let type = Root.Output.self as? any CompositeValue.Type,
            let name = type.name(of: keyPath)
        {
            return .value(base.appending(keyPath: name))
        }
        throw translation.failure(
            keyPath == \String.count
                ? "the count of a String" : UndeclaredKeyPath.name(of: keyPath),
            "Only properties that are declared with @Managed, and count and isEmpty of"
                + " relationships, can be asked for."
        )
    }
}

extension CompositeValue {
    fileprivate static func name(of keyPath: AnyKeyPath) -> String? {
        elements.first { $0.keyPath == keyPath }?.name
    }
}

/// A collection of members; its key paths are not those of `Collection`, but its own.
private protocol MemberCollection {
    static var countPath: AnyKeyPath { get }
    static var isEmptyPath: AnyKeyPath { get }
}

extension Set: MemberCollection {
    fileprivate static var countPath: AnyKeyPath { \Set.count }
    fileprivate static var isEmptyPath: AnyKeyPath { \Set.isEmpty }
}

extension Array: MemberCollection {
    fileprivate static var countPath: AnyKeyPath { \Array.count }
    fileprivate static var isEmptyPath: AnyKeyPath { \Array.isEmpty }
}

// MARK: Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let base = try translation.value(wrapped)
        var inner = translation
        inner.variables[variable.key] = base
        switch try inner.part(transform) {
        case .value(let value): return .value(value)
        case .condition(let condition):
            // Without a value the result is `nil`, which is not true.
            let exists = FetchPredicate.comparison(
                FetchComparison(base, .notEqual, .constant(.null))
            )
            return .condition(exists && condition)
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        switch try translation.part(lhs) {
        case .condition(let condition):
            // `nil` counts as the other side; the left one holds only where there is a value.
            let other = try translation.condition(rhs)
            if case .constant(false) = other { return .condition(condition) }
            throw translation.failure(
                "?? with a default other than false behind a condition",
                "Compare with nil and join both conditions with ||."
            )
        case .value(let value):
            let isMissing = FetchPredicate.comparison(
                FetchComparison(value, .equal, .constant(.null))
            )
            return .value(.conditional(isMissing, try translation.value(rhs), value))
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.part(inner) }
}

extension PredicateExpressions.Conditional: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let test = try translation.condition(self.test)
        switch (try translation.part(trueBranch), try translation.part(falseBranch)) {
        case (.value(let first), .value(let second)):
            return .value(.conditional(test, first, second))
        default:
            let first = try translation.condition(trueBranch)
            let second = try translation.condition(falseBranch)
            return .condition((test && first) || (!test && second))
        }
    }
}
