public import ObjectModel

/// A transformable attribute that holds an object of a class of the program: what ``Managed`` is for
/// the other properties.
///
///     final class Photo: ManagedObject {
///         @Transformable(transformer: "PNG") var picture: Bitmap?
///         @Transformable(transformer: "PNG") var frame: Bitmap? = Bitmap(width: 8, height: 8)
///     }
///
/// Set another object to change it: what changes inside of one is not seen. A value of a structure,
/// an array or a dictionary is declared with ``Managed``.
@propertyWrapper
public struct Transformable<Content: AnyObject>: DeclaredProperty {
    @usableFromInline var slot: UInt8

    /// A property of which there is nothing more to say.
    @inlinable
    public init() {
        slot = .max
        if ClassReading.isActive { slot = Self.declare("", nil, "", false, false, "") }
    }

    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - transformer: the name under which the transformer is registered.
    ///   - transient: whether the object is kept in memory only.
    ///   - externalStorage: whether large data are kept in a file beside the store; see
    ///     ``AttributeDescription/allowsExternalStorage``.
    ///   - renamedFrom: the name in an older version of the model.
    @inlinable
    public init(
        _ name: StaticString = "",
        transformer: StaticString = "",
        transient: Bool = false,
        externalStorage: Bool = false,
        renamedFrom: StaticString = ""
    ) {
        slot = .max
        if ClassReading.isActive {
            slot = Self.declare(name, nil, transformer, transient, externalStorage, renamedFrom)
        }
    }

    /// A property with a default, an object that is made for each new object.
    ///
    /// In a model it stands for no constant: an attribute that a migration adds gets an object of its
    /// own in each row. The parameters are those of the property without one.
    ///
    /// - Complexity: a call for each new object.
    @inlinable
    public init(
        wrappedValue: @autoclosure @escaping @Sendable () -> Content?,
        _ name: StaticString = "",
        transformer: StaticString = "",
        transient: Bool = false,
        externalStorage: Bool = false,
        renamedFrom: StaticString = ""
    ) {
        slot = .max
        if ClassReading.isActive {
            slot = Self.declare(
                name,
                { wrappedValue().map { .opaque($0) } ?? .null },
                transformer,
                transient,
                externalStorage,
                renamedFrom
            )
        }
    }

    @usableFromInline
    static func declare(
        _ name: StaticString,
        _ makeDefault: (@Sendable () -> GraphValue)?,
        _ transformer: StaticString,
        _ transient: Bool,
        _ externalStorage: Bool,
        _ renamedFrom: StaticString
    ) -> UInt8 {
        var options = PropertyOptions()
        options.makeDefault = makeDefault
        options.transformerName = transformer.text
        options.isTransient = transient
        options.storesExternally = externalStorage
        options.renamedFrom = renamedFrom.text
        return ClassReading.declare(
            PropertyDeclaration(
                name.description,
                PropertyType(.transformable),
                { Content?.self },
                options
            )
        )
    }

    @available(*, unavailable, message: "only a class of managed objects has managed properties")
    public var wrappedValue: Content? {
        get { Misuse.trap("\(Self.self) is not a property of a managed object") }
        set { Misuse.trap("\(Self.self) is not a property of a managed object") }
    }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        wrapped wrapped: ReferenceWritableKeyPath<Owner, Content?>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> Content? {
        get {
            let slot = slot(in: object, storage)
            return object.object(at: slot, as: Content.self)
        }
        set {
            let slot = slot(in: object, storage)
            object.setObject(newValue, at: slot)
        }
    }
}
