/// A property of a type by name, typed, for building predicates in Swift.
///
/// The generated classes declare one for each property:
///
///     extension Task {
///         static let title = Key<Task, String>("title")
///         static let due = Key<Task, Date?>("due")
///         static let list = Key<Task, List?>("list")
///         static let tags = Key<Task, Set<Tag>>("tags")
///     }
///     let predicate =
///         Task.due < Date() && Task.list.name == "Home" && Task.tags.any(Tag.name == "bank")
///
/// The result is the tree that the parser makes of
/// `due < %@ AND list.name == "Home" AND ANY tags.name == "bank"`; no closure is kept, so every
/// store can translate it.
@dynamicMemberLookup
public struct Key<Root, Property>: Sendable {
    /// The key path from the object.
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    public var expression: FetchExpression { .keyPath(path) }

    /// A property of the object that a to-one relationship leads to, inherited ones included.
    public subscript<Owner, Inner>(
        dynamicMember member: KeyPath<Property.Type, Key<Owner, Inner>>
    ) -> Key<Root, Inner> {
        appending(Property.self[keyPath: member])
    }

    /// A property of the object that an optional to-one relationship leads to, inherited ones
    /// included: their keys belong to the class that declares them.
    public subscript<Target, Owner, Inner>(
        dynamicMember member: KeyPath<Target.Type, Key<Owner, Inner>>
    ) -> Key<Root, Inner> where Property == Target? {
        appending(Target.self[keyPath: member])
    }

    /// The key path that goes on with another.
    public func appending<Target, Inner>(_ key: Key<Target, Inner>) -> Key<Root, Inner> {
        Key<Root, Inner>(path + "." + key.path)
    }

    /// A sort descriptor by this key.
    public func sorted(
        ascending: Bool = true,
        comparison: FetchSortDescriptor.Comparison = .binary
    ) -> FetchSortDescriptor {
        FetchSortDescriptor(path, ascending: ascending, comparison: comparison)
    }

    func compared(
        _ comparison: FetchComparison.Operator,
        _ right: FetchExpression,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        .comparison(FetchComparison(expression, comparison, right, options: options))
    }
}
