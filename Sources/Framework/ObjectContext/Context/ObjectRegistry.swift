import ObjectModel
import ObjectStore

/// The instances of a context, and what is known of their IDs.
///
/// Invariant: `aliases` maps each temporary ID of this context that became permanent.
final class ObjectRegistry {
    private let identity = IdentityMap<ManagedObject>()
    /// Hears of instances, while a store wants to know.
    private let watch: RegistrationWatch
    /// The permanent IDs of objects that had a temporary one, by its key.
    private let aliases = PageTable()
    /// All instances, while the context retains them.
    @exclusivity(unchecked) private var retained: [ManagedObject]?
    /// Whether a new object was removed from this context before it was saved.
    @exclusivity(unchecked) private(set) var hasGone = false
    /// How many objects have left the context.
    @exclusivity(unchecked) private(set) var departures = 0
    /// The space of the last ID that the coordinator knew.
    @exclusivity(unchecked) private var knownSpace: UInt16?

    init(_ watch: RegistrationWatch) { self.watch = watch }

    var objects: [ManagedObject] { identity.objects }

    /// Takes the context from all instances, also from those that are being freed.
    func detachAll(_ reason: @autoclosure () -> String) {
        identity.visit { object in
            object.noteLeaving(reason())
            object.loseContext()
        }
    }

    /// Whether unchanged objects are retained, too.
    var retainsAll: Bool {
        get { retained != nil }
        set { retained = newValue ? identity.objects : nil }
    }

    @inline(__always)
    func get(_ id: ManagedObjectID) -> ManagedObject? { identity.get(id) }

    @inline(__always)
    func set(_ id: ManagedObjectID, _ object: ManagedObject) {
        // Undo brings back the object whose ID a fault has got meanwhile.
        identity.set(id, object) { former in
            former.noteLeaving("undo has brought another instance back under its ID")
            former.loseContext()
            noteDeparture()
        }
        if watch.isOn { watch.registered([id]) }
    }

    @inline(__always)
    func remove(_ id: ManagedObjectID, _ object: ManagedObject) {
        identity.remove(id, object)
        if watch.isOn { watch.unregistered([id]) }
    }

    /// Keeps a new instance, if all are kept.
    func retain(_ object: ManagedObject) { retained?.append(object) }

    /// Notes that a new object was removed before it was saved: references to it may be left.
    func noteGone() { hasGone = true }

    /// Notes that an object has left the context.
    func noteDeparture() { departures += 1 }

    /// Forgets everything, for a reset.
    func removeAll() {
        noteEnd()
        identity.removeAll()
        aliases.removeAll()
        hasGone = false
        noteDeparture()
        if retained != nil { retained = [] }
    }

    /// The context does not use its objects any more.
    func noteEnd() {
        if watch.isOn { watch.unregistered(identity.objects.map(\.objectID)) }
    }

    // MARK: IDs

    /// The permanent form of an ID that was temporary when it was handed out.
    func resolve(_ id: ManagedObjectID) -> ManagedObjectID {
        if !id.isTemporaryID { return id }
        let known = aliases.get(id.key)
        return known == 0 ? id : ManagedObjectID(raw: UInt64(known))
    }

    func noteAlias(_ temporary: ManagedObjectID, _ permanent: ManagedObjectID) {
        if temporary.isTemporaryID { noteAlias(ofKey: temporary.key, permanent) }
    }

    /// The IDs of this context that were temporary, with what they are now.
    ///
    /// - Complexity: O(IDs), and that of the pages they are on.
    func forEachAlias(_ body: (_ key: Int64, _ permanent: ManagedObjectID) -> Void) {
        aliases.visit { body($0, ManagedObjectID(raw: UInt64($1))) }
    }

    func noteAlias(ofKey key: Int64, _ permanent: ManagedObjectID) {
        aliases.set(key, UInt(permanent.raw))
    }

    /// Whether an ID belongs to a store that the coordinator has or had; a known ID stays known.
    func knows(_ id: ManagedObjectID, in coordinator: PersistentStoreCoordinator) -> Bool {
        if id.isTemporaryID { return coordinator.knows(id) }
        if id.spaceNumber == knownSpace { return coordinator.classes.layout(of: id) != nil }
        guard coordinator.knows(id) else { return false }
        knownSpace = id.spaceNumber
        return true
    }
}
