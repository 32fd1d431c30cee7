public import ObjectModel

/// A way from an object of a class along its properties, as requests use it.
///
/// It is what the closures of requests are given, and what the key paths of requests begin with:
///
///     try Book.all(in: context, where: { $0.author.name.beginsWith("jane", .c) }, sortedBy: \.title)
///     try Book.all(in: context, where: \.year < 1816 && \.author.name == "Jane Austen")
///
/// A to-one relationship is followed without a question mark: where it leads nowhere, the value is
/// `nil`. The compiler checks names and types. A computed property of a class is not a property of
/// the model; a request that uses one throws an error that names it.
///
/// - Complexity: a dictionary lookup for each step.
@dynamicMemberLookup
public final class PropertyPath<Root: ManagedObject, Property>: UntypedPropertyPath {

    /// A property of a class.
    ///
    /// A key path that is not one becomes a key that the check of a request reports.
    private func along<Owner: ManagedObject, Next, Result>(
        _ keyPath: KeyPath<Owner, Next>,
        _: Result.Type = Result.self
    ) -> PropertyPath<Root, Result> {
        PropertyPath<Root, Result>(
            fetchExpression.appending(keyPath: ClassDeclaration.of(Owner.self).key(keyPath))
        )
    }

    public subscript<Next>(
        dynamicMember keyPath: KeyPath<Property, Next>
    ) -> PropertyPath<Root, Next> where Property: ManagedObject { along(keyPath) }

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Next> where Property == Target? { along(keyPath) }

    // Through to-many relationships: for prefetching, not for comparisons.

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Members<Next>> where Property == Set<Target> { along(keyPath) }

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Members<Next>> where Property == [Target] { along(keyPath) }

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Members<Next>> where Property == Members<Target?> { along(keyPath) }

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Members<Next>> where Property == Members<Set<Target>> {
        along(keyPath)
    }

    public subscript<Target: ManagedObject, Next>(
        dynamicMember keyPath: KeyPath<Target, Next>
    ) -> PropertyPath<Root, Members<Next>> where Property == Members<[Target]> { along(keyPath) }

    // Into composite attributes.

    public subscript<Next>(
        dynamicMember keyPath: KeyPath<Property, Next>
    ) -> PropertyPath<Root, Next> where Property: CompositeValue { into(keyPath) }

    public subscript<Composite: CompositeValue, Next>(
        dynamicMember keyPath: KeyPath<Composite, Next>
    ) -> PropertyPath<Root, Next> where Property == Composite? { into(keyPath) }

    private func into<Composite: CompositeValue, Next>(
        _ keyPath: KeyPath<Composite, Next>
    ) -> PropertyPath<Root, Next> {
        let name = Composite.elements.first { $0.keyPath == keyPath }?.name
        return PropertyPath<Root, Next>(
            fetchExpression.appending(keyPath: name ?? UndeclaredKeyPath.key(for: keyPath))
        )
    }
}

/// What a name leads to that the class does not declare, or not with the type that is needed.
///
/// It exists for the message of the compiler alone, which then stands at the name: without it, a
/// misspelt name is reported as a failure of the whole request.
@dynamicMemberLookup
public struct UndeclaredProperty: Hashable, TextProperty {
    public var value: GraphValue { .null }

    public init?(value: GraphValue) { return nil }

    public subscript(dynamicMember name: UndeclaredProperty) -> UndeclaredProperty { name }
}

@available(*, unavailable, message: "the class declares no property of this name and type")
extension UndeclaredProperty: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) { Misuse.trap("\(name) is not a property") }
}

extension PropertyPath {
    // Both come last, so what compiles does not use them.

    @_disfavoredOverload
    public subscript<Next>(dynamicMember name: UndeclaredProperty) -> PropertyPath<Root, Next> {
        PropertyPath<Root, Next>(fetchExpression)
    }

    // Where nothing says what type is needed.
    @_disfavoredOverload
    public subscript(
        dynamicMember name: UndeclaredProperty
    ) -> PropertyPath<Root, UndeclaredProperty> {
        PropertyPath<Root, UndeclaredProperty>(fetchExpression)
    }
}

/// A ``PropertyPath`` of which nobody knows where it leads.
///
/// What an order names arrives as `Any`. A class is recognised in a few steps, where a protocol
/// would be looked for among all conformances of the program, once for each type of a property.
public class UntypedPropertyPath {
    /// The same in the language of predicates.
    public let fetchExpression: FetchExpression

    init(_ expression: FetchExpression) { fetchExpression = expression }

    /// The model's key path: `author.name`, collection operators included.
    final var modelKeyPath: String {
        if case .keyPath(let text) = fetchExpression { return text }
        return UndeclaredKeyPath.key(for: "\(fetchExpression)")
    }

    final func key(_ comparison: FetchSortDescriptor.Comparison) -> FetchSortDescriptor {
        var text = "self"
        if case .keyPath(let path) = fetchExpression { text = path }
        return FetchSortDescriptor(text, comparison: comparison)
    }
}

/// What a path through a to-many relationship leads to: such values of several objects.
public enum Members<Property> {}

extension PropertyPath where Property == Root {
    /// The object itself, where all paths begin.
    public convenience init() { self.init(.evaluatedObject) }
}

/// A key path of a request, written without its beginning: `\.author.name`.
public typealias RequestKeyPath<Root: ManagedObject, Property> = KeyPath<
    PropertyPath<Root, Root>, PropertyPath<Root, Property>
>

extension KeyPath {
    /// Where a key path of a request leads.
    func path<Owner: ManagedObject, Property>() -> PropertyPath<Owner, Property>
    where Root == PropertyPath<Owner, Owner>, Value == PropertyPath<Owner, Property> {
        PropertyPath<Owner, Owner>()[keyPath: self]
    }
}

extension ClassDeclaration {
    /// The model's key path for a Swift one.
    func key(_ keyPath: AnyKeyPath) -> String {
        switch names(of: keyPath) {
        case .properties(let names): names.joined(separator: ".")
        case .unknown(let text): UndeclaredKeyPath.key(for: text)
        }
    }
}
