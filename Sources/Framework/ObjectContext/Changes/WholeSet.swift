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
        var places = objects.makeIterator()
        var mine = places.next()
        for object in other {
            while let former = mine, former !== object, !other.contains(former) {
                leaving.append(former)
                mine = places.next()
            }
            if mine === object || objects.contains(object) {
                mine = places.next()
            } else {
                joining.append(object)
            }
        }
        while let former = mine {
            if !other.contains(former) { leaving.append(former) }
            mine = places.next()
        }
        return (joining, leaving)
    }
}
