import ObjectModel
import ObjectStore

// No save leaves a reference to a row that is gone: the same two checks as in a SQLite store, of the
// rows under the lock, before anything is written.

extension PostgreSQLSave {
    /// Reads what is compared before the writing.
    ///
    /// That others have saved may be found out only with the lock; then ``findLost()`` is asked behind
    /// the writing.
    func readReferences() throws {
        hasReadReferences =
            store.serial - store.ownSaves != store.firstMark || store.hasDeletedRows
            || !plan.deleted.isEmpty
        if !hasReadReferences { return }
        try findLost(amongOthers: true)
        try findLeft()
    }

    // MARK: What the plan refers to

    /// Finds references of the plan to rows that are gone.
    ///
    /// - Parameter isAmongOthers: whether others may have saved; if false, it is looked for.
    /// - Throws: ``PostgreSQLError``.
    func findLost(amongOthers isAmongOthers: Bool = false) throws {
        // Others have saved if the number of saves is not that of the opening and our own.
        let hasForeign = isAmongOthers || store.serial - store.ownSaves != store.firstMark
        if !hasForeign, !store.hasDeletedRows, plan.deleted.isEmpty { return }
        let gone = Set(plan.deleted.map(\.id))
        var restored = Set(plan.inserted.lazy.map(\.id).filter { !$0.isTemporaryID })
        // A row that somebody has deleted is written again.
        if plan.ignoresVersions { restored.formUnion(plan.updated.map(\.id)) }
        var wanted: [ManagedObjectID: [StoreConflict.Reference]] = [:]
        func note(_ id: ManagedObjectID, _ owner: ManagedObjectID, _ by: RelationshipDescription) {
            if id.isTemporaryID || restored.contains(id) { return }
            if gone.contains(id) {
                if by.inverse?.deleteRule == .noAction { return }
            } else if !hasForeign, store.rows.contains(id) {
                return
            }
            wanted[id, default: []].append(
                StoreConflict.Reference(owner: owner, relationship: by, destination: id)
            )
        }
        func noteReferences(of change: ObjectChange, _ changed: SlotSet?) {
            for column in store.layout(change.entity).columns where column.kind == .reference {
                guard changed?.contains(column.slot) ?? true,
                    case .objectID(let id) = change.slots[column.slot],
                    let relationship = change.entity.slots[column.slot] as? RelationshipDescription
                else { continue }
                note(id, change.id, relationship)
            }
        }
        for change in plan.inserted { noteReferences(of: change, nil) }
        for change in plan.updated { noteReferences(of: change, change.changed) }
        for link in plan.links {
            for member in link.added { note(member, link.owner, link.relationship) }
            // The owner's own row is not compared where only its lists have changed.
            note(link.owner, link.owner, link.relationship)
        }
        for (root, keys) in store.keysByRoot(wanted.keys) {
            let place = try connection.enqueue(
                "SELECT Z_PK FROM \(quoted(root.table.name)) WHERE Z_PK = ANY($1)",
                list: keys.sorted()
            )
            whenFinished(place) { [unowned self] rows in
                let present = Set((0..<rows.count).map { rows.integer($0, 0) })
                let number = root.entity.number
                for id in wanted.keys.sorted()
                where store.schema(of: id)?.entity.root.number == number
                    && (gone.contains(id) || !present.contains(id.key))
                {
                    addLost(id, wanted[id] ?? [])
                }
            }
        }
    }

    private func addLost(_ id: ManagedObjectID, _ references: [StoreConflict.Reference]) {
        for reference in references {
            if reference.owner != id {
                badReferences.lost.append(reference)
            } else if !badReferences.rows.contains(where: { $0.id == id }) {
                let version = store.rows.version(id) ?? 1
                badReferences.rows.append(
                    StoreConflict.Row(id: id, oldVersion: version, newVersion: 0)
                )
            }
        }
    }

    // MARK: Who refers to what the plan deletes

    private func findLeft() throws {
        if plan.deleted.isEmpty { return }
        let byEntity = Dictionary(grouping: plan.deleted.map(\.id), by: \.entityNumber)
        let gone = Set(plan.deleted.map(\.id))
        let updated = Dictionary(plan.updated.map { ($0.id, $0.changed) }) { first, _ in first }
        for schema in store.schema.entities {
            for case let relationship as RelationshipDescription in schema.entity.ownSlots {
                guard let column = schema.columns[relationship.slot],
                    let destination = relationship.destination,
                    relationship.inverse?.deleteRule != .noAction
                else { continue }
                let ids = byEntity.filter { number, _ in
                    destination.number <= number && number <= destination.lastNumber
                }.values.flatMap { $0 }
                if ids.isEmpty { continue }
                let byKey = Dictionary(ids.map { ($0.key, $0) }) { first, _ in first }
                let name = quoted(column.name)
                let place = try connection.enqueue(
                    "SELECT Z_PK, Z_ENT, \(name) FROM \(quoted(schema.table.name))"
                        + " WHERE \(name) = ANY($1) ORDER BY Z_PK",
                    list: byKey.keys.sorted()
                )
                whenFinished(place) { [unowned self] rows in
                    addLeft(rows, relationship, byKey) { owner in
                        gone.contains(owner)
                            || updated[owner]?.contains(relationship.slot) ?? false
                    }
                }
            }
        }
    }

    private func addLeft(
        _ rows: PostgreSQLResult,
        _ relationship: RelationshipDescription,
        _ byKey: [Int64: ManagedObjectID],
        unless isWritten: (ManagedObjectID) -> Bool
    ) {
        for row in 0..<rows.count {
            guard
                let owner = store.id(number: rows.integer(row, 1), key: rows.integer(row, 0)),
                let destination = byKey[rows.integer(row, 2)], !isWritten(owner)
            else { continue }
            badReferences.left.append(
                StoreConflict.Reference(
                    owner: owner,
                    relationship: relationship,
                    destination: destination
                )
            )
        }
    }
}
