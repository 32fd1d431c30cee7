/// A weak, one-way, lazily executed list of objects: the result of a fetch request in which
/// `$FETCH_SOURCE` is the owner.
public final class FetchedPropertyDescription: PropertyDescription, @unchecked Sendable {
    // Safety: immutable once the model is frozen.

    public var fetchRequest: FetchDescription { didSet { assertMutable() } }

    public init(_ name: String, _ fetchRequest: FetchDescription) {
        self.fetchRequest = fetchRequest
        super.init(name: name)
    }

    package override func copy() -> PropertyDescription {
        let other = FetchedPropertyDescription(name, fetchRequest)
        copyCommon(to: other)
        return other
    }
}
