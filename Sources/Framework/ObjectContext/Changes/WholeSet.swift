/// The members of a relationship as they were set as a whole.
struct WholeSet<Object: AnyObject & Hashable> {
    let objects: Set<Object>
    /// The class that the compiler knew all of them to be of.
    let type: Object.Type
    /// How many objects had left the context; more than that, and one of these may be among them.
    let departures: Int

    /// What another set has more than these, and what it lacks.
    ///
    /// An edited copy of a set has its members at the same places. So walking along both finds what
    /// differs, and only that is looked up.
    ///
    /// - Complexity: O(members), and twice that in look-ups if the sets are laid out differently.
    func difference(
        to other: Set<Object>
    ) -> (joining: [Object], leaving: [Object]) {
        var joining: [Object] = []
        var leaving: [Object] = []
        var places = addresses(objects).makeIterator()
        var mine = places.next()
        for address in addresses(other) {
            while let former = mine, former != address, !other.contains(object(former)) {
                leaving.append(object(former))
                mine = places.next()
            }
            if mine == address || objects.contains(object(address)) {
                mine = places.next()
            } else {
                joining.append(object(address))
            }
        }
        while let former = mine {
            if !other.contains(object(former)) { leaving.append(object(former)) }
            mine = places.next()
        }
        return (joining, leaving)
    }

    /// The same set seen as addresses, only to walk along it: a walk along the objects retains and
    /// releases each of them, which reads memory at as many places.
    ///
    /// Safety: a reference is an address, and a walk compares and hashes nothing.
    private func addresses(_ set: Set<Object>) -> Set<UnsafeRawPointer> {
        unsafeBitCast(set, to: Set<UnsafeRawPointer>.self)
    }

    // Safety: one of the two sets holds it.
    private func object(_ address: UnsafeRawPointer) -> Object {
        Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
    }
}
