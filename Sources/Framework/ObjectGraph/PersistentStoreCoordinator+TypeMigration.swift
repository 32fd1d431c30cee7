import FoundationEssentials
public import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore

extension PersistentStoreCoordinator {
    /// Moves all objects of an open store into a new one, which may be of another type and at
    /// another place, and opens that instead.
    ///
    ///     var options = StoreOptions()
    ///     options.type = .xml
    ///     let copy = try coordinator.migrateStore(store, to: StoreDescription(url: file, options: options))
    ///
    /// Objects, relationships, orders and the entries of programs in the metadata are the same
    /// afterwards, and so is the history between SQLite and PostgreSQL stores; else it starts
    /// again. The new store is built aside and takes its place in one
    /// step, so the old one is whole, and still open, if anything fails. Its file stays, unless the
    /// new store has the same place.
    ///
    /// Objects keep their IDs, and the store its identifier, where the new type permits it. An XML
    /// store counts all its objects together: if two objects of the old store have one number, all
    /// get new IDs, and the store a new identifier. Save the contexts before, and reset them after
    /// that: pending changes are not part of the store.
    ///
    /// - Parameters:
    ///   - store: one of the open stores.
    ///   - description: the place and type of the new store; its configuration must be the old one's.
    ///   - historyAuthor: whose the commands of the history are from now on, as where a store of one
    ///     person becomes one of several (``PersistentStoreCoordinator/undoesByAuthor``); `nil` leaves them to their
    ///     authors.
    /// - Returns: the new store.
    /// - Throws: `ObjectGraphError`: the store does not belong to this coordinator, there is a file at
    ///   the new place, the type cannot hold the model, or an error of one of the stores.
    /// - Complexity: O(objects). Between SQLite stores, and to a SQLite store, a part of the objects is
    ///   in memory at a time; the other types hold all objects anyway.
    @discardableResult
    public func migrateStore(
        _ store: StoreReference,
        to description: StoreDescription,
        historyAuthor: String? = nil
    ) throws -> StoreReference {
        try withOpenStore(store) { source in
            var migration = TypeMigration(source, to: description, self)
            migration.historyAuthor = historyAuthor
            try migration.check()
            let target = try migration.run()
            remove(source)
            add(target)
            return StoreReference(target)
        }
    }
}

private struct TypeMigration {
    private let source: any PersistentStore
    private let description: StoreDescription
    private let coordinator: PersistentStoreCoordinator
    var historyAuthor: String?

    init(
        _ source: any PersistentStore,
        to description: StoreDescription,
        _ coordinator: PersistentStoreCoordinator
    ) {
        self.source = source
        self.description = description
        self.coordinator = coordinator
    }

    private var isAtSamePlace: Bool {
        guard let old = source.url, let new = description.url else { return false }
        return FilePlace.resolved(old.path) == FilePlace.resolved(new.path)
    }

    func check() throws {
        if description.options.configuration != source.configurationName {
            throw ObjectGraphError(
                .invalidRequest,
                "A migration to another type keeps the configuration of the store.",
                recovery: "Give the configuration \(source.configurationName ?? "nil")."
            )
        }
        if description.options.isReadOnly {
            throw ObjectGraphError(
                .invalidRequest,
                "A store that is open for reading only cannot be written by a migration.",
                recovery: "Open the new store for reading only after the migration."
            )
        }
        if case .incremental = try StoreClass.of(description.options.type) {
            throw ObjectGraphError(
                .unsupported,
                "A migration cannot create a store of the type \(description.options.type.rawValue).",
                recovery: "Open that store, and insert the objects in a context."
            )
        }
        if case .database(let storeClass) = try StoreClass.of(description.type) {
            guard let url = description.url, (try? storeClass.metadata(ofStoreAt: url)) != nil
            else { return }
            throw ObjectGraphError(
                .cannotWrite,
                "There is a store in the database already.",
                recovery: "Choose another place for the new store."
            )
        }
        guard let url = description.url, description.options.type != .inMemory, !isAtSamePlace,
            FileIdentity(FilePlace.resolved(url.path)) != nil
        else { return }
        throw ObjectGraphError(
            .cannotWrite,
            "There is a file \"\(url.lastPathComponent)\" already.",
            recovery: "Remove it, or choose another place for the new store."
        )
    }

    /// - Returns: the new store, open at its place.
    func run() throws -> any PersistentStore {
        let type = description.type
        var copy = try StoreCopy(
            of: source,
            coordinator.model,
            needsStoreWideNumbers: try StoreClass.of(type).hasStoreWideNumbers,
            takesReferences: type != .sqlite && type != .inMemory && type != .postgresql
        )
        copy.historyAuthor = historyAuthor
        let identifier = copy.keepsIDs ? source.identifier : nil
        if case .database = try StoreClass.of(description.type) {
            let target = try coordinator.open(description, newIdentifier: identifier)
            try copy.write(to: target, inParts: true)
            return target
        }
        guard type != .inMemory, let url = description.url else {
            let target = try coordinator.open(description, newIdentifier: identifier)
            try write(copy, to: target)
            return target
        }
        let stage = try StoreTransferStage(beside: url)
        defer { stage.remove() }
        var staged = description
        staged.url = stage.file
        let target = try coordinator.open(staged, newIdentifier: identifier)
        do {
            try write(copy, to: target)
        } catch {
            target.close()
            throw error
        }
        target.close()
        guard isAtSamePlace else {
            try stage.place(at: url, replacing: false)
            return try coordinator.open(description)
        }
        // Fails if somebody else has replaced the old store meanwhile.
        try source.checkPlace()
        let external = SQLiteStore.externalFolder(of: url)
        let former = SQLiteStore.ownFiles(in: external, of: url.path)
        // The log of an SQLite store moves into its file before another file takes the place.
        if source.type == .sqlite { source.close() }
        do {
            try stage.place(at: url, replacing: true)
        } catch {
            if source.type == .sqlite {
                let same = try source.reopened()
                coordinator.remove(source)
                coordinator.add(same)
            }
            throw error
        }
        for name in former { try? FileManager.default.removeItem(atPath: external + "/" + name) }
        return try coordinator.open(description)
    }
}

extension TypeMigration {
    private func write(_ copy: StoreCopy, to target: any PersistentStore) throws {
        try copy.write(to: target, inParts: target.type == .sqlite)
        let name = source.url?.lastPathComponent ?? source.identifier.uuidString
        try source.pages.checkForMigration(name)
    }
}

extension StoreClass {
    /// See ``AtomicStore/hasStoreWideNumbers``.
    fileprivate var hasStoreWideNumbers: Bool {
        if case .atomic(let storeClass) = self { return storeClass.hasStoreWideNumbers }
        return false
    }
}
