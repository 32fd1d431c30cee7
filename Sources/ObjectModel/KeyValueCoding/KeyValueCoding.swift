/// An object whose properties are reached by name.
///
/// Managed objects answer for the properties of their entity; a plain class opts in by declaring
/// the two accessors. Predicates, sort descriptors and collection operators work on anything
/// that conforms.
public protocol KeyValueCoding: AnyObject {
    /// The value of a property.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if there is
    ///   no such property.
    func value(forKey key: String) throws -> Value

    /// Sets a property.
    /// - Throws: `ObjectGraphError` for an unknown key or a value of the wrong kind.
    func setValue(_ value: Value, forKey key: String) throws

    /// The identity, for managed objects.
    var managedObjectID: ManagedObjectID? { get }

    /// The entity's name and those of its ancestors, nearest first; empty for plain objects.
    var entityNames: [String] { get }
}

extension KeyValueCoding {
    public var managedObjectID: ManagedObjectID? { nil }

    public var entityNames: [String] { [] }
}
