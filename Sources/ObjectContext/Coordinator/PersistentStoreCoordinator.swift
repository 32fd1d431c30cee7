import FoundationEssentials
public import ObjectModel
package import ObjectStore
import Synchronization

/// Joins a model, its stores and the contexts above them.
///
/// One call at a time reaches a store: the coordinator's lock is the serial writer. Safe to use
/// from any thread.
public final class PersistentStoreCoordinator: @unchecked Sendable {
    public let model: ManagedObjectModel

    /// What the derived attributes of the model depend on.
    let derivedDependencies: [DerivedDependency]
    let lock: CoordinatorLock
    /// Counts and tells what happens here, if somebody wants to know.
    let trace: StackTrace
    private var stores: [any PersistentStore] = []
    private var storeBySpace: [UInt16: any PersistentStore] = [:]
    /// The numbers that IDs begin with of every store that is or was here, and of new objects.
    private var spaces: Set<UInt16> = []
    private let temporarySpace: IDSpace
    private let lastTemporaryKey = Atomic<Int64>(0)
    private let classes: [ManagedObject.Type]
    /// The layouts of the objects by the numbers of their entities.
    private let layouts: [ObjectLayout]
    private let entityByClass: [ObjectIdentifier: EntityDescription]
    private var changeCount = 0
    /// Where contexts wait for what others save.
    private var inboxes: [WeakInbox] = []
    /// What watches the stores for others' saves, while somebody wants to know of them.
    let remoteWatch = RemoteWatch()
    /// When rows were read for contexts that ask about their age.
    var readTimes: [ManagedObjectID: ContinuousClock.Instant] = [:]

    /// How many bytes of rows each store keeps in memory; 256 MB unless set.
    ///
    /// A row is kept when it was read or saved, so that contexts share it and a fault that fires
    /// reads nothing. Rows outlive the objects that they were read for: a context's `reset` and
    /// the end of its last object free the objects at once, the rows stay until their object is
    /// deleted, until they are found old, or until a save finds more than this limit; then all go,
    /// and are read again when they are needed. So an import of any size is bounded by it.
    public var rowCacheLimit: Int {
        get { lock.withLock { rowLimit } }
        set { lock.withLock { rowLimit = newValue } }
    }
    var rowLimit = 256 << 20

    /// Increases with every save and every change that came from elsewhere; what was read under
    /// an older generation may be old.
    var generation: Int { lock.withLock { changeCount } }

    /// Freezes the model and maps its entities to classes.
    ///
    /// - Parameters:
    ///   - model: the schema; immutable from now on.
    ///   - classes: the class of each entity by name; for those left out their parent's, or else
    ///     `ManagedObject`. Without any, all objects are plain `ManagedObject`s.
    /// - Throws: `ObjectGraphError` if the model contradicts itself, a derived attribute names a
    ///   key that is not there, or the classes contradict it:
    ///   one that the model names is missing, one stands for no entity, or one is none of its
    ///   parent entity's.
    public init(model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) throws {
        try model.freeze()
        if let issue = model.derivationIssues().first {
            throw ObjectGraphError(.invalidModel, issue.description)
        }
        self.model = model
        derivedDependencies = DerivedDependency.all(in: model)
        lock = CoordinatorLock()
        trace = StackTrace()
        if let line = StackTrace.lineOfEnvironment() { trace.start(line) }
        temporarySpace = IDSpace.space(for: UUID(), entityNames: model.entityNames)
        let objectClasses = ObjectClasses(model, classes)
        try objectClasses.check()
        self.classes = model.entitiesByNumber.map { entity in
            entity.map(objectClasses.objectClass) ?? ManagedObject.self
        }
        var entityByClass: [ObjectIdentifier: EntityDescription] = [:]
        for (name, type) in classes {
            if let entity = model.entity(named: name) {
                entityByClass[ObjectIdentifier(type)] = entity
            }
        }
        self.entityByClass = entityByClass
        layouts = objectClasses.layouts()
        spaces = [temporarySpace.number]
    }

    /// Freezes the model and maps its entities to classes, each by its
    /// ``ManagedObject/entityName``.
    ///
    /// - Throws: `ObjectGraphError` that lists in what the classes contradict the model or each other.
    public convenience init(model: ManagedObjectModel, classes: [ManagedObject.Type]) throws {
        try self.init(model: model, classes: try ObjectClasses.byEntity(classes))
    }

    /// Classes by the entities that they stand for.
    ///
    /// - Throws: `ObjectGraphError` if two classes stand for one entity.
    package static func byEntity(
        _ classes: [ManagedObject.Type]
    ) throws -> [String: ManagedObject.Type] { try ObjectClasses.byEntity(classes) }

    /// A second way to the same stores, under the same lock, whose objects have no class of the
    /// program.
    init(sharingStoresOf other: PersistentStoreCoordinator) {
        model = other.model
        derivedDependencies = other.derivedDependencies
        lock = other.lock
        trace = other.trace
        temporarySpace = IDSpace.space(for: UUID(), entityNames: other.model.entityNames)
        classes = other.model.entitiesByNumber.map { _ in ManagedObject.self }
        layouts = ObjectClasses(other.model, [:]).layouts()
        entityByClass = [:]
        stores = other.openStores
        for store in stores { storeBySpace[store.space.number] = store }
        spaces = Set(stores.map(\.space.number)).union([temporarySpace.number])
    }

    // MARK: Entities and classes

    @inline(__always)
    func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
        classes[Int(entity.number)]
    }

    @inline(__always)
    func layout(of entity: EntityDescription) -> ObjectLayout { layouts[Int(entity.number)] }

    func entity(of type: ManagedObject.Type) -> EntityDescription? {
        entityByClass[ObjectIdentifier(type)]
    }

    func entity(of id: ManagedObjectID) -> EntityDescription? {
        let number = Int(id.entityNumber)
        return number < model.entitiesByNumber.count ? model.entitiesByNumber[number] : nil
    }

    /// Permanent IDs for new objects of an entity, ahead of their save.
    func permanentIDs(
        _ count: Int,
        for entity: EntityDescription,
        in store: any PersistentStore
    ) throws -> [ManagedObjectID] {
        try lock.withLock { try store.allocateIDs(count, for: entity) }
    }

    func temporaryID(for entity: EntityDescription) -> ManagedObjectID {
        ManagedObjectID(
            space: temporarySpace.number,
            entity: entity.number,
            key: lastTemporaryKey.add(1, ordering: .relaxed).newValue,
            isTemporary: true
        )
    }

    /// The ID for the text form that ``ManagedObjectID/uri`` gave.
    ///
    /// - Returns: `nil` if the text names no store of this coordinator or no entity.
    public func managedObjectID(forURI uri: String) -> ManagedObjectID? {
        lock.withLock {
            for store in stores {
                if let id = store.space.id(uri: uri) { return id }
            }
            return nil
        }
    }

    // MARK: Stores

    /// Adds an open store.
    ///
    /// The store type's own initializer opened and checked it.
    package func add(_ store: any PersistentStore) {
        lock.withLock {
            stores.append(store)
            storeBySpace[store.space.number] = store
            spaces.insert(store.space.number)
        }
        if trace.isOn { watch(store) }
        remoteWatch.update(self)
    }

    /// Closes a store and forgets it; its objects become faults that cannot be filled.
    package func remove(_ store: any PersistentStore) {
        lock.withLock {
            stores.removeAll { $0 === store }
            storeBySpace[store.space.number] = nil
            store.close()
        }
        remoteWatch.update(self)
    }

    /// Whether an ID is of a store that is or was here, or of a new object.
    func knows(_ id: ManagedObjectID) -> Bool {
        lock.withLock { spaces.contains(id.spaceNumber) } && entity(of: id) != nil
    }

    var hasSeveralStores: Bool { lock.withLock { stores.count > 1 } }

    package var openStores: [any PersistentStore] { lock.withLock { stores } }

    /// Calls with the store that holds an object, under the lock.
    func withStore<Result>(
        of id: ManagedObjectID,
        _ body: (any PersistentStore) throws -> Result
    ) rethrows -> Result? {
        try lock.withLock {
            guard let store = storeBySpace[id.spaceNumber], !id.isTemporaryID else { return nil }
            return try body(store)
        }
    }

    /// The stores that hold an entity, in the order they were added.
    func stores(holding entity: EntityDescription) -> [any PersistentStore] {
        lock.withLock { stores.filter { holds(entity, $0) } }
    }

    private func holds(_ entity: EntityDescription, _ store: any PersistentStore) -> Bool {
        guard let members = model.entities(inConfiguration: store.configurationName) else {
            return false
        }
        return members.contains { $0 === entity || $0.isKind(of: entity) }
    }

    /// The store for new objects of an entity: the first writable one that holds it.
    func storeForInsertion(of entity: EntityDescription) -> (any PersistentStore)? {
        stores(holding: entity).first { !$0.isReadOnly }
    }

    func noteChange() { lock.withLock { changeCount += 1 } }

    // MARK: Deliveries

    private struct WeakInbox {
        weak var inbox: MergeInbox?
    }

    func add(_ inbox: MergeInbox) {
        lock.withLock {
            inboxes.removeAll { $0.inbox == nil }
            inboxes.append(WeakInbox(inbox: inbox))
        }
    }

    /// Puts what a context saved into every inbox but its own; costs nothing while there are none.
    func deliver(
        _ changes: () -> ObjectIDChanges,
        savedAt generation: Int,
        except own: MergeInbox?
    ) {
        let receivers = lock.withLock { inboxes.compactMap(\.inbox) }.filter { $0 !== own }
        if receivers.isEmpty { return }
        let delivery = Delivery(changes: changes(), generation: generation)
        for receiver in receivers { receiver.put(delivery) }
    }
}
