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
        let predicate = aboutMember(condition)
        return quantified(predicate, .any) ?? counted(predicate, .greater)
    }

    /// Whether any member meets a condition; none does where there are none.
    public func any(_ condition: Condition<Property.Element>) -> Condition<Root> {
        any { _ in condition }
    }

    /// Whether all members meet a condition; so it is where there are none.
    public func all(_ condition: (Member) -> Condition<Property.Element>) -> Condition<Root> {
        let predicate = aboutMember(condition)
        return quantified(predicate, .all) ?? counted(.not(predicate), .equal)
    }

    /// Whether all members meet a condition; so it is where there are none.
    public func all(_ condition: Condition<Property.Element>) -> Condition<Root> {
        all { _ in condition }
    }

    /// Whether no member meets a condition; so it is where there are none.
    public func none(_ condition: (Member) -> Condition<Property.Element>) -> Condition<Root> {
        let predicate = aboutMember(condition)
        return quantified(predicate, .any).map { !$0 } ?? counted(predicate, .equal)
    }

    /// Whether no member meets a condition; so it is where there are none.
    public func none(_ condition: Condition<Property.Element>) -> Condition<Root> {
        none { _ in condition }
    }

    /// The members that meet a condition, to count them or add up their values:
    /// `{ $0.books.filter { $0.year < 1816 }.count > 3 }`.
    public func filter(
        _ condition: (Member) -> Condition<Property.Element>
    ) -> PropertyPath<Root, Property> { filtered(aboutMember(condition)) }

    /// The members that meet a condition.
    public func filter(_ condition: Condition<Property.Element>) -> PropertyPath<Root, Property> {
        filter { _ in condition }
    }

    private func filtered(_ predicate: FetchPredicate) -> PropertyPath<Root, Property> {
        PropertyPath<Root, Property>(
            .subquery(fetchExpression, variable: memberVariable, predicate)
        )
    }

    /// The name of the variable for a member; within the condition on another's members one of its
    /// own.
    private var memberVariable: String {
        var variable = "member"
        while fetchExpression.uses(variable: variable) { variable += "_" }
        return variable
    }

    /// A condition with the member as a variable, also where it was made elsewhere.
    private func aboutMember(
        _ condition: (Member) -> Condition<Property.Element>
    ) -> FetchPredicate {
        let member = FetchExpression.variable(memberVariable)
        return condition(Member(member)).predicate.rebased(on: member)
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
    public func sum<Number: GraphValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Number>
    ) -> PropertyPath<Root, Number> { combined(.sum, attribute) }

    /// The least value of an attribute of the members; `nil` without members.
    public func min<Inner: GraphValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.minimum, attribute) }

    /// The greatest value of an attribute of the members; `nil` without members.
    public func max<Inner: GraphValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.maximum, attribute) }

    /// The mean of an attribute over the members; `nil` without members.
    public func average<Number: GraphValueConvertible>(
        _ attribute: RequestKeyPath<Property.Element, Number>
    ) -> PropertyPath<Root, Double?> { combined(.average, attribute) }

    /// The sum of what is combined of each member's own members:
    /// `{ $0.orders.sum { $0.lines.sum(\.amount) } }`.
    public func sum<Number: GraphValueConvertible>(
        _ value: (Member) -> PropertyPath<Property.Element, Number>
    ) -> PropertyPath<Root, Number> { combined(.sum, value(Member()).fetchExpression) }

    /// The least of what is combined of each member's own members; `nil` without members.
    public func min<Inner: GraphValueConvertible>(
        _ value: (Member) -> PropertyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.minimum, value(Member()).fetchExpression) }

    /// The greatest of what is combined of each member's own members; `nil` without members.
    public func max<Inner: GraphValueConvertible>(
        _ value: (Member) -> PropertyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Inner?> { combined(.maximum, value(Member()).fetchExpression) }

    private func combined<Inner, Result>(
        _ operation: CollectionOperator,
        _ attribute: RequestKeyPath<Property.Element, Inner>
    ) -> PropertyPath<Root, Result> { combined(operation, attribute.path().fetchExpression) }

    private func combined<Result>(
        _ operation: CollectionOperator,
        _ inner: FetchExpression
    ) -> PropertyPath<Root, Result> {
        guard case .keyPath(let text) = inner else { return PropertyPath<Root, Result>(inner) }
        return PropertyPath<Root, Result>(
            fetchExpression.appending(keyPath: "\(operation.rawValue).\(text)")
        )
    }

    private func counted(
        _ predicate: FetchPredicate,
        _ comparison: FetchComparison.Operator
    ) -> Condition<Root> {
        filtered(predicate).count.compared(comparison, .constant(.int(0)))
    }

    /// A comparison of a member's key path with something that is not the member's.
    private func quantified(
        _ predicate: FetchPredicate,
        _ modifier: FetchComparison.Modifier
    ) -> Condition<Root>? {
        switch fetchExpression {
        case .keyPath, .keyPathOf(.variable, _): break
        default: return nil
        }
        guard case .comparison(var comparison) = predicate, comparison.modifier == .direct else {
            return nil
        }
        switch comparison.right {
        case .constant: break
        case .variable(let name) where name != memberVariable: break
        default: return nil
        }
        switch comparison.left {
        case .variable(memberVariable): comparison.left = fetchExpression
        case .keyPathOf(.variable(memberVariable), let inner) where !inner.contains("@"):
            comparison.left = fetchExpression.appending(keyPath: inner)
        default: return nil
        }
        comparison.modifier = modifier
        return Condition(.comparison(comparison))
    }
}
