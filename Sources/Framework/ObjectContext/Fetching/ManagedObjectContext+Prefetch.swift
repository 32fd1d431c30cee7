public import ObjectModel

extension ManagedObjectContext {
    /// Reads the objects at the end of a key path: one query for each step, and one for the last
    /// rows.
    ///
    /// - Throws: `ObjectGraphError` if a key is not a relationship, or the store's error.
    func prefetch(
        _ keyPath: String,
        from objects: [ManagedObject],
        of entity: EntityDescription
    ) throws {
        var sources = objects
        try followRelationships(keyPath, from: entity) { relationship in
            sources = try destinations(of: relationship, from: sources)
        }
    }

    /// Checks that a key path to be prefetched leads through relationships.
    func checkPrefetching(_ keyPath: String, from entity: EntityDescription) throws {
        try followRelationships(keyPath, from: entity) { _ in }
    }

    private func followRelationships(
        _ keyPath: String,
        from entity: EntityDescription,
        _ body: (RelationshipDescription) throws -> Void
    ) throws {
        var entity = entity
        for key in keyPath.split(separator: ".") {
            guard
                let relationship = entity.ownOrInherited(String(key)) as? RelationshipDescription,
                let destination = relationship.destination
            else {
                let place = "The prefetching of \(entity.name)"
                if let error = UndeclaredKeyPath.error(String(key), in: place) { throw error }
                throw ObjectGraphError(
                    .invalidRequest,
                    "\"\(keyPath)\" cannot be prefetched: \(entity.name) has no relationship "
                        + "\"\(key)\".",
                    key: keyPath
                )
            }
            try body(relationship)
            entity = destination
        }
    }

    private func destinations(
        of relationship: RelationshipDescription,
        from sources: [ManagedObject]
    ) throws -> [ManagedObject] {
        settleBelow()
        let slot = relationship.slot
        let owners = sources.filter { object in
            object.entity.slots.count > slot && object.entity.slots[slot] === relationship
        }
        var ids: [ManagedObjectID] = []
        if relationship.isToMany {
            ids = try loadContents(of: relationship, for: owners)
        } else {
            ids = source.references(slot, of: owners.filter(\.isFault).map(\.objectID))
            for object in owners where !object.isFault {
                if let id = object.reference(slot) { ids.append(id) }
            }
        }
        var seen: Set<ManagedObjectID> = []
        let unique = ids.filter { seen.insert($0).inserted }
        source.loadRows(unique)
        // Links lead to new batches only, so they never form a circle.
        let new = unique.filter { registry.get($0)?.batch == nil }
        let reached = instances(unique)
        var batches: [ManagedObjectID: FetchBatch] = [:]
        for id in new { batches[id] = registry.get(id)?.batch }
        var last: FetchBatch?
        for owner in owners where owner.batch !== last {
            last = owner.batch
            last?.link(batches, over: slot)
        }
        return reached
    }

    /// Reads a to-many relationship of many objects: the result goes to the objects that are
    /// realised, and to the batches of faults.
    private func loadContents(
        of relationship: RelationshipDescription,
        for owners: [ManagedObject]
    ) throws -> [ManagedObjectID] {
        var ids: [ManagedObjectID] = []
        let saved = owners.filter { !$0.objectID.isTemporaryID }
        let found = try readDestinations(of: relationship, owners: saved.map(\.objectID))
        let generation = generationBelow
        for (object, stored) in zip(saved, found) {
            if object.isFault, let batch = object.batch {
                batch.note(stored, of: object.objectID, relationship.slot, generation)
                ids += stored
            } else {
                let contents = object.contents(relationship)
                load(contents, of: object, stored)
                ids += contents.members
            }
        }
        return ids
    }
}

extension EntityDescription {
    /// A property by name; one of a subentity where the entity itself has none.
    fileprivate func ownOrInherited(_ name: String) -> PropertyDescription? {
        if let found = property(named: name) { return found }
        return subentities.lazy.compactMap { $0.ownOrInherited(name) }.first
    }
}

extension ManagedObjectContext {
    /// The objects for IDs, their rows read in one statement for each entity, with the objects at
    /// the end of some key paths.
    ///
    /// - Throws: `ObjectGraphError` if a key path is not a relationship, or the store's error.
    public func objects<T: ManagedObject>(
        _ type: T.Type,
        with ids: some Collection<ManagedObjectID>,
        prefetching keyPaths: [SortKeyPath<T>]
    ) throws -> [T] {
        let ids = Array(ids)
        let entity = try self.entity(of: FetchDescription(entityName: type.entityName))
        source.loadRows(ids)
        let objects = instances(ids)
        for keyPath in keyPaths { try prefetch(keyPath.modelKeyPath(), from: objects, of: entity) }
        return objects.compactMap { $0 as? T }
    }
}
