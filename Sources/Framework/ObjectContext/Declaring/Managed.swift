public import ObjectModel

/// A property of a class of managed objects; the one place where it is declared.
///
///     final class Book: ManagedObject {
///         @Managed var title: String
///         @Managed(indexed: true) var year: Int?
///         @Managed(rules: [.minimum(0)]) var copies: Int = 1
///         @Managed(inverse: \.books) var author: Author?
///     }
///     final class Author: ManagedObject {
///         @Managed("fullName") var name: String
///         @Managed(deleteRule: .cascade) var books: Set<Book>
///     }
///     let container = try PersistentContainer(for: Author.self, Book.self, url: url)
///
/// The property's type says what it is: an ``AttributeValue`` or its optional an attribute, `T?` a
/// to-one relationship, `Set<T>` a to-many and `[T]` an ordered to-many one, for a class `T` of
/// managed objects. Its name in the model is the Swift name, or the one that is given. Everything
/// else is an argument. A container that is opened with classes alone reads its model off them; one
/// that is opened with a model compares the two and reports every contradiction.
///
/// An attribute that is not optional reads as empty (`""`, 0, `false`, …) while it holds nothing,
/// and a save refuses it; give it a default (`= 1`) to have one. Setting never fails: a value that
/// the attribute does not take, such as a number out of its range, is kept until a save validates
/// it and says what is wrong.
///
/// An object that transforms into data is declared with ``Transformable``, a fetched property with
/// ``Fetched``.
///
/// - Complexity: a test of the object's state and a load. One byte in each object. A to-many
///   relationship is read and set as a whole, at O(members); `$name` counts and changes single
///   members, see ``ManagedMembers``.
@propertyWrapper
public struct Managed<Property: ManagedProperty>: DeclaredProperty {
    /// The slot in the object's memory; `.max` before the first access.
    @usableFromInline var slot: UInt8

    // Here and not in an extension: `@Managed var title` finds it only here.

    /// An attribute or a relationship of which there is nothing more to say.
    @inlinable
    public init() {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declarePlain(Property.propertyType, Property.self)
        }
    }

    @available(*, unavailable, message: "only a class of managed objects has managed properties")
    public var wrappedValue: Property {
        get { Misuse.trap("\(Self.self) is not a property of a managed object") }
        set { Misuse.trap("\(Self.self) is not a property of a managed object") }
    }

    @available(*, unavailable, message: "only a class of managed objects has managed properties")
    public var projectedValue: ManagedMembers<Property> {
        Misuse.trap("\(Self.self) is not a property of a managed object")
    }

    @inlinable
    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        wrapped wrapped: ReferenceWritableKeyPath<Owner, Property>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> Property {
        @inline(__always)
        get {
            // Safety: see `ManagedObject.slot(of:)`.
            let wrapper = withUnsafeMutablePointer(to: &object[keyPath: storage]) {
                UnsafeMutableRawPointer($0)
            }
            return Property.read(object, PropertySlot(object.slot(of: wrapper)))
        }
        @inline(__always)
        set {
            // Safety: see `ManagedObject.slot(of:)`.
            let wrapper = withUnsafeMutablePointer(to: &object[keyPath: storage]) {
                UnsafeMutableRawPointer($0)
            }
            // A guaranteed argument keeps the object until the setter is done, and costs no count
            // where the code that sets the property holds it anyway.
            Property.write(consume newValue, object, PropertySlot(object.slot(of: wrapper)))
        }
    }

    /// The members of a to-many relationship, one by one; see ``ManagedMembers``.
    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        projected projected: KeyPath<Owner, ManagedMembers<Property>>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> ManagedMembers<Property> {
        ManagedMembers(object: object, slot: slot(in: object, storage))
    }
}

extension ManagedObject {
    /// The slot of the wrapper at an address, which finds it at the first access.
    ///
    /// Accessors take the address in one step and look at it in another: within the access of the
    /// field nothing is called, so that the compiler needs no check of exclusive access at run time.
    ///
    /// Safety: the field lies in the object, which each accessor uses once more after that; so the
    /// address is valid as long as it is used.
    @inlinable
    @inline(__always)
    final func slot(of wrapper: UnsafeMutableRawPointer) -> Int {
        let slot = wrapper.load(as: UInt8.self)
        return Int(slot == .max ? findSlot(wrapper) : slot)
    }
}

extension DeclaredProperty {
    /// The slot of a wrapper, for accessors that are not inlined.
    static func slot<Owner: ManagedObject>(
        in object: Owner,
        _ storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> Int {
        withUnsafeMutablePointer(to: &object[keyPath: storage]) {
            object.slot(of: UnsafeMutableRawPointer($0))
        }
    }
}

// MARK: Attributes

extension Managed where Property: GraphValueConvertible {
    /// An attribute.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - unique: whether no two objects may have the same value; see also
    ///     ``ManagedObject/entityOptions`` for values that are unique together.
    ///   - indexed: whether the store keeps an index.
    ///   - searched: whether text search covers the attribute.
    ///   - transient: whether it is kept in memory only.
    ///   - externalStorage: whether large data are kept in a file beside the store; see
    ///     ``AttributeDescription/allowsExternalStorage``.
    ///   - derived: what computes the attribute at each save.
    ///   - rules: what a value has to follow beyond its type; a save checks them.
    ///   - transformer: the name of a registered transformer, which makes the attribute transformable:
    ///     its values are stored as the data that the transformer makes of them, encrypted for
    ///     instance.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init(
        _ name: StaticString = "",
        unique: Bool = false,
        indexed: Bool = false,
        searched: Bool = false,
        transient: Bool = false,
        externalStorage: Bool = false,
        derived: @autoclosure () -> DerivedValue? = nil,
        rules: @autoclosure () -> [ValidationRule] = [],
        transformer: StaticString = "",
        renamedFrom: StaticString = ""
    ) {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declareAttribute(
                Property.propertyType,
                Property.self,
                name,
                nil,
                unique,
                indexed,
                searched,
                transient,
                externalStorage,
                derived(),
                rules(),
                transformer,
                renamedFrom
            )
        }
    }

    /// An attribute with a default: `@Managed var copies: Int = 1`.
    ///
    /// The default is evaluated for each new object, so that `= UUID()` and `= Date()` give each its
    /// own. The model has it if it is a constant, and so an attribute that a migration adds has the
    /// default in every row, or a value of its own in each. The parameters are those of the attribute
    /// without one.
    ///
    /// - Complexity: a call for each new object.
    @inlinable
    public init(
        wrappedValue: @autoclosure @escaping @Sendable () -> Property,
        _ name: StaticString = "",
        unique: Bool = false,
        indexed: Bool = false,
        searched: Bool = false,
        transient: Bool = false,
        externalStorage: Bool = false,
        derived: @autoclosure () -> DerivedValue? = nil,
        rules: @autoclosure () -> [ValidationRule] = [],
        transformer: StaticString = "",
        renamedFrom: StaticString = ""
    ) {
        slot = .max
        if ClassReading.isActive {
            slot = Self.declare(
                wrappedValue,
                name,
                unique,
                indexed,
                searched,
                transient,
                externalStorage,
                derived(),
                rules(),
                transformer,
                renamedFrom
            )
        }
    }

    // Not inlined: the initialiser above stays small enough to be, and then the default of an object
    // that is not a probe costs no closure. Inlinable, so that the value is made for its type.
    @inlinable
    @inline(never)
    static func declare(
        _ makeDefault: @escaping @Sendable () -> Property,
        _ name: StaticString,
        _ unique: Bool,
        _ indexed: Bool,
        _ searched: Bool,
        _ transient: Bool,
        _ externalStorage: Bool,
        _ derived: DerivedValue?,
        _ rules: [ValidationRule],
        _ transformer: StaticString,
        _ renamedFrom: StaticString
    ) -> UInt8 {
        ClassReading.declareAttribute(
            Property.propertyType,
            Property.self,
            name,
            { makeDefault().value },
            unique,
            indexed,
            searched,
            transient,
            externalStorage,
            derived,
            rules,
            transformer,
            renamedFrom
        )
    }
}

// MARK: Relationships

extension Managed {
    /// A relationship whose inverse is not a property: what the compiler says of its name.
    @_disfavoredOverload
    public init(
        _ name: StaticString = "",
        inverse: KeyPath<UndeclaredProperty, UndeclaredProperty>,
        deleteRule: DeleteRule = .nullify,
        required: Bool = false,
        minCount: Int = 0,
        maxCount: Int = 0,
        transient: Bool = false,
        renamedFrom: StaticString = ""
    ) { Misuse.trap("\(inverse) is not a property") }

    /// A to-one relationship.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - inverse: `.none` for a relationship that has no other side; see ``InverseRule``.
    ///   - deleteRule: what happens to the destination when this object is deleted.
    ///   - required: whether a save refuses an object without a destination.
    ///   - transient: whether it is kept in memory only.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init<Target: ManagedObject>(
        _ name: StaticString = "",
        inverse: InverseRule = .inferred,
        deleteRule: DeleteRule = .nullify,
        required: Bool = false,
        transient: Bool = false,
        renamedFrom: StaticString = ""
    ) where Property == Target? {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declareRelationship(
                Property.propertyType,
                Property.self,
                name,
                Inverse(inverse),
                deleteRule,
                required,
                0,
                0,
                transient,
                renamedFrom
            )
        }
    }

    /// A to-one relationship, with its other side.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - inverse: the other side, as a key path (`\.books`). It is enough if one of both names
    ///     the other. Where both do, write `{ $0.books }`: Swift refuses key paths in a circle.
    ///   - deleteRule: what happens to the destination when this object is deleted.
    ///   - required: whether a save refuses an object without a destination.
    ///   - transient: whether it is kept in memory only.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init<Target: ManagedObject, Other: ManagedProperty>(
        _ name: StaticString = "",
        inverse: @autoclosure () -> (Target) -> Other,
        deleteRule: DeleteRule = .nullify,
        required: Bool = false,
        transient: Bool = false,
        renamedFrom: StaticString = ""
    ) where Property == Target? {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declareRelationship(
                Property.propertyType,
                Property.self,
                name,
                Inverse(inverse()),
                deleteRule,
                required,
                0,
                0,
                transient,
                renamedFrom
            )
        }
    }

    /// A to-many relationship: a set, or an array for an ordered one.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - inverse: `.none` for a relationship that has no other side; see ``InverseRule``.
    ///   - deleteRule: what happens to the members when this object is deleted.
    ///   - minCount: the fewest members; a save refuses fewer.
    ///   - maxCount: the most members; 0 = any number.
    ///   - transient: whether it is kept in memory only.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init(
        _ name: StaticString = "",
        inverse: InverseRule = .inferred,
        deleteRule: DeleteRule = .nullify,
        minCount: Int = 0,
        maxCount: Int = 0,
        transient: Bool = false,
        renamedFrom: StaticString = ""
    ) where Property: Collection, Property.Element: ManagedObject {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declareRelationship(
                Property.propertyType,
                Property.self,
                name,
                Inverse(inverse),
                deleteRule,
                minCount > 0,
                minCount,
                maxCount,
                transient,
                renamedFrom
            )
        }
    }

    /// A to-many relationship, a set or an array, with its other side.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - inverse: the other side, as a key path (`\.books`). It is enough if one of both names
    ///     the other. Where both do, write `{ $0.books }`: Swift refuses key paths in a circle.
    ///   - deleteRule: what happens to the members when this object is deleted.
    ///   - minCount: the fewest members; a save refuses fewer.
    ///   - maxCount: the most members; 0 = any number.
    ///   - transient: whether it is kept in memory only.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init<Other: ManagedProperty>(
        _ name: StaticString = "",
        inverse: @autoclosure () -> (Property.Element) -> Other,
        deleteRule: DeleteRule = .nullify,
        minCount: Int = 0,
        maxCount: Int = 0,
        transient: Bool = false,
        renamedFrom: StaticString = ""
    ) where Property: Collection, Property.Element: ManagedObject {
        slot = .max
        if ClassReading.isActive {
            slot = ClassReading.declareRelationship(
                Property.propertyType,
                Property.self,
                name,
                Inverse(inverse()),
                deleteRule,
                minCount > 0,
                minCount,
                maxCount,
                transient,
                renamedFrom
            )
        }
    }
}
