// Everything that walks a predicate calls itself for each level. What is nested deeper than the
// limit would end the program where the stack ends, so it is an error instead. Lists of any length
// are no levels.

extension FetchPredicate {
    /// How deep conditions and operands may be nested: a stack of 8 MB holds several times as much.
    package static let deepestNesting = 1000

    /// The error about a predicate that is nested too deep; `nil` for others.
    ///
    /// - Complexity: O(size of the predicate).
    package func nestingError(of place: String) -> ObjectGraphError? {
        guard isNested(deeperThan: FetchPredicate.deepestNesting) else { return nil }
        return ObjectGraphError(
            .invalidRequest,
            "\(place) is nested more than \(FetchPredicate.deepestNesting) levels deep.",
            recovery: "Join conditions as one list, with .and([…]) or .or([…]), or with IN."
        )
    }

    func isNested(deeperThan limit: Int) -> Bool {
        if limit < 0 { return true }
        return switch self {
        case .constant, .block: false
        case .and(let parts), .or(let parts):
            parts.contains { $0.isNested(deeperThan: limit - 1) }
        case .not(let part): part.isNested(deeperThan: limit - 1)
        case .comparison(let comparison):
            comparison.left.isNested(deeperThan: limit - 1)
                || comparison.right.isNested(deeperThan: limit - 1)
        }
    }
}

extension FetchExpression {
    func isNested(deeperThan limit: Int) -> Bool {
        if limit < 0 { return true }
        let rest = limit - 1
        return switch self {
        case .constant, .evaluatedObject, .variable, .keyPath, .anyKey: false
        case .keyPathOf(let operand, _), .assignment(_, let operand), .cast(let operand, _):
            operand.isNested(deeperThan: rest)
        case .subscripted(let operand, .index(let index)):
            operand.isNested(deeperThan: rest) || index.isNested(deeperThan: rest)
        case .subscripted(let operand, _): operand.isNested(deeperThan: rest)
        case .function(_, let arguments), .aggregate(let arguments):
            arguments.contains { $0.isNested(deeperThan: rest) }
        case .call(let operand, _, let arguments):
            operand.isNested(deeperThan: rest)
                || arguments.contains { $0.isNested(deeperThan: rest) }
        case .subquery(let collection, _, let predicate):
            collection.isNested(deeperThan: rest) || predicate.isNested(deeperThan: rest)
        case .union(let left, let right), .intersect(let left, let right),
            .minus(let left, let right):
            left.isNested(deeperThan: rest) || right.isNested(deeperThan: rest)
        case .conditional(let predicate, let first, let second):
            predicate.isNested(deeperThan: rest) || first.isNested(deeperThan: rest)
                || second.isNested(deeperThan: rest)
        }
    }
}
