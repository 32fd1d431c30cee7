import ObjectModel
public import ObjectStore

/// The effect of undo or redo of saved commands on the present store.
///
/// It is computed by an undo in a scratch context that is then discarded, so it is exact: each
/// object once, with the values before and after, including derived values and the effects of
/// `willSave`. An undo with a preview fails if the store has changed so that the effect would be
/// another one.
public struct HistoryPreview: Equatable {
    /// The commands, in the order in which they are undone or redone.
    public let steps: [HistoryStep]
    /// The change of each object.
    ///
    /// A restored object is an insert with its values; a removed one is a delete.
    public let changes: [HistoryChange]
    /// Changes that cannot be made, because somebody has changed the values since.
    ///
    /// With ``HistoryConflictPolicy/refuse`` nothing is changed then, and ``changes`` is empty.
    public let conflicts: [HistoryConflict]

    /// Whether nothing changes.
    public var isEmpty: Bool { changes.isEmpty }
}

extension ManagedObjectContext {
    /// The effect of undoing the last saved commands; `nil` if there is nothing to undo.
    ///
    /// Cost: as the undo itself, without the write; ``historySize(of:)`` gives the number of
    /// objects first.
    ///
    /// - Throws: what the undo would throw, such as that the history was deleted.
    public func previewUndo(
        steps count: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try preview(try undoSteps(limit: count), policy)
    }

    /// The effect of redoing the last undone commands; `nil` if there is nothing to redo.
    ///
    /// - Throws: what the redo would throw.
    public func previewRedo(
        steps count: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try preview(try redoSteps(limit: count), policy)
    }

    /// How many changes of objects the history has for some commands.
    ///
    /// - Throws: the store's error.
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
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired`` if it was
    ///   deleted.
    func historyTransaction(_ number: Int64, of step: HistoryStep) throws -> HistoryTransaction {
        if let transaction = try historyTransaction(number) { return transaction }
        throw ObjectGraphError(
            .historyExpired,
            "The history of \"\(step.name ?? "this step")\" was deleted; it cannot be "
                + "undone."
        )
    }
}
