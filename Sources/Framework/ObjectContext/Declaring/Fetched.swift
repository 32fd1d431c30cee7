public import ObjectModel

/// A fetched property: the objects that a request finds for this object.
///
/// What ``Managed`` is for the other properties.
///
///     final class Shelf: ManagedObject {
///         @Managed var room: String
///         @Fetched(where: { (book, shelf: PropertyPath<Shelf, Shelf>) in book.room == shelf.room })
///         var booksOfTheRoom: [Book]
///     }
///
/// It is fetched at the first access and kept until the object is refreshed, merged or becomes a
/// fault: what is inserted or changed meanwhile neither joins nor leaves, what is deleted leaves. It
/// cannot be set. A fetch that fails gives nothing; `$booksOfTheRoom` gives the error.
@propertyWrapper
public struct Fetched<Element: ManagedObject>: DeclaredProperty {
    @usableFromInline var slot: UInt8

    /// A property of which there is nothing more to say.
    @inlinable
    public init() {
        slot = .max
        if ClassReading.isActive { slot = Self.declare("", nil) }
    }

    /// A fetched property that the model describes.
    ///
    /// - Parameter name: the name in the model; the Swift name if it is left out.
    @inlinable
    public init(_ name: StaticString = "") {
        slot = .max
        if ClassReading.isActive { slot = Self.declare(name, nil) }
    }

    /// A fetched property.
    ///
    /// - Parameters:
    ///   - name: the name in the model; the Swift name if it is left out.
    ///   - condition: which objects it finds; the second argument is the object that has the
    ///     property.
    ///   - order: how to sort them.
    @inlinable
    public init<Owner: ManagedObject>(
        _ name: StaticString = "",
        where condition:
            @escaping (PropertyPath<Element, Element>, PropertyPath<Owner, Owner>) ->
            Condition<Element>,
        sortedBy order: @autoclosure @escaping () -> [SortKeyPath<Element>] = []
    ) {
        slot = .max
        if ClassReading.isActive {
            slot = Self.declare(name, condition, order)
        }
    }

    @usableFromInline
    static func declare<Owner: ManagedObject>(
        _ name: StaticString,
        _ condition:
            @escaping (PropertyPath<Element, Element>, PropertyPath<Owner, Owner>) ->
            Condition<Element>,
        _ order: @escaping () -> [SortKeyPath<Element>]
    ) -> UInt8 {
        declare(name) {
            let source = PropertyPath<Owner, Owner>(.variable("FETCH_SOURCE"))
            return FetchDescription(
                entityName: Element.entityName,
                predicate: condition(PropertyPath(.closureObject), source).predicate
                    .withObjectOfClosure,
                sortDescriptors: order().map { $0.sortKey().descriptor }
            )
        }
    }

    @usableFromInline
    static func declare(_ name: StaticString, _ fetch: (() -> FetchDescription)?) -> UInt8 {
        var options = PropertyOptions()
        options.fetch = fetch
        return ClassReading.declare(
            PropertyDeclaration(
                name.description,
                PropertyType(.fetched(Element.self)),
                { [Element].self },
                options
            )
        )
    }

    @available(*, unavailable, message: "only a class of managed objects has fetched properties")
    public var wrappedValue: [Element] {
        Misuse.trap("\(Self.self) is not a property of a managed object")
    }

    @available(*, unavailable, message: "only a class of managed objects has fetched properties")
    public var projectedValue: FetchedObjects<Element> {
        Misuse.trap("\(Self.self) is not a property of a managed object")
    }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        wrapped wrapped: KeyPath<Owner, [Element]>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> [Element] { (try? objects(of: object, storage).get()) ?? [] }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        projected projected: KeyPath<Owner, FetchedObjects<Element>>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> FetchedObjects<Element> { objects(of: object, storage) }

    private static func objects<Owner: ManagedObject>(
        of object: Owner,
        _ storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> FetchedObjects<Element> {
        let slot = slot(in: object, storage)
        return FetchedObjects(object: object, slot: slot)
    }
}

/// What a fetched property finds, with the error if the fetch fails.
public struct FetchedObjects<Element: ManagedObject> {
    fileprivate let object: ManagedObject
    fileprivate let slot: Int

    /// The objects.
    ///
    /// - Throws: what the fetch throws.
    public func get() throws -> [Element] { try object.fetched(Element.self, at: slot) }
}
