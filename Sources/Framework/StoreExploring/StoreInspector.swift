public import FoundationEssentials
import ObjectGraph
public import ObjectModel
import ObjectStore
import SQLiteStore

/// Looks at any store that the framework can read, with its model or without, and changes nothing.
///
/// An SQLite store is read as ``SQLiteStore/inspect(_:model:mayReadAtRest:)`` explains. What is read
/// by one call is of one state: if somebody changes the file meanwhile, the call opens it again and
/// reads again.
///
///     let inspector = try StoreInspector(url)
///     for entity in try inspector.overview().entities { print(entity.name, entity.rows) }
public final class StoreInspector {
    /// The place of the store.
    public let url: URL
    private let models: [ManagedObjectModel]
    private var opened: Opened

    private struct Opened {
        let store: any PersistentStore
        let found: StoredModel
        let plain: ManagedObjectModel
        /// The objects of each entity in the order of their numbers, of stores that cannot be asked
        /// for a part of them.
        var ids: [UInt16: [ManagedObjectID]] = [:]
    }

    var store: any PersistentStore { opened.store }
    /// The model that says how objects are stored.
    var plain: ManagedObjectModel { opened.plain }

    /// How many objects are read at a time.
    public static let slice = 512
    /// How many destinations of a to-many relationship are named.
    public static let namedMembers = 100

    /// - Parameters:
    ///   - url: the store's file.
    ///   - models: versions of its model, of which the first one that fits is used; none to find the
    ///     model in the file.
    /// - Throws: `ObjectGraphError` if the file does not exist, is not a store, is damaged, or does
    ///   not fit any of the models.
    public init(_ url: URL, models: [ManagedObjectModel] = []) throws {
        self.url = url
        self.models = models
        opened = try StoreInspector.open(url, models, mayReadAtRest: true)
    }

    deinit { opened.store.close() }

    private static func open(
        _ url: URL,
        _ models: [ManagedObjectModel],
        mayReadAtRest: Bool
    ) throws -> Opened {
        guard let first = models.first else { return try open(url, nil, mayReadAtRest) }
        do {
            return try open(url, first, mayReadAtRest)
        } catch let error as ObjectGraphError
            where [.incompatibleVersion, .invalidModel, .damagedFile].contains(error.code)
        {
            for model in models.dropFirst() {
                if let opened = try? open(url, model, mayReadAtRest) { return opened }
            }
            throw error
        }
    }

    private static func open(
        _ url: URL,
        _ model: ManagedObjectModel?,
        _ mayReadAtRest: Bool
    ) throws -> Opened {
        let type = PersistentStoreCoordinator.storeType(at: url) ?? .sqlite
        guard let storeClass = PersistentStoreCoordinator.atomicClass(of: type) else {
            let opened = try SQLiteStore.inspect(url, model: model, mayReadAtRest: mayReadAtRest)
            return Opened(store: opened.store, found: opened.found, plain: opened.store.model)
        }
        let found: StoredModel
        if let model {
            found = StoredModel(model, .given)
        } else {
            guard let stored = try StoredModel(of: storeClass, at: url) else {
                throw ObjectGraphError(
                    .cannotOpen,
                    "The store \"\(url.lastPathComponent)\" does not contain its entities.",
                    recovery: "Give its model."
                )
            }
            found = stored
        }
        let plain = found.model.plainStorage()
        let store = try AtomicStoreOpening.open(
            storeClass,
            as: type,
            url: url,
            model: plain,
            configuration: nil,
            isReadOnly: true,
            ignoresVersions: true
        ).engine
        return Opened(store: store, found: found, plain: plain)
    }

    /// All objects of exactly one entity of a store that is in memory as a whole, in the order of
    /// their numbers.
    ///
    /// - Complexity: O(n log n) the first time, then O(1).
    func allIDs(of entity: EntityDescription) throws -> [ManagedObjectID] {
        if let known = opened.ids[entity.number] { return known }
        var request = FetchDescription(entityName: entity.name)
        request.includesSubentities = false
        request.resultType = .objectIDs
        let plan = FetchPlan(request: request, entity: entity)
        let all = try store.fetch(plan).ids.sorted { $0.key < $1.key }
        opened.ids[entity.number] = all
        return all
    }

    /// Runs reads that see one state of the store.
    func steady<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            if !hasMovedOn { return result }
        } catch {
            // What was read from a file that was changed meanwhile can look damaged.
            if !hasMovedOn { throw error }
        }
        let reopened = try StoreInspector.open(url, models, mayReadAtRest: false)
        store.close()
        opened = reopened
        return try body()
    }

    /// Sees the present state of the store from now on.
    ///
    /// - Throws: as opening the store.
    public func refresh() throws {
        let reopened = try StoreInspector.open(url, models, mayReadAtRest: true)
        store.close()
        opened = reopened
    }

    private var hasMovedOn: Bool { (store as? SQLiteStore)?.hasMovedOn ?? false }

    /// An entity by its name.
    ///
    /// - Throws: `ObjectGraphError` that names the entities there are.
    func entity(_ name: String) throws -> EntityDescription {
        if let entity = plain.entity(named: name) { return entity }
        let same = plain.entities.filter { $0.name.lowercased() == name.lowercased() }
        if same.count == 1 { return same[0] }
        let names = plain.entities.map(\.name).sorted()
        let more = names.count > 20 ? " and \(names.count - 20) more" : ""
        throw ObjectGraphError(
            .invalidRequest,
            "The store has no entity \"\(name)\".",
            recovery: "Its entities are \(names.prefix(20).joined(separator: ", "))\(more)."
        )
    }

    // MARK: Overview

    /// The metadata, the entities and their counts.
    ///
    /// - Complexity: O(entities), and for the counts O(rows).
    public func overview() throws -> StoreOverview {
        try steady {
            let metadata = store.metadata
            let described = described
            let counts = try ownCounts()
            var entities: [StoreOverview.Entity] = []
            for case let entity? in described.entitiesByNumber {
                guard let stored = plain.entity(named: entity.name) else { continue }
                var number = Int(stored.number)
                if let store = store as? SQLiteStore {
                    number = Int(store.number(of: stored) ?? 0)
                }
                entities.append(
                    StoreOverview.Entity(entity, number: number, rows: counts[entity.name] ?? 0)
                )
            }
            var identifiers: [String] = []
            if case .array(let list)? = metadata[StoreMetadataKey.modelIdentifiers] {
                identifiers = list.compactMap {
                    if case .string(let text) = $0 { text } else { nil }
                }
            }
            var hashes: [(entity: String, hash: Data)] = []
            if case .dictionary(let list)? = metadata[StoreMetadataKey.hashes] {
                for (name, hash) in list.sorted(by: { $0.key < $1.key }) {
                    if case .data(let data) = hash { hashes.append((name, data)) }
                }
            }
            return StoreOverview(
                type: store.type,
                identifier: store.identifier.uuidString,
                versionIdentifiers: identifiers,
                hashes: hashes,
                origin: opened.found.origin,
                entities: entities
            )
        }
    }

    /// The model as it was found; where it contradicts itself, as far as it says what is stored.
    private var described: ManagedObjectModel {
        do {
            try opened.found.model.freeze()
            return opened.found.model
        } catch { return plain }
    }

    private func ownCounts() throws -> [String: Int] {
        if let store = store as? SQLiteStore { return try store.ownCounts() }
        var result: [String: Int] = [:]
        for case let entity? in plain.entitiesByNumber {
            var request = FetchDescription(entityName: entity.name)
            request.includesSubentities = false
            request.resultType = .count
            let plan = FetchPlan(request: request, entity: entity)
            let answer = try store.fetch(plan)
            result[entity.name] = answer.count ?? answer.ids.count
        }
        return result
    }
}
