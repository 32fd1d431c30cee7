/// An object whose properties are reached by name.
///
/// Managed objects answer for the properties of their entity. A plain class declares the two
/// accessors, or a ``KeyTable``. Predicates, sort descriptors and collection operators work on
/// every type that conforms.
public protocol KeyValueCoding: AnyObject, FetchOperand {
    /// The value of a property.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if there is
    ///   no such property.
    func value(forKey key: String) throws -> GraphValue

    /// Sets a property.
    /// - Throws: `ObjectGraphError` for an unknown key or a value of the wrong kind.
    func setValue(_ value: GraphValue, forKey key: String) throws

    /// Called for a key that the object does not have; throws unless a type replaces it.
    ///
    /// A subclass can replace it only if the class that conforms declares it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    func value(forUndefinedKey key: String) throws -> GraphValue

    /// Called for a key that the object does not have, or cannot set; throws unless a type replaces
    /// it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    func setValue(_ value: GraphValue, forUndefinedKey key: String) throws

    /// Called when a property that cannot be `nil` is set to `nil`; throws unless a type replaces
    /// it, for instance by setting zero.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind``.
    func setNilValue(forKey key: String) throws

    /// Checks whether a value may be set; may replace it by a better one.
    ///
    /// A managed object checks the rules of its model and of its class. A plain class has no rules
    /// unless it declares this.
    ///
    /// - Throws: what is wrong with the value.
    func validateValue(_ value: inout GraphValue, forKey key: String) throws

    /// Adds a member to a key that holds several; the index matters for ordered keys only.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` if the key
    ///   does not hold members, or if the member has the wrong kind.
    func insertMember(_ member: GraphValue, forKey key: String, at index: Int?) throws

    /// Removes a member from a key that holds several; a value that is not a member is ignored.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` if the key
    ///   does not hold members.
    func removeMember(_ member: GraphValue, forKey key: String) throws

    /// Removes the member at an index of an ordered key, which may hold the same member twice.
    ///
    /// - Throws: as ``removeMember(_:forKey:)``.
    func removeMember(_ member: GraphValue, forKey key: String, at index: Int) throws

    /// The identity, for managed objects.
    var managedObjectID: ManagedObjectID? { get }

    /// The entity's name and those of its ancestors, nearest first; empty for plain objects.
    var entityNames: [String] { get }
}
