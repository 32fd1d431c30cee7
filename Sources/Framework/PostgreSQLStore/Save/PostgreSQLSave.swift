import FoundationEssentials
import ObjectModel
import ObjectStore

/// One running save.
final class PostgreSQLSave {
    let plan: SavePlan
    unowned let store: PostgreSQLStore
    let connection: PostgreSQLConnection
    /// What the history calls the save, so that it can be found when its COMMIT has no answer.
    let identifier = UUID()
    /// Whether values under uniqueness constraints are cleared before they are written.
    var setsUniqueValuesAside = false
    /// Whether COMMIT was sent.
    private(set) var wasCommitting = false

    /// Whether references were compared before the writing.
    var hasReadReferences = false
    /// The state of the command that the save undoes or redoes.
    private(set) var commandState: Int64?
    /// The row of OG_STATE, locked.
    var state = (serial: Int64(0), number: Int64(0), change: Int64(0))
    /// Whether others are told about this save.
    private var notifies = false
    var permanentIDs = IDMap()
    private(set) var insertedIDs: [ManagedObjectID] = []
    var observers = RowObservers([])
    /// What was read for comparison.
    var found = FoundRows()
    private var storedMetadata: StoreMetadata?
    /// The first key of new rows by the number of their root entity.
    private var firstKeys: [UInt16: Int64] = [:]
    var conflicts: [StoreConflict.Row] = []
    /// References that lead nowhere after the save.
    var badReferences = StoreConflict()
    private var changedOrders: [StoreConflict.Order] = []
    /// The new versions of updated rows; `nil` for rows that were not updated.
    private var versions: [Int64?] = []
    /// Rows that are gone after this save, also those that somebody else had deleted before.
    var deletedIDs: [ManagedObjectID] = []
    /// Changes of to-many relationships by owner, if an observer needs them.
    var writtenLinks = WrittenLinks()
    /// Members that joined an ordered list without a position, in the plan's order.
    var unplaced = UnplacedMembers()
    /// The members whose to-one side changes, by the ordered relationship.
    lazy var leavingMembers = findLeavingMembers()
    /// What takes the results of the pipeline, by the place of their statement.
    private var takers: [Int: (PostgreSQLResult) throws -> Void] = [:]
    /// The object that each statement of the pipeline writes.
    private var writers: [Int: (EntitySchema, ManagedObjectID)] = [:]

    /// So many rows go by COPY.
    static let copyLimit = 128

    init(_ plan: SavePlan, _ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
        self.plan = plan
        self.store = store
        self.connection = connection
    }

    func run() throws -> SaveReceipt {
        defer { store.scratchRows.removeAll() }
        do {
            observers = RowObservers(makeObservers())
            try lock()
            store.lockedNumber = state.number
            defer { store.lockedNumber = nil }
            try plan.beforeWriting?()
            try write()
            wasCommitting = true
            try connection.enqueue("COMMIT")
            if notifies {
                connection.dispensable = try connection.enqueue("NOTIFY \(store.place.channel)")
            }
            try flush()
            connection.isInTransaction = false
        } catch {
            connection.rollback()
            observers.cancelled()
            throw explained(error)
        }
        return committed()
    }

    private func makeObservers() -> [any RowObserver] {
        var observers: [any RowObserver] = []
        if store.keepsHistory {
            observers.append(HistoryWriter(to: PostgreSQLHistory(self)))
        } else if store.breaksHistory {
            observers.append(PostgreSQLHistoryBreak(self))
        }
        if !store.searchTables.byRoot.isEmpty { observers.append(PostgreSQLSearchWriter(self)) }
        return observers
    }

    /// Ends the save after its commit.
    func committed() -> SaveReceipt {
        store.changedMetadata = []
        store.ownSaves += 1
        store.serial = state.serial
        if !plan.deleted.isEmpty { store.hasDeletedRows = true }
        store.cacheRows(of: plan, insertedIDs, versions, permanentIDs)
        for id in deletedIDs { store.rows.remove(id) }
        store.knowledge?.note(plan, inserted: insertedIDs, deleted: deletedIDs) {
            permanentIDs.permanent($0)
        }
        var receipt = SaveReceipt(transaction: 0, insertedIDs: insertedIDs)
        observers.committed(&receipt)
        return receipt
    }

    // MARK: The pipeline

    /// Takes the result of a statement when it is there.
    func whenFinished(_ place: Int, _ take: @escaping (PostgreSQLResult) throws -> Void) {
        takers[place] = take
    }

    /// Runs the pipeline and takes its results.
    func flush() throws {
        let takers = takers
        self.takers = [:]
        do {
            for (place, result) in try connection.finish().sorted(by: { $0.key < $1.key }) {
                try takers[place]?(result)
            }
            writers = [:]
        } catch let error as PostgreSQLError where error.isUniqueViolation {
            if let (schema, id) = writers[error.place] {
                throw UniquenessFailure(error: explain(error, schema, id))
            }
            throw error
        }
    }

    // MARK: Steps

    private func lock() throws {
        try connection.begin()
        let place = try connection.enqueue(
            "SELECT serial, number, change, form, \(Notifying.isDue) FROM OG_STATE WHERE id = 1"
                + " FOR UPDATE",
            keepsRows: true
        )
        whenFinished(place) { [unowned self] row in
            guard row.count == 1 else { throw ObjectGraphError.lostState }
            if row.integer(0, 3) != store.form { throw ObjectGraphError.migrated }
            let known = store.serial
            state = (row.integer(0, 0) + 1, row.integer(0, 1), row.integer(0, 2))
            store.noteState(state.serial - 1, number: state.number)
            // What is undone was chosen and compared by what was known.
            if store.answersFromMemory, known != store.serial, plan.transaction.isInversion,
                plan.transaction.continues == nil
            {
                throw OldKnowledge()
            }
            notifies = row.integer(0, 4) == 1
        }
        if !store.changedMetadata.isEmpty {
            let place = try connection.enqueue("SELECT Z_PLIST FROM Z_METADATA", keepsRows: true)
            whenFinished(place) { [unowned self] row in
                storedMetadata = try MetadataList.metadata(Data(row.bytes(0, 0)))
            }
        }
        try takeKeys()
        try readRows()
        try readLinks()
        if plan.checksReferences { try readReferences() }
        try readCommand()
        try flush()
        (insertedIDs, permanentIDs) = PlannedKeys.give(
            to: plan.inserted,
            in: store.space,
            from: firstKeys
        )
    }

    private func write() throws {
        if let storedMetadata { try store.enqueueMetadata(storedMetadata, on: connection) }
        if !plan.isEmpty { try writeObjects() }
        try connection.enqueue(
            "UPDATE OG_STATE SET serial = $1, number = $2, change = $3, save = $4"
                + (notifies ? ", notified = \(Notifying.now)" : ""),
            .integer(state.serial),
            .integer(state.number),
            .integer(state.change),
            .blob(withUnsafeBytes(of: identifier.uuid) { Data($0) })
        )
        // What somebody has saved just now may have to be compared with what is written.
        if !takers.isEmpty { try flush() }
        if !badReferences.isEmpty { throw badReferences }
        if !changedOrders.isEmpty { throw StoreConflict(orders: changedOrders) }
    }

    private func writeObjects() throws {
        findConflicts()
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
        try observers.begin(plan)
        if observers.needLinks {
            writtenLinks.collect(plan, insertedIDs, permanentIDs, in: store) {
                found.members[list($0, $1.key)] ?? []
            }
        }
        try removeLinks()
        try deleteRows()
        // The values that updated rows give up are free for new rows too.
        if setsUniqueValuesAside { try setUniqueValuesAside() }
        try store.forEachInserted(of: plan, insertedIDs) { try insert($0) }
        try updateRowsInDatabase()
        if plan.checksReferences, !hasReadReferences { try findLost() }
        try addLinks()
        changedOrders = try setOrders()
        for (owner, links) in writtenLinks.takeRest(plan, permanentIDs) {
            try observers.linksChanged(of: owner, links)
        }
        try observers.finish()
    }

    /// Reads the state of the command that the save undoes or redoes.
    private func readCommand() throws {
        guard plan.transaction.isInversion, let command = plan.transaction.target else { return }
        let place = try connection.enqueue(
            "SELECT state FROM OG_TRANSACTION WHERE number = $1",
            .integer(command),
            keepsRows: true
        )
        whenFinished(place) { [unowned self] in commandState = $0.number }
    }

    // MARK: Keys

    private func takeKeys() throws {
        for part in PlannedKeys(plan.inserted).parts {
            let root = try store.requireSchema(of: part.root)
            let place = try connection.enqueue(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = GREATEST(Z_MAX, $1) + $2 WHERE Z_ENT = $3"
                    + " RETURNING Z_MAX",
                .integer(part.restored),
                .integer(part.count),
                .integer(root.number),
                keepsRows: true
            )
            whenFinished(place) { [unowned self] row in
                firstKeys[part.root.number] =
                    try store.firstKey(row.number, count: part.count, of: root)
            }
        }
    }

    // MARK: Rows

    private func add(
        _ slots: UnsafePointer<GraphValue>,
        _ row: PostgreSQLRowStatement,
        _ entity: EntityDescription,
        to fields: inout FieldWriter
    ) throws {
        for column in row.columns {
            let value = slots[column.slot]
            guard case .reference = column.layout.kind else {
                try fields.add(value, column.layout)
                continue
            }
            guard case .objectID(let id) = value else {
                fields.null()
                if column.hasEntity { fields.null() }
                continue
            }
            let target = try permanentIDs.resolve(id, in: store.space, entity.slots[column.slot])
            fields.add(target.key)
            if column.hasEntity { fields.add(store.schema(of: target)?.number ?? 0) }
        }
    }

    /// Inserts and reports rows of one entity.
    private func insert(_ rows: InsertedRows, raisingVersion step: Int64 = 0) throws {
        let row = connection.rowStatements.insert(rows.schema, on: connection)
        let isCopied = rows.changes.count >= PostgreSQLSave.copyLimit
        var copied = FieldWriter(copying: isCopied ? rows.changes.count : 0)
        for place in rows.changes.indices {
            let change = rows.changes[place]
            var single = FieldWriter()
            func add(to fields: inout FieldWriter) throws {
                fields.add(rows.id(at: place).key)
                fields.add(rows.schema.number)
                fields.add(change.version + step)
                try self.add(change.slots, row, rows.schema.entity, to: &fields)
            }
            if isCopied {
                copied.beginRow(row.fieldCount)
                try add(to: &copied)
            } else {
                try add(to: &single)
                writers[try connection.enqueue(row.statement, single)] = (rows.schema, change.id)
            }
            if !rows.schema.orderColumns.isEmpty {
                unplaced.note(
                    change,
                    rows.schema,
                    rows.id(at: place),
                    changed: nil,
                    permanentIDs
                )
            }
        }
        if isCopied {
            copied.end()
            try flush()
            do {
                try connection.copy(into: row.target, copied)
            } catch let error as PostgreSQLError where error.isUniqueViolation {
                let place = error.copiedRow.map { min($0, rows.changes.count) - 1 } ?? 0
                let id = rows.changes[max(0, place)].id
                throw UniquenessFailure(error: explain(error, rows.schema, id))
            }
        }
        try observers.inserted(rows)
    }

    private func updateRowsInDatabase() throws {
        versions = Array(repeating: nil, count: plan.updated.count)
        for (index, change) in plan.updated.enumerated() {
            let schema = try store.requireSchema(of: change.entity)
            guard let version = found.version(of: change.id, schema) else {
                // Somebody has deleted it, and this save is to write it nevertheless.
                try withUnsafePointer(to: change) { pointer in
                    let row = UnsafeBufferPointer(start: pointer, count: 1)
                    try insert(
                        InsertedRows(schema: schema, ids: [change.id], changes: row),
                        raisingVersion: 1
                    )
                }
                versions[index] = change.version + 1
                continue
            }
            let row = connection.rowStatements.update(schema, change.changed, on: connection)
            var fields = FieldWriter()
            fields.add(version + 1)
            try add(change.slots, row, change.entity, to: &fields)
            fields.add(change.id.key)
            fields.add(version)
            writers[try connection.enqueue(row.statement, fields)] = (schema, change.id)
            versions[index] = version + 1
            if !schema.orderColumns.isEmpty {
                unplaced.note(change, schema, change.id, changed: change.changed, permanentIDs)
            }
            try observers.updated(
                UpdatedRow(
                    change: change,
                    schema: schema,
                    old: oldValues(of: change, version),
                    links: writtenLinks.take(of: change.id),
                    largeData: [:],
                    permanentIDs: permanentIDs
                )
            )
        }
    }

    /// The source of the values before an update: the context's snapshot, or the row as it was read.
    private func oldValues(of change: ObjectChange, _ version: Int64) -> OldValues {
        if let snapshot = change.snapshot, version == change.version { return .slots(snapshot) }
        guard let blob = store.scratchRows.blob(change.id) else { return .slots(change.slots) }
        return .row(RowReader(blob, store.layout(change.entity)))
    }
}

extension ObjectGraphError {
    static var lostState: ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "The store has lost its state (OG_STATE).",
            recovery: "Restore a backup."
        )
    }

    /// The tables of a store were changed for another model since it was opened.
    static var migrated: ObjectGraphError {
        ObjectGraphError(
            .incompatibleVersion,
            "The store was migrated by another version of the program while it was open here.",
            recovery: "Nothing was changed; open it with that version."
        )
    }
}
