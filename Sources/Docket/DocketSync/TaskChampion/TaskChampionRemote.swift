import DocketCore
public import DocketFormats
public import FoundationEssentials
public import ObjectSync
public import TaskChampion

/// A server of Taskwarrior 3, as the engine sees it.
///
/// The server has operations, no tasks; what they make is kept in a file of the user's state folder. It
/// may be missing or old at any time: then it is made again from the server. A version of a task is a
/// fingerprint of its properties. Where another replica has added a version since, those of the edits
/// whose task it has not touched go behind it; the others are merged first.
///
/// If the server has dropped the versions since the last exchange, its snapshot is what it has now, and
/// what differs here is merged with that as always: nothing that waits here is lost.
public final class TaskChampionRemote: SyncRemote {
    public let name: String
    /// Whether more than half of the items may be deleted here at once.
    public var acceptsDeletions = false
    /// The versions that were merged last, by task.
    public var knownVersions: () throws -> [String: String] = { [:] }
    /// Finds the lists of some paths, and makes those that are missing.
    public var lists: (Set<[String]>) throws -> [[String]: UUID] = { _ in [:] }
    /// The path of a list.
    public var path: (UUID) throws -> [String] = { _ in [] }

    private let server: TaskChampionServer
    private let items: TaskItems
    private let file: String?
    private lazy var state = ReplicaState(file: file) ?? ReplicaState()

    /// How many deletions at once are usual.
    private static let usualDeletions = 20
    private static let attempts = 8

    /// - Parameters:
    ///   - name: the name of the remote in the configuration.
    ///   - server: the server.
    ///   - settings: the time zone for dates.
    ///   - file: where the tasks of the server are kept; `nil` if there is no place.
    public init(
        name: String,
        server: TaskChampionServer,
        settings: ExchangeSettings,
        file: String?
    ) {
        (self.name, self.server, self.file) = (name, server, file)
        items = TaskItems(settings: settings)
    }

    // MARK: Pull

    public func changes(since token: String?) throws -> RemoteChanges {
        try catchUp()
        var changes = RemoteChanges()
        changes.isComplete = token == nil || token != state.place
        let known = try changes.isComplete ? knownVersions() : [:]
        let tasks = changes.isComplete ? Set(state.replica.tasks.keys) : state.touched
        var records: [(uuid: UUID, version: String, record: ItemRecord)] = []
        for uuid in tasks.sorted(by: { $0.uuidString < $1.uuidString }) {
            guard let properties = state.replica.tasks[uuid] else {
                changes.removed.append(uuid.uuidString)
                continue
            }
            let version = TaskReplica.fingerprint(properties)
            if let record = items.record(uuid, properties) {
                records.append((uuid, version, record))
            } else if known[uuid.uuidString] != nil {
                // It was an item, and is something else now: the item here stays as it is.
                let key = SyncKey(entity: SyncEntities.item, name: uuid.uuidString)
                let item = RemoteItem(
                    href: uuid.uuidString,
                    version: version,
                    record: SyncRecord(key, kind: "Task")
                )
                changes.items.append(item)
            }
        }
        let paths = try lists(Set(records.map(\.record.list).filter { !$0.isEmpty }))
        for (uuid, version, record) in records {
            let record = record.taskRecord(list: paths[record.list])
            changes.items.append(
                RemoteItem(href: uuid.uuidString, version: version, record: record)
            )
        }
        try checkDeletions(known, changes)
        changes.token = state.replica.version.uuidString
        state.settle()
        state.write(to: file)
        return changes
    }

    private func checkDeletions(_ known: [String: String], _ changes: RemoteChanges) throws {
        if !changes.isComplete || acceptsDeletions { return }
        let gone = Set(known.keys).subtracting(changes.items.map(\.href)).count
        if gone > TaskChampionRemote.usualDeletions, gone * 2 > known.count {
            throw SyncError(
                .manyDeletions,
                "The server \(name) has no longer \(gone) of \(known.count) items; nothing was"
                    + " changed. If that is right: docket sync \(name) --accept-deletions."
            )
        }
    }

    private func catchUp() throws {
        do {
            let changes = try server.catchUp(&state.replica)
            if changes.isComplete { state.place = nil }
            state.touched.formUnion(changes.touched.keys)
        } catch let error as TaskChampionError {
            throw SyncError(.server, error.description)
        }
    }

    public func item(_ key: SyncKey, href: String?) throws -> RemoteItem? {
        guard key.entity == SyncEntities.item, let uuid = UUID(uuidString: key.name),
            let properties = state.replica.tasks[uuid],
            let record = items.record(uuid, properties)
        else { return nil }
        let list = try record.list.isEmpty ? nil : lists([record.list])[record.list]
        return RemoteItem(
            href: uuid.uuidString,
            version: TaskReplica.fingerprint(properties),
            record: record.taskRecord(list: list)
        )
    }

    // MARK: Push

    public func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer] {
        for _ in 0..<TaskChampionRemote.attempts {
            var next = state.replica
            var operations: [TaskOperation] = []
            var answers: [RemoteAnswer] = []
            for edit in edits {
                let (answer, changes) = try answer(to: edit)
                for operation in changes { next.apply(operation) }
                operations += changes
                answers.append(answer)
            }
            if operations.isEmpty { return answers }
            switch try add(operations) {
            case .conflict: try catchUp()
            case .added(let version, let urgency):
                next.version = version
                state.replica = next
                state.touched.formUnion(edits.compactMap { UUID(uuidString: $0.key.name) })
                state.write(to: file)
                // It is a favour: nothing here needs it.
                if urgency == .high { try? server.add(snapshot: next) }
                return answers
            }
        }
        return edits.map { _ in .mismatch }
    }

    private func add(_ operations: [TaskOperation]) throws -> TaskChampionServer.Addition {
        do {
            return try server.add(operations, behind: state.replica.version)
        } catch let error as TaskChampionError {
            throw SyncError(.server, error.description)
        }
    }

    private func answer(
        to edit: RemoteEdit
    ) throws -> (answer: RemoteAnswer, operations: [TaskOperation]) {
        // Lists are the projects of tasks.
        guard edit.key.entity == SyncEntities.item, let uuid = UUID(uuidString: edit.key.name)
        else {
            return (.deleted, [])
        }
        let former = state.replica.tasks[uuid]
        if former.map(TaskReplica.fingerprint) != edit.version { return (.mismatch, []) }
        var properties: TaskProperties?
        var date = Date()
        if let record = edit.record, var item = ItemRecord(record) {
            // Encrypted texts stay here.
            if item.isEncrypted, former == nil { return (.deleted, []) }
            if !item.isEncrypted {
                if let list = record.values["list"]?.names.first.flatMap({ UUID(uuidString: $0) }) {
                    item.list = try path(list)
                }
                properties = items.properties(of: item, over: former)
                date = record.modified
            }
        }
        let operations = state.replica.operations(giving: uuid, properties) { _ in date }
        guard let properties else { return (.deleted, operations) }
        let version = TaskReplica.fingerprint(properties)
        return (.stored(href: uuid.uuidString, version: version), operations)
    }
}

extension ItemRecord {
    /// The record of an item of Taskwarrior, which has more than one of a calendar.
    fileprivate func taskRecord(list: UUID?) -> SyncRecord {
        let reference = list.map { SyncValue.reference($0.uuidString) }
        var record = syncRecord(list: reference ?? .null, extra: nil)
        if trashed { record.values["trashed"] = .date(completed ?? modified) }
        if kind == .task { record.values["anchor"] = .int(repeatsFromCompletion ? 1 : 0) }
        return record
    }
}

/// The tasks of a server as they were last seen, in a file.
private struct ReplicaState: Codable {
    var replica = TaskReplica()
    /// The version up to which everything was passed on; `nil` if that is not known.
    var place: String?
    /// The tasks that have changed since.
    var touched: Set<UUID> = []

    init() {}

    init?(file: String?) {
        guard let file, let data = try? Data(contentsOf: URL(filePath: file)),
            let state = try? JSONDecoder().decode(ReplicaState.self, from: data)
        else { return nil }
        self = state
    }

    /// Notes that everything is passed on.
    mutating func settle() {
        place = replica.version.uuidString
        touched = []
    }

    /// Writes the file; without it the next run asks the server for everything.
    func write(to file: String?) {
        guard let file, let data = try? JSONEncoder().encode(self) else { return }
        try? data.write(to: URL(filePath: file), options: .atomic)
    }
}
