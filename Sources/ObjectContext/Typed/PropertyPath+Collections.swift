public import ObjectModel

/// To-many relationships.
extension PropertyPath where Property: Collection, Property.Element: ManagedObject {
    /// What a condition on a member is written about.
    public typealias Member = PropertyPath<Property.Element, Property.Element>

    /// The number of members.
    public var count: PropertyPath<Root, Int> {
        PropertyPath<Root, Int>(
            fetchExpression.appending(keyPath: CollectionOperator.count.rawValue)
        )
    }

    /// Whether there are no members.
    public var isEmpty: Condition<Root> { count == 0 }

    /// Whether any member meets a condition; none does where there are none.
    ///
    ///     { $0.books.any { $0.year < 1816 } }
    ///
    /// A single comparison becomes `ANY path.property op value`, anything else
    /// `SUBQUERY(path, $member, …).@count > 0`.
    public func any(_ condition: (Member) -> Condition<Property.Element>) -> Condition<Root> {
        any(Condition(condition))
    }

    /// Whether any member meets a condition; none does where there are none.
    public func any(_ condition: Condition<Property.Element>) -> Condition<Root> {
        quantified(condition.predicate, .any) ?? counted(condition.predicate, .greater)
    }

    /// Whether all members meet a condition; so it is where there are none.
    public func all(_ condition: (Member) -> Condition<Property.Element>) -> Condition<Root> {
        all(Condition(condition))
    }

    /// Whether all members meet a condition; so it is where there are none.
    public func all(_ condition: Condition<Property.Element>) -> Condition<Root> {
        quantified(condition.predicate, .all) ?? counted(.not(condition.predicate), .equal)
    }

    /// Whether no member meets a condition; so it is where there are none.
    public func none(_ condition: (Member) -> Condition<Property.Element>) -> Condition<Root> {
        none(Condition(condition))
    }

    /// Whether no member meets a condition; so it is where there are none.
    public func none(_ condition: Condition<Property.Element>) -> Condition<Root> {
        quantified(condition.predicate, .any).map { !$0 } ?? counted(condition.predicate, .equal)
    }

    /// The members that meet a condition, to count them or add up their values:
    /// `{ $0.books.filter { $0.year < 1816 }.count > 3 }`.
    public func filter(
        _ condition: (Member) -> Condition<Property.Element>
    ) -> PropertyPath<Root, Property> {
        let predicate = Condition(condition).predicate
        // A subquery within a subquery needs a variable of its own.
        var variable = "member"
        while predicate.uses(variable: variable) { variable += "_" }
        return PropertyPath<Root, Property>(
            .subquery(
                fetchExpression,
                variable: variable,
                predicate.rebased(on: .variable(variable))
            )
        )
    }

    /// Whether an object is a member.
    public func contains(_ object: Property.Element) -> Condition<Root> {
        compared(.contains, .constant(.object(object)))
    }

    /// Whether the object with an ID is a member.
    public func contains(_ id: ManagedObjectID) -> Condition<Root> {
        compared(.contains, .constant(.objectID(id)))
    }

    /// The sum of an attribute over the members.
    public func sum<Number: ValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Number>
    ) -> PropertyPath<Root, Number> { combined(.sum, attribute) }

    /// The least value of an attribute of the members; `nil` without members.
    public func min<Inner: ValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.minimum, attribute) }

    /// The greatest value of an attribute of the members; `nil` without members.
    public func max<Inner: ValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.maximum, attribute) }

    /// The mean of an attribute over the members; `nil` without members.
    public func average<Number: ValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Number>
    ) -> PropertyPath<Root, Double?> { combined(.average, attribute) }

    private func combined<Inner, Result>(
        _ operation: CollectionOperator,
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Result> {
        let inner = attribute.path().fetchExpression
        guard case .keyPath(let text) = inner else { return PropertyPath<Root, Result>(inner) }
        return PropertyPath<Root, Result>(
            fetchExpression.appending(keyPath: "\(operation.rawValue).\(text)")
        )
    }

    private func counted(
        _ predicate: FetchPredicate,
        _ comparison: FetchComparison.Operator
    ) -> Condition<Root> {
        filter { _ in Condition(predicate) }.count.compared(comparison, .constant(.int(0)))
    }

    /// A comparison of a member's key path with something that is not the member's.
    private func quantified(
        _ predicate: FetchPredicate,
        _ modifier: FetchComparison.Modifier
    ) -> Condition<Root>? {
        guard case .keyPath(let path) = fetchExpression,
            case .comparison(var comparison) = predicate, comparison.modifier == .direct
        else { return nil }
        switch comparison.right {
        case .constant, .variable: break
        default: return nil
        }
        switch comparison.left {
        case .evaluatedObject: comparison.left = fetchExpression
        case .keyPath(let inner) where !inner.contains("@"):
            comparison.left = .keyPath(path + "." + inner)
        default: return nil
        }
        comparison.modifier = modifier
        return Condition(.comparison(comparison))
    }
}
