public import ObjectModel

/// The IDs of the objects that a save or another process changed; can be sent to other executors.
public struct ObjectIDChanges: Sendable, Hashable {
    public var inserted: Set<ManagedObjectID>
    public var updated: Set<ManagedObjectID>
    public var deleted: Set<ManagedObjectID>

    public init(
        inserted: Set<ManagedObjectID> = [],
        updated: Set<ManagedObjectID> = [],
        deleted: Set<ManagedObjectID> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
