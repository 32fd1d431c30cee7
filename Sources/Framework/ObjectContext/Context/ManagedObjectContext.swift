public import ObjectModel

/// A scratch pad of objects over a coordinator: it registers instances, tracks changes, undoes
/// them and saves them as one transaction.
///
/// It owns little itself: what it keeps is with the owners that are its first properties, each of
/// which changes its own state alone; the work is in the files `ManagedObjectContext+….swift`.
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
    @exclusivity(unchecked) var settings = ContextSettings()
    let family: ContextFamily
    let registry: ObjectRegistry
    /// What no save has taken yet.
    let pending = PendingChanges()
    let saving = SaveAttempt()
    let following = Following()
    /// The observers of keys of this context's objects.
    let observed = ObservedObjects()
    var tracked = TrackedObjects()
    let undoLink = UndoLink()
    let confinement = Confinement()
    /// What a root reads while it is pinned, instead of the coordinator.
    @exclusivity(unchecked) var pinned: PersistentStoreCoordinator?
    /// The store's error of the last fault that could not be filled.
    ///
    /// A property cannot throw, so its value reads `nil` then; ``existingObject(with:)`` throws, and so
    /// does the next save, because the changes may have been made from values that were not there.
    public internal(set) var lastFaultError: (any Error)?
    /// Whether a saved command is being undone or redone: then `willSave` had better not set what the
    /// command has set, such as the time of a change.
    public internal(set) var isInverting = false

    /// Creates a context over the stores.
    public init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
        family = ContextFamily(parent: nil)
        registry = ObjectRegistry(coordinator.registrationWatch)
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
        family = ContextFamily(parent: parent)
        registry = ObjectRegistry(coordinator.registrationWatch)
        parent.family.adopt(self)
    }

    deinit {
        registry.noteEnd()
        registry.detachAll("\(label) was released")
    }

    /// The context from which this one reads and to which it saves; `nil` for the stores.
    public var parent: ManagedObjectContext? { family.parent }

    /// The center to which this context posts its notifications.
    public var notifications: GraphNotificationCenter { .default }

    /// Undo of unsaved edits; `nil` by default, and then nothing is recorded.
    public var undoManager: UndoManager? {
        get { undoLink.manager }
        set {
            processPendingChanges()
            undoLink.set(newValue) { [weak self] in self?.endOwnEvent() }
        }
    }

    /// Whether the context also retains unchanged objects.
    public var retainsRegisteredObjects: Bool {
        get { registry.retainsAll }
        set { registry.retainsAll = newValue }
    }

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
    /// A ``FetchedResultsController`` that reports changes follows all saves of others meanwhile,
    /// whatever this says.
    ///
    /// Cost: all saves of others since the last end of event are one merge and one notification;
    /// later saves wait for the next.
    public var automaticallyMergesChangesFromParent: Bool {
        get { following.isAsked }
        set {
            following.isAsked = newValue
            if newValue {
                follow()
            } else if following.delivery == nil {
                following.stop()
            }
        }
    }

    public var model: ManagedObjectModel { coordinator.model }

    /// All instances of this context; unchanged ones only while somebody holds them.
    public var registeredObjects: Set<ManagedObject> { Set(registry.objects) }

    /// Pending insertions, without those deleted again.
    public var insertedObjects: Set<ManagedObject> { pendingObjects(\.isInserted) }
    /// Saved objects with pending changes, without deleted ones.
    public var updatedObjects: Set<ManagedObject> {
        pendingObjects { $0.isUpdated && !$0.isDeleted }
    }
    /// Pending deletions of saved objects.
    public var deletedObjects: Set<ManagedObject> { pendingObjects(\.isDeleted) }

    /// Whether anything is pending.
    ///
    /// Ends the event first.
    public var hasChanges: Bool {
        processPendingChanges()
        return pending.objects.contains { $0.isPending }
    }

    private func pendingObjects(_ isWanted: (ObjectState) -> Bool) -> Set<ManagedObject> {
        processPendingChanges()
        return Set(pending.objects.filter { $0.isPending && isWanted($0.state) })
    }

    // MARK: Objects by identity

    /// The permanent form of an ID that was temporary when it was handed out.
    func resolve(_ id: ManagedObjectID) -> ManagedObjectID { registry.resolve(id) }

    /// The instance for an ID; a fault if it is not registered yet, whether or not its row exists.
    ///
    /// Traps if the ID belongs to a store that the coordinator does not have:
    /// ``existingObject(with:)`` throws then.
    public func object(with id: ManagedObjectID) -> ManagedObject {
        let id = resolve(id)
        if let known = registry.get(id) { return known }
        Misuse.trap(
            unless: knows(id),
            "\(id.uri) does not belong to a store of this context; it comes from another coordinator"
        )
        return makeFault(id)
    }

    private func knows(_ id: ManagedObjectID) -> Bool { registry.knows(id, in: coordinator) }

    /// The instance for an ID if it is registered; reads nothing.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        registry.get(resolve(id))
    }

    /// The object for an ID, never a fault.
    ///
    /// - Throws: `ObjectGraphError` with code 133000 if the row does not exist or the ID belongs to
    ///   a store that the coordinator does not have, or the store's error.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        let object = try instance(with: id)
        if object.state.isInaccessible {
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

    /// As ``object(with:)``, but an ID of another coordinator is an error.
    func instance(with id: ManagedObjectID) throws -> ManagedObject {
        let id = resolve(id)
        if let object = registry.get(id) ?? (knows(id) ? makeFault(id) : nil) { return object }
        throw ObjectGraphError(
            .referentialIntegrity,
            "The \(id.entityName) \(id.uri) does not belong to a store of this context.",
            recovery: "Use the ID with a context of the coordinator that it comes from.",
            objectIDs: [id]
        )
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
        guard let layout = coordinator.classes.layout(of: id) else {
            Misuse.trap("\(id.uri) does not belong to a store of this context")
        }
        let seed = ObjectSeed(context: self, layout: layout, id: id, state: .fault)
        let object = coordinator.classes.objectClass(of: layout.entity).init(seed)
        registry.retain(object)
        return object
    }
}
