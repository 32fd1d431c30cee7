extension FetchPredicate {
    /// Both hold; `a && b && c` is one compound of three, as in a format.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        if case .and(let parts) = left { return .and(parts + [right]) }
        return .and([left, right])
    }

    /// One of them holds.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        if case .or(let parts) = left { return .or(parts + [right]) }
        return .or([left, right])
    }

    /// It does not hold.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        .not(predicate)
    }

    /// The predicate about what `base` leads to: `name == 'x'` on `list` becomes
    /// `list.name == 'x'`.
    public func rebased(on base: FetchExpression) -> FetchPredicate {
        replacing { $0 == .evaluatedObject ? base : $0 }
    }

    /// The predicate with other beginnings of its key paths: `SELF` and the variables.
    package func replacing(_ replacement: (FetchExpression) -> FetchExpression) -> FetchPredicate {
        switch self {
        case .constant, .block: self
        case .and(let parts): .and(parts.map { $0.replacing(replacement) })
        case .or(let parts): .or(parts.map { $0.replacing(replacement) })
        case .not(let part): .not(part.replacing(replacement))
        case .comparison(let comparison):
            .comparison(
                FetchComparison(
                    comparison.left.replacing(replacement),
                    comparison.operator,
                    comparison.right.replacing(replacement),
                    modifier: comparison.modifier,
                    options: comparison.options
                )
            )
        }
    }

    /// Whether a variable of this name occurs, free or bound.
    package func uses(variable name: String) -> Bool {
        switch self {
        case .constant, .block: false
        case .and(let parts), .or(let parts): parts.contains { $0.uses(variable: name) }
        case .not(let part): part.uses(variable: name)
        case .comparison(let comparison):
            comparison.left.uses(variable: name) || comparison.right.uses(variable: name)
        }
    }
}

extension FetchExpression {
    /// The expression from what `base` leads to.
    public func rebased(on base: FetchExpression) -> FetchExpression {
        replacing { $0 == .evaluatedObject ? base : $0 }
    }

    /// The expression with other beginnings of its key paths: `SELF` and the variables.
    package func replacing(_ replacement: (FetchExpression) -> FetchExpression) -> FetchExpression {
        func moved(_ expression: FetchExpression) -> FetchExpression {
            expression.replacing(replacement)
        }
        return switch self {
        case .constant, .anyKey: self
        case .variable, .evaluatedObject: replacement(self)
        case .keyPath(let path): replacement(.evaluatedObject).appending(keyPath: path)
        case .keyPathOf(let operand, let path): moved(operand).appending(keyPath: path)
        case .subscripted(let operand, .index(let index)):
            .subscripted(moved(operand), .index(moved(index)))
        case .subscripted(let operand, let position): .subscripted(moved(operand), position)
        case .function(let name, let arguments): .function(name, arguments.map(moved))
        case .call(let operand, let selector, let arguments):
            .call(moved(operand), selector, arguments.map(moved))
        case .aggregate(let elements): .list(elements.map(moved))
        case .subquery(let collection, let variable, let predicate):
            .subquery(moved(collection), variable: variable, predicate.replacing(replacement))
        case .union(let left, let right): .union(moved(left), moved(right))
        case .intersect(let left, let right): .intersect(moved(left), moved(right))
        case .minus(let left, let right): .minus(moved(left), moved(right))
        case .conditional(let predicate, let first, let second):
            .conditional(predicate.replacing(replacement), moved(first), moved(second))
        case .assignment(let name, let operand): .assignment(name, moved(operand))
        case .cast(let operand, let type): .cast(moved(operand), type)
        }
    }

    package func uses(variable name: String) -> Bool {
        func uses(_ expression: FetchExpression) -> Bool { expression.uses(variable: name) }
        return switch self {
        case .constant, .evaluatedObject, .keyPath, .anyKey: false
        case .variable(let variable): variable == name
        case .keyPathOf(let operand, _), .cast(let operand, _): uses(operand)
        case .subscripted(let operand, .index(let index)): uses(operand) || uses(index)
        case .subscripted(let operand, _): uses(operand)
        case .function(_, let arguments), .aggregate(let arguments): arguments.contains(where: uses)
        case .call(let operand, _, let arguments): uses(operand) || arguments.contains(where: uses)
        case .subquery(let collection, let variable, let predicate):
            variable == name || uses(collection) || predicate.uses(variable: name)
        case .union(let left, let right), .intersect(let left, let right),
            .minus(let left, let right):
            uses(left) || uses(right)
        case .conditional(let predicate, let first, let second):
            predicate.uses(variable: name) || uses(first) || uses(second)
        case .assignment(let variable, let operand): variable == name || uses(operand)
        }
    }
}
