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
    var writtenLinks: [ManagedObjectID: [WrittenLink]] = [:]
    /// The links of the next objects to be deleted, by slot.
    var deletedLinks: [ManagedObjectID: [Int: [ManagedObjectID]]] = [:]
    /// The objects whose links are removed already.
    var unlinked: Set<ManagedObjectID> = []
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
        try collectLinks()
        try removeLinks()
        try deleteRows()
        // The values that updated rows give up are free for new rows too.
        do {
            if setsUniqueValuesAside { try setUniqueValuesAside() }
            try insertRows()
            try updateRowsInFile()
        } catch is UniquenessFailure where !conflicts.isEmpty {
            // A row that could not be deleted still has its values: report the conflict first.
            throw StoreConflict(rows: conflicts)
        }
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
        try checkReferences()
        try addLinks()
        try setOrders()
        try reportOtherLinks()
        try observers.finish()
    }

    /// Updates the row cache with the committed rows.
    private func updateRows() {
        let rows = store.rows
        plan.inserted.withUnsafeBufferPointer { inserted in
            var layout: RowLayout?
            for index in inserted.indices {
                let entity = inserted[index].entity
                if layout?.entity !== entity { layout = store.layout(entity) }
                guard let layout else { continue }
                store(
                    inserted[index].slots,
                    version: inserted[index].version,
                    id: insertedIDs[index],
                    layout: layout,
                    in: rows
                )
            }
        }
        for (index, change) in plan.updated.enumerated() {
            guard let version = versions[index] else { continue }
            store(
                change.slots,
                version: version,
                id: change.id,
                layout: store.layout(change.entity),
                in: rows
            )
        }
        for id in deletedIDs { rows.remove(id) }
        // The file has some data that the objects do not have: references to files, results of
        // triggers.
        for id in external.rows + store.affected.objects where !deletedIDs.contains(id) {
            rows.remove(id)
            try? store.readRow(id, into: rows)
        }
        store.affected.objects = []
    }

    /// Puts a committed row into the cache.
    ///
    /// The save cannot fail any more: a row that a transformer refuses now is read from the file when
    /// it is needed.
    private func store(
        _ slots: UnsafePointer<GraphValue>,
        version: Int64,
        id: ManagedObjectID,
        layout: RowLayout,
        in rows: RowCache
    ) {
        do {
            let permanent = permanentIDs
            try RowWriter.store(
                slots,
                version: version,
                id: id,
                layout: layout,
                in: rows
            ) { permanent.permanent($0) }
        } catch {
            rows.remove(id)
        }
    }

    // MARK: Keys

    private func giveKeys() throws {
        var counts: [UInt16: Int64] = [:]
        var restored: [UInt16: Int64] = [:]
        plan.inserted.withUnsafeBufferPointer { inserted in
            var entity: EntityDescription?
            var root: UInt16 = 0
            var count: Int64 = 0
            for index in inserted.indices {
                if inserted[index].entity !== entity {
                    counts[root, default: 0] += count
                    count = 0
                    entity = inserted[index].entity
                    root = inserted[index].entity.root.number
                }
                if inserted[index].id.isTemporaryID {
                    count += 1
                } else {
                    restored[root] = max(restored[root] ?? 0, inserted[index].id.key)
                }
            }
            counts[root, default: 0] += count
        }
        counts = counts.filter { $0.value > 0 }
        for (number, key) in restored {
            guard let root = store.schema.byModelNumber[Int(number)] else { continue }
            try connection.statement(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX < ?"
            ).run(.integer(key), .integer(root.number), .integer(key))
        }
        var next: [UInt16: Int64] = [:]
        for (number, count) in counts {
            let root = try schema(of: store.schema.model.entitiesByNumber[Int(number)])
            next[number] = try store.firstKey(of: root, count: count)
        }
        var map = IDMap()
        var ids: [ManagedObjectID] = []
        ids.reserveCapacity(plan.inserted.count)
        let space = store.space.number
        // Consecutive inserts are mostly of one entity, so its next key stays in a variable.
        var entity: EntityDescription?
        var root: UInt16 = 0
        var key: Int64 = 0
        plan.inserted.withUnsafeBufferPointer { inserted in
            for index in inserted.indices {
                let id = inserted[index].id
                guard id.isTemporaryID else {
                    ids.append(id)
                    continue
                }
                if inserted[index].entity !== entity {
                    entity = inserted[index].entity
                    let number = inserted[index].entity.root.number
                    if number != root {
                        next[root] = key
                        root = number
                        key = next[number] ?? 1
                    }
                }
                let permanent = ManagedObjectID(space: space, entity: entity?.number ?? 0, key: key)
                key += 1
                ids.append(permanent)
                map.add(id, permanent)
            }
        }
        insertedIDs = ids
        permanentIDs = map
    }

    func schema(of entity: EntityDescription?) throws -> EntitySchema {
        guard let entity else {
            throw ObjectGraphError(.invalidRequest, "A change names an unknown entity.")
        }
        return try store.requireSchema(of: entity)
    }

    /// The permanent ID of an object in this store.
    func resolve(_ id: ManagedObjectID, _ property: PropertyDescription) throws -> ManagedObjectID {
        let target = permanentIDs.permanent(id)
        if target.spaceNumber == store.space.number, !target.isTemporaryID { return target }
        throw RelationshipTarget.error(target, property)
    }

    // MARK: Rows

    @inline(__always)
    private func bind(
        _ slots: UnsafePointer<GraphValue>,
        _ row: RowStatement,
        _ entity: EntityDescription
    )
        throws
    {
        let statement = row.statement
        for (position, column) in row.columns.enumerated() {
            let value = slots[column.slot]
            guard column.kind == .reference else {
                if column.isExternal {
                    try bindExternal(value, column, row.layouts[position], to: statement)
                } else {
                    try binder.bind(value, column, to: statement) { row.layouts[position] }
                }
                continue
            }
            guard case .objectID(let id) = value else {
                sqlite3_bind_null(statement.handle, column.index)
                if column.entityIndex > 0 {
                    sqlite3_bind_null(statement.handle, column.entityIndex)
                }
                continue
            }
            let target = try resolve(id, entity.slots[column.slot])
            statement.bind(target.key, at: column.index)
            if column.entityIndex > 0 {
                let number = store.schema(of: target)?.number ?? 0
                statement.bind(number, at: column.entityIndex)
            }
        }
    }

    private func insertRows() throws {
        let ids = insertedIDs
        try plan.inserted.withUnsafeBufferPointer { inserted in
            var index = 0
            while index < inserted.count {
                // A run of one entity has one target, so that the loop counts no references.
                let entity = inserted[index].entity
                let target = try insertTarget(entity)
                let first = index
                while index < inserted.count, inserted[index].entity === entity {
                    try insertRow(inserted[index], id: ids[index], target)
                    index += 1
                }
                try observers.inserted(
                    InsertedRows(
                        schema: target.schema,
                        ids: ids[first..<index],
                        changes: UnsafeBufferPointer(rebasing: inserted[first..<index])
                    )
                )
            }
        }
    }

    /// Everything that inserts into one entity need, looked up once for a run of inserts.
    private struct InsertTarget {
        let schema: EntitySchema
        let row: RowStatement
        let hasOrder: Bool
        let hasExternal: Bool
    }

    private func insertTarget(_ entity: EntityDescription) throws -> InsertTarget {
        let schema = try schema(of: entity)
        let row = try store.saveStatements.insert(schema, on: connection)
        return InsertTarget(
            schema: schema,
            row: row,
            hasOrder: !schema.orderColumns.isEmpty,
            hasExternal: row.columns.contains(where: \.isExternal)
        )
    }

    @inline(__always)
    private func insertRow(
        _ change: ObjectChange,
        id: ManagedObjectID,
        version: Int64? = nil,
        _ target: InsertTarget
    ) throws {
        let statement = target.row.statement
        statement.bind(id.key, at: 1)
        statement.bind(target.schema.number, at: 2)
        statement.bind(version ?? change.version, at: 3)
        defer { binder.reset() }
        try bind(change.slots, target.row, change.entity)
        do {
            try statement.run()
        } catch let error as SQLiteError where error.isConstraintViolation {
            throw UniquenessFailure(error: explain(error, target.schema, change.id))
        }
        if target.hasOrder { noteUnplaced(change, target.schema, id, changed: nil) }
        if target.hasExternal, external.takeBytes() != nil { external.rows.append(id) }
    }

    private func updateRowsInFile() throws {
        versions = Array(repeating: nil, count: plan.updated.count)
        for (index, change) in plan.updated.enumerated() {
            let schema = try schema(of: change.entity)
            var version = change.version
            if plan.ignoresVersions {
                guard let present = try currentVersion(change.id, schema) else {
                    let target = try insertTarget(change.entity)
                    try insertRow(change, id: change.id, version: version + 1, target)
                    try withUnsafePointer(to: change) { change in
                        try observers.inserted(
                            InsertedRows(
                                schema: target.schema,
                                ids: [change.pointee.id],
                                changes: UnsafeBufferPointer(start: change, count: 1)
                            )
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
            row.statement.bind(change.id.key, at: row.keyIndex)
            row.statement.bind(version, at: row.keyIndex + 1)
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
                noteUnplaced(change, schema, change.id, changed: change.changed)
            }
            try observers.updated(
                UpdatedRow(
                    change: change,
                    schema: schema,
                    old: old,
                    links: takeLinks(of: change.id),
                    largeData: bytes,
                    permanentIDs: permanentIDs
                )
            )
        }
    }

    /// The source of the values before an update: the context's snapshot, or the file.
    private func oldValues(of change: ObjectChange, version: Int64) throws -> OldValues {
        let isExternal = change.entity.storedAttributes.contains {
            $0.allowsExternalStorage && change.changed.contains($0.slot)
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
            let schema = try schema(of: change.entity)
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
            let links = takeLinks(of: change.id) + (try unlink(change.id, schema))
            if let row {
                if !observers.keepOldFiles { external.replace(in: .row(row), schema, nil) }
                try observers.deleted(
                    DeletedRow(id: change.id, schema: schema, old: row, links: links)
                )
            }
            deletedIDs.append(change.id)
        }
    }

    // MARK: Uniqueness

    private func setUniqueValuesAside() throws {
        for change in plan.updated {
            let schema = try schema(of: change.entity)
            var slots = SlotSet()
            for name in change.entity.uniqueNames {
                guard let slot = change.entity.slotByName[name], change.changed.contains(slot)
                else { continue }
                slots.insert(slot)
            }
            for slot in slots {
                guard let column = schema.columns[slot] else { continue }
                try connection.statement(
                    "UPDATE \(quoted(schema.table.name)) SET \(quoted(column.name)) = NULL"
                        + " WHERE Z_PK = ?"
                ).run(.integer(change.id.key))
            }
        }
    }
}

extension EntityDescription {
    /// The attributes under a uniqueness constraint of the entity or an ancestor.
    var uniqueNames: Set<String> {
        var names: Set<String> = []
        var entity: EntityDescription? = self
        while let current = entity {
            for constraint in current.uniquenessConstraints { names.formUnion(constraint) }
            entity = current.superentity
        }
        return names
    }
}

/// Permanent IDs by temporary ones.
///
/// Temporary keys are serial numbers, so a page table serves.
struct IDMap {
    private var pages = EntityPages()
    private var isEmpty = true

    @inline(__always)
    func permanent(_ id: ManagedObjectID) -> ManagedObjectID {
        guard id.isTemporaryID, !isEmpty else { return id }
        let word = pages.get(id)
        return word == 0 ? id : ManagedObjectID(raw: UInt64(word))
    }

    mutating func add(_ temporary: ManagedObjectID, _ permanent: ManagedObjectID) {
        isEmpty = false
        pages.set(temporary, UInt(permanent.raw))
    }
}
