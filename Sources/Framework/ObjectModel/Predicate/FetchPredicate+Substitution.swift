extension FetchPredicate {
    /// The predicate with values in place of its variables.
    ///
    /// Variables without a value stay. The variable of a SUBQUERY belongs to the SUBQUERY and stays
    /// too.
    public func withSubstitutionVariables(_ values: [String: GraphValue]) -> FetchPredicate {
        withSubstitutionVariables(values.mapValues { .constant($0) })
    }

    /// The predicate with expressions in place of its variables.
    public func withSubstitutionVariables(
        _ expressions: [String: FetchExpression]
    ) -> FetchPredicate {
        switch self {
        case .constant, .block: self
        case .and(let parts): .and(parts.map { $0.withSubstitutionVariables(expressions) })
        case .or(let parts): .or(parts.map { $0.withSubstitutionVariables(expressions) })
        case .not(let part): .not(part.withSubstitutionVariables(expressions))
        case .comparison(let comparison):
            .comparison(
                FetchComparison(
                    comparison.left.withSubstitutionVariables(expressions),
                    comparison.operator,
                    comparison.right.withSubstitutionVariables(expressions),
                    modifier: comparison.modifier,
                    options: comparison.options
                )
            )
        }
    }
}

extension FetchExpression {
    /// The expression with values in place of its variables.
    public func withSubstitutionVariables(_ values: [String: GraphValue]) -> FetchExpression {
        withSubstitutionVariables(values.mapValues { .constant($0) })
    }

    /// The expression with expressions in place of its variables.
    public func withSubstitutionVariables(
        _ expressions: [String: FetchExpression]
    ) -> FetchExpression {
        func replaced(_ expression: FetchExpression) -> FetchExpression {
            expression.withSubstitutionVariables(expressions)
        }
        return switch self {
        case .constant, .evaluatedObject, .keyPath, .anyKey: self
        case .variable(let name): expressions[name] ?? self
        case .keyPathOf(let operand, let path): replaced(operand).appending(keyPath: path)
        case .subscripted(let operand, .index(let index)):
            .subscripted(replaced(operand), .index(replaced(index)))
        case .subscripted(let operand, let position): .subscripted(replaced(operand), position)
        case .function(let name, let arguments): .function(name, arguments.map(replaced))
        case .call(let operand, let selector, let arguments):
            .call(replaced(operand), selector, arguments.map(replaced))
        case .aggregate(let elements): .list(elements.map(replaced))
        case .subquery(let collection, let variable, let predicate):
            .subquery(
                replaced(collection),
                variable: variable,
                predicate.withSubstitutionVariables(expressions.filter { $0.key != variable })
            )
        case .union(let left, let right): .union(replaced(left), replaced(right))
        case .intersect(let left, let right): .intersect(replaced(left), replaced(right))
        case .minus(let left, let right): .minus(replaced(left), replaced(right))
        case .conditional(let predicate, let first, let second):
            .conditional(
                predicate.withSubstitutionVariables(expressions),
                replaced(first),
                replaced(second)
            )
        case .assignment(let name, let operand): .assignment(name, replaced(operand))
        case .cast(let operand, let type): .cast(replaced(operand), type)
        }
    }
}
