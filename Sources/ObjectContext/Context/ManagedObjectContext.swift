public import ObjectModel
import ObjectStore

/// A scratch pad of objects over a coordinator: it registers instances, tracks changes, undoes
/// them and saves them as one transaction.
///
/// Split by concern into the files `ManagedObjectContext+….swift`.
///
/// A context and its objects are not `Sendable`: they stay on one executor, and only object IDs are
/// passed to others. ``BackgroundContext`` is a context with its own thread. Debug builds check at
/// run time what the compiler cannot check: see `Confinement`.
///
/// Definitions:
/// - *event*: the changes between two calls of ``processPendingChanges()``. The program's event
///   loop calls it after each command; save, fetch, undo and `hasChanges` call it too.
/// - *pending*: not saved.
///
/// Invariants:
/// 1. `eventInserted`, `eventChanged` and `eventDeleted` hold the objects of this event.
/// 2. `pending` holds a strong reference to every object with a pending change, once; an object
///    whose change was reverted is removed at the next use of the list.
/// 3. `aliases` maps each temporary ID of this context that became permanent.
///
/// A context may have a *parent*: see ``init(parent:)``.
///
/// Rules (ours, where Core Data's behaviour is unclear):
/// - A value that another event sets back leaves the object among ``updatedObjects``, without
///   changed values; no row is written for it. A value that is set back within the event, or by
///   undo, leaves nothing.
/// - A change of transient attributes alone is a change: ``hasChanges`` is true, a save calls the
///   hooks and writes nothing.
/// - Undo continues across saves. The undo of a saved deletion inserts the row again under its old
///   ID.
/// - A merge updates cached rows also where no object is registered.
public final class ManagedObjectContext {
    public let coordinator: PersistentStoreCoordinator
    /// The context from which this one reads and to which it saves; `nil` for the stores.
    public let parent: ManagedObjectContext?
    /// Undo of unsaved edits; `nil` by default, and then nothing is recorded.
    public var undoManager: UndoManager? {
        willSet {
            processPendingChanges()
        }
        didSet {
            observeCheckpoints()
        }
    }
    /// A name for history and messages.
    public var name: String?
    /// The author of the changes, for the history.
    public var transactionAuthor: String?
    /// What a save does when somebody else has changed a row in the meantime.
    public var mergePolicy = MergePolicy.error
    /// What a save does when objects collide under a uniqueness constraint; `nil` to follow
    /// ``mergePolicy``.
    ///
    /// Use ``MergePolicy/error`` for a context that assigns unique values itself: two objects with
    /// one number are different objects then, and must not be merged. Only a root compares; a
    /// child's new objects collide when the root saves.
    public var constraintPolicy: MergePolicy?
    /// Whether delete rules are applied at the end of the event, not only on save.
    public var propagatesDeletesAtEndOfEvent = true
    /// Whether the context also retains unchanged objects.
    public var retainsRegisteredObjects = false {
        didSet {
            retained = retainsRegisteredObjects ? identity.objects : []
        }
    }
    /// How long a cached row is used without reading it again; `nil` = always, `.zero` = never.
    public var stalenessInterval: Duration?
    /// The center to which this context posts its notifications.
    public let notifications = GraphNotificationCenter.default

    let confinement = Confinement()
    let identity = IdentityMap<ManagedObject>()
    /// The observers of keys of this context's objects.
    let observed = ObservedObjects()
    var retained: [ManagedObject] = []
    /// The permanent IDs of objects that had a temporary one, by its key.
    private let aliases = PageTable()
    var pending: [ManagedObject] = []
    /// The stores that were assigned to new objects.
    var assignments: [ManagedObject: any PersistentStore] = [:]
    /// Unchanged objects that the next save checks for conflicts.
    var guarded: [(object: ManagedObject, version: Int64)] = []
    /// The derived values that the running save has computed.
    var derivedChanges: [DerivedChange<ManagedObject>] = []
    var eventInserted: [ManagedObject] = []
    var eventChanged: [ManagedObject] = []
    var eventDeleted: [ManagedObject] = []
    /// Objects that a refresh or merge changed in this event.
    var eventRefreshed: [ManagedObject] = []
    /// Removed by undo or rollback in this event; for the change record and the notification.
    var eventRemoved: [ManagedObject] = []
    var eventRestored: [ManagedObject] = []
    /// The dependencies of this context's results controllers: a merge reports these objects even
    /// if they are not registered.
    var watchers: [ObjectIdentifier: FetchDependencies] = [:]
    var isProcessing = false
    var checkpoints: (center: GraphNotificationCenter, token: GraphNotificationCenter.Token)?
    /// The store's error of the last fault that could not be filled.
    ///
    /// A property cannot throw, so its value reads `nil` then; ``existingObject(with:)`` throws.
    public internal(set) var lastFaultError: (any Error)?
    /// Objects to report as inserted because a merge brought them.
    var eventMergedInserts: [ManagedObject] = []
    var eventMergedDeletes: [ManagedObject] = []
    /// What a root reads while it is pinned, instead of the coordinator.
    var pinned: PersistentStoreCoordinator?
    /// Contexts with this one as their parent.
    var children: [Child] = []
    /// Increases with each change of a to-many relationship.
    var linkEdits = 0
    /// Whether a new object was removed from this context before it was saved.
    var hasGone = false
    /// Whether this context is saving into its parent at this moment.
    var isPushing = false
    /// Whether this is the scratch context of a batch request, which checks less.
    var isBatch = false
    /// The object into which each new one of a batch request was merged.
    var absorbed: [ManagedObject: ManagedObject] = [:]
    /// Whether the context merges the saves of others automatically.
    ///
    /// A root merges what other roots of its coordinator have saved, at its next end of event (each
    /// fetch and save has one). A child merges the state of its parent at the end of each event of
    /// the parent: an edit, another child's save, or a merge. So a grandchild follows only if the
    /// contexts between do.
    ///
    /// Pending changes stay, and conflicts are found as without following: a save compares the
    /// values that were read before an object was changed with the store. So values of others are
    /// visible at once, and are never overwritten unless the ``mergePolicy`` decides it;
    /// ``refresh(_:mergeChanges:)`` accepts them. An object of a root that others have deleted
    /// stays while it has pending changes; it is removed when they are reverted. In a child the
    /// parent's deletion wins at once.
    ///
    /// Cost: all saves of others since the last end of event are one merge and one notification;
    /// later saves wait for the next.
    public var automaticallyMergesChangesFromParent = false {
        didSet { followOrStop() }
    }
    /// Whether `withObservationTracking` tracks reads of this context's objects, and reports their
    /// changes.
    ///
    /// False by default; true for a container's `viewContext`.
    ///
    /// Each property that was read is tracked: an edit, undo, merge or refresh of it is reported,
    /// an edit before it happens. Members that join or leave a to-many relationship change that
    /// relationship; changed values of its members do not.
    ///
    /// Cost: about 10 ns more for each read of a property, tracked or not; nothing elsewhere.
    public var tracksObservation: Bool {
        get { readMark != 0 }
        set {
            readMark = newValue ? ObjectFlags.tracked : 0
            markForTracking()
        }
    }
    /// The flags that all objects of this context have.
    private(set) var readMark: UInt32 = 0
    var trackedReads = TrackedObjects()
    /// The space of the last ID that the coordinator knew.
    private var knownSpace: UInt16?
    var following: GraphNotificationCenter.Token?
    var inbox: MergeInbox?
    var isTakingDeliveries = false
    /// The coordinator's generation after the newest save that this context has made or merged.
    var newestDelivery = 0
    /// Objects that others deleted while they had pending changes here; see ``takeDeliveries()``.
    var deletedBelow: Set<ManagedObjectID> = []
    /// Called by a save of this context inside the store's write transaction; see
    /// ``SavePlan/beforeWriting``.
    package var beforeWriting: (() throws -> Void)?

    /// Creates a context over the stores.
    public init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
        parent = nil
    }

    /// Creates a context over another one, as a scratch pad that can be discarded.
    ///
    /// It reads the parent's state, pending changes included. Its save checks the objects and makes
    /// them pending changes of the parent, as one event and one step of the parent's undo; nothing
    /// reaches a store until the root saves. Releasing the child, or ``reset()``, leaves no trace
    /// in the parent.
    ///
    /// Rules (ours, where Core Data's behaviour is unclear or a trap):
    /// - Parent and children are used on one executor. An object gets its permanent ID in the whole
    ///   family when the root saves, or when any of them calls ``obtainPermanentIDs(for:)``.
    /// - A conflict is a property that both sides have changed, to different values, since the
    ///   child read it. The child's ``mergePolicy`` decides; only the root compares the versions of
    ///   rows. A deletion in the child wins over changes in the parent.
    /// - `awakeFromInsert` is called in the child only; validation and `willSave` run in both.
    /// - A save copies values of transient attributes to the parent; a fault of the child does not
    ///   read them from it.
    /// - A child that has read an object keeps its values until it refreshes the object or merges.
    public init(parent: ManagedObjectContext) {
        coordinator = parent.coordinator
        self.parent = parent
        parent.children.removeAll { $0.context == nil }
        parent.children.append(Child(context: self))
    }

    /// A child of this context, not retained.
    struct Child {
        weak var context: ManagedObjectContext?
    }

    deinit {
        stopFollowing()
        if let (center, token) = checkpoints { center.removeObserver(token) }
        for object in identity.objects {
            object.noteLeaving("\(label) was released")
            object.owner = nil
            object.flags |= ObjectFlags.detached
        }
    }

    public var model: ManagedObjectModel { coordinator.model }

    /// All instances of this context; unchanged ones only while somebody holds them.
    public var registeredObjects: Set<ManagedObject> { Set(identity.objects) }

    /// Pending insertions, without those deleted again.
    public var insertedObjects: Set<ManagedObject> { pendingObjects(ObjectFlags.inserted) }
    /// Saved objects with pending changes, without deleted ones.
    public var updatedObjects: Set<ManagedObject> {
        pendingObjects(ObjectFlags.updated, without: ObjectFlags.deleted)
    }
    /// Pending deletions of saved objects.
    public var deletedObjects: Set<ManagedObject> { pendingObjects(ObjectFlags.deleted) }

    /// Whether anything is pending.
    ///
    /// Ends the event first.
    public var hasChanges: Bool {
        processPendingChanges()
        return pending.contains { $0.isPending }
    }

    private func pendingObjects(_ flag: UInt32, without: UInt32 = 0) -> Set<ManagedObject> {
        processPendingChanges()
        return Set(
            pending.filter { $0.isPending && $0.flags & flag != 0 && $0.flags & without == 0 }
        )
    }

    /// Puts an object on the list of those to save; keeps it alive until then.
    @inline(__always)
    func list(_ object: ManagedObject) {
        if object.flags & ObjectFlags.listed != 0 { return }
        object.flags |= ObjectFlags.listed
        pending.append(object)
    }

    /// Removes objects without pending changes from the list.
    func compactPending() {
        if pending.allSatisfy(\.isPending) { return }
        pending.removeAll { object in
            if object.isPending { return false }
            object.flags &= ~ObjectFlags.listed
            return true
        }
    }

    // MARK: Objects by identity

    /// The permanent form of an ID that was temporary when it was handed out.
    func resolve(_ id: ManagedObjectID) -> ManagedObjectID {
        if !id.isTemporaryID { return id }
        let known = aliases.get(id.key)
        return known == 0 ? id : ManagedObjectID(raw: UInt64(known))
    }

    func noteAlias(_ temporary: ManagedObjectID, _ permanent: ManagedObjectID) {
        if temporary.isTemporaryID { aliases.set(temporary.key, UInt(permanent.raw)) }
    }

    func forgetAliases() { aliases.removeAll() }

    /// The instance for an ID; a fault if it is not registered yet, whether or not its row exists.
    ///
    /// Traps if the ID belongs to a store that the coordinator does not have:
    /// ``existingObject(with:)`` throws then.
    public func object(with id: ManagedObjectID) -> ManagedObject {
        let id = resolve(id)
        if let known = identity.get(id) { return known }
        precondition(
            knows(id),
            "\(id.uri) does not belong to a store of this context; it comes from another coordinator"
        )
        return makeFault(id)
    }

    /// Whether an ID belongs to a store that the coordinator has or had; a known ID stays known.
    private func knows(_ id: ManagedObjectID) -> Bool {
        if id.spaceNumber == knownSpace { return coordinator.entity(of: id) != nil }
        guard coordinator.knows(id) else { return false }
        knownSpace = id.spaceNumber
        return true
    }

    /// The instance for an ID if it is registered; reads nothing.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        identity.get(resolve(id))
    }

    /// The object for an ID, never a fault.
    ///
    /// - Throws: `ObjectGraphError` with code 133000 if the row does not exist or the ID belongs to
    ///   a store that the coordinator does not have, or the store's error.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        let id = resolve(id)
        guard let object = identity.get(id) ?? (knows(id) ? makeFault(id) : nil) else {
            throw ObjectGraphError(
                .referentialIntegrity,
                "The \(id.entityName) \(id.uri) does not belong to a store of this context.",
                recovery: "Use the ID with a context of the coordinator that it comes from.",
                objectIDs: [id]
            )
        }
        if object.flags & ObjectFlags.inaccessible != 0 {
            // The row did not exist at the last check; the values stay unless the row has been
            // restored.
            if parent == nil, try source.currentVersion(object.objectID) == nil {
                throw noRow(object.objectID)
            }
            object.becomeFault()
        }
        if object.isFault, try !object.realise() { throw noRow(object.objectID) }
        return object
    }

    private func noRow(_ id: ManagedObjectID) -> ObjectGraphError {
        ObjectGraphError(
            .referentialIntegrity,
            "The \(id.entityName) \(id.uri) is not in the store.",
            recovery: "It was deleted; fetch again.",
            objectIDs: [id]
        )
    }

    func makeFault(_ id: ManagedObjectID) -> ManagedObject {
        let use = beginUse()
        defer { endUse(use) }
        guard let entity = coordinator.entity(of: id) else {
            preconditionFailure("\(id.uri) does not belong to a store of this context")
        }
        let seed = ObjectSeed(context: self, entity: entity, id: id, flags: ObjectFlags.fault)
        let object = coordinator.objectClass(of: entity).init(seed)
        if retainsRegisteredObjects { retained.append(object) }
        return object
    }
}
