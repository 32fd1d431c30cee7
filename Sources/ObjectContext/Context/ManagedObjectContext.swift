public import ObjectModel
import ObjectStore

/// A scratch pad of objects over a coordinator: it registers instances, tracks changes, undoes
/// them and saves them as one transaction.
///
/// Split by concern: `+Fetch`, `+Overlay`, `+Faulting`, `+Insert`, `+Delete`, `+Events`, `+Undo`,
/// `+Save`, `+SavePlan`, `+Conflicts`, `+Constraints`, `+Clashes`, `+Merge`, `+Refresh`, `+Parent`, `+Push`.
///
/// A context and its objects are not `Sendable`: they stay on one executor, and only object IDs
/// cross. ``BackgroundContext`` is a context with a thread of its own. Debug builds check at run time
/// what the compiler cannot: see `Confinement`.
///
/// Definitions:
/// - *event*: what happens between two calls of ``processPendingChanges()``. The program's event
///   loop calls it after each command; save, fetch, undo and `hasChanges` call it too.
/// - *pending*: not saved.
///
/// Invariants:
/// 1. `eventInserted`, `eventChanged` and `eventDeleted` hold what happened in this event.
/// 2. `pending` holds, strongly, every object with a pending change, once; an object whose
///    change was taken back is dropped when the list is next used.
/// 3. `aliases` maps each temporary ID of this context that became permanent.
///
/// A context may have a *parent*: see ``init(parent:)``.
///
/// Decided, where Core Data's practice is unclear:
/// - A value that is set back by another event leaves the object among ``updatedObjects``, without
///   changed values; no row is sent for it. One that is set back within the event, or by undo,
///   leaves no trace.
/// - A change of transient attributes alone is a change: ``hasChanges`` is true, a save calls the
///   hooks and writes nothing.
/// - Undo goes on across saves. The undo of a saved deletion makes the row anew under its old ID.
/// - A merge brings cached rows up to date also where no object is registered.
public final class ManagedObjectContext {
    public let coordinator: PersistentStoreCoordinator
    /// Where this context reads from and saves to; `nil` for the stores.
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
    /// Who makes the changes, as history records it.
    public var transactionAuthor: String?
    /// What to do when somebody else changed a row meanwhile.
    public var mergePolicy = MergePolicy.error
    /// What to do when objects collide under a uniqueness constraint; `nil` for what ``mergePolicy``
    /// says.
    ///
    /// ``MergePolicy/error`` for a context whose unique values are given out, not found: two objects
    /// with one number are two things then, which must not be merged. Only a root compares; a
    /// child's new objects collide when the root saves.
    public var constraintPolicy: MergePolicy?
    /// Whether delete rules are applied at the end of the event, not only at save.
    public var propagatesDeletesAtEndOfEvent = true
    /// Whether clean objects are kept too.
    public var retainsRegisteredObjects = false {
        didSet {
            retained = retainsRegisteredObjects ? identity.objects : []
        }
    }
    /// How long a cached row counts as fresh, in seconds; negative = for ever, 0 = never.
    public var stalenessInterval: Double = -1
    /// Where this context posts its notifications.
    public let notifications = NotificationCenter.default

    let confinement = Confinement()
    let identity = IdentityMap<ManagedObject>()
    /// Who observes keys of this context's objects.
    let observed = ObservedObjects()
    var retained: [ManagedObject] = []
    /// The permanent IDs of objects that had a temporary one, by its key.
    private let aliases = PageTable()
    var pending: [ManagedObject] = []
    /// The stores chosen for new objects.
    var assignments: [ManagedObject: any PersistentStore] = [:]
    /// Unchanged objects that the next save checks for conflicts.
    var guarded: [(object: ManagedObject, version: Int64)] = []
    /// What the running save computed.
    var derivedChanges: [DerivedChange<ManagedObject>] = []
    var eventInserted: [ManagedObject] = []
    var eventChanged: [ManagedObject] = []
    var eventDeleted: [ManagedObject] = []
    /// Objects that a refresh or merge changed in this event.
    var eventRefreshed: [ManagedObject] = []
    /// Taken back by undo or rollback in this event; for the change record and the notification.
    var eventRemoved: [ManagedObject] = []
    var eventRestored: [ManagedObject] = []
    /// What the results controllers of this context depend on: a merge reports these objects also
    /// if they were not registered.
    var watchers: [ObjectIdentifier: FetchDependencies] = [:]
    var isProcessing = false
    var checkpoints: (center: NotificationCenter, token: NotificationCenter.Token)?
    /// Why the last fault that could not be filled was not: the store's error.
    ///
    /// A property cannot throw, so its value reads `nil` then; ``existingObject(with:)`` throws.
    public internal(set) var lastFaultError: (any Error)?
    /// Objects to report as inserted because a merge brought them.
    var eventMergedInserts: [ManagedObject] = []
    var eventMergedDeletes: [ManagedObject] = []
    /// What a root reads instead of the coordinator while it is pinned.
    var pinned: PersistentStoreCoordinator?
    /// Contexts whose parent this is.
    var children: [Child] = []
    /// Increases with each change of a to-many relationship.
    var linkEdits = 0
    /// Whether a new object has left this context before it was saved.
    var hasGone = false
    /// Whether this context is saving into its parent just now.
    var isPushing = false
    /// Whether this is the scratch context of a batch request, which checks less.
    var isBatch = false
    /// Which object of a batch request each new one was merged into.
    var absorbed: [ManagedObject: ManagedObject] = [:]
    /// Whether what others save is taken over without being asked.
    ///
    /// A root takes over what other roots of its coordinator have saved, at its next end of event
    /// (each fetch and save is one); a child takes over what its parent shows, at the end of each
    /// event of the parent, whether that was an edit, another child's save, or a merge. So a
    /// grandchild follows only if the contexts between do.
    ///
    /// Pending changes stay over what comes in, and conflicts are found as they are without
    /// following: what was read when an object was changed is what its save compares with the store.
    /// So values of others are seen at once, and never overwritten without the ``mergePolicy`` being
    /// asked; ``refresh(_:mergeChanges:)`` accepts them. An object of a root that others
    /// deleted stays while changes of it are pending; it goes when they are taken back. In a child the
    /// parent's deletion wins at once.
    ///
    /// Cost: all that others saved since the last end of event is one merge and one notification;
    /// what they save meanwhile waits for the next.
    public var automaticallyMergesChangesFromParent = false {
        didSet { followOrStop() }
    }
    /// Whether `withObservationTracking` sees what is read of this context's objects, so that it tells
    /// when that changes; false unless set, true for a container's `viewContext`.
    ///
    /// What counts is each property that was read: an edit, undo, a merge or a refresh of it is told,
    /// before it happens where it is an edit. Members that join or leave a to-many relationship change
    /// that relationship; the values of its members are their own.
    ///
    /// Cost: some 10 ns more at each read of a property, tracked or not; nothing elsewhere.
    public var tracksObservation: Bool {
        get { readMark != 0 }
        set {
            readMark = newValue ? ObjectFlags.tracked : 0
            markForTracking()
        }
    }
    /// What the flags of every object have in common.
    private(set) var readMark: UInt32 = 0
    var trackedReads = TrackedObjects()
    /// The space of the last ID that the coordinator knew.
    private var knownSpace: UInt16?
    var following: NotificationCenter.Token?
    var inbox: MergeInbox?
    var isTakingDeliveries = false
    /// The coordinator's generation after the newest save that was made here or taken over.
    var newestDelivery = 0
    /// Deleted by others while changes of them were pending here; see ``takeDeliveries()``.
    var deletedBelow: Set<ManagedObjectID> = []
    /// Called by a save of this context inside the store's write transaction; see
    /// ``SavePlan/beforeWriting``.
    package var beforeWriting: (() throws -> Void)?

    /// Makes a context over the stores.
    public init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
        parent = nil
    }

    /// Makes a context over another one, as a scratch pad that can be thrown away.
    ///
    /// It reads what the parent shows, pending changes included. Its save checks the objects and
    /// makes them pending changes of the parent, as one event and one step of the parent's undo;
    /// nothing reaches a store until the root saves. Dropping the child, or ``reset()``, leaves no
    /// trace in the parent.
    ///
    /// Decided, where Core Data's practice is unclear or a trap:
    /// - Parent and children are used on one executor. An object gets its permanent ID in the whole
    ///   family when the root saves, or any of them calls ``obtainPermanentIDs(for:)``.
    /// - A conflict is a property that both sides changed, to different values, since the child read
    ///   it. The child's ``mergePolicy`` decides; the versions of rows are compared by the root alone.
    ///   A deletion in the child wins over changes in the parent.
    /// - `awakeFromInsert` is called in the child only; validation and `willSave` run in both.
    /// - Values of transient attributes go up at a save, and not down when a fault fires.
    /// - A child that has read an object keeps its values until it refreshes it or merges.
    public init(parent: ManagedObjectContext) {
        coordinator = parent.coordinator
        self.parent = parent
        parent.children.removeAll { $0.context == nil }
        parent.children.append(Child(context: self))
    }

    /// A context below this one, not kept alive.
    struct Child {
        weak var context: ManagedObjectContext?
    }

    deinit {
        stopFollowing()
        if let (center, token) = checkpoints { center.removeObserver(token) }
        for object in identity.objects {
            object.noteLeaving("\(label) went away")
            object.owner = nil
            object.flags |= ObjectFlags.detached
        }
    }

    public var model: ManagedObjectModel { coordinator.model }

    /// All instances that this context knows; clean ones only while somebody holds them.
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

    /// Drops objects without pending changes from the list.
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
    /// Traps if the ID belongs to no store of the coordinator: ``existingObject(with:)`` throws then.
    public func object(with id: ManagedObjectID) -> ManagedObject {
        let id = resolve(id)
        if let known = identity.get(id) { return known }
        precondition(
            knows(id),
            "\(id.uri) belongs to no store of this context; it is of another coordinator"
        )
        return makeFault(id)
    }

    /// Whether an ID is of a store that the coordinator has or had; what it knows, it knows for
    /// good.
    private func knows(_ id: ManagedObjectID) -> Bool {
        if id.spaceNumber == knownSpace { return coordinator.entity(of: id) != nil }
        guard coordinator.knows(id) else { return false }
        knownSpace = id.spaceNumber
        return true
    }

    /// The instance for an ID if it is registered, never reading anything.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        identity.get(resolve(id))
    }

    /// The object for an ID, never a fault.
    ///
    /// - Throws: `ObjectGraphError` with code 133000 if there is no such row or the ID is of a store
    ///   that the coordinator does not have, or the store's error.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        let id = resolve(id)
        guard let object = identity.get(id) ?? (knows(id) ? makeFault(id) : nil) else {
            throw ObjectGraphError(
                .referentialIntegrity,
                "The \(id.entityName) \(id.uri) belongs to no store of this context.",
                recovery: "Use the ID with a context of the coordinator that it comes from.",
                objectIDs: [id]
            )
        }
        if object.flags & ObjectFlags.inaccessible != 0 {
            // It was gone when last looked at; its values stay unless the row has come back.
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
            "There is no \(id.entityName) \(id.uri) in the store.",
            recovery: "It was deleted; fetch again.",
            objectIDs: [id]
        )
    }

    func makeFault(_ id: ManagedObjectID) -> ManagedObject {
        let use = beginUse()
        defer { endUse(use) }
        guard let entity = coordinator.entity(of: id) else {
            preconditionFailure("\(id.uri) belongs to no store of this context")
        }
        let seed = ObjectSeed(context: self, entity: entity, id: id, flags: ObjectFlags.fault)
        let object = coordinator.objectClass(of: entity).init(seed)
        if retainsRegisteredObjects { retained.append(object) }
        return object
    }
}
