import DocketCore
import ObjectGraph

// A short list is fetched at once. A long one is fetched on another thread, while its first items
// are on the screen; later saves are added when all items have arrived.

/// A running fetch of a long list.
struct ItemsLoading {
    struct Answer: Sendable {
        let rows: FetchedRows
        let parents: [ManagedObjectID: ManagedObjectID]
    }

    let task: SnapshotTask<Answer>
    let results: FetchedResultsController<Item>
    /// The parents of tasks that have changed since the start.
    var parents: [ManagedObjectID: ManagedObjectID?] = [:]
}

extension ItemsController {
    /// More than fit on a screen, so that the first frame is the same with all of them.
    private static let firstCount = 256
    /// How long to wait for a list without first items before it is shown empty.
    private static let patience = Duration.milliseconds(25)

    /// Whether items are missing that are still being fetched.
    var isIncomplete: Bool { firstRows != nil }

    /// Whether all items have arrived and can be shown.
    var hasLoaded: Bool { loading?.task.isDone ?? false }

    /// Fetches the items of the query; the caller builds the lines.
    ///
    /// - Parameter keepsOld: whether the old items stay on the screen until all have arrived.
    /// - Throws: the store's error.
    func fetch(keepsOld: Bool) throws {
        loading?.task.cancel()
        loading = nil
        let query = query
        guard try mayBeMany(query.scope) else { return try fetchAll(query) }
        let keepsOld = keepsOld && results != nil
        let first = keepsOld ? nil : try firstRows(of: query)
        if let first, first.count < Self.firstCount { return try fetchAll(query) }
        if !keepsOld {
            results = nil
            firstRows = first ?? ResultsIDs()
        }
        try load(query)
        if first == nil {
            loading?.task.wait(atMost: Self.patience)
            if hasLoaded { try takeLoaded() }
        }
    }

    private func mayBeMany(_ scope: Scope) throws -> Bool {
        // Of some days there are few.
        if case .days = scope { return false }
        return try (expectedCount(scope) ?? Int(library.largestNumber())) > itemsAtOnce
    }

    private func fetchAll(_ query: ItemsQuery) throws {
        let results = try controller(query)
        try results.performFetch()
        firstRows = nil
        self.results = results
        parents = try query.parents(in: library.context)
        for case let task as Task in library.context.updatedObjects.union(
            library.context.insertedObjects
        ) where query.isTree {
            parents[task.objectID] = task.parent?.objectID
        }
    }

    private func controller(_ query: ItemsQuery) throws -> FetchedResultsController<Item> {
        let results = try FetchedResultsController(
            request: query.request(),
            context: library.context
        )
        results.didChange = { [weak self] _ in self?.isStale = true }
        return results
    }

    /// The first items; `nil` if finding them costs as much as finding all.
    private func firstRows(of query: ItemsQuery) throws -> ResultsIDs? {
        guard query.hasFirstItems, try areDense(query.scope) else { return nil }
        var request = query.request()
        request.limit = Self.firstCount
        let objects = try library.context.fetch(request)
        parents = [:]
        for case let task as Task in objects where query.isTree {
            parents[task.objectID] = task.parent?.objectID
        }
        return ResultsIDs(objects.map(\.objectID))
    }

    /// Whether a walk along the order finds the scope's first items soon.
    private func areDense(_ scope: Scope) throws -> Bool {
        switch scope {
        case .smart(.all), .list: return true
        default:
            guard let count = expectedCount(scope) else { return false }
            return count * 16 > Int(try library.largestNumber())
        }
    }

    private func load(_ query: ItemsQuery) throws {
        let results = try controller(query)
        results.beginLoading()
        let task = background.start("items") { context in
            ItemsLoading.Answer(
                rows: try FetchedRows(query.request(), in: context),
                parents: try query.parents(in: context)
            )
        }
        loading = ItemsLoading(task: task, results: results)
    }

    /// Waits for all items, for commands that need more than the first ones.
    func complete() throws {
        guard let loading else { return }
        loading.task.wait()
        try takeLoaded()
        makeLines(keeping: true)
    }

    private func takeLoaded() throws {
        guard let loading else { return }
        self.loading = nil
        guard case .success(let answer)? = loading.task.result else { return try fetchAll(query) }
        try loading.results.finishLoading(answer.rows)
        results = loading.results
        firstRows = nil
        parents = answer.parents
        for (id, parent) in loading.parents { parents[id] = parent }
    }
}
