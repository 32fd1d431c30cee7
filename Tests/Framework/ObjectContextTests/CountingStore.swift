import FoundationEssentials
import ObjectModel
import ObjectStore

/// Passes everything on to an in-memory store, counts the calls, and fails when told to.
final class CountingStore: PersistentStore {
    private let store: InMemoryStore
    private(set) var fetches = 0
    private(set) var loads = 0
    private(set) var destinationQueries = 0
    private(set) var saves = 0
    /// Thrown by the calls that are counted, if set.
    var failure: ObjectGraphError?
    /// Thrown by ``save(_:)`` alone, if set.
    var saveFailure: ObjectGraphError?

    init(model: ManagedObjectModel, configuration: String? = nil) throws {
        store = try InMemoryStore(model: model, configuration: configuration)
    }

    var calls: Int { fetches + loads + destinationQueries + saves }

    func resetCounts() { (fetches, loads, destinationQueries, saves) = (0, 0, 0, 0) }

    var type: StoreType { store.type }
    var identifier: UUID { store.identifier }
    var url: URL? { nil }
    var configurationName: String? { store.configurationName }
    var isReadOnly: Bool { false }
    var space: IDSpace { store.space }
    var rows: RowCache { store.rows }
    var metadata: StoreMetadata {
        get { store.metadata }
        set { store.metadata = newValue }
    }
    var hasUnsavedMetadata: Bool { store.hasUnsavedMetadata }

    func layout(_ entity: EntityDescription) -> RowLayout { store.layout(entity) }

    func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        fetches += 1
        if let failure { throw failure }
        return try store.fetch(plan)
    }

    func load(_ ids: [ManagedObjectID]) throws {
        loads += 1
        if let failure { throw failure }
        try store.load(ids)
    }

    func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        loads += 1
        if let failure { throw failure }
        try store.read(ids, into: rows)
    }

    func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        destinationQueries += 1
        if let failure { throw failure }
        return try store.destinations(of: relationship, owners: owners)
    }

    func allocateIDs(_ count: Int, for entity: EntityDescription) throws -> [ManagedObjectID] {
        try store.allocateIDs(count, for: entity)
    }

    func save(_ plan: SavePlan) throws -> SaveReceipt {
        saves += 1
        if let failure = failure ?? saveFailure { throw failure }
        return try store.save(plan)
    }

    func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        try store.history(after: token, limit: limit)
    }

    func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        try store.historyTransaction(number)
    }

    func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try store.undoSteps(limit: limit, by: author)
    }

    func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try store.redoSteps(limit: limit, by: author)
    }

    func close() { store.close() }
}
