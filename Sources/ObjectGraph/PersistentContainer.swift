public import FoundationEssentials
public import ObjectContext
public import ObjectModel
public import ObjectStore
import SQLiteStore

/// How ``PersistentContainer`` opens a store.
public struct StoreOptions: Sendable {
    public var type = StoreType.sqlite
    public var isReadOnly = false
    /// The part of the model that the store holds; `nil` = all of it.
    public var configuration: String?
    /// Whether saves are logged, so that they can be undone and other processes can follow.
    public var keepsHistory = true
    /// Whether searched attributes are indexed.
    public var keepsSearchIndex = true

    public init() {}
}

/// The whole stack in one line: model, coordinator, store, and a context to begin with.
///
///     let container = try PersistentContainer(
///         model: model, classes: ["Task": Task.self], url: URL(filePath: "tasks.sqlite"))
///     let task = container.viewContext.insert(Task.self)
///     task.title = "Pay the rent"
///     try container.viewContext.save()
public final class PersistentContainer {
    public let coordinator: PersistentStoreCoordinator
    /// The context of what is on screen; it stays where the container was made.
    public let viewContext: ManagedObjectContext

    /// Opens a store, making it if there is none.
    ///
    /// - Parameters:
    ///   - model: the schema; immutable from now on.
    ///   - classes: the class of each entity, by name.
    ///   - url: the store's file; ignored by an in-memory store.
    ///   - options: see ``StoreOptions``.
    /// - Throws: `ObjectGraphError`: the model contradicts itself, or the file cannot be opened,
    ///   is damaged, or was made with another model.
    public init(
        model: ManagedObjectModel,
        classes: [String: ManagedObject.Type] = [:],
        url: URL? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        coordinator = try PersistentStoreCoordinator(model: model, classes: classes)
        coordinator.add(try PersistentContainer.open(model, url, options))
        viewContext = ManagedObjectContext(coordinator: coordinator)
    }

    private static func open(
        _ model: ManagedObjectModel,
        _ url: URL?,
        _ options: StoreOptions
    ) throws -> any PersistentStore {
        switch (options.type, url) {
        case (.inMemory, _):
            return try InMemoryStore(model: model, configuration: options.configuration, url: url)
        case (.sqlite, let url?):
            var sqlite = SQLiteStoreOptions()
            sqlite.isReadOnly = options.isReadOnly
            sqlite.keepsHistory = options.keepsHistory
            sqlite.keepsSearchIndex = options.keepsSearchIndex
            return try SQLiteStore(
                url: url,
                model: model,
                configuration: options.configuration,
                options: sqlite
            )
        case (.sqlite, nil):
            throw ObjectGraphError(
                .cannotOpen,
                "A SQLite store needs a file.",
                recovery: "Give its URL."
            )
        default:
            throw ObjectGraphError(
                .invalidStoreType,
                "There is no store type \"\(options.type.rawValue)\".",
                recovery: "Use SQLite or InMemory."
            )
        }
    }

    /// A further context over the same store.
    public func newContext() -> ManagedObjectContext {
        ManagedObjectContext(coordinator: coordinator)
    }

    /// Closes the stores; objects become faults that cannot be filled.
    public func close() {
        for store in coordinator.persistentStores { coordinator.remove(store) }
    }
}
