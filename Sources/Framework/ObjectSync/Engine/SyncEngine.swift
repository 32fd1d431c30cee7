import FoundationEssentials
public import ObjectContext
import ObjectModel

/// Keeps a store and its remotes equal.
///
/// For each remote and object the engine stores the *base*: the values that both had after the last
/// exchange. A pull merges three ways, property by property (``ValueMerge``); a push sends what differs
/// from its base. The base is saved in the transaction of the objects, so an exchange may be ended by
/// a crash at any point and is repeated without loss.
///
///     let engine = try SyncEngine(coordinator, [
///         SyncEntity("Task", identity: "uuid", properties: ["title": .value, "notes": .text])])
///     let report = try engine.synchronize(with: server)
///
/// A pull is one step of undo. Undo of it is a change like any other, which the next push sends.
///
/// An engine may be used on any thread, by one at a time. It has contexts of its own; others follow
/// its saves as those of another context. Secrets: the values of bases are stored as they are, so
/// encrypted attributes cannot be exchanged.
public final class SyncEngine {
    public let coordinator: PersistentStoreCoordinator
    public let schema: SyncSchema
    /// The author of the engine's saves in the history.
    public var author = "sync"
    /// How much the clock of the remotes is ahead of that of this machine, in seconds; added to the
    /// times of changes here.
    public var clockOffset = 0.0
    /// Called before objects are read, at the beginning of each transaction.
    ///
    /// It may give names to those that have none yet: what has no name cannot be referred to.
    public var beforeReading: (() throws -> Void)?
    /// Completes what a pull has merged, before it is saved: numbers of new objects, for example.
    ///
    /// It is given the context of the pull, and called again if the save is repeated. What it changes
    /// of exchanged objects is sent with the next push.
    public var beforeSavingPull: ((ManagedObjectContext) throws -> Void)?

    /// How often a transaction is repeated because somebody else has saved meanwhile, and how often an
    /// edit is sent because the remote has another version.
    static let attempts = 8
    /// How many objects one transaction of a push has.
    static let batch = 1000
    /// For how many seconds a deletion waits for the remote from which it came: it may not be asked any more.
    static let longestHold = 7.0 * 86_400
    /// How many transactions a survey reads again rather than note a new place.
    static let reread = 50

    /// An engine for the objects of some entities.
    ///
    /// - Parameters:
    ///   - coordinator: the stores; their model has the entities of ``SyncModel``.
    ///   - entities: what is exchanged.
    /// - Throws: as ``SyncSchema/init(_:in:)``.
    public init(
        _ coordinator: PersistentStoreCoordinator,
        _ entities: [SyncEntity]
    ) throws {
        self.coordinator = coordinator
        schema = try SyncSchema(entities, in: coordinator.model)
    }

    /// Pulls, then pushes, until both sides are equal or one of them changes too often.
    ///
    /// - Parameters:
    ///   - remote: the remote.
    ///   - name: the name of the step of undo; `nil` for one in English.
    /// - Returns: what has changed on both sides.
    /// - Throws: the remote's error or the store's. What was exchanged before is kept.
    @discardableResult
    public func synchronize(
        with remote: some SyncRemote,
        as name: String? = nil
    ) throws -> SyncReport {
        var report = try pull(from: remote, as: name)
        for _ in 0..<SyncEngine.attempts {
            let refused = try push(to: remote, &report).filter { report.refused[$0.key] == nil }
            if refused.isEmpty { return report }
            var changes = RemoteChanges()
            for edit in refused {
                if let item = try remote.item(edit.key, href: edit.href) {
                    changes.items.append(item)
                } else if let href = edit.href {
                    changes.removed.append(href)
                }
            }
            try apply(changes, of: remote.name, as: name, token: nil, &report)
        }
        report.isUnfinished = true
        return report
    }

    /// Merges what has changed on a remote, as one step of undo.
    ///
    /// - Parameters:
    ///   - remote: the remote.
    ///   - name: the name of the step; `nil` for one in English.
    /// - Returns: what has changed here.
    /// - Throws: the remote's error or the store's; parts that were merged before are kept.
    @discardableResult
    public func pull(from remote: some SyncRemote, as name: String? = nil) throws -> SyncReport {
        var report = SyncReport()
        var token = try Exchange(self, remote.name).token()
        var isFirst = true
        while true {
            let changes = try remote.changes(since: token)
            try apply(
                changes,
                of: remote.name,
                as: name,
                token: changes.token,
                isFirst: isFirst,
                &report
            )
            (token, isFirst) = (changes.token, false)
            if !changes.hasMore { break }
        }
        return report
    }

    /// Sends what has changed here since the last exchange.
    ///
    /// - Returns: what was sent; an edit of what has changed there too waits for the next pull.
    /// - Throws: the remote's error or the store's; edits that were answered before are kept.
    @discardableResult
    public func push(to remote: some SyncRemote) throws -> SyncReport {
        var report = SyncReport()
        report.isUnfinished = try !push(to: remote, &report).isEmpty
        return report
    }

    /// The versions of a remote's objects that were merged last, by their hrefs.
    ///
    /// For a remote that only lists what it has: what is missing in its list is gone.
    ///
    /// - Throws: the store's error.
    public func versions(ofRemoteNamed name: String) throws -> [String: String] {
        let rows = try Exchange(self, name)
            .attributes("href", "version", where: "version", .notEqual)
        return rows.reduce(into: [:]) { result, row in
            guard case .string(let href)? = row["href"], case .string(let version)? = row["version"]
            else { return }
            result[href] = version
        }
    }

    /// Where a remote has some objects, and the versions that were merged last.
    ///
    /// - Throws: the store's error.
    public func places(
        of keys: [SyncKey],
        onRemoteNamed name: String
    ) throws -> [SyncKey: (href: String, version: String)] {
        let exchange = Exchange(self, name)
        try exchange.findBases(keys)
        return exchange.bases.compactMapValues { base in
            guard let href = base.href, let version = base.version else { return nil }
            return (href, version)
        }
    }

    /// Forgets what was agreed with a remote; the objects stay.
    ///
    /// The next exchange with it begins as the first one: what differs on both sides is a conflict.
    ///
    /// - Throws: the store's error.
    public func forget(remoteNamed name: String) throws {
        let exchange = Exchange(self, name)
        for base in try exchange.fetchBases() { exchange.dropBase(base.key) }
        try exchange.setToken(nil)
        try exchange.setSurveyed(nil, at: exchange.start)
        try exchange.saveSilently()
    }

    /// Repeats a transaction that conflicts with a save of somebody else.
    func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        var tries = 1
        while true {
            do {
                return try body()
            } catch let error as ObjectGraphError
                where tries < SyncEngine.attempts
                && (error.code == .mergeConflict || error.code == .constraintConflict)
            {
                tries += 1
            }
        }
    }
}

/// What an exchange has changed.
public struct SyncReport: Hashable, Sendable {
    /// What has changed of one entity.
    public struct Counts: Hashable, Sendable {
        /// The objects here that are new, changed and deleted.
        public internal(set) var inserted = 0
        public internal(set) var updated = 0
        public internal(set) var deleted = 0
        /// The edits that the remote has made.
        public internal(set) var sent = 0
    }

    /// The counts of each entity of the schema that has changed.
    public internal(set) var counts: [String: Counts] = [:]
    public var inserted: Int { counts.values.reduce(0) { $0 + $1.inserted } }
    public var updated: Int { counts.values.reduce(0) { $0 + $1.updated } }
    public var deleted: Int { counts.values.reduce(0) { $0 + $1.deleted } }
    public var sent: Int { counts.values.reduce(0) { $0 + $1.sent } }
    /// The new conflicts, in which one value was kept for later.
    public var conflicts = 0
    /// The transaction that began the step of undo; `nil` if nothing has changed here.
    public var step: Int64?
    /// Objects of the remote that the model refuses, with the reasons; they stay as they are here, and the
    /// next pull tries again.
    public internal(set) var refused: [SyncKey: String] = [:]
    /// Whether some edits could not be sent, because the remote changes them again and again.
    public var isUnfinished = false

    /// Whether both sides were equal before.
    public var isEmpty: Bool { inserted + updated + deleted + sent + conflicts == 0 }
}
