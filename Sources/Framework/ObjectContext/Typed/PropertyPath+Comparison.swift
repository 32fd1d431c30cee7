public import ObjectModel

// Comparisons of paths, in closures: `{ $0.year < 1816 }`.

extension PropertyPath {
    func compared(
        _ comparison: FetchComparison.Operator,
        _ right: FetchExpression,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
        Condition(
            .comparison(FetchComparison(fetchExpression, comparison, right, options: options))
        )
    }

    /// A comparison with any expression, for instance a `$variable` of a template.
    public func compare(
        _ comparison: FetchComparison.Operator,
        _ expression: FetchExpression,
        options: FetchComparison.Options = []
    ) -> Condition<Root> { compared(comparison, expression, options) }

    // Two properties, also of the objects of two closures of which one stands in the other.

    public static func == <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.equal, right.fetchExpression) }

    public static func != <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.notEqual, right.fetchExpression) }

    public static func < <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.less, right.fetchExpression) }

    public static func <= <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.lessOrEqual, right.fetchExpression) }

    public static func > <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.greater, right.fetchExpression) }

    public static func >= <Other: ManagedObject>(
        left: PropertyPath,
        right: PropertyPath<Other, Property>
    ) -> Condition<Root> { left.compared(.greaterOrEqual, right.fetchExpression) }
}

extension PropertyPath where Property: GraphValueConvertible {
    public static func == (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.equal, .constant(value.value))
    }

    public static func != (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.notEqual, .constant(value.value))
    }

    public static func < (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.less, .constant(value.value))
    }

    public static func <= (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.lessOrEqual, .constant(value.value))
    }

    public static func > (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.greater, .constant(value.value))
    }

    public static func >= (path: PropertyPath, value: Property) -> Condition<Root> {
        path.compared(.greaterOrEqual, .constant(value.value))
    }

    /// Whether the value is one of some.
    public func `in`(_ values: some Sequence<Property>) -> Condition<Root> {
        compared(.in, .constant(.array(values.map(\.value))))
    }

    /// Whether the value lies between two, both included.
    public func between(_ lower: Property, _ upper: Property) -> Condition<Root> {
        compared(.between, .constant(.array([lower.value, upper.value])))
    }
}

extension PropertyPath where Property == Bool {
    /// Whether the value is false.
    public static prefix func ! (path: PropertyPath) -> Condition<Root> { path == false }
}

// MARK: Objects

extension PropertyPath where Property: ManagedObject {
    /// Whether the object is this one.
    public static func == (path: PropertyPath, object: Property) -> Condition<Root> {
        path.compared(.equal, .constant(.object(object)))
    }

    public static func != (path: PropertyPath, object: Property) -> Condition<Root> {
        path.compared(.notEqual, .constant(.object(object)))
    }

    /// Whether the object is one of these.
    public func `in`(_ objects: some Sequence<Property>) -> Condition<Root> {
        compared(.in, .constant(.array(objects.map { .object($0) })))
    }

    /// Whether the object is one of those with these IDs.
    public func `in`(_ ids: some Sequence<ManagedObjectID>) -> Condition<Root> {
        compared(.in, .constant(.array(ids.map { .objectID($0) })))
    }
}

extension PropertyPath {
    /// Whether the relationship leads to this object, or nowhere for `nil`.
    public static func == <Target: ManagedObject>(
        path: PropertyPath,
        object: Target?
    ) -> Condition<Root> where Property == Target? {
        path.compared(.equal, .constant(object.map { .object($0) } ?? .null))
    }

    public static func != <Target: ManagedObject>(
        path: PropertyPath,
        object: Target?
    ) -> Condition<Root> where Property == Target? {
        path.compared(.notEqual, .constant(object.map { .object($0) } ?? .null))
    }

    /// Whether the relationship leads to the object with this ID.
    public static func == <Target: ManagedObject>(
        path: PropertyPath,
        id: ManagedObjectID
    ) -> Condition<Root> where Property == Target? {
        path.compared(.equal, .constant(.objectID(id)))
    }

    public static func != <Target: ManagedObject>(
        path: PropertyPath,
        id: ManagedObjectID
    ) -> Condition<Root> where Property == Target? {
        path.compared(.notEqual, .constant(.objectID(id)))
    }

    /// Whether the relationship leads to one of these objects.
    public func `in`<Target: ManagedObject>(
        _ objects: some Sequence<Target>
    ) -> Condition<Root> where Property == Target? {
        compared(.in, .constant(.array(objects.map { .object($0) })))
    }

    /// Whether the relationship leads to one of the objects with these IDs.
    public func `in`<Target: ManagedObject>(
        _ ids: some Sequence<ManagedObjectID>
    ) -> Condition<Root> where Property == Target? {
        compared(.in, .constant(.array(ids.map { .objectID($0) })))
    }
}
