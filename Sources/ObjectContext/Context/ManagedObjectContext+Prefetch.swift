package import ObjectModel

extension ManagedObjectContext {
    /// Reads what a key path leads to from some objects: one query for each step.
    func prefetch(_ keyPath: String, from objects: [ManagedObject]) {
        var sources = objects
        for key in keyPath.split(separator: ".") {
            guard let first = sources.first,
                let relationship = first.entity.property(named: String(key))
                    as? RelationshipDescription
            else { return }
            sources = destinations(of: relationship, from: sources)
        }
    }

    private func destinations(
        of relationship: RelationshipDescription,
        from sources: [ManagedObject]
    ) -> [ManagedObject] {
        let slot = relationship.slot
        let saved = sources.filter { !$0.objectID.isTemporaryID }
        var ids: [ManagedObjectID] = []
        if relationship.isToMany {
            let owners = saved.map(\.objectID)
            let found = (try? coordinator.destinations(of: relationship, owners: owners)) ?? []
            for (object, stored) in zip(saved, found) {
                object.contents(relationship).load(stored)
                ids += stored
            }
        } else {
            for object in saved {
                if case .objectID(let id) = object.read(slot) { ids.append(id) }
            }
        }
        var seen: Set<ManagedObjectID> = []
        let unique = ids.filter { seen.insert($0).inserted }
        coordinator.loadRows(unique)
        return instances(unique)
    }
}

extension ManagedObjectContext {
    /// The objects for IDs, their rows read in one statement for each entity, with what some key
    /// paths lead to.
    package func objects<T: ManagedObject>(
        _ type: T.Type, with ids: some Collection<ManagedObjectID>, prefetching keyPaths: [String]
    ) -> [T] {
        let ids = Array(ids)
        coordinator.loadRows(ids)
        let objects = instances(ids)
        for keyPath in keyPaths { prefetch(keyPath, from: objects) }
        return objects.compactMap { $0 as? T }
    }
}
