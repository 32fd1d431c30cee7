import CSQLite
import ObjectModel
import ObjectStore

/// One running save.
final class SaveOperation {
    let plan: SavePlan
    unowned let store: SQLiteStore
    /// Whether values under uniqueness constraints are cleared before they are written.
    var setsUniqueValuesAside = false

    var permanentIDs = IDMap()
    private(set) var insertedIDs: [ManagedObjectID] = []
    private(set) var observers: RowObservers
    private let binder = RowBinder()
    /// Large data of this save.
    var external = ExternalFiles()
    private var conflicts: [StoreConflict.Row] = []
    /// The new versions of updated rows; `nil` for rows that were not updated.
    private var versions: [Int64?] = []
    /// Rows that are gone after this save, also those that somebody else had deleted before.
    private(set) var deletedIDs: [ManagedObjectID] = []
    /// Changes of to-many relationships by owner, if an observer needs them.
    private var writtenLinks = WrittenLinks()
    /// The links of the next objects to be deleted, by slot.
    var deletedLinks: [ManagedObjectID: [Int: [ManagedObjectID]]] = [:]
    /// Members that joined an ordered list without a position, in the plan's order.
    var unplaced = UnplacedMembers()

    init(_ plan: SavePlan, _ store: SQLiteStore) {
        self.plan = plan
        self.store = store
        observers = store.makeRowObservers()
    }

    deinit { binder.deallocate() }

    var connection: Connection { store.connection }

    /// Ends the save after its commit.
    func committed() -> SaveReceipt {
        external.removeReplaced()
        updateRows()
        var receipt = SaveReceipt(transaction: 0, insertedIDs: insertedIDs)
        observers.committed(&receipt)
        return receipt
    }

    /// Ends a save that failed.
    func cancelled() {
        observers.cancelled()
        external.removeWritten()
    }

    func write() throws {
        try plan.beforeWriting?()
        try store.writeMetadata()
        if plan.isEmpty { return }
        try observers.begin(plan)
        try giveKeys()
        if observers.needLinks {
            try writtenLinks.collect(plan, insertedIDs, permanentIDs, in: store) {
                try store.readDestinations(of: $0, owners: [$1]).first ?? []
            }
        }
        try removeLinks()
        try deleteRows()
        // The values that updated rows give up are free for new rows too.
        do {
            if setsUniqueValuesAside { try setUniqueValuesAside() }
            try store.forEachInserted(of: plan, insertedIDs) { try insert($0) }
            try updateRowsInFile()
        } catch is UniquenessFailure where !conflicts.isEmpty {
            // A row that could not be deleted still has its values: report the conflict first.
            throw StoreConflict(rows: conflicts)
        }
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
        try checkReferences()
        try addLinks()
        let changedOrders = try setOrders()
        if !changedOrders.isEmpty { throw StoreConflict(orders: changedOrders) }
        for (owner, links) in writtenLinks.takeRest(plan, permanentIDs) {
            try observers.linksChanged(of: owner, links)
        }
        try observers.finish()
    }

    /// Updates the row cache with the committed rows.
    private func updateRows() {
        let rows = store.rows
        store.cacheRows(of: plan, insertedIDs, versions, permanentIDs)
        for id in deletedIDs { rows.remove(id) }
        // The file has some data that the objects do not have: references to files, results of
        // triggers.
        for id in external.rows + store.affected.objects where !deletedIDs.contains(id) {
            rows.remove(id)
            try? store.readRow(id, into: rows)
        }
        store.affected.objects = []
    }

    // MARK: Keys

    private func giveKeys() throws {
        var first: [UInt16: Int64] = [:]
        for part in PlannedKeys(plan.inserted).parts {
            let root = try store.requireSchema(of: part.root)
            if part.restored > 0 {
                try connection.statement(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX < ?"
                ).run(.integer(part.restored), .integer(root.number), .integer(part.restored))
            }
            if part.count > 0 {
                first[part.root.number] = try store.firstKey(of: root, count: part.count)
            }
        }
        (insertedIDs, permanentIDs) = PlannedKeys.give(
            to: plan.inserted,
            in: store.space,
            from: first
        )
    }

    // MARK: Rows

    /// Binds a row's values; those of a row among many begin after an offset.
    @inline(__always)
    private func bind(
        _ slots: UnsafePointer<GraphValue>,
        _ row: RowStatement,
        _ entity: EntityDescription,
        offset: Int32 = 0
    )
        throws
    {
        let statement = row.statement
        for position in row.columns.indices {
            let column = row.columns[position]
            let value = slots[column.slot]
            let index = column.index + offset
            guard case .reference = column.kind else {
                if column.isExternal {
                    try bindExternal(value, column, row.layouts[position], to: statement)
                } else {
                    try binder.bind(value, column, to: statement, at: index) {
                        row.layouts[position]
                    }
                }
                continue
            }
            guard case .objectID(let id) = value else {
                sqlite3_bind_null(statement.handle, index)
                if column.entityIndex > 0 {
                    sqlite3_bind_null(statement.handle, column.entityIndex + offset)
                }
                continue
            }
            let target = try permanentIDs.resolve(id, in: store.space, entity.slots[column.slot])
            statement.bind(target.key, at: index)
            if column.entityIndex > 0 {
                let number = store.schema(of: target)?.number ?? 0
                statement.bind(number, at: column.entityIndex + offset)
            }
        }
    }

    /// Inserts and reports rows of one entity, many with each statement as long as there are many.
    private func insert(_ rows: InsertedRows, raisingVersion step: Int64 = 0) throws {
        let count = rows.changes.count
        let one = try store.saveStatements.insert(rows.schema, on: connection)
        let many = try store.saveStatements.insert(rows.schema, of: count, on: connection)
        var place = 0
        while place < count {
            let row = place + many.rows <= count ? many : one
            try insert(rows, place..<place + row.rows, row, raisingVersion: step)
            place += row.rows
        }
        try observers.inserted(rows)
    }

    /// Inserts rows with one statement.
    private func insert(
        _ rows: InsertedRows,
        _ places: Range<Int>,
        _ row: RowStatement,
        raisingVersion step: Int64
    ) throws {
        let statement = row.statement
        defer { binder.reset() }
        var offset: Int32 = 0
        for place in places {
            statement.bind(rows.id(at: place).key, at: offset + 1)
            statement.bind(rows.schema.number, at: offset + 2)
            statement.bind(rows.changes[place].version + step, at: offset + 3)
            try bind(rows.changes[place].slots, row, rows.schema.entity, offset: offset)
            offset += row.width
        }
        do {
            try statement.run()
        } catch let error as SQLiteError where error.isConstraintViolation {
            guard places.count > 1 else {
                let id = rows.changes[places.lowerBound].id
                throw UniquenessFailure(error: explain(error, rows.schema, id))
            }
            // One by one, to find the row that violates it.
            let one = try store.saveStatements.insert(rows.schema, on: connection)
            for place in places {
                try insert(rows, place..<place + 1, one, raisingVersion: step)
            }
            return
        }
        if !rows.schema.orderColumns.isEmpty {
            for place in places {
                unplaced.note(
                    rows.changes[place],
                    rows.schema,
                    rows.id(at: place),
                    changed: nil,
                    permanentIDs
                )
            }
        }
        if external.takeBytes() != nil { external.rows.append(rows.id(at: places.lowerBound)) }
    }

    private func updateRowsInFile() throws {
        versions = Array(repeating: nil, count: plan.updated.count)
        for (index, change) in plan.updated.enumerated() {
            let schema = try store.requireSchema(of: change.entity)
            var version = change.version
            if plan.ignoresVersions {
                guard let present = try currentVersion(change.id, schema) else {
                    try withUnsafePointer(to: change) { pointer in
                        let row = UnsafeBufferPointer(start: pointer, count: 1)
                        try insert(
                            InsertedRows(schema: schema, ids: [change.id], changes: row),
                            raisingVersion: 1
                        )
                    }
                    versions[index] = version + 1
                    continue
                }
                version = present
            }
            let old = try oldValues(of: change, version: version)
            let row = try store.saveStatements.update(schema, change.changed, on: connection)
            row.statement.bind(version + 1, at: 1)
            defer { binder.reset() }
            try bind(change.slots, row, change.entity)
            row.statement.bind(change.id.key, at: row.width + 1)
            row.statement.bind(version, at: row.width + 2)
            do {
                try row.statement.run()
            } catch let error as SQLiteError where error.isConstraintViolation {
                throw UniquenessFailure(error: explain(error, schema, change.id))
            }
            if connection.changes == 0 {
                let present = try currentVersion(change.id, schema)
                conflicts.append(
                    StoreConflict.Row(
                        id: change.id,
                        oldVersion: change.version,
                        newVersion: present ?? 0
                    )
                )
                continue
            }
            versions[index] = version + 1
            let bytes = external.takeBytes() ?? [:]
            if !bytes.isEmpty {
                external.rows.append(change.id)
                if !observers.keepOldFiles { external.replace(in: old, schema, bytes) }
            }
            if !schema.orderColumns.isEmpty {
                unplaced.note(change, schema, change.id, changed: change.changed, permanentIDs)
            }
            try observers.updated(
                UpdatedRow(
                    change: change,
                    schema: schema,
                    old: old,
                    links: writtenLinks.take(of: change.id),
                    largeData: bytes,
                    permanentIDs: permanentIDs
                )
            )
        }
    }

    /// The source of the values before an update: the context's snapshot, or the file.
    private func oldValues(of change: ObjectChange, version: Int64) throws -> OldValues {
        let slots = change.entity.slots
        let isExternal = change.changed.contains {
            (slots[$0] as? AttributeDescription)?.allowsExternalStorage == true
        }
        if let snapshot = change.snapshot, version == change.version, !isExternal {
            return .slots(snapshot)
        }
        if !observers.needOldValues, !isExternal { return .slots(change.slots) }
        guard let row = try row(change.id, change.entity, version: version) else {
            return .slots(change.slots)
        }
        return .row(row)
    }

    /// The row in the file before this save: from the cache if that has the version.
    private func row(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        version: Int64?
    ) throws -> RowReader? {
        let layout = store.layout(entity)
        if let version, store.rows.version(id) == Int64(UInt32(truncatingIfNeeded: version)),
            let blob = store.rows.blob(id)
        {
            return RowReader(blob, layout)
        }
        try store.readRow(id, into: store.scratchRows)
        return store.scratchRows.blob(id).map { RowReader($0, layout) }
    }

    func currentVersion(_ id: ManagedObjectID, _ schema: EntitySchema) throws -> Int64? {
        try connection.integer(
            "SELECT Z_OPT FROM \(quoted(schema.table.name)) WHERE Z_PK = ?",
            .integer(id.key)
        )
    }

    private func deleteRows() throws {
        defer { store.scratchRows.removeAll() }
        var linksRead = 0
        for (place, change) in plan.deleted.enumerated() {
            let schema = try store.requireSchema(of: change.entity)
            if place == linksRead, observers.needLinks {
                let next = plan.deleted[place...].prefix(512).prefix { $0.entity === change.entity }
                try readLinks(of: next.map(\.id), schema)
                linksRead += next.count
            }
            let version = plan.ignoresVersions ? nil : change.version
            let isExternal = !schema.externalColumns.isEmpty
            let row =
                observers.needOldValues || isExternal
                ? try row(change.id, change.entity, version: version) : nil
            let table = quoted(schema.table.name)
            let delete = try connection.statement(
                version == nil
                    ? "DELETE FROM \(table) WHERE Z_PK = ?"
                    : "DELETE FROM \(table) WHERE Z_PK = ? AND Z_OPT = ?"
            )
            delete.bind(change.id.key, at: 1)
            if let version { delete.bind(version, at: 2) }
            try delete.run()
            if connection.changes == 0 {
                // A row that somebody else has deleted as well is not a conflict: both wanted the
                // same.
                if let present = try currentVersion(change.id, schema) {
                    conflicts.append(
                        StoreConflict.Row(
                            id: change.id,
                            oldVersion: change.version,
                            newVersion: present
                        )
                    )
                } else {
                    deletedIDs.append(change.id)
                }
                continue
            }
            try unlink(change.id, schema)
            let links = writtenLinks.take(
                ofDeleted: change.id,
                schema,
                deletedLinks.removeValue(forKey: change.id) ?? [:]
            )
            if let row {
                if !observers.keepOldFiles { external.replace(in: .row(row), schema, nil) }
                try observers.deleted(
                    DeletedRow(id: change.id, schema: schema, old: row, links: links)
                )
            }
            deletedIDs.append(change.id)
        }
    }
}
