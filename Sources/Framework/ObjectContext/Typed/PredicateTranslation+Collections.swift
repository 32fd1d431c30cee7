package import FoundationEssentials
import ObjectModel

// Texts, members of relationships, ranges and arithmetic.

extension PredicateExpressions.CollectionContainsCollection: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.text(base, .contains, other) }
}

extension PredicateExpressions.SequenceStartsWith: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.text(base, .beginsWith, prefix) }
}

extension PredicateTranslation {
    /// A test of a text.
    ///
    /// Swift's texts contain and begin with the empty one.
    fileprivate func text(
        _ base: Any,
        _ comparison: FetchComparison.Operator,
        _ other: Any
    ) throws -> Part {
        if case .constant(.string("")) = try value(other) { return .condition(.constant(true)) }
        return try compared(base, comparison, other)
    }

    /// A condition on the members of a collection.
    fileprivate func members(
        of sequence: Any,
        _ variable: PredicateExpressions.VariableID,
        _ test: Any
    ) throws -> (collection: FetchExpression, name: String, condition: FetchPredicate) {
        let collection = try value(sequence)
        let name = "member\(variables.count)"
        var inner = self
        inner.variables[variable] = .variable(name)
        return (collection, name, try inner.condition(test))
    }

    /// How many members meet a condition, compared with 0.
    fileprivate func counted(
        _ sequence: Any,
        _ variable: PredicateExpressions.VariableID,
        _ test: Any,
        _ comparison: FetchComparison.Operator,
        negated: Bool = false
    ) throws -> Part {
        let (collection, name, condition) = try members(of: sequence, variable, test)
        let wanted = negated ? !condition : condition
        let count = FetchExpression.subquery(collection, variable: name, wanted)
            .appending(keyPath: CollectionOperator.count.rawValue)
        return .condition(
            .comparison(FetchComparison(count, comparison, .constant(.int(0))))
        )
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        try translation.counted(sequence, variable.key, test, .greater)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        try translation.counted(sequence, variable.key, test, .equal, negated: true)
    }
}

extension PredicateExpressions.Filter: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let (collection, name, condition) = try translation.members(
            of: sequence,
            variable.key,
            filter
        )
        return .value(.subquery(collection, variable: name, condition))
    }
}

extension PredicateExpressions.SequenceContains: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.compared(element, .in, sequence) }
}

// MARK: Ranges

extension PredicateExpressions.ClosedRange: RangePart {
    var bounds: (lower: Any, upper: Any, isClosed: Bool) { (lower, upper, true) }
}

extension PredicateExpressions.Range: RangePart {
    var bounds: (lower: Any, upper: Any, isClosed: Bool) { (lower, upper, false) }
}

/// A range whose bounds are parts of the predicate.
private protocol RangePart {
    var bounds: (lower: Any, upper: Any, isClosed: Bool) { get }
}

/// A range that was known when the predicate was made.
private protocol ConstantRange {
    var ends: (lower: Any, upper: Any, isClosed: Bool) { get }
}

extension ClosedRange: ConstantRange {
    fileprivate var ends: (lower: Any, upper: Any, isClosed: Bool) {
        (lowerBound, upperBound, true)
    }
}

extension Range: ConstantRange {
    fileprivate var ends: (lower: Any, upper: Any, isClosed: Bool) {
        (lowerBound, upperBound, false)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        let ends: (lower: Any, upper: Any, isClosed: Bool)
        if let part = range as? any RangePart {
            ends = part.bounds
        } else if let range = (range as? any ConstantPart)?.constant as? any ConstantRange {
            let known = range.ends
            ends = (
                PredicateExpressions.Value(known.lower), PredicateExpressions.Value(known.upper),
                known.isClosed
            )
        } else {
            throw translation.failure("a range without both ends", "Compare with its end.")
        }
        let value = try translation.value(element)
        let lower = FetchComparison(value, .greaterOrEqual, try translation.value(ends.lower))
        let upper = FetchComparison(
            value,
            ends.isClosed ? .lessOrEqual : .less,
            try translation.value(ends.upper)
        )
        return .condition(.and([.comparison(lower), .comparison(upper)]))
    }
}

// MARK: Arithmetic

extension PredicateTranslation {
    fileprivate func function(
        _ function: BuiltInFunction,
        _ arguments: Any...
    ) throws -> Part { .value(.function(function.rawValue, try arguments.map(value))) }
}

extension PredicateExpressions.Arithmetic: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        switch op {
        case .add: try translation.function(.add, lhs, rhs)
        case .subtract: try translation.function(.subtract, lhs, rhs)
        case .multiply: try translation.function(.multiply, lhs, rhs)
        @unknown default:
            throw translation.failure("an unknown operation", "Calculate with +, - or *.")
        }
    }
}

extension PredicateExpressions.IntDivision: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.function(.divide, lhs, rhs) }
}

extension PredicateExpressions.FloatDivision: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.function(.divide, lhs, rhs) }
}

extension PredicateExpressions.IntRemainder: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part { try translation.function(.modulus, lhs, rhs) }
}

extension PredicateExpressions.UnaryMinus: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        .value(
            .function(
                BuiltInFunction.subtract.rawValue,
                [.constant(.int(0)), try translation.value(wrapped)]
            )
        )
    }
}
