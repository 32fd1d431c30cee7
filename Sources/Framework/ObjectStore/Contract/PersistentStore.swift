public import FoundationEssentials
public import ObjectModel

/// The interface between a coordinator and a store.
///
/// The same test suite runs on every store.
///
/// Promises:
/// 1. Calls come one at a time, under the coordinator's lock.
/// 2. A call that throws has changed nothing, in the file or in ``rows``.
/// 3. After ``save(_:)`` returns, the change survives a kill of the process and a power loss.
/// 4. A fetch puts the rows of its results into ``rows`` if asked to, so that firing their faults
///    reads nothing.
public protocol PersistentStore: AnyObject {
    var type: StoreType { get }
    var identifier: UUID { get }
    var url: URL? { get }
    var configurationName: String? { get }
    var isReadOnly: Bool { get }
    /// Whether a store of this type can be opened for writing.
    var canBeWritten: Bool { get }
    /// The right that the user of a database lacks to change it; `nil` without such a lack.
    var missingRight: String? { get }
    /// The meaning of this store's object IDs.
    var space: IDSpace { get }
    var rows: RowCache { get }
    /// The user's and the framework's metadata; a change is written by the next save.
    var metadata: StoreMetadata { get set }
    /// Whether entries of the metadata were set that no save has written.
    var hasUnsavedMetadata: Bool { get }

    func layout(_ entity: EntityDescription) -> RowLayout

    /// Finds objects. See ``FetchAnswer`` for what a store may leave to its caller.
    func fetch(_ plan: FetchPlan) throws -> FetchAnswer

    /// Finds objects by text; like a fetch, it may leave work to its caller.
    ///
    /// A store without an index evaluates ``SearchPlan/condition``.
    func search(_ plan: SearchPlan) throws -> FetchAnswer

    /// Several reads that see one state of the store, whoever else writes.
    func reading<Result>(_ body: () throws -> Result) throws -> Result

    /// A text that differs after each change of the stored data; `nil` where that is unknown, or
    /// where nothing outlives the process.
    var stateMark: String? { get }

    /// Reports each statement that has run, with its duration; `nil` ends it.
    ///
    /// A store without statements does nothing.
    func trace(_ observer: ((_ statement: String, _ duration: Duration) -> Void)?)

    /// Moves pending writes from the log into the file, after a large write or while the program is
    /// idle; most stores do nothing.
    func checkpoint() throws

    /// Frees what the store keeps of its file to read it less often; its rows stay.
    func releaseMemory()

    /// How many bytes are in the log beside the file.
    var logSize: Int { get }

    /// Messages about the opening for the user; one sentence each.
    var notices: [String] { get }

    /// Checks whether the file is still at its path. A save, a fetch and a look for others' changes
    /// check this themselves.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    func checkPlace() throws

    /// Whether a file that is not at its path any more may still be read, so that the user can save
    /// its data elsewhere. It is never written.
    var readsLostFile: Bool { get set }

    /// Reads rows into ``rows``, whether cached or not; IDs without a row are skipped.
    func load(_ ids: [ManagedObjectID]) throws

    /// Reads rows into a cache of the caller; ``rows`` do not change.
    func read(_ ids: [ManagedObjectID], into rows: RowCache) throws

    /// As ``read(_:into:)``, for a caller that uses only some properties of the rows; a store may
    /// leave out the others.
    func read(_ ids: [ManagedObjectID], only keys: Set<String>, into rows: RowCache) throws

    /// The destinations of a to-many relationship for each of its owners, in order if ordered.
    ///
    /// One query for all of them.
    func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]]

    /// Reads several things together, if asking for each of them later would take long.
    func learn(_ wanted: ReadAhead) throws

    /// Whether the store may answer from memory while nobody has told of a save that it does not
    /// know; one without a way to be told always asks.
    var answersFromMemory: Bool { get set }

    /// Permanent IDs for new objects of a concrete entity, before their save.
    func allocateIDs(_ count: Int, for entity: EntityDescription) throws -> [ManagedObjectID]

    /// Writes a set of changes in one transaction, history included, and updates ``rows``.
    ///
    /// An empty plan writes the metadata that were set, if there are any.
    ///
    /// - Throws: ``StoreConflict`` if somebody else has changed rows since they were read.
    func save(_ plan: SavePlan) throws -> SaveReceipt

    /// The transactions after a token, oldest first. Empty for a store without history.
    func history(after token: Int64, limit: Int) throws -> [HistoryTransaction]

    /// The present state of the store, read-only, with rows of its own and the same object IDs.
    ///
    /// - Throws: `ObjectGraphError` if the store cannot give one.
    func snapshot() throws -> any PersistentStore

    /// The store at the same place, opened again with the same options; `self` stays open.
    ///
    /// - Throws: `ObjectGraphError` if the store has no file, or cannot be opened.
    func reopened() throws -> any PersistentStore

    /// Writes the present state into one file, which takes the place of another one there.
    ///
    /// - Throws: `ObjectGraphError` if the store cannot do that, or the file cannot be written.
    func backUp(to url: URL, progress: ((Double) throws -> Void)?) throws

    /// Checks the store's data against the model and against themselves.
    ///
    /// - Throws: `ObjectGraphError` if the store cannot do that, or cannot be read.
    func inspect(progress: ((Double) throws -> Void)?) throws -> StoreInspection

    /// Repairs what an inspection finds, in one transaction.
    ///
    /// - Throws: `ObjectGraphError` if the store cannot do that; then nothing has changed.
    func repair(
        name: String,
        author: String?,
        progress: ((Double) throws -> Void)?
    ) throws -> StoreRepair

    /// What the checksums of the pages that were read say.
    var pages: PageReport { get }

    /// Whether saves are recorded in a history.
    var keepsHistory: Bool { get }

    /// The number of the last transaction before a date; 0 if there is none.
    func lastTransaction(before date: Date) throws -> Int64

    /// The number of the newest transaction; 0 if there is none.
    func latestTransaction() throws -> Int64

    /// A number that changes after each write by another connection, of this or another process;
    /// `nil` where nobody else can write.
    ///
    /// What others have set in the metadata is taken over.
    func foreignMark() throws -> Int64?

    /// A number that differs once this store has seen another state of its file; reads nothing.
    var seenState: UInt32 { get }

    /// One transaction with its changes.
    func historyTransaction(_ number: Int64) throws -> HistoryTransaction?

    /// How many changes of objects a transaction holds.
    func historySize(of number: Int64) throws -> Int

    /// How many objects the transactions after a token changed; an object counts once in each
    /// transaction. The number may be too low where it is above the limit.
    ///
    /// - Complexity: O(transactions), and where they are few O(limit).
    func historyChangeCount(after token: Int64, limit: Int) throws -> Int

    /// The next steps of undo, newest first: at most `limit` commands, with an author only those of
    /// this one. `redoSteps` is the same for redo.
    func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep]
    func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep]

    /// Deletes old history.
    ///
    /// - Returns: the number of deleted transactions.
    func trimHistory(_ limit: HistoryLimit) throws -> Int

    /// How far undo reaches back.
    func historyExtent() throws -> HistoryExtent

    /// Erases all values of some objects from the history. The changes stay in the log, which so
    /// has no gaps, but cannot be undone any more.
    func eraseHistory(of ids: [ManagedObjectID]) throws

    /// Prepares the store for very large saves, or ends that: more memory, no checkpoint during an
    /// import.
    func setImporting(_ isImporting: Bool) throws

    /// Stops the running statement, which then fails with a cancellation; callable from any thread.
    func interrupt()

    /// Whether firing the fault of one object should read those that were fetched with it.
    var readsInBatches: Bool { get }

    /// Whether the store wants to know which objects contexts use.
    var observesRegistration: Bool { get }
    func didRegister(_ ids: [ManagedObjectID])
    func didUnregister(_ ids: [ManagedObjectID])

    /// Ends every use of the file. Object IDs stay valid.
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
    public static let text = StoreType(rawValue: "Text")
    /// A schema of a PostgreSQL database; the product `PostgreSQLStore` has it.
    public static let postgresql = StoreType(rawValue: "PostgreSQL")
}

extension PersistentStore {
    package var canBeWritten: Bool { true }

    package var missingRight: String? { nil }
    package var hasUnsavedMetadata: Bool { false }
    package var readsInBatches: Bool { true }
    package var observesRegistration: Bool { false }
    package func didRegister(_ ids: [ManagedObjectID]) {}
    package func didUnregister(_ ids: [ManagedObjectID]) {}

    package func read(
        _ ids: [ManagedObjectID],
        only keys: Set<String>,
        into rows: RowCache
    ) throws { try read(ids, into: rows) }

    package func learn(_ wanted: ReadAhead) throws {}

    package var answersFromMemory: Bool {
        get { false }
        set {}
    }

    package func search(_ plan: SearchPlan) throws -> FetchAnswer { try searchByCondition(plan) }

    /// A search as a fetch.
    package func searchByCondition(_ plan: SearchPlan) throws -> FetchAnswer {
        var request = FetchDescription(
            entityName: plan.entity.name,
            predicate: plan.condition,
            sortDescriptors: plan.sortDescriptors
        )
        request.limit = plan.limit
        request.includesSubentities = plan.includesSubentities
        return try fetch(
            FetchPlan(request: request, entity: plan.entity, loadsRows: plan.loadsRows)
        )
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package var stateMark: String? { nil }

    package func trace(_ observer: ((_ statement: String, _ duration: Duration) -> Void)?) {}

    public func checkpoint() throws {}

    package func releaseMemory() {}

    package var logSize: Int { 0 }

    package var notices: [String] { [] }

    package func checkPlace() throws {}

    package var readsLostFile: Bool {
        get { false }
        set {}
    }

    package var keepsHistory: Bool { true }

    package func reopened() throws -> any PersistentStore {
        throw ObjectGraphError(.unsupported, "A store without a file cannot be opened again.")
    }

    package func snapshot() throws -> any PersistentStore {
        throw ObjectGraphError(
            .unsupported,
            "A store of the type \(type.rawValue) cannot give a snapshot of itself.",
            recovery: "Use a SQLite or an in-memory store for that."
        )
    }

    package func backUp(to url: URL, progress: ((Double) throws -> Void)?) throws {
        throw ObjectGraphError(
            .unsupported,
            "A store of the type \(type.rawValue) cannot write a backup of itself.",
            recovery: "Copy its file while it is closed."
        )
    }

    package func inspect(progress: ((Double) throws -> Void)?) throws -> StoreInspection {
        throw ObjectGraphError.notInspected
    }

    package func repair(
        name: String,
        author: String?,
        progress: ((Double) throws -> Void)?
    ) throws -> StoreRepair {
        throw ObjectGraphError.notInspected
    }

    package var pages: PageReport { PageReport() }

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

    package func foreignMark() throws -> Int64? { nil }

    package var seenState: UInt32 { 0 }

    package func historySize(of number: Int64) throws -> Int {
        try historyTransaction(number)?.changes.count ?? 0
    }

    package func trimHistory(_ limit: HistoryLimit) throws -> Int { 0 }

    package func historyChangeCount(after token: Int64, limit: Int) throws -> Int {
        try history(after: token, limit: .max).reduce(0) { $0 + $1.changes.count }
    }

    package func interrupt() {}

    package func historyExtent() throws -> HistoryExtent {
        let steps = try undoSteps(limit: .max, by: nil)
        return HistoryExtent(steps: steps.count, oldest: steps.map(\.date).min())
    }

    package func eraseHistory(of ids: [ManagedObjectID]) throws {}

    public func setImporting(_ isImporting: Bool) throws {}
}
