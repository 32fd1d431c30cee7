import ObjectModel
import ObjectStore

/// What a save has read under the lock, before it writes anything.
struct FoundRows {
    /// The versions of rows that the save updates or deletes, by key, by the number of their root.
    var versions: [UInt16: [Int64: Int64]] = [:]
    /// The members of lists, in their order.
    var members: [OrderedList: [ManagedObjectID]] = [:]
    /// The position of each member of an ordered list; `nil` for one without.
    var positions: [OrderedList: [Int64: Int64?]] = [:]

    func version(of id: ManagedObjectID, _ schema: EntitySchema) -> Int64? {
        versions[schema.entity.root.number]?[id.key]
    }
}

extension PostgreSQLSave {
    /// Reads the versions of updated and deleted rows, and the rows themselves where the history
    /// needs values that the context does not have.
    func readRows() throws {
        let needsAll = plan.ignoresVersions || plan.updated.contains { $0.snapshot == nil }
        let whole = plan.deleted.map(\.id) + (needsAll ? plan.updated.map(\.id) : [])
        for (root, keys) in store.keysByRoot(whole) {
            let selection = store.selection(root.entity, withDescendants: true)
            let place = try connection.enqueue(selection.rows(of: root), list: keys)
            whenFinished(place) { [unowned self] rows in
                store.store(rows, selection, in: store.scratchRows)
                note(rows, 2, root)
            }
        }
        for (root, keys) in store.keysByRoot(needsAll ? [] : plan.updated.map(\.id)) {
            let place = try connection.enqueue(
                "SELECT Z_PK, Z_OPT FROM \(quoted(root.table.name)) WHERE Z_PK = ANY($1)",
                list: keys
            )
            whenFinished(place) { [unowned self] rows in note(rows, 1, root) }
        }
    }

    private func note(_ rows: PostgreSQLResult, _ column: Int, _ root: EntitySchema) {
        for row in 0..<rows.count {
            found.versions[root.entity.number, default: [:]][rows.integer(row, 0)] =
                rows.integer(row, column)
        }
    }

    /// Reads the links of objects that are deleted, and the orders of lists that change.
    func readLinks() throws {
        var wanted: [RelationshipDescription: Set<Int64>] = [:]
        var ordered: [RelationshipDescription: Set<Int64>] = [:]
        let space = store.space.number
        for change in plan.deleted {
            for relationship in change.entity.relationships where relationship.isToMany {
                wanted[relationship, default: []].insert(change.id.key)
            }
        }
        for link in plan.links where link.order != nil && !link.owner.isTemporaryID {
            wanted[link.relationship, default: []].insert(link.owner.key)
            ordered[link.relationship, default: []].insert(link.owner.key)
        }
        for link in plan.links
        where link.relationship.isOrdered && link.order == nil && !link.owner.isTemporaryID {
            ordered[link.relationship, default: []].insert(link.owner.key)
        }
        for change in plan.inserted + plan.updated {
            guard let schema = store.schema.schema(of: change.entity) else { continue }
            for slot in schema.orderColumns.keys where change.changed.contains(slot) {
                guard case .objectID(let owner) = change.slots[slot], !owner.isTemporaryID,
                    owner.spaceNumber == space,
                    let list = (change.entity.slots[slot] as? RelationshipDescription)?.inverse
                else { continue }
                ordered[list, default: []].insert(owner.key)
            }
        }
        for (relationship, owners) in wanted {
            guard let query = store.memberQuery(relationship) else { continue }
            let place = try connection.enqueue(
                query.select(owners: "= ANY($1)"),
                list: owners.sorted()
            )
            whenFinished(place) { [unowned self] rows in
                for (owner, members) in store.members(rows) {
                    found.members[list(relationship, owner)] = members
                }
            }
        }
        for (relationship, owners) in ordered {
            guard let columns = OrderColumns(relationship, store) else { continue }
            let place = try connection.enqueue(
                "SELECT \(columns.owner), \(columns.member), \(columns.position)"
                    + " FROM \(columns.table) WHERE \(columns.owner) = ANY($1)",
                list: owners.sorted()
            )
            whenFinished(place) { [unowned self] rows in
                for row in 0..<rows.count {
                    let list = list(relationship, rows.integer(row, 0))
                    let position = rows.isNull(row, 2) ? nil : rows.integer(row, 2)
                    found.positions[list, default: [:]][rows.integer(row, 1)] = .some(position)
                }
            }
        }
    }

    /// A list of an owner with a key.
    ///
    /// The entity of the owner does not matter: the rows of a hierarchy are in one table.
    func list(_ relationship: RelationshipDescription, _ owner: Int64) -> OrderedList {
        OrderedList(
            owner: ManagedObjectID(
                space: store.space.number,
                entity: relationship.entity?.number ?? 0,
                key: owner
            ),
            relationship: relationship
        )
    }

    /// The rows that somebody else has changed since they were read.
    func findConflicts() {
        if plan.ignoresVersions { return }
        for change in plan.updated {
            let schema = store.schema.schema(of: change.entity)
            let present = schema.flatMap { found.version(of: change.id, $0) }
            if present != change.version { addConflict(change, present ?? 0) }
        }
        for change in plan.deleted {
            let schema = store.schema.schema(of: change.entity)
            // A row that somebody else has deleted as well is not a conflict: both wanted the same.
            guard let present = schema.flatMap({ found.version(of: change.id, $0) }) else {
                continue
            }
            if present != change.version { addConflict(change, present) }
        }
    }

    private func addConflict(_ change: ObjectChange, _ present: Int64) {
        conflicts.append(
            StoreConflict.Row(id: change.id, oldVersion: change.version, newVersion: present)
        )
    }
}
