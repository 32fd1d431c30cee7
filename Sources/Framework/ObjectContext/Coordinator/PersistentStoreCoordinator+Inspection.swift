public import ObjectStore

extension PersistentStoreCoordinator {
    /// Checks the data of a store: the structure of its file, each row by the rules of the model, the
    /// history and the search index.
    ///
    ///     let inspection = try container.coordinator.inspect(store)
    ///     for finding in inspection.findings { print(finding.message) }
    ///
    /// It reads the present state; reads and saves go on meanwhile.
    ///
    /// - Parameters:
    ///   - store: one of the open stores, of type SQLite.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the inspection.
    /// - Returns: what was found.
    /// - Throws: `ObjectGraphError`: the store is of another type, or cannot be read at all.
    /// - Complexity: O(bytes of the store); 100,000 objects take about two seconds.
    public func inspect(
        _ store: StoreReference,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> StoreInspection {
        let open = try openStore(store)
        let snapshot = try lock.withLock { try open.snapshot() }
        defer { snapshot.close() }
        return try snapshot.inspect(progress: progress)
    }

    /// Repairs what an inspection finds, in one transaction.
    ///
    /// Make a backup first (``backUp(_:to:progress:)``). Changed values of objects are one step of the
    /// history, with the name, which undo reverts. Contexts do not learn of other changes: open the
    /// store again after a repair.
    ///
    /// - Parameters:
    ///   - store: one of the open stores, of type SQLite.
    ///   - name: the name of the step.
    ///   - author: who repairs, for the history.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the repair.
    /// - Returns: what was repaired, and what is found afterwards.
    /// - Throws: `ObjectGraphError`: the file's structure is damaged, the store is read-only or cannot
    ///   be written. Then nothing has changed.
    public func repair(
        _ store: StoreReference,
        name: String,
        author: String? = nil,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> StoreRepair {
        let open = try openStore(store)
        return try lock.withLock {
            try open.repair(name: name, author: author, progress: progress)
        }
    }

    /// What the checksums of the pages say that were read from a store since it was opened.
    ///
    /// - Throws: `ObjectGraphError` if the store does not belong to this coordinator.
    /// - Complexity: O(1).
    public func pageReport(of store: StoreReference) throws -> PageReport {
        let open = try openStore(store)
        return lock.withLock { open.pages }
    }
}
