public import ObjectModel
public import ObjectStore

/// Connects a model, its stores and the contexts above them.
///
/// The coordinator's lock lets one call at a time reach a store; another one guards what it knows of
/// its stores and contexts, so that nobody waits for a save to ask for that. Safe to use from any
/// thread.
public final class PersistentStoreCoordinator: @unchecked Sendable {
    // Safety: `listLock` guards the lists and the mark for metadata, `lock` all else that changes, but
    // the generation, which is atomic.

    public let model: ManagedObjectModel

    /// The dependencies of the model's derived attributes.
    let derivedDependencies: [DerivedDependency]
    let lock: CoordinatorLock
    /// Guards the lists below, for moments only; who needs both locks takes this one second.
    private let listLock = CoordinatorLock()
    /// Counts and traces the work of this coordinator, while it is on.
    let trace: StackTrace
    let classes: ClassTable
    private let temporaryIDs: TemporaryIDs
    /// Changed under both locks, so either one is enough to read it.
    @exclusivity(unchecked) private var stores: StoreSet
    private var inboxes = InboxList()
    private var ownTransactions = OwnTransactionList()
    /// Whether metadata were set that the next save writes.
    private var isMetadataDue = false
    var rowAges = RowAges()
    /// Watches the stores for saves by others, while it is on.
    let remoteWatch = RemoteWatch()
    /// Reports to stores which objects contexts use, where they want to know.
    let registrationWatch = RegistrationWatch()

    /// The greatest number of bytes of rows that each store keeps in memory; 256 MB by default.
    ///
    /// A row is kept when it was read or saved, so that contexts share it and firing a fault reads
    /// nothing. Rows outlive their objects: `reset` frees the objects of a context at once, but a
    /// row stays until its object is deleted, until it counts as old, or until a save finds more
    /// bytes than this limit. Then all rows are removed, and read again when needed. So the limit
    /// also bounds an import of any size.
    public var rowCacheLimit: Int {
        get { lock.withLock { rowAges.limit } }
        set { lock.withLock { rowAges.limit = newValue } }
    }

    private var isUndoByAuthor = false

    /// Whether a context undoes and redoes only the commands of its ``ManagedObjectContext/transactionAuthor``,
    /// as it suits a store that several people share; false by default.
    ///
    /// A new command then takes only its author's undone commands off what redo offers. A context
    /// without an author undoes everybody's commands. What others have changed since the command
    /// is a conflict, as always (``HistoryConflictPolicy``).
    public var undoesByAuthor: Bool {
        get { lock.withLock { isUndoByAuthor } }
        set { lock.withLock { isUndoByAuthor = newValue } }
    }

    private var isAnsweredFromMemory = false

    /// Whether a store on a server may answer from what it has saved and read itself, as long as
    /// nobody has told it of another save; false by default.
    ///
    /// It spares most round trips of a program that follows the store (``StoreFollower/wake``). An
    /// answer may then be older than the newest save of others by the time that a notice takes:
    /// some milliseconds, at most a second. A save finds conflicts as always. A store that nobody
    /// watches, and one in a file, always looks.
    public var answersFromMemory: Bool {
        get { lock.withLock { isAnsweredFromMemory } }
        set {
            lock.withLock {
                isAnsweredFromMemory = newValue
                for store in stores.all { store.answersFromMemory = newValue }
            }
        }
    }

    /// Increases with every save and every change from elsewhere; values that were read under an
    /// older generation may be outdated.
    var generation: Int { rowAges.generation }

    /// Freezes the model and maps its entities to classes.
    ///
    /// - Parameters:
    ///   - model: the model; it cannot be changed any more.
    ///   - classes: the class of each entity by name; by default that of the parent entity, or else
    ///     `ManagedObject`. If the dictionary is empty, all objects are plain `ManagedObject`s.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` if the model
    ///   contradicts itself, if a derived attribute names a key that does not exist, or if the
    ///   classes contradict the model: a class that the model names is missing, a name is not an
    ///   entity, or a class does not inherit from that of the parent entity.
    /// - Complexity: O(properties).
    public init(model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) throws {
        if !model.isFrozen { ClassTable.giveDefaults(model, classes) }
        try model.freeze()
        if let issue = model.derivationIssues().first {
            throw ObjectGraphError(.invalidModel, issue.description)
        }
        self.model = model
        derivedDependencies = DerivedDependency.all(in: model)
        lock = CoordinatorLock()
        trace = StackTrace()
        if let line = StackTrace.lineOfEnvironment() { trace.start(line) }
        self.classes = try ClassTable(model, classes)
        temporaryIDs = TemporaryIDs(model)
        stores = StoreSet()
        registrationWatch.withStore = { [weak self] in self?.withStore(of: $0, $1) }
    }

    /// A second coordinator for the same stores, with the same lock, whose objects are plain
    /// `ManagedObject`s.
    init(sharingStoresOf other: PersistentStoreCoordinator) {
        model = other.model
        derivedDependencies = other.derivedDependencies
        lock = other.lock
        trace = other.trace
        classes = ClassTable(plain: other.classes)
        temporaryIDs = TemporaryIDs(other.model)
        stores = other.listLock.withLock { other.stores }
        ownTransactions = other.listLock.withLock { other.ownTransactions }
        registrationWatch.withStore = { [weak self] in self?.withStore(of: $0, $1) }
        for store in openStores { registrationWatch.noteStore(store) }
    }

    // MARK: Entities and classes

    func entity(of id: ManagedObjectID) -> EntityDescription? {
        model.entity(of: id)
    }

    /// Permanent IDs for new objects of an entity, before their save.
    func permanentIDs(
        _ count: Int,
        for entity: EntityDescription,
        in store: any PersistentStore
    ) throws -> [ManagedObjectID] {
        try lock.withLock { try store.allocateIDs(count, for: entity) }
    }

    func temporaryID(for entity: EntityDescription) -> ManagedObjectID {
        temporaryIDs.next(for: entity)
    }

    /// The ID for a text from ``ManagedObjectID/uri``.
    ///
    /// - Returns: `nil` if the text does not name a store of this coordinator and an entity.
    public func managedObjectID(forURI uri: String) -> ManagedObjectID? {
        listLock.withLock { stores.id(uri: uri) }
    }

    // MARK: Stores

    /// Adds an open store.
    ///
    /// The store type's own initializer opened and checked it.
    package func add(_ store: any PersistentStore) {
        registrationWatch.noteStore(store)
        lock.withLock {
            store.answersFromMemory = isAnsweredFromMemory
            listLock.withLock { stores.add(store) }
        }
        if trace.isOn { watch(store) }
        watchStores()
    }

    /// Closes and removes a store; its objects become faults that cannot be filled.
    package func remove(_ store: any PersistentStore) {
        lock.withLock {
            listLock.withLock { stores.remove(store) }
            store.close()
        }
        watchStores()
    }

    /// Whether an ID belongs to a store that is or was here, or to a new object.
    func knows(_ id: ManagedObjectID) -> Bool {
        if entity(of: id) == nil { return false }
        return id.isTemporaryID ? temporaryIDs.owns(id) : listLock.withLock { stores.knows(id) }
    }

    var hasSeveralStores: Bool { listLock.withLock { stores.all.count > 1 } }

    /// What they say without reading, such as their names; all else under the lock, as with
    /// ``withFirstStore(_:)``.
    public var openStores: [any PersistentStore] { listLock.withLock { stores.all } }

    /// The store that holds an object; `nil` for a new one, or if it is not open.
    func store(of id: ManagedObjectID) -> (any PersistentStore)? {
        listLock.withLock { stores.store(of: id) }
    }

    /// Calls the body with the store that holds an object, under the lock.
    func withStore<Result>(
        of id: ManagedObjectID,
        _ body: (any PersistentStore) throws -> Result
    ) rethrows -> Result? {
        try lock.withLock {
            try stores.store(of: id).map(body)
        }
    }

    /// Calls the body with the first open store, under the lock; `nil` without a store.
    ///
    /// A store has one connection, and other threads may use it at any moment: whoever asks it
    /// something holds the lock.
    public func withFirstStore<Result>(
        _ body: (any PersistentStore) throws -> Result
    ) rethrows -> Result? {
        try lock.withLock { try stores.all.first.map(body) }
    }

    /// The stores to ask for objects of an entity.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeClosed`` if only stores that
    ///   were closed hold the entity.
    func storesToRead(_ entity: EntityDescription) throws -> [any PersistentStore] {
        try listLock.withLock {
            let found = stores.holding(entity, of: model)
            if found.isEmpty, let refusal = stores.refusal(of: .reading, entity, of: model) {
                throw refusal
            }
            return found
        }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeClosed`` if the object's
    ///   store was closed.
    func checkCanRead(_ id: ManagedObjectID) throws {
        if let refusal = listLock.withLock({ stores.refusal(of: .reading, id) }) { throw refusal }
    }

    /// The error of writing an object whose store was closed.
    func refusalOfWriting(_ id: ManagedObjectID) -> ObjectGraphError? {
        listLock.withLock { stores.refusal(of: .writing, id) }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeClosed`` if only stores that
    ///   were closed hold the entity.
    func checkCanInsert(_ entity: EntityDescription) throws {
        let refusal = listLock.withLock { stores.refusal(of: .writing, entity, of: model) }
        if let refusal { throw refusal }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeClosed`` if every store was
    ///   closed.
    func checkAnyStoreIsOpen() throws {
        let refusal = listLock.withLock { stores.refusal(of: .reading, nil, of: model) }
        if let refusal { throw refusal }
    }

    /// The stores that hold an entity, in the order they were added.
    func stores(holding entity: EntityDescription) -> [any PersistentStore] {
        listLock.withLock { stores.holding(entity, of: model) }
    }

    /// The store for new objects of an entity: the first writable one that holds it.
    func storeForInsertion(of entity: EntityDescription) -> (any PersistentStore)? {
        stores(holding: entity).first { !$0.isReadOnly }
    }

    /// Notes that metadata were set, or asks for that; nobody waits for a save.
    package internal(set) var hasDueMetadata: Bool {
        get { listLock.withLock { isMetadataDue } }
        set { listLock.withLock { isMetadataDue = newValue } }
    }

    func noteChange() { rowAges.noteChange() }

    // MARK: Deliveries

    func add(_ inbox: MergeInbox) { listLock.withLock { inboxes.add(inbox) } }

    func add(_ listener: OwnTransactions) { listLock.withLock { ownTransactions.add(listener) } }

    /// Notes a transaction that this coordinator has saved, by the store's identifier.
    func noteTransaction(_ number: Int64, in store: String) {
        listLock.withLock { ownTransactions }.note(number, in: store)
    }

    /// Adds a save to every inbox except that of its context; costs nothing without inboxes.
    func deliver(
        _ changes: () -> ObjectIDChanges,
        savedAt generation: Int,
        except own: MergeInbox?
    ) {
        let receivers = listLock.withLock { inboxes.living }.filter { $0 !== own }
        if receivers.isEmpty { return }
        let delivery = Delivery(changes: changes(), generation: generation)
        for receiver in receivers { receiver.put(delivery) }
    }
}
