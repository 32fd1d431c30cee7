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
///     let container = try PersistentContainer(
///         model: model, classes: ["Task": Task.self], url: URL(filePath: "tasks.sqlite"))
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

    /// Opens a store, or creates it if the file does not exist.
    ///
    /// - Parameters:
    ///   - model: the model; it cannot be changed any more.
    ///   - classes: the class of each entity, by name; if empty, all objects are plain
    ///     `ManagedObject`s.
    ///   - url: the store's file; ignored by an in-memory store.
    ///   - options: see ``StoreOptions``.
    /// - Throws: `ObjectGraphError` if the model contradicts itself, if a class that it names is
    ///   missing among the classes, or if the file cannot be opened, is damaged, or was made with
    ///   another model.
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

    /// A further context over the same store.
    public func newContext() -> ManagedObjectContext {
        ManagedObjectContext(coordinator: coordinator)
    }

    /// Messages about the opening of the stores for the user, one sentence each, such as: a log
    /// beside a file belonged to another store and was set aside.
    public var openingNotices: [String] { coordinator.openStores.flatMap(\.notices) }

    /// Closes the stores; objects become faults that cannot be filled.
    public func close() {
        for store in coordinator.openStores { coordinator.remove(store) }
    }
}
