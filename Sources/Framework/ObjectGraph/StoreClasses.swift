import FileStores
import FoundationEssentials
public import ObjectContext
import ObjectModel
public import ObjectStore
import Synchronization

/// The classes of stores by type, for the whole program.
enum StoreClass {
    case sqlite
    case inMemory
    case atomic(AtomicStore.Type)
    case incremental(IncrementalStore.Type)
    /// Of a module beside the framework.
    case database(any DatabaseStoreClass)

    private static let registry = Mutex<[StoreType: StoreClass]>([
        .sqlite: .sqlite,
        .inMemory: .inMemory,
        .binary: .atomic(BinaryStore.self),
        .xml: .atomic(XMLStore.self),
        .text: .atomic(TextStore.self),
    ])

    /// The framework's own types, whose class cannot be replaced.
    static let ownTypes: [StoreType] = [.sqlite, .inMemory, .binary, .xml, .text]

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidStoreType``.
    static func of(_ type: StoreType) throws -> StoreClass {
        if let found = registry.withLock({ $0[type] }) { return found }
        throw ObjectGraphError(
            .invalidStoreType,
            "\"\(type.rawValue)\" is not a store type.",
            recovery: "Use one of \(names), or register a class for it first."
        )
    }

    private static var names: String {
        registry.withLock { $0.keys.map(\.rawValue).sorted().joined(separator: ", ") }
    }

    static var all: [StoreType: StoreClass] { registry.withLock { $0 } }

    /// The class of the stores that have URLs of a scheme of their own; `nil` for a file.
    static func database(of url: URL) -> (any DatabaseStoreClass)? {
        for storeClass in all.values {
            if case .database(let found) = storeClass, found.isPlace(url) { return found }
        }
        return nil
    }

    fileprivate static func set(_ storeClass: StoreClass?, for type: StoreType) throws {
        if ownTypes.contains(type) {
            throw ObjectGraphError(
                .invalidRequest,
                "The class of the store type \(type.rawValue) cannot be replaced.",
                recovery: "Register the class under a name of its own."
            )
        }
        registry.withLock { $0[type] = storeClass }
    }
}

extension PersistentStoreCoordinator {
    /// The class of an atomic store's type; `nil` for a store of another kind.
    package static func atomicClass(of type: StoreType) -> AtomicStore.Type? {
        if case .atomic(let storeClass)? = StoreClass.all[type] { return storeClass }
        return nil
    }

    /// Makes a store class of the program known under a type, for all coordinators.
    ///
    ///     try PersistentStoreCoordinator.register(NotesStore.self, as: StoreType(rawValue: "Notes"))
    ///
    /// A class that was registered under the type before is replaced; open stores stay as they are.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a type of
    ///   the framework itself.
    public static func register(_ storeClass: AtomicStore.Type, as type: StoreType) throws {
        try StoreClass.set(.atomic(storeClass), for: type)
    }

    /// Makes a store class of the program known under a type, for all coordinators.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a type of
    ///   the framework itself.
    public static func register(_ storeClass: IncrementalStore.Type, as type: StoreType) throws {
        try StoreClass.set(.incremental(storeClass), for: type)
    }

    /// Makes the stores of a module beside the framework known.
    package static func register(_ storeClass: any DatabaseStoreClass) throws {
        try StoreClass.set(.database(storeClass), for: storeClass.type)
    }

    /// Calls a body with an open store of a class of the program.
    ///
    /// Nobody else uses the coordinator's stores meanwhile, so the body must not fetch, fire faults
    /// or save. It can ask the store for what no request says: what an object is called there.
    ///
    ///     let file = try coordinator.withStore(reference, as: FolderStore.self) { store in
    ///         store.referenceObject(for: note.objectID).description
    ///     }
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if the store is
    ///   not open here or is not of the class, or the body's error.
    public func withStore<Store: IncrementalStore, Result>(
        _ store: StoreReference,
        as storeClass: Store.Type,
        _ body: (Store) throws -> Result
    ) throws -> Result {
        try withOpenStore(store) { open in
            guard let found = (open as? IncrementalStoreAdapter)?.store as? Store else {
                throw ObjectGraphError(
                    .invalidRequest,
                    "The store of the type \(store.type.rawValue) is not a \(storeClass).",
                    recovery: "Ask for the class under which the type is registered."
                )
            }
            return try body(found)
        }
    }

    /// Forgets the class of a type; open stores stay as they are.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a type of
    ///   the framework itself.
    public static func unregisterStoreClass(of type: StoreType) throws {
        try StoreClass.set(nil, for: type)
    }

    /// The store types that can be opened, in the order of their names.
    public static var registeredStoreTypes: [StoreType] {
        StoreClass.all.keys.sorted { $0.rawValue < $1.rawValue }
    }
}
