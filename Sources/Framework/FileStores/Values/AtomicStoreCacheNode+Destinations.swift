import ObjectModel
import ObjectStore

extension AtomicStoreCacheNode {
    func destinations(_ relationship: RelationshipDescription) throws -> [ManagedObjectID] {
        let value = try value(forKey: relationship.name)
        if case .objectID(let id) = value { return [id] }
        return (value.elements ?? []).compactMap { element in
            if case .objectID(let id) = element { return id }
            return nil
        }
    }
}
