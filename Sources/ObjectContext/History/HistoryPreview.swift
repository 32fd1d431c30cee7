import ObjectModel
public import ObjectStore

/// What undo or redo of saved commands would do to the store as it is now.
///
/// Made by doing it in a scratch context that is then thrown away, so it is what will happen: each
/// object concerned once, with the values before and after, what derives from them and what
/// `willSave` does included. Undo takes it back as what is expected, and refuses if the store has
/// changed so that something else would happen.
public struct HistoryPreview: Equatable {
    /// The commands concerned, in the order in which they are taken back or done again.
    public let steps: [HistoryStep]
    /// What happens to each object.
    ///
    /// An object that comes back is an insert and brings its values along; one that goes is a
    /// delete.
    public let changes: [HistoryChange]
    /// What cannot happen, because somebody changed it since.
    ///
    /// With ``HistoryConflictPolicy/refuse`` nothing happens then, and ``changes`` are none.
    public let conflicts: [HistoryConflict]

    /// Whether anything happens.
    public var isEmpty: Bool { changes.isEmpty }
}

extension ManagedObjectContext {
    /// What undo of the last saved commands would do; `nil` if there is nothing to undo.
    ///
    /// Cost: as the undo itself, without the write; ``historySize(of:)`` tells beforehand.
    ///
    /// - Throws: what the undo would throw, such as that the history was trimmed.
    public func previewUndo(
        steps count: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try preview(try undoSteps(limit: count), policy)
    }

    /// What redo of the last undone commands would do; `nil` if there is nothing to redo.
    public func previewRedo(
        steps count: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try preview(try redoSteps(limit: count), policy)
    }

    /// How many objects the history has noted for some commands.
    public func historySize(of steps: [HistoryStep]) throws -> Int {
        try coordinator.withHistoryStore { store in
            try steps.flatMap(\.transactions).reduce(0) {
                $0 + (try store.historySize(of: $1))
            }
        } ?? 0
    }

    private func preview(
        _ steps: [HistoryStep],
        _ policy: HistoryConflictPolicy
    ) throws -> HistoryPreview? {
        if steps.isEmpty { return nil }
        let scratch = ManagedObjectContext(coordinator: coordinator)
        var inversion = HistoryInversion(context: scratch, policy: policy)
        for step in steps {
            for number in step.transactions {
                inversion.apply(try coordinator.historyTransaction(number, of: step))
                if policy == .refuse, !inversion.conflicts.isEmpty {
                    let conflicts = inversion.conflicts
                    return HistoryPreview(steps: steps, changes: [], conflicts: conflicts)
                }
            }
        }
        try scratch.prepareToSave()
        return HistoryPreview(
            steps: steps,
            changes: try scratch.pendingChanges(),
            conflicts: inversion.conflicts
        )
    }

    /// The pending changes as the history would note them.
    private func pendingChanges() throws -> [HistoryChange] {
        var recorder = HistoryRecorder { $0 }
        for (_, plan) in try makePlans(TransactionInfo()).plans {
            for change in plan.deleted {
                let values = UnsafeBufferPointer(
                    start: change.snapshot ?? change.slots,
                    count: change.entity.slots.count
                )
                recorder.delete(change, row: Array(values), links: [], orders: [])
            }
            for change in plan.inserted { recorder.insert(change) }
            for change in plan.updated { recorder.update(change) }
            for link in plan.links { recorder.link(link) }
        }
        return recorder.changes
    }
}

extension PersistentStoreCoordinator {
    /// A transaction of a step.
    ///
    /// - Throws: `ObjectGraphError` if it is in the history no more.
    func historyTransaction(
        _ number: Int64,
        of step: HistoryStep
    ) throws -> HistoryTransaction {
        if let transaction = try historyTransaction(number) { return transaction }
        throw ObjectGraphError(
            .historyExpired,
            "The history of \"\(step.name ?? "this step")\" was trimmed; it cannot be "
                + "undone any more."
        )
    }
}
