public import ObjectModel

/// What one event changed in a context; posted once per event, by the context.
///
/// The sets are disjoint, except that a refreshed object can also be updated.
public struct ObjectsDidChange: GraphNotification {
    public static let name: NotificationName = "ObjectsDidChange"

    public let context: ManagedObjectContext
    public let inserted: Set<ManagedObject>
    public let updated: Set<ManagedObject>
    public let deleted: Set<ManagedObject>
    /// Objects whose values were read anew, by a refresh or a merge.
    public let refreshed: Set<ManagedObject>
    /// Objects that lost their pending changes and values.
    public var invalidated: Set<ManagedObject> = []
    /// Whether the context was reset, so that every object is unusable.
    public var invalidatedAll = false

    public var sender: AnyObject? { context }

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
            && invalidated.isEmpty && !invalidatedAll
    }
}

/// Posted by a context before it saves, while its changes are still pending.
public struct ContextWillSave: GraphNotification {
    public static let name: NotificationName = "ContextWillSave"

    public let context: ManagedObjectContext

    public var sender: AnyObject? { context }
}

/// Posted by a context after a successful save.
public struct ContextDidSave: GraphNotification {
    public static let name: NotificationName = "ContextDidSave"

    public let context: ManagedObjectContext
    public let inserted: Set<ManagedObject>
    public let updated: Set<ManagedObject>
    public let deleted: Set<ManagedObject>
    /// What was saved, by identity.
    public let changes: ObjectIDChanges
    /// The numbers of the history transactions, by the identifier of their store.
    public let transactions: [String: Int64]

    public var sender: AnyObject? { context }
}

/// The identities of what a save or another process changed; may cross between executors.
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
