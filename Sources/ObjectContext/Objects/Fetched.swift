import ObjectModel

/// A fetched property of a class written by hand, by its name in the model: what ``Managed`` is for
/// the other properties.
///
///     final class Shelf: ManagedObject {
///         @Fetched("unread") var unread: [Book]
///     }
///
/// It is fetched at the first access and kept until the object is refreshed; see
/// ``ManagedObject/fetched(_:at:)``. It cannot be set. A fetch that fails gives nothing; who wants the
/// error asks for `$unread`.
///
/// Traps if the entity has no such fetched property.
@propertyWrapper
public struct Fetched<Element: ManagedObject> {
    private let name: String

    public init(_ name: String) { self.name = name }

    @available(*, unavailable, message: "only a class of managed objects has fetched properties")
    public var wrappedValue: [Element] {
        preconditionFailure("\(name) is no property of a managed object")
    }

    @available(*, unavailable, message: "only a class of managed objects has fetched properties")
    public var projectedValue: FetchedObjects<Element> {
        preconditionFailure("\(name) is no property of a managed object")
    }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        wrapped wrapped: KeyPath<Owner, [Element]>,
        storage storage: KeyPath<Owner, Self>
    ) -> [Element] {
        (try? object[keyPath: storage].objects(of: object).get()) ?? []
    }

    public static subscript<Owner: ManagedObject>(
        _enclosingInstance object: Owner,
        projected projected: KeyPath<Owner, FetchedObjects<Element>>,
        storage storage: KeyPath<Owner, Self>
    ) -> FetchedObjects<Element> { object[keyPath: storage].objects(of: object) }

    private func objects(of object: ManagedObject) -> FetchedObjects<Element> {
        guard let slot = object.entity.slotByName[name],
            object.entity.slots[slot] is FetchedPropertyDescription
        else { preconditionFailure("\(object.entity.name) has no fetched property \"\(name)\"") }
        return FetchedObjects(object: object, slot: slot)
    }
}

/// What a fetched property finds, for who wants to know why it found nothing.
public struct FetchedObjects<Element: ManagedObject> {
    fileprivate let object: ManagedObject
    fileprivate let slot: Int

    /// The objects.
    ///
    /// - Throws: what the fetch throws.
    public func get() throws -> [Element] { try object.fetched(Element.self, at: slot) }
}
