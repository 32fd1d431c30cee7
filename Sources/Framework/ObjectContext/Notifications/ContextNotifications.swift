import ObjectModel
import ObjectStore

/// A list of objects that becomes a set at the first access: an event with a hundred thousand
/// insertions and no observer hashes none of them.
final class ObjectList {
    let objects: [ManagedObject]
    private(set) lazy var set = Set(objects)

    init(_ objects: [ManagedObject]) { self.objects = objects }
}

/// The slots that an event changed, computed at the first access.
final class EventSlots {
    private let updates: [ChangeRecord.Update]
    private let refreshes: [PendingChanges.Refresh]
    /// Those of a refreshed object are `nil` if one of its refreshes does not know them.
    private(set) lazy var byObject: [ObjectIdentifier: SlotSet?] = {
        var result: [ObjectIdentifier: SlotSet?] = [:]
        for update in updates {
            var slots = result[ObjectIdentifier(update.object), default: nil] ?? SlotSet()
            for value in update.values { slots.insert(value.slot) }
            for delta in update.deltas { slots.insert(delta.slot) }
            result[ObjectIdentifier(update.object)] = slots
        }
        for refresh in refreshes {
            var slots = result[ObjectIdentifier(refresh.object), default: SlotSet()]
            if let changed = refresh.slots {
                for slot in changed { slots?.insert(slot) }
            } else {
                slots = nil
            }
            result.updateValue(slots, forKey: ObjectIdentifier(refresh.object))
        }
        return result
    }()

    init(_ updates: [ChangeRecord.Update], _ refreshes: [PendingChanges.Refresh]) {
        (self.updates, self.refreshes) = (updates, refreshes)
    }
}

/// The changes of one event in a context; the context posts it once per event.
///
/// The sets are disjoint, except that a refreshed object can also be updated. They are made when
/// first read.
public struct ObjectsDidChange: GraphNotification {
    public static let name: NotificationName = "ObjectsDidChange"

    public let context: ManagedObjectContext
    private let insertedList: ObjectList
    private let updatedList: ObjectList
    private let deletedList: ObjectList
    private let refreshedList: ObjectList
    private let invalidatedList: ObjectList
    /// Whether the context was reset, so that every object is unusable.
    public let invalidatedAll: Bool
    private let slots: EventSlots

    public var inserted: Set<ManagedObject> { insertedList.set }
    public var updated: Set<ManagedObject> { updatedList.set }
    public var deleted: Set<ManagedObject> { deletedList.set }
    /// Objects whose values were read again, by a refresh or a merge.
    public var refreshed: Set<ManagedObject> { refreshedList.set }
    /// Objects that lost their pending changes and values.
    public var invalidated: Set<ManagedObject> { invalidatedList.set }

    public var sender: ManagedObjectContext? { context }

    init(
        context: ManagedObjectContext,
        inserted: [ManagedObject] = [],
        updated: [ManagedObject] = [],
        deleted: [ManagedObject] = [],
        refreshed: [PendingChanges.Refresh] = [],
        invalidated: [ManagedObject] = [],
        invalidatedAll: Bool = false,
        updates: [ChangeRecord.Update] = []
    ) {
        self.context = context
        slots = EventSlots(updates, refreshed)
        insertedList = ObjectList(inserted)
        updatedList = ObjectList(updated)
        deletedList = ObjectList(deleted)
        refreshedList = ObjectList(refreshed.map(\.object))
        invalidatedList = ObjectList(invalidated)
        self.invalidatedAll = invalidatedAll
    }

    /// The slots of an object that the event changed; `nil` if unknown, and in an event with
    /// refreshed objects, on which the places of others may depend.
    func changedSlots(of object: ManagedObject) -> SlotSet? {
        refreshedList.objects.isEmpty ? slots.byObject[ObjectIdentifier(object)] ?? nil : nil
    }

    /// The names of the properties of an updated or refreshed object that the event changed; `nil` if
    /// they are not known, as those of a refreshed fault.
    ///
    /// A to-many relationship that will be read again counts as changed.
    ///
    /// - Complexity: O(properties of the entity).
    public func changedKeys(of object: ManagedObject) -> Set<String>? {
        guard let changed = slots.byObject[ObjectIdentifier(object)] ?? nil else { return nil }
        let slots = object.entity.slots
        return Set(slots.indices.lazy.filter(changed.contains).map { slots[$0].name })
    }

    var isEmpty: Bool {
        insertedList.objects.isEmpty && updatedList.objects.isEmpty && deletedList.objects.isEmpty
            && refreshedList.objects.isEmpty && invalidatedList.objects.isEmpty && !invalidatedAll
    }
}

/// Posted by a context before it saves, while its changes are still pending.
public struct ContextWillSave: GraphNotification {
    public static let name: NotificationName = "ContextWillSave"

    public let context: ManagedObjectContext

    public var sender: ManagedObjectContext? { context }
}

/// Posted by a context after a successful save.
///
/// The sets are made when first read.
public struct ContextDidSave: GraphNotification {
    public static let name: NotificationName = "ContextDidSave"

    public let context: ManagedObjectContext
    let insertedList: ObjectList
    let updatedList: ObjectList
    let deletedList: ObjectList
    /// The numbers of the history transactions, by the identifier of their store.
    public let transactions: [String: Int64]

    public var inserted: Set<ManagedObject> { insertedList.set }
    public var updated: Set<ManagedObject> { updatedList.set }
    public var deleted: Set<ManagedObject> { deletedList.set }

    public var sender: ManagedObjectContext? { context }

    init(
        context: ManagedObjectContext,
        inserted: [ManagedObject],
        updated: [ManagedObject],
        deleted: [ManagedObject],
        transactions: [String: Int64]
    ) {
        self.context = context
        insertedList = ObjectList(inserted)
        updatedList = ObjectList(updated)
        deletedList = ObjectList(deleted)
        self.transactions = transactions
    }

    /// The IDs of the saved objects, which can be sent to another executor.
    ///
    /// Cost: one pass over the objects, at each call.
    public var changes: ObjectIDChanges {
        ObjectIDChanges(
            inserted: Set(insertedList.objects.map(\.objectID)),
            updated: Set(updatedList.objects.map(\.objectID)),
            deleted: Set(deletedList.objects.map(\.objectID))
        )
    }
}
