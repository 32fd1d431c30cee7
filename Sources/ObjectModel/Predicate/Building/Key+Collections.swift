/// To-many relationships and other collections.
extension Key where Property: Collection {
    /// The number of members: `key.@count`.
    public var count: Key<Root, Int> { Key<Root, Int>(path + ".@count") }

    /// Whether any member fulfils a predicate about members; none does where there are none.
    ///
    /// A single comparison becomes `ANY key.property op value`, anything else
    /// `SUBQUERY(key, $member, …).@count > 0`.
    public func any(_ predicate: FetchPredicate) -> FetchPredicate {
        quantified(predicate, .any) ?? counted(predicate, .greater)
    }

    /// Whether all members fulfil a predicate about members; so it is where there are none.
    public func all(_ predicate: FetchPredicate) -> FetchPredicate {
        quantified(predicate, .all) ?? counted(.not(predicate), .equal)
    }

    /// Whether no member fulfils a predicate about members; so it is where there are none.
    public func none(_ predicate: FetchPredicate) -> FetchPredicate {
        quantified(predicate, .any).map { .not($0) } ?? counted(predicate, .equal)
    }

    /// The members that fulfil a predicate about members: `SUBQUERY(key, $member, predicate)`.
    public func subquery(_ predicate: FetchPredicate) -> FetchExpression {
        // A subquery within a subquery needs a variable of its own.
        var variable = "member"
        while predicate.uses(variable: variable) { variable += "_" }
        return .subquery(
            expression,
            variable: variable,
            predicate.rebased(on: .variable(variable))
        )
    }

    /// Whether the object is a member: `key CONTAINS object`.
    public func contains(_ object: any KeyValueCoding) -> FetchPredicate {
        compared(.contains, .constant(.object(object)))
    }

    private func counted(
        _ predicate: FetchPredicate,
        _ comparison: FetchComparison.Operator
    ) -> FetchPredicate {
        let count = subquery(predicate).appending(keyPath: CollectionOperator.count.rawValue)
        return .comparison(FetchComparison(count, comparison, .constant(.int(0))))
    }

    /// A comparison of a member's key path with something that is not the member's.
    private func quantified(
        _ predicate: FetchPredicate,
        _ modifier: FetchComparison.Modifier
    ) -> FetchPredicate? {
        guard case .comparison(var comparison) = predicate, comparison.modifier == .direct else {
            return nil
        }
        switch comparison.right {
        case .constant, .variable: break
        default: return nil
        }
        switch comparison.left {
        case .evaluatedObject: comparison.left = expression
        case .keyPath(let inner) where KeyPathPlan(inner).operation == nil:
            comparison.left = .keyPath(path + "." + inner)
        default: return nil
        }
        comparison.modifier = modifier
        return .comparison(comparison)
    }
}

// The key of a property that the members inherit belongs to the class that declares it, and Swift
// cannot say "a superclass of the members"; a fetch refuses a key that they do not have.
extension Key where Property: Collection {
    /// The sum of a property over the members: `key.@sum.property`.
    public func sum<Owner, Number>(_ key: Key<Owner, Number>) -> Key<Root, Number> {
        combined(.sum, key)
    }

    /// The least value of a property of the members, `nil` without members.
    public func min<Owner, Inner>(_ key: Key<Owner, Inner>) -> Key<Root, Inner?> {
        combined(.minimum, key)
    }

    /// The greatest value of a property of the members, `nil` without members.
    public func max<Owner, Inner>(_ key: Key<Owner, Inner>) -> Key<Root, Inner?> {
        combined(.maximum, key)
    }

    /// The mean of a property over the members, `nil` without members.
    public func average<Owner, Number>(_ key: Key<Owner, Number>) -> Key<Root, Double?> {
        combined(.average, key)
    }

    private func combined<Owner, Inner, Result>(
        _ operation: CollectionOperator,
        _ key: Key<Owner, Inner>
    ) -> Key<Root, Result> {
        Key<Root, Result>("\(path).\(operation.rawValue).\(key.path)")
    }
}
