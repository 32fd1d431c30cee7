// Rows that another thread has fetched. Between the start of that fetch and the arrival of its rows
// the context continues: the changes in between are collected, and applied to the rows when they
// arrive.

/// The rows of a request in the stores, for a results controller.
public struct FetchedRows: Sendable {
    let rows: SectionedRows

    /// Runs the request of a results controller in the context of a ``SnapshotTask``.
    ///
    /// - Throws: what ``FetchedResultsController/performFetch()`` throws.
    public init<Result: ManagedObject>(
        _ request: FetchRequest<Result>,
        sectionNameKeyPath: String? = nil,
        in context: ManagedObjectContext
    ) throws {
        rows = try ResultsSections(keyPath: sectionNameKeyPath, cache: nil)
            .fetch(request.description, in: context)
    }

    /// The IDs of the rows in order.
    public var ids: ResultsIDs { ResultsIDs(list: rows.list) }
}

/// The changes during a fetch on another thread.
struct MissedChanges {
    /// The objects that were pending at the start; they may be saved by now.
    let pending: [ManagedObject]
    var changes: [ObjectsDidChange] = []
    /// Whether the context was reset; values that were read before are invalid then.
    var invalidatedAll = false
}

extension FetchedResultsController {
    /// Whether a fetch on another thread is running.
    public var isLoading: Bool { missed != nil }

    /// Collects changes from now on; call it before the snapshot is taken.
    public func beginLoading() {
        context.processPendingChanges()
        missed = MissedChanges(pending: context.pending.objects)
        startTracking()
    }

    /// Takes rows that were fetched since ``beginLoading()``, and applies the collected changes.
    ///
    /// ``didChange`` is not called: all rows are new.
    ///
    /// - Throws: what ``performFetch()`` throws, which is called if the context was reset.
    public func finishLoading(_ fetched: FetchedRows) throws {
        guard let missed else { return }
        self.missed = nil
        if missed.invalidatedAll { return try performFetch() }
        try takeRows(fetched.rows, then: missed)
    }
}
