public import FoundationEssentials
public import ObjectContext
public import ObjectGraph
import ObjectModel
import ObjectStore

/// PostgreSQL stores for coordinators and containers.
///
///     try PostgreSQLStores.register()
///     let container = try PersistentContainer(
///         for: Task.self, url: URL(string: "postgresql://me@db.example.org/tasks?schema=team"))
public enum PostgreSQLStores {
    /// Makes the type ``StoreType/postgresql`` known, and the scheme `postgresql` of URLs.
    ///
    /// - Throws: nothing at present.
    public static func register() throws {
        try PersistentStoreCoordinator.register(PostgreSQLStoreClass())
    }
}

extension PersistentStoreCoordinator {
    /// Opens a store in a schema of a PostgreSQL database, creating it if it does not exist, and adds
    /// it to the open stores.
    ///
    ///     if let url = URL(string: "postgresql://me@db.example.org/tasks?schema=team") {
    ///         _ = try coordinator.addPostgreSQLStore(url)
    ///     }
    ///
    /// The URL may have the parameters of libpq. A server that is not this computer has to prove who
    /// it is (`sslmode=verify-full`), unless the URL says otherwise. The library libpq, from version 14
    /// on, is loaded when it is needed.
    ///
    /// - Parameters:
    ///   - url: the server, the database, and as `schema` the schema; `objectgraph` without one.
    ///   - options: as of every store; their type is ignored.
    /// - Returns: the store.
    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/serverUnreachable``,
    ///   ``ObjectGraphError/Code/serverAccess``, and the errors of ``addStore(_:)``.
    public func addPostgreSQLStore(
        _ url: URL,
        options: StoreOptions = StoreOptions()
    ) throws -> StoreReference {
        try PostgreSQLStores.register()
        var options = options
        options.type = .postgresql
        return try addStore(StoreDescription(url: url, options: options))
    }
}

private struct PostgreSQLStoreClass: DatabaseStoreClass {
    var type: StoreType { .postgresql }

    func isPlace(_ url: URL) -> Bool { PostgreSQLPlace.isPlace(url) }

    func open(_ request: DatabaseStoreRequest) throws -> any PersistentStore {
        try PostgreSQLStore(
            url: request.url,
            model: request.model,
            configuration: request.configuration,
            options: PostgreSQLStoreOptions(request)
        )
    }

    func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        try PostgreSQLStore.metadata(at: url)
    }

    func modelArchive(ofStoreAt url: URL) throws -> ModelArchive? {
        try PostgreSQLStore.modelArchive(at: url)
    }

    func migrate(
        _ request: DatabaseStoreRequest,
        from source: ManagedObjectModel,
        _ monitor: MigrationMonitor
    ) throws {
        try PostgreSQLStore.migrate(
            at: request.url,
            from: source,
            to: request.model,
            configuration: request.configuration,
            options: PostgreSQLStoreOptions(request),
            monitor
        )
    }
}

extension PostgreSQLStoreOptions {
    fileprivate init(_ request: DatabaseStoreRequest) {
        isReadOnly = request.isReadOnly
        keepsHistory = request.keepsHistory
        ignoresVersionHashes = request.ignoresVersions
        identifier = request.identifier
        readableBy = request.readableBy
    }
}
