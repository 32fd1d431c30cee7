import ObjectModel
import ObjectStore

// To-many relationships that no to-one column expresses, deletions, and the positions of ordered
// members. The rules are those of a SQLite store; what that reads in between, this computes from what
// was read before.

extension PostgreSQLSave {
    private func storage(_ link: LinkChange) -> ToManyStorage? {
        store.schema(of: permanentIDs.permanent(link.owner))?.toMany[link.relationship.slot]
    }

    // MARK: For the history

    /// Collects the changed links and orders of all owners that have a row.
    func collectLinks() {
        guard observers.needLinks else { return }
        for change in plan.deleted {
            for relationship in change.entity.relationships where relationship.isOrdered {
                let order = found.members[list(relationship, change.id.key)] ?? []
                if !order.isEmpty { add(.oldOrder, order, relationship, of: change.id) }
            }
        }
        if plan.links.isEmpty { return }
        let inserted = Set(insertedIDs)
        for link in plan.links {
            let owner = permanentIDs.permanent(link.owner)
            if inserted.contains(owner) { continue }
            let relationship = link.relationship
            // Membership of a one-to-many relationship is part of the members' own changes.
            if case .memberKey(_, _, true)? = storage(link) {
            } else {
                if !link.added.isEmpty { add(.added, link.added, relationship, of: owner) }
                if !link.removed.isEmpty { add(.removed, link.removed, relationship, of: owner) }
            }
            guard let order = link.order else { continue }
            let old = found.members[list(relationship, owner.key)] ?? []
            if old == order.map({ permanentIDs.permanent($0) }) { continue }
            add(.oldOrder, old, relationship, of: owner)
            add(.newOrder, order, relationship, of: owner)
        }
    }

    private func add(
        _ change: WrittenLink.Change,
        _ members: [ManagedObjectID],
        _ relationship: RelationshipDescription,
        of owner: ManagedObjectID
    ) {
        writtenLinks[owner, default: []].append(
            WrittenLink(
                change: change,
                relationship: relationship,
                members: members.map { permanentIDs.permanent($0) }
            )
        )
    }

    /// The changed links of one object, which are reported with its row.
    func takeLinks(of id: ManagedObjectID) -> [WrittenLink] {
        writtenLinks.isEmpty ? [] : writtenLinks.removeValue(forKey: id) ?? []
    }

    /// Reports the changed links of objects whose own rows did not change.
    func reportOtherLinks() throws {
        if writtenLinks.isEmpty { return }
        for link in plan.links {
            let owner = permanentIDs.permanent(link.owner)
            let links = takeLinks(of: owner)
            if !links.isEmpty { try observers.linksChanged(of: owner, links) }
        }
    }

    // MARK: Links

    func removeLinks() throws {
        for link in plan.links where !link.removed.isEmpty {
            let owner = permanentIDs.permanent(link.owner)
            guard let storage = storage(link) else { continue }
            for removed in link.removed {
                let member = permanentIDs.permanent(removed)
                if member.isTemporaryID { continue }
                try remove(member, from: owner, storage)
            }
        }
    }

    private func remove(
        _ member: ManagedObjectID,
        from owner: ManagedObjectID,
        _ storage: ToManyStorage
    ) throws {
        switch storage {
        case .memberKey(_, _, true): break
        case .memberKey(let column, let order, false):
            guard let table = store.schema(of: member)?.table.name else { return }
            let orders = order.map { ", \(quoted($0)) = NULL" } ?? ""
            try connection.enqueue(
                "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(orders)"
                    + " WHERE Z_PK = $1 AND \(quoted(column)) = $2",
                .integer(member.key),
                .integer(owner.key)
            )
        case .joinTable(let side):
            for (owner, member) in side.pairs(owner, member) {
                try connection.enqueue(
                    "DELETE FROM \(quoted(side.table))"
                        + " WHERE \(quoted(side.owner)) = $1 AND \(quoted(side.member)) = $2",
                    .integer(owner),
                    .integer(member)
                )
            }
        }
    }

    func addLinks() throws {
        for link in plan.links where !link.added.isEmpty {
            let owner = try resolve(link.owner, link.relationship)
            guard let storage = storage(link) else { continue }
            for added in link.added {
                let member = try resolve(added, link.relationship)
                switch storage {
                case .memberKey(_, _, true): break
                case .memberKey(let column, let order, false):
                    guard let table = store.schema(of: member)?.table.name else { continue }
                    let orders = order.map { ", \(quoted($0)) = NULL" } ?? ""
                    try connection.enqueue(
                        "UPDATE \(quoted(table)) SET \(quoted(column)) = $1\(orders)"
                            + " WHERE Z_PK = $2",
                        .integer(owner.key),
                        .integer(member.key)
                    )
                case .joinTable(let side):
                    for (owner, member) in side.pairs(owner, member) {
                        try connection.enqueue(
                            "INSERT INTO \(quoted(side.table))"
                                + " (\(quoted(side.owner)), \(quoted(side.member)))"
                                + " VALUES ($1, $2) ON CONFLICT DO NOTHING",
                            .integer(owner),
                            .integer(member)
                        )
                    }
                }
            }
            if link.order == nil, link.relationship.isOrdered {
                let list = OrderedList(owner: owner, relationship: link.relationship)
                for member in link.added {
                    unplaced.add(permanentIDs.permanent(member).key, to: list)
                }
            }
        }
    }

    // MARK: Deletion

    func deleteRows() throws {
        var unlinked: Set<ManagedObjectID> = []
        var gone: [EntitySchema] = []
        var keys: [ObjectIdentifier: [Int64]] = [:]
        for change in plan.deleted {
            deletedIDs.append(change.id)
            let schema = try store.requireSchema(of: change.entity)
            guard found.version(of: change.id, schema) != nil else { continue }
            if keys[ObjectIdentifier(schema)] == nil { gone.append(schema) }
            keys[ObjectIdentifier(schema), default: []].append(change.id.key)
            var links = takeLinks(of: change.id)
            for (relationship, _) in schema.outsideLinks {
                var members = found.members[list(relationship, change.id.key)] ?? []
                // Objects that were deleted before have removed their links already.
                if relationship.inverse != nil { members.removeAll(where: unlinked.contains) }
                if members.isEmpty { continue }
                links.append(
                    WrittenLink(change: .removed, relationship: relationship, members: members)
                )
            }
            unlinked.insert(change.id)
            guard let blob = store.scratchRows.blob(change.id) else { continue }
            try observers.deleted(
                DeletedRow(
                    id: change.id,
                    schema: schema,
                    old: RowReader(blob, schema.layout),
                    links: observers.needLinks ? links : []
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

    /// Collects the ordered lists to which a row was added.
    func noteUnplaced(
        _ change: ObjectChange,
        _ schema: EntitySchema,
        _ id: ManagedObjectID,
        changed: SlotSet?
    ) {
        for slot in schema.orderColumns.keys.sorted() {
            if let changed, !changed.contains(slot) { continue }
            guard case .objectID(let owner) = change.slots[slot],
                let relationship = change.entity.slots[slot] as? RelationshipDescription,
                let list = relationship.inverse
            else { continue }
            unplaced.add(
                id.key,
                to: OrderedList(owner: permanentIDs.permanent(owner), relationship: list)
            )
        }
    }

    /// Writes the positions of ordered members: as in the plan, and at the end for members that the
    /// plan does not list.
    ///
    /// Somebody else may have changed an order since it was read; then nothing is saved.
    func setOrders() throws {
        let moves = MovedMembers(self)
        var ordered: Set<OrderedList> = []
        for link in plan.links {
            guard let order = link.order, storage(link) != nil else { continue }
            let list = OrderedList(
                owner: permanentIDs.permanent(link.owner),
                relationship: link.relationship
            )
            ordered.insert(list)
            let members = try order.map { try resolve($0, link.relationship).key }
            guard let columns = OrderedColumns(link.relationship, store) else { continue }
            let present = moves.positions(in: list, link)
            if !plan.ignoresVersions, isOutdated(link, present) {
                changedOrders.append(
                    StoreConflict.Order(
                        owner: link.owner,
                        relationship: link.relationship,
                        order: present.compactMap { key, place in place.map { (key, $0) } }
                            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
                            .compactMap { member($0.0, of: list) }
                    )
                )
                continue
            }
            let keys = members.map { present[$0] ?? nil }
            for change in SparseOrder.changes(keys) {
                try write(change.key, for: members[change.position], in: list, columns)
            }
        }
        for list in unplaced.lists where !ordered.contains(list) {
            guard let columns = OrderedColumns(list.relationship, store) else { continue }
            let link = plan.links.first {
                $0.relationship === list.relationship
                    && permanentIDs.permanent($0.owner) == list.owner
            }
            let present = moves.positions(in: list, link)
            var last = present.values.compactMap { $0 }.max() ?? SparseOrder.first - 1
            for member in unplaced.members[list] ?? [] where present[member] == .some(nil) {
                last = (last / SparseOrder.step + 1) * SparseOrder.step
                try write(last, for: member, in: list, columns)
            }
        }
    }

    /// A member of a list as it was read.
    private func member(_ key: Int64, of list: OrderedList) -> ManagedObjectID? {
        found.members[self.list(list.relationship, list.owner.key)]?.first { $0.key == key }
    }

    private func write(
        _ place: Int64,
        for member: Int64,
        in list: OrderedList,
        _ columns: OrderedColumns
    ) throws {
        try connection.enqueue(
            columns.updating,
            .integer(place),
            .integer(list.owner.key),
            .integer(member)
        )
    }

    /// Whether the members of a list that were there before this save are not those that were read, in
    /// their order; `present` has no position for those that this save has brought.
    private func isOutdated(_ link: LinkChange, _ present: [Int64: Int64?]) -> Bool {
        guard let read = link.readOrder else { return false }
        let removed = Set(link.removed.map { permanentIDs.permanent($0).key })
        let expected = read.map { permanentIDs.permanent($0).key }.filter { key in
            if removed.contains(key) { return false }
            if case .some(.none) = present[key] { return false }
            return true
        }
        let placed = present.compactMap { key, place in place.map { (key, $0) } }
            .filter { !removed.contains($0.0) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        return expected != placed.map(\.0)
    }
}

/// What the save does to the members of ordered lists, so that it knows their positions after its
/// own writes.
private struct MovedMembers {
    private let save: PostgreSQLSave
    /// The members whose to-one side changes, by the ordered relationship.
    private var left: [RelationshipDescription: Set<Int64>] = [:]
    private let deleted: Set<ManagedObjectID>

    init(_ save: PostgreSQLSave) {
        self.save = save
        deleted = Set(save.deletedIDs)
        for change in save.plan.updated {
            guard let schema = save.store.schema.schema(of: change.entity) else { continue }
            for slot in schema.orderColumns.keys where change.changed.contains(slot) {
                guard let list = (change.entity.slots[slot] as? RelationshipDescription)?.inverse
                else { continue }
                left[list, default: []].insert(change.id.key)
            }
        }
    }

    /// The position of each member after the save's writes; `nil` for one that it has brought.
    func positions(in list: OrderedList, _ link: LinkChange?) -> [Int64: Int64?] {
        let relationship = list.relationship
        var present = save.found.positions[save.list(relationship, list.owner.key)] ?? [:]
        for key in left[relationship] ?? [] { present[key] = nil }
        if !deleted.isEmpty, let destination = relationship.destination {
            for id in deleted
            where (destination.number...destination.lastNumber)
                .contains(id.entityNumber)
            { present[id.key] = nil }
        }
        let isInverse: Bool
        switch relationship.entity.flatMap({ save.store.schema.schema(of: $0) })?
            .toMany[relationship.slot]
        {
        case .memberKey(_, _, true)?: isInverse = true
        default: isInverse = false
        }
        if let link, !isInverse {
            for id in link.removed { present[save.permanentIDs.permanent(id).key] = nil }
            for id in link.added {
                let key = save.permanentIDs.permanent(id).key
                if present[key] == nil { present[key] = .some(nil) }
            }
        }
        for key in save.unplaced.members[list] ?? [] where present[key] == nil {
            present[key] = .some(nil)
        }
        return present
    }
}

extension JoinSide {
    /// The rows of a link: two where the relationship is its own inverse.
    fileprivate func pairs(
        _ owner: ManagedObjectID,
        _ member: ManagedObjectID
    ) -> [(owner: Int64, member: Int64)] {
        let one = (owner.key, member.key)
        return isReflexive && owner.key != member.key ? [one, (member.key, owner.key)] : [one]
    }
}

extension EntitySchema {
    /// The relationships that the rows of the entity's objects do not hold.
    fileprivate var outsideLinks: [(RelationshipDescription, ToManyStorage)] {
        entity.relationships.compactMap { relationship in
            guard let storage = toMany[relationship.slot] else { return nil }
            if case .memberKey(_, _, true) = storage { return nil }
            return (relationship, storage)
        }
    }
}
