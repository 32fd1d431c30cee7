import ObjectModel
import ObjectStore

/// The changes of one event, with the old values: one undo operation.
final class ChangeRecord {
    struct Update {
        let object: ManagedObject
        /// Attributes and to-one relationships with their values before.
        var values: [(slot: Int, value: GraphValue)] = []
        var deltas: [ToManyDelta] = []

        var isEmpty: Bool { values.isEmpty && deltas.isEmpty }
    }

    struct Refresh {
        let object: ManagedObject
        /// What has changed; `nil` if that is not known.
        let slots: SlotSet?
    }

    var inserted: [ManagedObject] = []
    var deleted: [ManagedObject] = []
    var updates: [Update] = []
    /// Changed by a refresh or a merge; not undone.
    var refreshed: [Refresh] = []
    var mergedInserts: [ManagedObject] = []
    var mergedDeletes: [ManagedObject] = []

    /// Whether there is nothing to undo.
    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updates.isEmpty }
}
