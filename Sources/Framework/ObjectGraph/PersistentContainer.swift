public import FoundationEssentials
public import ObjectContext
public import ObjectModel
public import ObjectStore

/// How ``PersistentContainer`` opens a store.
public struct StoreOptions: Sendable {
    public var type = StoreType.sqlite
    public var isReadOnly = false
    /// The part of the model that the store holds; `nil` = all of it.
    public var configuration: String?
    /// Whether saves are recorded, so that they can be undone and other processes can follow.
    public var keepsHistory = true
    /// Whether searched attributes are indexed.
    public var keepsSearchIndex = true
    /// How a store of another version of the model is migrated.
    public var migration = MigrationOptions()

    public init() {}
}

/// One of the stores of a container: where it is, and how to open it.
public struct StoreDescription: Sendable {
    /// The store's file; ignored by an in-memory store.
    public var url: URL?
    public var options: StoreOptions

    public init(url: URL? = nil, options: StoreOptions = StoreOptions()) {
        self.url = url
        self.options = options
    }
}

/// The whole stack in one line: model, coordinator, store, and a first context.
///
///     let container = try PersistentContainer(for: Task.self, url: URL(filePath: "tasks.sqlite"))
///     let task = container.viewContext.insert(Task.self)
///     task.title = "Pay the rent"
///     try container.viewContext.save()
public final class PersistentContainer {
    public let coordinator: PersistentStoreCoordinator
    /// The context for the user interface.
    ///
    /// It stays where the container was created: on the main actor, or on another thread; created
    /// by a task elsewhere, it moves with the task.
    ///
    /// `withObservationTracking` tracks reads of its objects; see
    /// ``ManagedObjectContext/tracksObservation``.
    ///
    /// A debug build stops the program if another thread uses it. To use it elsewhere, call
    /// ``ManagedObjectContext/confineToCurrentThread()`` there, or
    /// ``ManagedObjectContext/endConfinement()`` if it moves from thread to thread, as a task does.
    public let viewContext: ManagedObjectContext
    /// Where ``saveInBackground(as:isolation:_:)`` works.
    lazy var separateChanges = SeparateChanges(name: "background save")

    /// Opens a store for classes, making it if there is none.
    ///
    /// The model is what the classes declare; the classes that their relationships lead to belong to
    /// it without being named.
    ///
    /// - Parameters:
    ///   - classes: the classes of the objects.
    ///   - url: the store's file; ignored by an in-memory store.
    ///   - options: see ``StoreOptions``.
    /// - Throws: `ObjectGraphError`: the classes contradict each other (all contradictions in one
    ///   error), or the file cannot be opened, is damaged, or was made with another
    ///   model and cannot be migrated.
    public convenience init(
        for classes: ManagedObject.Type...,
        url: URL? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        let model = try ManagedObjectModel(for: classes)
        let store = StoreDescription(url: url, options: options)
        try self.init(
            model: model,
            classes: ManagedObjectModel.classes(with: classes),
            stores: [store]
        )
    }

    /// Opens a store, making it if there is none.
    ///
    /// - Parameters:
    ///   - model: the schema; immutable from now on.
    ///   - classes: the classes of the entities that have one, each by its
    ///     ``ManagedObject/entityName``; without any all objects are plain ones.
    ///   - url: the store's file; ignored by an in-memory store.
    ///   - options: see ``StoreOptions``.
    /// - Throws: `ObjectGraphError`: the model contradicts itself or the classes (all contradictions in
    ///   one error), or the file cannot be opened, is damaged, or was made with another
    ///   model and cannot be migrated.
    public convenience init(
        model: ManagedObjectModel,
        classes: [ManagedObject.Type],
        url: URL? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        let store = StoreDescription(url: url, options: options)
        try self.init(model: model, classes: classes, stores: [store])
    }

    /// Opens a store, making it if there is none.
    ///
    /// - Parameters:
    ///   - model: the schema; immutable from now on.
    ///   - classes: the class of each entity, by the entity's name: for a class that stands for an
    ///     entity of another name.
    ///   - url: the store's file; ignored by an in-memory store.
    ///   - options: see ``StoreOptions``.
    /// - Throws: `ObjectGraphError`: the model contradicts itself or the classes (all contradictions in
    ///   one error), or the file cannot be opened, is damaged, or was made with another
    ///   model and cannot be migrated.
    public convenience init(
        model: ManagedObjectModel,
        classes: [String: ManagedObject.Type] = [:],
        url: URL? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        let store = StoreDescription(url: url, options: options)
        try self.init(model: model, classes: classes, stores: [store])
    }

    /// Opens several stores under one coordinator, each with a configuration of the model.
    ///
    /// A new object goes to the first writable store that holds its entity. Relationships do not
    /// lead from one store to another.
    ///
    ///     var secret = StoreOptions()
    ///     secret.configuration = "Vault"
    ///     let container = try PersistentContainer(
    ///         model: model, classes: classes,
    ///         stores: [.init(url: notes, options: open), .init(url: vault, options: secret)])
    ///
    /// - Parameters:
    ///   - model: the model; it cannot be changed any more.
    ///   - classes: the class of each entity, by name.
    ///   - stores: the stores to open, in this order.
    /// - Throws: `ObjectGraphError`, as for one store; then all stores are closed again.
    public init(
        model: ManagedObjectModel,
        classes: [String: ManagedObject.Type] = [:],
        stores: [StoreDescription]
    ) throws {
        coordinator = try PersistentStoreCoordinator(model: model, classes: classes)
        do {
            for store in stores { _ = try coordinator.addStore(store) }
        } catch {
            for store in coordinator.openStores { coordinator.remove(store) }
            throw error
        }
        viewContext = ManagedObjectContext(coordinator: coordinator)
        viewContext.confineWhereMade()
        viewContext.tracksObservation = true
    }

    /// Opens several stores under one coordinator, each with a configuration of the model.
    ///
    /// - Throws: `ObjectGraphError`, as for one store; those that were open are closed again.
    public convenience init(
        model: ManagedObjectModel,
        classes: [ManagedObject.Type],
        stores: [StoreDescription]
    ) throws {
        try self.init(
            model: model,
            classes: try PersistentStoreCoordinator.byEntity(classes),
            stores: stores
        )
    }

    /// A further context over the same store.
    public func newContext() -> ManagedObjectContext {
        ManagedObjectContext(coordinator: coordinator)
    }

    /// Messages about the opening of the stores for the user, one sentence each, such as: a log
    /// beside a file belonged to another store and was set aside.
    public var openingNotices: [String] { coordinator.openStores.flatMap(\.notices) }

    /// Closes the stores; objects become faults that cannot be filled.
    public func close() { coordinator.closeAll() }
}
