import FoundationEssentials
public import ObjectModel

/// A type that a property declared with ``Managed`` can have.
///
/// These are every ``AttributeValue`` and its optional for an attribute, and for a class `T` of
/// managed objects `T?` for a to-one relationship, `Set<T>` for a to-many and `[T]` for an ordered
/// one. Another type becomes an attribute's by conforming to ``AttributeValue``.
public protocol ManagedProperty {
    /// The kind of property that the type makes.
    static var propertyType: PropertyType { get }

    /// Reads a property of an object.
    static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Self

    /// Sets a property of an object.
    static func write(_ value: consuming Self, _ object: ManagedObject, _ slot: PropertySlot)
}

/// A type whose optional, array or set a managed property can have.
public protocol PropertyElement {
    static var optionalPropertyType: PropertyType { get }
    static var arrayPropertyType: PropertyType { get }
    static var setPropertyType: PropertyType { get }

    static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Self?
    static func writeOptional(
        _ value: consuming Self?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    )

    // A class cannot promise an array of itself, so these name the element: it is the type itself.

    static func readArray<Element>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> [Element]
    static func writeArray<Element>(
        _ value: consuming [Element],
        _ object: ManagedObject,
        _ slot: PropertySlot
    )
    static func readSet<Element: Hashable>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> Set<Element>
    static func writeSet<Element: Hashable>(
        _ value: consuming Set<Element>,
        _ object: ManagedObject,
        _ slot: PropertySlot
    )
}

/// Where objects keep a property.
@frozen
public struct PropertySlot {
    @usableFromInline let index: Int

    @inlinable
    init(_ index: Int) { self.index = index }
}

/// What kind of property a Swift type makes.
public struct PropertyType {
    enum Kind {
        case attribute(AttributeType)
        case toOne(ManagedObject.Type)
        case toMany(ManagedObject.Type, isOrdered: Bool)
        case transformable
        case fetched(ManagedObject.Type)
    }

    let kind: Kind
    let isOptional: Bool
    let values: PropertyValues?

    init(_ kind: Kind, isOptional: Bool = true, _ values: PropertyValues? = nil) {
        self.kind = kind
        self.isOptional = isOptional
        self.values = values
    }

    /// An attribute of a type, with or without `nil` as a value.
    public static func attribute(_ type: AttributeType, isOptional: Bool) -> PropertyType {
        PropertyType(.attribute(type), isOptional: isOptional)
    }
}

extension Optional: ManagedProperty where Wrapped: PropertyElement {
    @inlinable
    public static var propertyType: PropertyType { Wrapped.optionalPropertyType }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Wrapped? {
        Wrapped.readOptional(object, slot)
    }

    @inlinable
    public static func write(
        _ value: consuming Wrapped?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        Wrapped.writeOptional(value, object, slot)
    }
}

extension Array: ManagedProperty where Element: PropertyElement {
    @inlinable
    public static var propertyType: PropertyType { Element.arrayPropertyType }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> [Element] {
        Element.readArray(object, slot, of: Element.self)
    }

    @inlinable
    public static func write(
        _ value: consuming [Element],
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        Element.writeArray(value, object, slot)
    }
}

extension Set: ManagedProperty where Element: PropertyElement {
    @inlinable
    public static var propertyType: PropertyType { Element.setPropertyType }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Set<Element> {
        Element.readSet(object, slot, of: Element.self)
    }

    @inlinable
    public static func write(
        _ value: consuming Set<Element>,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        Element.writeSet(value, object, slot)
    }
}

// MARK: Relationships

extension ManagedObject: PropertyElement {}

extension PropertyElement where Self: ManagedObject {
    public static var optionalPropertyType: PropertyType { PropertyType(.toOne(Self.self)) }
    public static var arrayPropertyType: PropertyType {
        PropertyType(.toMany(Self.self, isOrdered: true))
    }
    public static var setPropertyType: PropertyType {
        PropertyType(.toMany(Self.self, isOrdered: false))
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Self? {
        object.toOne(Self.self, at: slot.index)
    }

    public static func writeOptional(
        _ value: consuming Self?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setToOne(value, at: slot.index)
    }

    public static func readArray<Element>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> [Element] {
        cast(object.orderedToMany(Self.self, at: slot.index))
    }

    public static func writeArray<Element>(
        _ value: consuming [Element],
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOrderedToMany(cast(value), at: slot.index)
    }

    public static func readSet<Element: Hashable>(
        _ object: ManagedObject,
        _ slot: PropertySlot,
        of type: Element.Type
    ) -> Set<Element> {
        cast(object.toMany(Self.self, at: slot.index))
    }

    public static func writeSet<Element: Hashable>(
        _ value: consuming Set<Element>,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) { object.setToMany(cast(value), of: Self.self, at: slot.index) }

    // Safety: `Element` is `Self` above, which the compiler does not see. So this changes the type of a
    // counted array or set and nothing else.
    @inline(__always)
    private static func cast<From, To>(_ members: consuming From) -> To {
        unsafeBitCast(members, to: To.self)
    }
}
