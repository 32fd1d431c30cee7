/// A type that knows the names of its properties' key paths.
///
/// Conditions about it can be written with Swift's own key paths:
///
///     let condition = \Task.due < now && \.priority >= 2
///     let request = … FetchPredicate(condition)
///
/// The generated classes conform; the function is one `switch` over the key paths.
public protocol KeyPathNaming {
    /// The name of the property that a key path of this type leads to; `nil` if it has none.
    static func key(for keyPath: AnyKeyPath) -> String?
}

/// A predicate about objects of one type, written with Swift's key paths.
public struct FetchCondition<Root> {
    /// The same as a plain tree, equal to the parsed format.
    public let predicate: FetchPredicate

    public init(_ predicate: FetchPredicate) {
        self.predicate = predicate
    }

    public static func && (left: Self, right: Self) -> Self {
        Self(left.predicate && right.predicate)
    }

    public static func || (left: Self, right: Self) -> Self {
        Self(left.predicate || right.predicate)
    }

    public static prefix func ! (condition: Self) -> Self {
        Self(!condition.predicate)
    }
}

extension FetchPredicate {
    public init<Root>(_ condition: FetchCondition<Root>) {
        self = condition.predicate
    }
}

extension KeyPath where Root: KeyPathNaming {
    /// The key with the name of this key path.
    ///
    /// Traps if the type gives the key path no name: only properties of the model have one.
    public var key: Key<Root, Value> {
        guard let name = Root.key(for: self) else {
            preconditionFailure("\(Root.self) names no property \(self)")
        }
        return Key(name)
    }
}

public func == <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key == right)
}

public func != <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key != right)
}

public func < <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key < right)
}

public func <= <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key <= right)
}

public func > <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key > right)
}

public func >= <Root: KeyPathNaming, Property: ValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> FetchCondition<Root> {
    FetchCondition(left.key >= right)
}
