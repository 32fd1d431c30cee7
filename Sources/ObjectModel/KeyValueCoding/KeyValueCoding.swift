/// An object whose properties are reached by name.
///
/// Managed objects answer for the properties of their entity; a plain class opts in by declaring
/// the two accessors, or a ``KeyTable``. Predicates, sort descriptors and collection operators
/// work on anything that conforms.
public protocol KeyValueCoding: AnyObject, FetchOperand {
    /// The value of a property.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if there is
    ///   no such property.
    func value(forKey key: String) throws -> Value

    /// Sets a property.
    /// - Throws: `ObjectGraphError` for an unknown key or a value of the wrong kind.
    func setValue(_ value: Value, forKey key: String) throws

    /// Called for a key that the object does not have; throws unless a type replaces it.
    ///
    /// A subclass can replace it only if the class that conforms declares it.
    func value(forUndefinedKey key: String) throws -> Value

    /// Called for a key that the object does not have; throws unless a type replaces it.
    func setValue(_ value: Value, forUndefinedKey key: String) throws

    /// Called when a property that cannot be `nil` is set to `nil`; throws unless a type
    /// replaces it, for instance by setting zero.
    func setNilValue(forKey key: String) throws

    /// Asks whether a value may be set; may put a better one in its place.
    ///
    /// A managed object asks its model and its class's own rules. A plain class has none unless it
    /// declares this.
    ///
    /// - Throws: what is wrong with the value.
    func validateValue(_ value: inout Value, forKey key: String) throws

    /// Adds a member to a key that holds several; a place counts for ordered ones alone.
    ///
    /// - Throws: `ObjectGraphError` if the key holds no members, or the member is of a wrong kind.
    func insertMember(_ member: Value, forKey key: String, at index: Int?) throws

    /// Removes a member from a key that holds several; one that is not there is no error.
    func removeMember(_ member: Value, forKey key: String) throws

    /// Removes the member at a place of an ordered key that may hold it more than once.
    func removeMember(_ member: Value, forKey key: String, at index: Int) throws

    /// The identity, for managed objects.
    var managedObjectID: ManagedObjectID? { get }

    /// The entity's name and those of its ancestors, nearest first; empty for plain objects.
    var entityNames: [String] { get }
}
