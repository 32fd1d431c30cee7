extension Key where Property: ValueConvertible {
    public static func == (key: Self, value: Property) -> FetchPredicate {
        key.compared(.equal, .constant(value.value))
    }

    public static func != (key: Self, value: Property) -> FetchPredicate {
        key.compared(.notEqual, .constant(value.value))
    }

    public static func < (key: Self, value: Property) -> FetchPredicate {
        key.compared(.less, .constant(value.value))
    }

    public static func <= (key: Self, value: Property) -> FetchPredicate {
        key.compared(.lessOrEqual, .constant(value.value))
    }

    public static func > (key: Self, value: Property) -> FetchPredicate {
        key.compared(.greater, .constant(value.value))
    }

    public static func >= (key: Self, value: Property) -> FetchPredicate {
        key.compared(.greaterOrEqual, .constant(value.value))
    }

    /// `key IN {…}`.
    public func `in`(_ values: some Sequence<Property>) -> FetchPredicate {
        compared(.in, .constant(.array(values.map(\.value))))
    }

    /// `key BETWEEN {lower, upper}`, both included.
    public func between(_ lower: Property, _ upper: Property) -> FetchPredicate {
        compared(.between, .constant(.array([lower.value, upper.value])))
    }
}

extension Key {
    // Two keys of one object.

    public static func == (left: Self, right: Self) -> FetchPredicate {
        left.compared(.equal, right.expression)
    }

    public static func != (left: Self, right: Self) -> FetchPredicate {
        left.compared(.notEqual, right.expression)
    }

    public static func < (left: Self, right: Self) -> FetchPredicate {
        left.compared(.less, right.expression)
    }

    public static func <= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.lessOrEqual, right.expression)
    }

    public static func > (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greater, right.expression)
    }

    public static func >= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greaterOrEqual, right.expression)
    }

    /// A comparison with any expression, for instance a `$variable` of a template.
    public func compare(
        _ comparison: FetchComparison.Operator,
        _ expression: FetchExpression,
        options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(comparison, expression, options)
    }

    /// `key == nil`.
    public var isNil: FetchPredicate { compared(.equal, .constant(.null)) }

    /// `key != nil`.
    public var isNotNil: FetchPredicate { compared(.notEqual, .constant(.null)) }
}

extension Key where Property: KeyValueCoding {
    /// Whether the relationship leads to this object.
    @_disfavoredOverload
    public static func == (key: Self, object: Property) -> FetchPredicate {
        key.compared(.equal, .constant(.object(object)))
    }

    @_disfavoredOverload
    public static func != (key: Self, object: Property) -> FetchPredicate {
        key.compared(.notEqual, .constant(.object(object)))
    }

    /// Whether the relationship leads to one of these objects.
    @_disfavoredOverload
    public func `in`(_ objects: some Sequence<Property>) -> FetchPredicate {
        compared(.in, .constant(.array(objects.map { .object($0) })))
    }
}

extension Key {
    /// Whether the relationship leads to this object, or to none for `nil`.
    @_disfavoredOverload
    public static func == <Target: KeyValueCoding>(
        key: Self,
        object: Target?
    ) -> FetchPredicate where Property == Target? {
        key.compared(.equal, .constant(object.map { .object($0) } ?? .null))
    }

    @_disfavoredOverload
    public static func != <Target: KeyValueCoding>(
        key: Self,
        object: Target?
    ) -> FetchPredicate where Property == Target? {
        key.compared(.notEqual, .constant(object.map { .object($0) } ?? .null))
    }

    /// Whether the relationship leads to one of these objects.
    @_disfavoredOverload
    public func `in`<Target: KeyValueCoding>(
        _ objects: some Sequence<Target>
    ) -> FetchPredicate where Property == Target? {
        compared(.in, .constant(.array(objects.map { .object($0) })))
    }
}
