import ObjectModel
import ObjectStore

// What a save runs for links, deletions and positions. What a SQLite store reads in between, this
// computes from what was read before.

extension PostgreSQLSave: TableSave {
    func run(_ statement: String, _ parameters: Int64...) throws {
        var fields = FieldWriter()
        for parameter in parameters { fields.add(parameter) }
        try connection.enqueue(
            connection.statement(statement, parameters.map { _ in .integer }),
            fields
        )
    }

    // MARK: Deletion

    func deleteRows() throws {
        var gone: [EntitySchema] = []
        var keys: [ObjectIdentifier: [Int64]] = [:]
        for change in plan.deleted {
            deletedIDs.append(change.id)
            let schema = try store.requireSchema(of: change.entity)
            guard found.version(of: change.id, schema) != nil else { continue }
            if keys[ObjectIdentifier(schema)] == nil { gone.append(schema) }
            keys[ObjectIdentifier(schema), default: []].append(change.id.key)
            var members: [Int: [ManagedObjectID]] = [:]
            for (relationship, _) in observers.needLinks ? schema.outsideLinks : [] {
                members[relationship.slot] = found.members[list(relationship, change.id.key)]
            }
            let links = writtenLinks.take(ofDeleted: change.id, schema, members)
            guard let blob = store.scratchRows.blob(change.id) else { continue }
            try observers.deleted(
                DeletedRow(
                    id: change.id,
                    schema: schema,
                    old: RowReader(blob, schema.layout),
                    links: links
                )
            )
        }
        for schema in gone {
            try delete(keys[ObjectIdentifier(schema)] ?? [], of: schema)
        }
    }

    /// Deletes rows of one entity with the links that their rows do not hold.
    private func delete(_ keys: [Int64], of schema: EntitySchema) throws {
        for (relationship, storage) in schema.outsideLinks {
            switch storage {
            case .memberKey(let column, _, _):
                guard let target = relationship.destination.flatMap({ store.schema.schema(of: $0) })
                else { continue }
                try enqueue(
                    "UPDATE \(quoted(target.table.name)) SET \(quoted(column)) = NULL"
                        + " WHERE \(quoted(column)) = ANY($1)",
                    keys
                )
            case .joinTable(let side):
                for column in side.isReflexive ? [side.owner, side.member] : [side.owner] {
                    try enqueue(
                        "DELETE FROM \(quoted(side.table)) WHERE \(quoted(column)) = ANY($1)",
                        keys
                    )
                }
            }
        }
        try enqueue("DELETE FROM \(quoted(schema.table.name)) WHERE Z_PK = ANY($1)", keys)
    }

    private func enqueue(_ sql: String, _ keys: [Int64]) throws {
        _ = try connection.enqueue(sql, list: keys, keepsRows: false)
    }

    // MARK: Order

    /// The members whose to-one side changes, by the ordered relationship.
    func findLeavingMembers() -> [RelationshipDescription: Set<Int64>] {
        var result: [RelationshipDescription: Set<Int64>] = [:]
        for change in plan.updated {
            guard let schema = store.schema.schema(of: change.entity) else { continue }
            for slot in schema.orderColumns.keys where change.changed.contains(slot) {
                guard let list = (change.entity.slots[slot] as? RelationshipDescription)?.inverse
                else { continue }
                result[list, default: []].insert(change.id.key)
            }
        }
        return result
    }

    func positions(
        of list: OrderedList,
        _: OrderColumns,
        _ link: LinkChange?
    ) -> [Int64: Int64?] {
        let relationship = list.relationship
        var present = found.positions[self.list(relationship, list.owner.key)] ?? [:]
        for key in leavingMembers[relationship] ?? [] { present[key] = nil }
        if let destination = relationship.destination {
            for id in deletedIDs
            where (destination.number...destination.lastNumber).contains(id.entityNumber) {
                present[id.key] = nil
            }
        }
        if case .memberKey(_, _, true)? = store.storage(of: relationship) {
        } else if let link {
            for id in link.removed { present[permanentIDs.permanent(id).key] = nil }
            for id in link.added {
                let key = permanentIDs.permanent(id).key
                if present[key] == nil { present[key] = .some(nil) }
            }
        }
        for key in unplaced.members[list] ?? [] where present[key] == nil {
            present[key] = .some(nil)
        }
        return present
    }

    func members(of list: OrderedList, _ positions: [Int64: Int64?]) -> [ManagedObjectID] {
        let members = found.members[self.list(list.relationship, list.owner.key)] ?? []
        return positions.compactMap { key, place in place.map { (key, $0) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            .compactMap { place in members.first { $0.key == place.0 } }
    }
}
