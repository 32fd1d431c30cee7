public import ObjectModel

/// An object of the graph: the row of an entity, as one instance per context.
///
/// Values are in slots by index, laid out by the entity; generated subclasses use constant indexes,
/// key-value coding uses names. A *fault* has an identity, but no slots until it is read.
///
/// An object belongs to one context and must be used where its context is.
///
/// Invariants:
/// 1. `slots` is allocated exactly while the object is not a fault.
/// 2. `changes` is non-nil while the object has pending changes of this event or since its row
///    was read; an object inserted in this event needs none.
/// 3. A slot's bit in `changes.recorded` is set only if the slot is in `changes.event`.
/// 4. While registered, `context.identity` leads from `objectID` to this instance.
open class ManagedObject: KeyValueCoding {
    /// The identity: temporary until the object is saved.
    @exclusivity(unchecked) public internal(set) final var objectID: ManagedObjectID
    /// The entity, and where the object keeps what its class declares.
    final let layout: ObjectLayout

    /// The context, which clears this when it is released or reset, or when the object leaves it.
    ///
    /// Safety: so it is valid as long as it is there; an object with an owner is in the owner's
    /// registry. The slots are freed with the object, or when it becomes a fault.
    @exclusivity(unchecked) final unowned(unsafe) var owner: ManagedObjectContext?
    @exclusivity(unchecked) final var slots: UnsafeMutablePointer<GraphValue>
    @exclusivity(unchecked) final var state: ObjectState
    /// The object's number in its context's table of observers; 0 if it was never observed.
    @exclusivity(unchecked) final var observerNumber: UInt32 = 0
    /// The version of the row that was read, 0 for an object that was never saved.
    @exclusivity(unchecked) final var version: Int64 = 0
    @exclusivity(unchecked) final var changes: ObjectChanges?
    /// The objects that were fetched together with this one; see ``FetchBatch``.
    @exclusivity(unchecked) final var batch: FetchBatch?

    #if DEBUG
    /// Why the object has no context any more, for reports of misuse.
    final var leavingReason: String?
    #endif

    /// Creates an instance for a context; called by the framework only.
    public required init(_ seed: ObjectSeed) {
        objectID = seed.id
        layout = seed.layout
        owner = seed.context
        state = seed.state
        if layout.hasTransformables, !state.isProbe { state.beginTransforming() }
        if state.isFault {
            slots = ManagedObject.noSlots
        } else if state.isProbe {
            // Room for all that the class may set while it is made.
            slots = ManagedObject.allocate(
                Array(repeating: .null, count: ObjectLayout.propertyLimit)
            )
        } else {
            slots = ManagedObject.allocate(layout.defaults)
            layout.makeDefaults(in: slots, onlyTransient: !seed.isNew)
            if seed.isNew, !layout.upsertDefaults.isEmpty { noteMadeDefaults() }
        }
        if let context = seed.context {
            if context.settings.tracksReads { state.setTracksReads(true) }
            context.registry.set(seed.id, self)
        }
    }

    /// Inserts a new object into a context.
    ///
    /// Traps if the context's model has no entity for this class, or an abstract one.
    public convenience init(context: ManagedObjectContext) {
        let use = context.beginUse()
        self.init(context.seedForInsertion(of: Self.self))
        context.didInsert(self)
        context.endUse(use)
    }

    deinit {
        if let owner {
            owner.registry.remove(objectID, self)
            if state.isAnnounced { owner.observed.batch.forget(self) }
            if observerNumber != 0 { owner.observed.forget(observerNumber) }
        }
        if !isFault { SlotMemory.free(slots, count: slotCount) }
        batch = nil
    }

    /// The context is released, or has another instance under this one's ID.
    final func loseContext() {
        owner = nil
        state.loseContext()
    }

    /// What kind of object this is.
    public final var entity: EntityDescription {
        @inline(__always) get { layout.entity }
    }

    /// The context of the object; `nil` after its deletion was saved or its context was reset.
    public final var context: ManagedObjectContext? { state.isDetached ? nil : owner }

    /// Whether the object's values are not in memory.
    public final var isFault: Bool { state.isFault }
    public final var isInserted: Bool { state.isInserted }
    public final var isUpdated: Bool { state.isUpdated }
    public final var isDeleted: Bool { state.isDeleted }
    public final var hasChanges: Bool {
        state.hasChanges
    }

    /// The name of the entity of this class: the class's own name, unless overridden.
    open class var entityName: String { "\(self)" }

    /// What the class says about its entity beyond its properties; see ``EntityOptions``.
    open class var entityOptions: EntityOptions { .none }

    /// Whether the next save has work for the object.
    ///
    /// False for an object whose row was deleted already.
    @inline(__always)
    final var isPending: Bool {
        state.isPending
    }

    public final var managedObjectID: ManagedObjectID? { objectID }
    public final var entityNames: [String] { entity.lineage }

    // Life cycle: overriding points. Call super.

    /// Called once, after insertion, with default values in place.
    open func awakeFromInsert() {}
    /// Called after a fault was filled.
    ///
    /// Changes made here do not count as changes.
    open func awakeFromFetch() {}
    /// Called after undo, redo, rollback or a refresh has restored values.
    open func awakeFromSnapshotEvents(_ events: SnapshotEvents) {}
    /// Called before a save, for each object with pending changes.
    open func willSave() {}
    /// Called after a save.
    open func didSave() {}
    /// Called before the object drops its values.
    open func willTurnIntoFault() {}
    open func didTurnIntoFault() {}
    /// Called when the object is deleted, before relationships are touched.
    open func prepareForDeletion() {}

    // Observing: overriding points; see ``KeyValueObserving``.

    /// The key paths on which a key depends: when one of them changes, so does the key.
    open class func keyPathsForValuesAffecting(_ key: String) -> Set<String> { [] }

    /// Whether the accessors of a key notify; with false the class notifies itself.
    ///
    /// True for every key unless overridden, the model's properties included.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    // Validation: overriding points. Call super, combine errors with ``ObjectGraphError/combining(_:)``.

    /// A rule of the class for one property; may replace the value.
    ///
    /// - Throws: what is wrong with the value.
    open func validate(_ value: inout GraphValue, forKey key: String) throws {}
    /// Checks all properties before the first save.
    ///
    /// - Throws: `ObjectGraphError` (1550–1680) with the broken rule, or code 1560 with several.
    open func validateForInsert() throws { try validateProperties() }
    /// Checks all properties before a save of changes.
    ///
    /// - Throws: `ObjectGraphError` (1550–1680) with the broken rule, or code 1560 with several.
    open func validateForUpdate() throws { try validateProperties() }
    /// Checks the delete rules before the save of a deletion.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/deleteDenied`` if a
    ///   destination under a deny rule remains.
    open func validateForDelete() throws { try validateDeleteRules() }

    // Key-value coding.

    /// The value of a property; relationships as objects.
    ///
    /// - Throws: what ``value(forUndefinedKey:)`` throws for a key that the entity does not have;
    ///   `ObjectGraphError` with code ``ObjectGraphError/Code/valuesLocked`` for an encrypted
    ///   attribute while its keys are locked, or ``ObjectGraphError/Code/unreadableValue`` if a
    ///   transformer cannot read the stored data. A typed property reads `nil` in these cases, and the
    ///   context's ``ManagedObjectContext/lastFaultError`` says why.
    open func value(forKey key: String) throws -> GraphValue {
        guard let slot = entity.slotByName[key] else { return try value(forUndefinedKey: key) }
        let value = value(at: slot)
        if case .opaque = value, let sealed = value.sealed {
            return try throwingValue(sealed, slot)
        }
        return value
    }

    /// Sets a property, after converting the value to its type.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` for a value
    ///   that cannot be converted, and what ``setValue(_:forUndefinedKey:)`` throws for an unknown
    ///   key.
    open func setValue(_ value: GraphValue, forKey key: String) throws {
        guard let slot = entity.slotByName[key] else {
            return try setValue(value, forUndefinedKey: key)
        }
        try setValue(value, at: slot)
    }

    /// Answers for a key that the entity does not have.
    ///
    /// The default handles `objectID`, `entity` and keys that only a subentity has.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` for other
    ///   keys.
    open func value(forUndefinedKey key: String) throws -> GraphValue {
        switch key {
        case "objectID", "self": return .objectID(objectID)
        case "entity": return .string(entity.name)
        default:
            // A request for the parent entity may read this key of all its objects.
            if entity.hierarchyNames.contains(key) { return .null }
            throw ManagedObject.undefinedKey(key, entity)
        }
    }

    /// Called when a key that the entity does not have is set; throws unless overridden.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    open func setValue(_ value: GraphValue, forUndefinedKey key: String) throws {
        throw ManagedObject.undefinedKey(key, entity)
    }

    /// Called when a required scalar (`usesScalarType`) is set to `nil` by key; throws unless
    /// overridden, for instance to set zero.
    ///
    /// Any other attribute takes `nil`, and validation checks it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind``.
    open func setNilValue(forKey key: String) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "\(entity.name).\(key) cannot be nil.",
            recovery: "Set a value, or override setNilValue(forKey:).",
            objectIDs: [objectID],
            key: key,
            value: .null
        )
    }

    static func undefinedKey(_ key: String, _ entity: EntityDescription) -> ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "The entity \(entity.name) has no property \"\(key)\".",
            recovery:
                "It has: \(entity.slots.filter { $0.declared === $0 }.map(\.name).joined(separator: ", ")).",
            key: key
        )
    }
}

extension ManagedObject: Hashable {
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// What a set or dictionary of objects asks for: a hash of the address as cheap as that of an ID.
    public func _rawHashValue(seed: Int) -> Int {
        let address = UInt(bitPattern: ObjectIdentifier(self))
        return ManagedObjectID(raw: UInt64(address))._rawHashValue(seed: seed)
    }
}

extension ManagedObject: CustomStringConvertible {
    /// Entity, identity and state; it has no values and fires no fault.
    public var description: String {
        var states: [String] = []
        if isFault { states.append("fault") }
        if isInserted { states.append("inserted") }
        if isUpdated { states.append("updated") }
        if isDeleted { states.append("deleted") }
        let state = states.isEmpty ? "" : " (\(states.joined(separator: ", ")))"
        return "<\(entity.name) \(objectID.uri)\(state)>"
    }
}

/// The argument of ``ManagedObject/init(_:)``; only contexts create it.
public struct ObjectSeed {
    /// `nil` for the probe of a class.
    let context: ManagedObjectContext?
    let layout: ObjectLayout
    let id: ManagedObjectID
    let state: ObjectState
    /// Whether no context had the object before, so that all its defaults are made.
    let isNew: Bool

    init(
        context: ManagedObjectContext,
        layout: ObjectLayout,
        id: ManagedObjectID,
        state: ObjectState,
        isNew: Bool = false
    ) {
        self.context = context
        self.layout = layout
        self.id = id
        self.state = state
        self.isNew = isNew
    }

    init(probeOf entity: EntityDescription) {
        context = nil
        layout = ObjectLayout(entity, nil)
        id = ManagedObjectID(space: 0, entity: 0, key: 0, isTemporary: true)
        state = .probe
        isNew = false
    }
}

/// Why ``ManagedObject/awakeFromSnapshotEvents(_:)`` is called.
public struct SnapshotEvents: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let undoInsertion = SnapshotEvents(rawValue: 2)
    public static let undoDeletion = SnapshotEvents(rawValue: 4)
    public static let undoUpdate = SnapshotEvents(rawValue: 8)
    public static let rollback = SnapshotEvents(rawValue: 16)
    public static let refresh = SnapshotEvents(rawValue: 32)
    public static let mergePolicy = SnapshotEvents(rawValue: 64)
}
