public import ObjectModel
public import ObjectStore

// Stored values of many objects, read without an instance for each: for exports, which read every
// object once. Pending changes are ignored.

extension ManagedObjectContext {
    /// Calls the body with the row of each ID that has one, in their order; all are of one store.
    ///
    /// The reader is valid only during the call. Rows that had to be read stay in the row cache
    /// only if `keepsRows` is true; a pass over everything would fill the cache without use. With
    /// `isFresh`, cached rows are skipped, because another process may have written since.
    public func forEachRow(
        of ids: [ManagedObjectID],
        keepsRows: Bool = true,
        isFresh: Bool = false,
        _ body: (ManagedObjectID, RowReader) throws -> Void
    ) throws {
        guard let first = ids.first else { return }
        try source.checkCanRead(first)
        try source.withStore(of: first) { store in
            let missing = isFresh ? ids : ids.filter { !store.rows.contains($0) }
            var passing: RowCache?
            if !missing.isEmpty {
                if keepsRows, !isFresh {
                    try store.load(missing)
                } else {
                    let rows = RowCache()
                    try store.read(missing, into: rows)
                    passing = rows
                }
            }
            var entity: EntityDescription?
            var layout: RowLayout?
            for id in ids {
                let cached = isFresh ? nil : store.rows.blob(id)
                guard let blob = cached ?? passing?.blob(id) else { continue }
                if entity?.number != id.entityNumber {
                    entity = coordinator.entity(of: id)
                    layout = entity.map { store.layout($0) }
                }
                if let layout { try body(id, RowReader(blob, layout)) }
            }
        }
    }

    /// The saved destinations of a to-many relationship for each owner, in a constant number of
    /// statements for each some hundred owners.
    ///
    /// - Throws: `ObjectGraphError` if the entity does not have this relationship, or the store's
    ///   error.
    public func savedDestinations<Owner: ManagedObject>(
        of keyPath: SortKeyPath<Owner>,
        in type: Owner.Type,
        for owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        let key = keyPath.modelKeyPath()
        let entity = try self.entity(of: FetchDescription(entityName: type.entityName))
        guard let relationship = entity.property(named: key) as? RelationshipDescription else {
            throw ObjectGraphError(
                .invalidRequest,
                "\(type.entityName) has no relationship \"\(key)\".",
                key: key
            )
        }
        return try source.destinations(of: relationship, owners: owners)
    }

    /// Reads some objects with the members of their to-many relationships, and what some fetches ask
    /// for, in one round trip, so that asking for it later takes none.
    ///
    /// Does something only where the coordinator
    /// ``PersistentStoreCoordinator/answersFromMemory``.
    ///
    /// - Parameters:
    ///   - keys: the names of the relationships; those that an object does not have are left out.
    ///   - ids: saved objects.
    ///   - requests: the descriptions of fetches of objects or values.
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or the store's error.
    public func readAhead(
        _ keys: [String] = [],
        of ids: [ManagedObjectID] = [],
        answering requests: [FetchDescription] = []
    ) throws {
        guard source.answersFromMemory else { return }
        let plans = try requests.map { request in
            request.resultType == .dictionaries
                ? FetchPlan(request: request, entity: try checkedEntity(of: request))
                : try prepare(request).plan
        }
        try source.learn(ids, keys: Set(keys), plans)
    }
}
