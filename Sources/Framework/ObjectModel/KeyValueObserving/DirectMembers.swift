/// An object that knows the members of some of its keys by their identity, so that it answers
/// questions about them without building a collection of all.
///
/// Every answer is `nil` for a key whose members are not known that way; ask
/// ``KeyValueCoding/value(forKey:)`` then.
package protocol DirectMembers: KeyValueCoding {
    func hasOrderedMembers(forKey key: String) -> Bool?

    /// How many members a key has.
    func memberCount(forKey key: String) -> Int?

    func isMember(_ member: GraphValue, forKey key: String) -> Bool?

    /// The member at an index of an ordered key; traps if the index is out of range.
    func member(at index: Int, forKey key: String) -> GraphValue?

    /// Moves a member of an ordered key; `target` is its index after the move.
    ///
    /// - Returns: `false` if the members of the key are not known that way; then nothing was moved.
    func moveMember(from index: Int, to target: Int, forKey key: String) -> Bool
}
