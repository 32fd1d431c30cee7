import ObjectModel
import ObjectStore

extension RelationshipDescription {
    /// Whether the members of this to-many relationship have to be written: not if the other side
    /// says the same.
    var isWritten: Bool {
        if !isToMany { return false }
        guard let inverse else { return true }
        if isOrdered { return true }
        if !inverse.isToMany || inverse.isOrdered { return false }
        if inverse === self { return true }
        // One of the two sides, always the same one.
        let own = entity?.number ?? 0
        let other = inverse.entity?.number ?? 0
        return own == other ? name <= inverse.name : own < other
    }
}

extension AtomicStoreCacheNode {
    /// The destinations of a relationship.
    func destinations(_ relationship: RelationshipDescription) throws -> [ManagedObjectID] {
        let value = try value(forKey: relationship.name)
        if case .objectID(let id) = value { return [id] }
        return (value.elements ?? []).compactMap { element in
            if case .objectID(let id) = element { return id }
            return nil
        }
    }
}
