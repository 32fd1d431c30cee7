package import FoundationEssentials
public import ObjectModel

/// What a coordinator asks of a store.
///
/// One contract suite runs on every store.
///
/// Promises:
/// 1. Calls come one at a time, under the coordinator's lock.
/// 2. A call that throws has changed nothing, in the file or in ``rows``.
/// 3. After ``save(_:)`` returns, the change survives the death of the process and of the power.
/// 4. A fetch puts the rows of its results into ``rows`` if asked to, so that firing their faults
///    reads nothing.
package protocol PersistentStore: AnyObject {
    var type: StoreType { get }
    var identifier: UUID { get }
    var url: URL? { get }
    var configurationName: String? { get }
    var isReadOnly: Bool { get }
    /// The meaning of this store's object IDs.
    var space: IDSpace { get }
    var rows: RowCache { get }
    /// The user's and the framework's metadata; a change is written by the next save.
    var metadata: StoreMetadata { get set }

    /// The layout of an entity's cached rows.
    func layout(_ entity: EntityDescription) -> RowLayout

    /// Finds objects. See ``FetchAnswer`` for what a store may leave to its caller.
    func fetch(_ plan: FetchPlan) throws -> FetchAnswer

    /// Finds objects by text; like a fetch, it may leave work to its caller.
    ///
    /// A store without an index evaluates ``SearchPlan/condition``.
    func search(_ plan: SearchPlan) throws -> FetchAnswer

    /// Several reads that see one state of the store, whoever else writes.
    func reading<Result>(_ body: () throws -> Result) throws -> Result

    /// A text that is another one after each change of what is stored; `nil` where that cannot be
    /// told, or nothing outlives the process.
    var stateMark: String? { get }

    /// Tells each statement that has run, with its duration; `nil` ends it.
    ///
    /// Nothing for a store without statements.
    func trace(_ observer: ((_ statement: String, _ duration: Duration) -> Void)?)

    /// Brings the file to rest after a large write, or when the program is idle; nothing for most
    /// stores.
    func checkpoint() throws

    /// How many bytes wait beside the file until it is brought to rest.
    var logSize: Int { get }

    /// What the user has to be told about the opening; one sentence each.
    var notices: [String] { get }

    /// Whether the file is still at its path; a save, a fetch and a look for others' changes ask
    /// for themselves.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    func checkPlace() throws

    /// Whether a file that is not at its path any more may be read all the same, to save what can
    /// be saved of it; never written.
    var readsLostFile: Bool { get set }

    /// Reads rows into ``rows``, whether cached or not; IDs without a row are left out of it.
    func load(_ ids: [ManagedObjectID]) throws

    /// Reads rows into a cache of the caller's; ``rows`` stay as they are.
    func read(_ ids: [ManagedObjectID], into rows: RowCache) throws

    /// The destinations of a to-many relationship for each of its owners, in order if ordered.
    ///
    /// One query for all of them.
    func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]]

    /// Permanent IDs for new objects of a concrete entity, ahead of their save.
    func allocateIDs(_ count: Int, for entity: EntityDescription) throws -> [ManagedObjectID]

    /// Writes a set of changes in one transaction, history included, and updates ``rows``.
    ///
    /// - Throws: ``StoreConflict`` if rows were changed by somebody else since they were read.
    func save(_ plan: SavePlan) throws -> SaveReceipt

    /// The transactions after a token, oldest first. Empty for a store without history.
    func history(after token: Int64, limit: Int) throws -> [HistoryTransaction]

    /// The store as it is now, read-only, with rows of its own and the same object IDs.
    ///
    /// - Throws: `ObjectGraphError` if the store cannot be kept as it is.
    func snapshot() throws -> any PersistentStore

    /// The number of the last transaction before a date; 0 if there is none.
    func lastTransaction(before date: Date) throws -> Int64

    /// The number of the newest transaction; 0 if there is none.
    func latestTransaction() throws -> Int64

    /// Whether another connection, of this or another process, has written since the last call.
    func hasForeignChanges() throws -> Bool

    /// A number that is another one after each write by another connection, of this or another
    /// process; `nil` where nobody else can write.
    func foreignMark() throws -> Int64?

    /// One transaction with its changes.
    func historyTransaction(_ number: Int64) throws -> HistoryTransaction?

    /// How many changes of objects a transaction holds.
    func historySize(of number: Int64) throws -> Int

    /// How many objects the transactions after a token changed, each transaction's counted by
    /// itself; the number may be too low where it is greater than a limit.
    ///
    /// - Complexity: O(transactions), and where they are few O(limit).
    func historyChangeCount(after token: Int64, limit: Int) throws -> Int

    /// What undo and redo would do next, newest first: at most `limit` commands each.
    func undoSteps(limit: Int) throws -> [HistoryStep]
    func redoSteps(limit: Int) throws -> [HistoryStep]

    /// How many commands can be undone, counted no further than a limit.
    func undoStepCount(limit: Int) throws -> Int

    /// Forgets old history.
    ///
    /// - Returns: How many transactions went.
    func trimHistory(_ limit: HistoryLimit) throws -> Int

    /// How far undo reaches back.
    func historyExtent() throws -> HistoryExtent

    /// Takes everything that objects held out of the history, for good; what happened to them
    /// stays, so that the log is whole, but cannot be undone any more.
    func eraseHistory(of ids: [ManagedObjectID]) throws

    /// Prepares the store for very large saves, or ends that: more memory, no checkpoint in
    /// between.
    func setImporting(_ isImporting: Bool) throws

    /// Stops the statement that is running, which then fails with a cancellation; from any thread.
    func interrupt()

    /// Ends every use of the file. Object IDs stay meaningful.
    func close()
}

/// The kind of a store, by its registered name.
public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let sqlite = StoreType(rawValue: "SQLite")
    public static let inMemory = StoreType(rawValue: "InMemory")
    public static let binary = StoreType(rawValue: "Binary")
    public static let xml = StoreType(rawValue: "XML")
}

/// A store's metadata: property-list values by key.
public typealias StoreMetadata = [String: Value]

extension PersistentStore {
    package func search(_ plan: SearchPlan) throws -> FetchAnswer {
        var request = FetchDescription(
            entityName: plan.entity.name,
            predicate: plan.condition,
            sortDescriptors: plan.sortDescriptors
        )
        request.limit = plan.limit
        request.includesSubentities = plan.includesSubentities
        return try fetch(
            FetchPlan(
                request: request,
                entity: plan.entity,
                appliesWindow: true,
                loadsRows: plan.loadsRows
            )
        )
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package var stateMark: String? { nil }

    package func trace(_ observer: ((_ statement: String, _ duration: Duration) -> Void)?) {}

    package func checkpoint() throws {}

    package var logSize: Int { 0 }

    package var notices: [String] { [] }

    package func checkPlace() throws {}

    package var readsLostFile: Bool {
        get { false }
        set {}
    }

    package func snapshot() throws -> any PersistentStore {
        throw ObjectGraphError(
            .unsupported,
            "A store of the type \(type.rawValue) gives no snapshot of itself.",
            recovery: "Use a SQLite or an in-memory store for that."
        )
    }

    package func lastTransaction(before date: Date) throws -> Int64 {
        var last: Int64 = 0
        while true {
            let batch = try history(after: last, limit: 1000)
            guard let place = batch.firstIndex(where: { $0.date >= date }) ?? batch.indices.last
            else { return last }
            if batch[place].date >= date { return place > 0 ? batch[place - 1].number : last }
            last = batch[place].number
        }
    }

    package func latestTransaction() throws -> Int64 {
        var token: Int64 = 0
        while let last = try history(after: token, limit: 10_000).last { token = last.number }
        return token
    }

    package func hasForeignChanges() throws -> Bool { false }
    package func foreignMark() throws -> Int64? { nil }

    package func historySize(of number: Int64) throws -> Int {
        try historyTransaction(number)?.changes.count ?? 0
    }

    package func trimHistory(_ limit: HistoryLimit) throws -> Int { 0 }

    package func historyChangeCount(after token: Int64, limit: Int) throws -> Int {
        try history(after: token, limit: .max).reduce(0) { $0 + $1.changes.count }
    }

    package func undoStepCount(limit: Int) throws -> Int { try undoSteps(limit: limit).count }

    package func interrupt() {}

    package func historyExtent() throws -> HistoryExtent {
        let steps = try undoSteps(limit: .max)
        return HistoryExtent(steps: steps.count, oldest: steps.map(\.date).min())
    }

    package func eraseHistory(of ids: [ManagedObjectID]) throws {}

    package func setImporting(_ isImporting: Bool) throws {}
}
