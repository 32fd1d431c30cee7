package import FoundationEssentials
package import ObjectModel

/// The translation of a predicate of Foundation, which is a tree of generic structures.
///
/// Each structure that has a counterpart conforms to ``TranslatablePart`` and translates itself; any
/// other is refused by name.
package struct PredicateTranslation {
    /// What the variables of closures stand for.
    package var variables: [PredicateExpressions.VariableID: FetchExpression] = [:]
    /// The class of the predicate, for messages.
    let root: String

    /// What a part of the tree is: something that holds or not, or a value.
    package enum Part {
        case condition(FetchPredicate)
        case value(FetchExpression)
    }

    /// The same predicate in the framework's language.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` that names the
    ///   part without a counterpart and what to write in its place.
    static func translate<Root: ManagedObject>(
        _ predicate: Predicate<Root>
    ) throws -> FetchPredicate {
        var translation = PredicateTranslation(root: Root.entityName)
        translation.variables[predicate.variable.key] = .evaluatedObject
        return try translation.condition(predicate.expression)
    }

    package func part(_ expression: Any) throws -> Part {
        guard let part = expression as? any TranslatablePart else {
            throw failure(
                "\(PredicateTranslation.name(of: expression))",
                "Write the condition as a closure, as in { $0.title.like(\"A*\") }, or filter the"
                    + " results in memory."
            )
        }
        return try part.translate(self)
    }

    package func value(_ expression: Any) throws -> FetchExpression {
        switch try part(expression) {
        case .value(let value): return value
        case .condition(let condition):
            return .conditional(condition, .constant(.bool(true)), .constant(.bool(false)))
        }
    }

    package func condition(_ expression: Any) throws -> FetchPredicate {
        switch try part(expression) {
        case .condition(let condition): return condition
        case .value(.constant(.bool(let value))): return .constant(value)
        case .value(let value):
            return .comparison(FetchComparison(value, .equal, .constant(.bool(true))))
        }
    }

    package func compared(
        _ left: Any,
        _ comparison: FetchComparison.Operator,
        _ right: Any,
        _ options: FetchComparison.Options = []
    ) throws -> Part {
        .condition(
            .comparison(
                FetchComparison(try value(left), comparison, try value(right), options: options)
            )
        )
    }

    package func failure(_ what: String, _ advice: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidRequest,
            "A #Predicate of \(root) uses \(what), which a request cannot evaluate.",
            recovery: advice
        )
    }

    /// The name of an operation, without the types of its operands.
    static func name(of expression: Any) -> String {
        let name = "\(type(of: expression))"
        return String(name.prefix { $0 != "<" })
    }
}

/// A part of Foundation's predicates that has a counterpart here.
package protocol TranslatablePart {
    func translate(_ translation: PredicateTranslation) throws -> PredicateTranslation.Part
}
