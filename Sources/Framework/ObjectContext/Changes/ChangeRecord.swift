import ObjectModel

/// The changes of one event, with the old values: one undo operation.
final class ChangeRecord {
    struct Update {
        let object: ManagedObject
        /// Attributes and to-one relationships with their values before.
        var values: [(slot: Int, value: GraphValue)] = []
        var deltas: [ToManyDelta] = []

        var isEmpty: Bool { values.isEmpty && deltas.isEmpty }
    }

    var inserted: [ManagedObject] = []
    var deleted: [ManagedObject] = []
    var updates: [Update] = []
    /// Changed by a refresh or a merge; not undone.
    var refreshed: [PendingChanges.Refresh] = []
    var mergedInserts: [ManagedObject] = []
    var mergedDeletes: [ManagedObject] = []

    /// Whether there is nothing to undo.
    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updates.isEmpty }
}
