/// An object that knows the members of some of its keys by their identity, so that it answers for
/// them without making a collection of all.
///
/// Every answer is `nil` for a key whose members are not known that way; then
/// ``KeyValueCoding/value(forKey:)`` tells.
package protocol DirectMembers: KeyValueCoding {
    /// Whether the members of a key have an order.
    func hasOrderedMembers(forKey key: String) -> Bool?

    /// How many members a key has.
    func memberCount(forKey key: String) -> Int?

    /// Whether a value is a member of a key.
    func isMember(_ member: Value, forKey key: String) -> Bool?

    /// The member at a place of an ordered key; traps if there is no such place.
    func member(at index: Int, forKey key: String) -> Value?

    /// Moves a member of an ordered key to the place that it has afterwards.
    ///
    /// - Returns: whether the key's members are known that way; else nothing was moved.
    func moveMember(from index: Int, to target: Int, forKey key: String) -> Bool
}
