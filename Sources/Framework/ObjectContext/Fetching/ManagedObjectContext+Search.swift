public import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// The objects that have every word of a text in one of their searched attributes, or in a
    /// related text, in order.
    ///
    /// Case, accents and extra white space are ignored; an empty text finds everything. The model's
    /// Spotlight flag marks the searched attributes. The store's index is used where there is one,
    /// unless the context has pending changes.
    ///
    /// - Parameters:
    ///   - text: the words.
    ///   - entityName: the entity of the results, subentities included.
    ///   - relatedKeyPaths: searched texts of related objects, such as `list.name`.
    ///   - predicate: an additional condition.
    ///   - sortDescriptors: the order of the results.
    ///   - limit: the greatest number of results; 0 = all.
    /// - Returns: the IDs, in the order of the sort descriptors.
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or the store's error.
    /// - Complexity: with an index about O(candidates), else O(rows).
    public func search(
        _ text: String,
        entityName: String,
        relatedKeyPaths: [String] = [],
        matching predicate: FetchPredicate? = nil,
        sortDescriptors: [FetchSortDescriptor] = [],
        limit: Int = 0
    ) throws -> [ManagedObjectID] {
        try search(
            text,
            FetchDescription(
                entityName: entityName,
                predicate: predicate,
                sortDescriptors: sortDescriptors
            ),
            relatedKeyPaths,
            limit
        )
    }

    /// The objects of a class that have every word of a text in one of their searched attributes,
    /// or in a related text, in order.
    ///
    ///     let ids = try context.search(
    ///         "beatles yesterday", in: Song.self, related: \.album.name, where: \.rating > 3,
    ///         sortedBy: \.title)
    ///
    /// - Parameters:
    ///   - text: the words.
    ///   - type: the class, subclasses included.
    ///   - related: texts of related objects that count too.
    ///   - condition: a condition besides.
    ///   - order: the order of the results.
    ///   - limit: the most results; 0 = all.
    /// - Returns: the IDs found, in order.
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property, or the
    ///   store's error.
    public func search<Root: ManagedObject>(
        _ text: String,
        in type: Root.Type,
        related: SortKeyPath<Root>...,
        where condition: Condition<Root>? = nil,
        sortedBy order: SortKeyPath<Root>...,
        limit: Int = 0
    ) throws -> [ManagedObjectID] {
        try search(
            text,
            FetchRequest<Root>(condition?.predicate, order).description,
            related.map { $0.modelKeyPath() },
            limit
        )
    }

    private func search(
        _ text: String,
        _ request: FetchDescription,
        _ relatedKeyPaths: [String],
        _ limit: Int
    ) throws -> [ManagedObjectID] {
        settleBelow()
        processPendingChanges()
        var description = request
        description.limit = limit
        let entity = try checkedEntity(of: description)
        let check = requestCheck("a search", of: entity)
        for keyPath in relatedKeyPaths { try check.check(keyPath: keyPath, as: "related key path") }
        var plan = SearchPlan(entity, text)
        plan.relatedKeyPaths = relatedKeyPaths
        plan.predicate = request.predicate
        plan.sortDescriptors = request.sortDescriptors
        plan.limit = limit
        plan.loadsRows = false
        let stores = try source.storesToRead(entity)
        if stores.count == 1, !hasPendingAnywhere {
            let answer = try source.search(plan, in: stores[0])
            if answer.isComplete { return answer.ids }
        }
        description.predicate = plan.condition
        return try fetchIDs(description)
    }
}

extension PersistentStoreCoordinator {
    func search(_ plan: SearchPlan, in store: any PersistentStore) throws -> FetchAnswer {
        try lock.withLock { try store.search(plan) }
    }

    /// Moves the stores' logs into their files, after a large import and when the program is idle.
    public func checkpoint() throws {
        try lock.withLock { for store in openStores { try store.checkpoint() } }
    }

    /// Frees what the stores keep of their files to read them less often, up to 8 MB each, after work
    /// that read much once.
    ///
    /// Rows stay; see ``rowCacheLimit``.
    public func releaseMemory() {
        lock.withLock { for store in openStores { store.releaseMemory() } }
    }

    /// Runs work with very large saves: with more memory for the stores, and one checkpoint at its
    /// end instead of many.
    public func importing<Result>(_ body: () throws -> Result) throws -> Result {
        try lock.withLock { for store in openStores { try store.setImporting(true) } }
        do {
            let result = try body()
            try lock.withLock { for store in openStores { try store.setImporting(false) } }
            return result
        } catch {
            lock.withLock { for store in openStores { try? store.setImporting(false) } }
            throw error
        }
    }
}
