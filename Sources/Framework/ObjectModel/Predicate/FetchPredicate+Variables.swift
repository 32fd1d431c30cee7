extension FetchPredicate {
    /// The first variable that has no value; `nil` if there is none.
    ///
    /// The variable of a SUBQUERY has a value within the SUBQUERY, and an assigned variable has one
    /// after its assignment.
    public var unboundVariable: String? { unboundVariable([]) }

    fileprivate func unboundVariable(_ bound: [String]) -> String? {
        switch self {
        case .constant, .block: nil
        case .and(let parts), .or(let parts): first(parts) { $0.unboundVariable(bound) }
        case .not(let part): part.unboundVariable(bound)
        case .comparison(let comparison):
            comparison.left.unboundVariable(bound) ?? comparison.right.unboundVariable(bound)
        }
    }
}

extension FetchExpression {
    fileprivate func unboundVariable(_ bound: [String]) -> String? {
        switch self {
        case .constant, .evaluatedObject, .keyPath, .anyKey: nil
        case .variable(let name): bound.contains(name) ? nil : name
        case .keyPathOf(let operand, _), .cast(let operand, _):
            operand.unboundVariable(bound)
        case .assignment(let name, let operand): operand.unboundVariable(bound + [name])
        case .subscripted(let operand, .index(let index)):
            operand.unboundVariable(bound) ?? index.unboundVariable(bound)
        case .subscripted(let operand, _): operand.unboundVariable(bound)
        case .function(_, let arguments), .aggregate(let arguments):
            first(arguments) { $0.unboundVariable(bound) }
        case .call(let operand, _, let arguments):
            first([operand] + arguments) { $0.unboundVariable(bound) }
        case .subquery(let collection, let variable, let predicate):
            collection.unboundVariable(bound) ?? predicate.unboundVariable(bound + [variable])
        case .union(let left, let right), .intersect(let left, let right),
            .minus(let left, let right):
            left.unboundVariable(bound) ?? right.unboundVariable(bound)
        case .conditional(let predicate, let left, let right):
            predicate.unboundVariable(bound) ?? left.unboundVariable(bound)
                ?? right.unboundVariable(bound)
        }
    }
}

private func first<Part>(_ parts: [Part], _ find: (Part) -> String?) -> String? {
    for part in parts {
        if let found = find(part) { return found }
    }
    return nil
}
