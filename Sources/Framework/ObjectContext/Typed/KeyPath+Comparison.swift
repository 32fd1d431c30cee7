public import ObjectModel

// Comparisons of key paths: `\.year < 1816`. The class is that of the request.

public func == <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() == right }

public func != <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() != right }

public func < <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() < right }

public func <= <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() <= right }

public func > <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() > right }

public func >= <Root: ManagedObject, Property: GraphValueConvertible>(
    left: RequestKeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.path() >= right }

// Two properties of one object.

public func == <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() == right.path() }

public func != <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() != right.path() }

public func < <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() < right.path() }

public func <= <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() <= right.path() }

public func > <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() > right.path() }

public func >= <Root: ManagedObject, Property>(
    left: RequestKeyPath<Root, Property>,
    right: RequestKeyPath<Root, Property>
) -> Condition<Root> { left.path() >= right.path() }

// Objects.

public func == <Root: ManagedObject, Target: ManagedObject>(
    left: RequestKeyPath<Root, Target?>,
    right: Target?
) -> Condition<Root> { left.path() == right }

public func != <Root: ManagedObject, Target: ManagedObject>(
    left: RequestKeyPath<Root, Target?>,
    right: Target?
) -> Condition<Root> { left.path() != right }

// Key paths that name the class: `\Book.year < 1816`.

@_disfavoredOverload
public func == <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath == right }

@_disfavoredOverload
public func != <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath != right }

@_disfavoredOverload
public func < <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath < right }

@_disfavoredOverload
public func <= <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath <= right }

@_disfavoredOverload
public func > <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath > right }

@_disfavoredOverload
public func >= <Root: ManagedObject, Property: GraphValueConvertible>(
    left: KeyPath<Root, Property>,
    right: Property
) -> Condition<Root> { left.requestPath >= right }

extension KeyPath where Root: ManagedObject, Value: GraphValueConvertible {
    /// Where a key path that names its class leads.
    fileprivate var requestPath: PropertyPath<Root, Value> {
        PropertyPath<Root, Value>(.keyPath(ClassDeclaration.of(Root.self).key(self)))
    }
}
