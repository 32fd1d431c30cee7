/// An operand of a comparison, or a computed column of a dictionary fetch.
///
/// Equality and hashing are structural.
public indirect enum FetchExpression: Hashable {
    case constant(GraphValue)
    /// `SELF`.
    case evaluatedObject
    /// `$name`, bound at evaluation.
    case variable(String)
    /// A key path from the evaluated object, collection operators included: `list.name`,
    /// `tags.@count`.
    case keyPath(String)
    /// A key path from another operand: `$x.name`, `SUBQUERY(…).@count`.
    case keyPathOf(FetchExpression, String)
    /// `operand[index]`: an element by position or key, or FIRST, LAST, SIZE.
    case subscripted(FetchExpression, FetchSubscript)
    /// `name:(arguments)`; the name with its colons, e.g. `add:to:`.
    case function(String, [FetchExpression])
    /// `FUNCTION(operand, 'selector:', arguments)`.
    case call(FetchExpression, String, [FetchExpression])
    /// `{a, b, …}`.
    case aggregate([FetchExpression])
    /// `SUBQUERY(collection, $variable, predicate)`.
    case subquery(FetchExpression, variable: String, FetchPredicate)
    case union(FetchExpression, FetchExpression)
    case intersect(FetchExpression, FetchExpression)
    case minus(FetchExpression, FetchExpression)
    /// `TERNARY(predicate, a, b)`.
    case conditional(FetchPredicate, FetchExpression, FetchExpression)
    /// `$name := expression`.
    case assignment(String, FetchExpression)
    /// `CAST(expression, 'type')`.
    case cast(FetchExpression, String)
    /// `ANYKEY`.
    case anyKey
}

/// The text between the brackets of `operand[…]`.
public indirect enum FetchSubscript: Hashable {
    case index(FetchExpression)
    case first
    case last
    case size
}
