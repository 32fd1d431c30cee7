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
        processPendingChanges()
        var description = FetchDescription(
            entityName: entityName,
            predicate: predicate,
            sortDescriptors: sortDescriptors
        )
        description.limit = limit
        let entity = try checkedEntity(of: description)
        let check = requestCheck("a search", of: entity)
        for keyPath in relatedKeyPaths { try check.check(keyPath: keyPath, as: "related key path") }
        var plan = SearchPlan(entity, text)
        plan.relatedKeyPaths = relatedKeyPaths
        plan.predicate = predicate
        plan.sortDescriptors = sortDescriptors
        plan.limit = limit
        plan.loadsRows = false
        let stores = source.stores(holding: entity)
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
    package func checkpoint() throws {
        try lock.withLock { for store in openStores { try store.checkpoint() } }
    }

    /// Runs work with very large saves: with more memory for the stores, and one checkpoint at its
    /// end instead of many.
    package func importing<Result>(_ body: () throws -> Result) throws -> Result {
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
