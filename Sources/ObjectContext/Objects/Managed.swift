import FoundationEssentials
public import ObjectModel

/// A property of a class written by hand, by its name in the model.
///
///     final class Book: ManagedObject {
///         @Managed("title") var title: String
///         @Managed("year") var year: Int?
///         @Managed("author") var author: Author?
///         @Managed("tags") var tags: Set<Tag>
///     }
///
/// With a ``Key`` the type need not be said twice: `@Managed(Book.title) var title`.
///
/// An attribute has any type that is ``ValueConvertible``, a to-one relationship `T?`, a to-many one
/// `Set<T>`, an ordered one `[T]`, where `T` is a class of managed objects; a transformable attribute
/// that holds an object of another class is declared by `@Managed(transformable:)`. A required type reads as
/// empty (`""`, 0, `false`, …) while there is no value, as in generated classes; one that has no
/// empty value has to be declared optional.
///
/// Setting never fails: a value that the attribute does not take, such as a number out of its
/// range, is kept until a save validates it and says what is wrong. A stored value that the type
/// cannot hold reads as in generated classes: an integer loses its upper bits, anything else is
/// empty.
///
/// Traps if the entity has no such property, or one of another kind than the type: the class and
/// the model contradict each other then.
///
/// - Complexity: a dictionary lookup for the name at each access, and room for the name in each
///   object. Classes that `modelgen` generates have neither. A to-many relationship is read and set
///   as a whole, at O(members); `$name` counts and changes single ones, see ``ManagedMembers``.
@propertyWrapper
public struct Managed<Property> {
    private let name: String
    private let access: any PropertyAccess<Property>.Type

    @available(*, unavailable, message: "only a class of managed objects has managed properties")
    public var wrappedValue: Property {
        get { preconditionFailure("\(name) is no property of a managed object") }
        set { preconditionFailure("\(name) is no property of a managed object") }
    }

    @available(*, unavailable, message: "only a class of managed objects has managed properties")
    public var projectedValue: ManagedMembers<Property> {
        preconditionFailure("\(name) is no property of a managed object")
    }

    /// The members of a to-many relationship, one by one; see ``ManagedMembers``.
    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        projected projected: KeyPath<Owner, ManagedMembers<Property>>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> ManagedMembers<Property> {
        ManagedMembers(object: object, slot: object[keyPath: storage].slot(in: object))
    }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        wrapped wrapped: ReferenceWritableKeyPath<Owner, Property>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> Property {
        get {
            let property = object[keyPath: storage]
            return property.access.get(object, property.slot(in: object))
        }
        set {
            let property = object[keyPath: storage]
            property.access.set(newValue, object, property.slot(in: object))
        }
    }

    private func slot(in object: ManagedObject) -> Int {
        guard let slot = object.entity.slotByName[name] else {
            preconditionFailure("\(ManagedObject.undefinedKey(name, object.entity))")
        }
        return slot
    }
}

extension Managed where Property: ValueConvertible {
    /// An attribute, by name.
    public init(_ name: String) {
        self.name = name
        access = AttributeAccess<Property>.self
    }

    /// An attribute, by key.
    public init<Root>(_ key: Key<Root, Property>) { self.init(key.path) }
}

extension Managed {
    /// A to-one relationship, by name.
    public init<Target: ManagedObject>(_ name: String) where Property == Target? {
        self.name = name
        access = ToOneAccess<Target>.self
    }

    /// A to-one relationship, by key.
    public init<Root, Target: ManagedObject>(_ key: Key<Root, Property>)
    where Property == Target? { self.init(key.path) }

    /// A to-many relationship, by name.
    public init<Target: ManagedObject>(_ name: String) where Property == Set<Target> {
        self.name = name
        access = ToManyAccess<Target>.self
    }

    /// A to-many relationship, by key.
    public init<Root, Target: ManagedObject>(_ key: Key<Root, Property>)
    where Property == Set<Target> { self.init(key.path) }

    /// An ordered to-many relationship, by name.
    public init<Target: ManagedObject>(_ name: String) where Property == [Target] {
        self.name = name
        access = OrderedAccess<Target>.self
    }

    /// An ordered to-many relationship, by key.
    public init<Root, Target: ManagedObject>(_ key: Key<Root, Property>)
    where Property == [Target] { self.init(key.path) }
}

extension Managed {
    /// A transformable attribute that holds an object, by name.
    ///
    /// Give it another object to change it: what changes inside of one is not seen.
    public init<Object: AnyObject>(transformable name: String) where Property == Object? {
        self.name = name
        access = TransformableAccess<Object>.self
    }
}

/// How a kind of property is read and set; a type of its own, so that an object keeps no closures.
private protocol PropertyAccess<Property> {
    associatedtype Property

    static func get(_ object: ManagedObject, _ slot: Int) -> Property
    static func set(_ value: Property, _ object: ManagedObject, _ slot: Int)
}

private enum AttributeAccess<Property: ValueConvertible>: PropertyAccess {
    static func get(_ object: ManagedObject, _ slot: Int) -> Property {
        let value = object.value(at: slot)
        if let property = Property(value: value) { return property }
        for candidate in substitutes(of: value) {
            if let property = Property(value: candidate) { return property }
        }
        let name = object.entity.slots[slot].name
        preconditionFailure(
            "\(object.entity.name).\(name) holds \(value.kindWithArticle), which is no \(Property.self)"
        )
    }

    static func set(_ value: Property, _ object: ManagedObject, _ slot: Int) {
        object.setForValidation(value.value, at: slot)
    }
}

/// What a type may read as that cannot hold a value: what is left of a large integer, nothing, or
/// what is empty and of the value's kind.
private func substitutes(of value: Value) -> [Value] {
    if value.isNull { return emptyValues }
    var result = emptyValues.filter { empty in
        empty.isNumber ? value.isNumber : empty.kindName == value.kindName
    }
    if case .int(let number) = value {
        let (half, quarter) = (Int32(truncatingIfNeeded: number), Int16(truncatingIfNeeded: number))
        result = [.int(Int64(half)), .int(Int64(quarter))] + result
    }
    return [.null] + result
}

/// What a required type may read as while there is no value.
private var emptyValues: [Value] {
    [
        .int(0), .string(""), .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data()),
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .array([]),
        .set([]), .dictionary([:]),
    ]
}

private enum ToOneAccess<Target: ManagedObject>: PropertyAccess {
    static func get(_ object: ManagedObject, _ slot: Int) -> Target? {
        object.toOne(Target.self, at: slot)
    }

    static func set(_ value: Target?, _ object: ManagedObject, _ slot: Int) {
        object.setToOne(value, at: slot)
    }
}

private enum ToManyAccess<Target: ManagedObject>: PropertyAccess {
    static func get(_ object: ManagedObject, _ slot: Int) -> Set<Target> {
        object.toMany(Target.self, at: slot)
    }

    static func set(_ value: Set<Target>, _ object: ManagedObject, _ slot: Int) {
        object.setToMany(value, at: slot)
    }
}

private enum OrderedAccess<Target: ManagedObject>: PropertyAccess {
    static func get(_ object: ManagedObject, _ slot: Int) -> [Target] {
        object.orderedToMany(Target.self, at: slot)
    }

    static func set(_ value: [Target], _ object: ManagedObject, _ slot: Int) {
        object.setOrderedToMany(value, at: slot)
    }
}

private enum TransformableAccess<Content: AnyObject>: PropertyAccess {
    static func get(_ object: ManagedObject, _ slot: Int) -> Content? {
        object.object(at: slot, as: Content.self)
    }

    static func set(_ value: Content?, _ object: ManagedObject, _ slot: Int) {
        object.setObject(value, at: slot)
    }
}
