import ObjectModel

// Rows that another thread has fetched. Between the moment at which that began and the moment at
// which its rows arrive the context goes on: what happens in between is kept, and happens to the
// rows once they are there.

/// The rows that a request finds in the stores, to be handed to a results controller.
package struct FetchedRows: Sendable {
    let rows: SectionedRows

    /// Runs the request of a results controller in the context of a ``SnapshotTask``.
    ///
    /// - Throws: what ``FetchedResultsController/performFetch()`` throws.
    package init<Result: ManagedObject>(
        _ request: FetchRequest<Result>,
        sectionNameKeyPath: String? = nil,
        in context: ManagedObjectContext
    ) throws {
        rows = try ResultsSections(keyPath: sectionNameKeyPath, cache: nil)
            .fetch(request.description, in: context)
    }

    /// The IDs of the rows in order.
    package var ids: ResultsIDs { ResultsIDs(list: rows.list) }
}

/// What happened while the rows were fetched elsewhere.
struct MissedChanges {
    /// What was pending at the beginning, and may be saved by now.
    let pending: [ManagedObject]
    var changes: [ObjectsDidChange] = []
    /// Whether the context was reset, after which nothing that was read before counts.
    var invalidatedAll = false
}

extension FetchedResultsController {
    /// Whether rows are fetched elsewhere that have not arrived.
    package var isLoading: Bool { missed != nil }

    /// Takes note of what happens from now on; to be called before the snapshot is taken.
    package func beginLoading() {
        context.processPendingChanges()
        missed = MissedChanges(pending: context.pending)
        startTracking()
    }

    /// Takes rows that were fetched since ``beginLoading()``, brought up to date.
    ///
    /// ``didChange`` is not called: all rows are new.
    ///
    /// - Throws: what ``performFetch()`` throws, which is done if the context was reset meanwhile.
    package func finishLoading(_ fetched: FetchedRows) throws {
        guard let missed else { return }
        self.missed = nil
        if missed.invalidatedAll { return try performFetch() }
        try takeRows(fetched.rows, then: missed)
    }
}
