import ObjectModel
import ObjectStore

// To-many relationships that no to-one column expresses, and the positions of ordered members.

extension SaveOperation {
    func owner(_ link: LinkChange) -> ManagedObjectID {
        permanentIDs.permanent(link.owner)
    }

    func storage(_ link: LinkChange) -> ToManyStorage? {
        store.schema(of: owner(link))?.toMany[link.relationship.slot]
    }

    func removeLinks() throws {
        for link in plan.links where !link.removed.isEmpty {
            let owner = owner(link)
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
            try connection.statement(
                "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(orders)"
                    + " WHERE Z_PK = ? AND \(quoted(column)) = ?"
            ).run(.integer(member.key), .integer(owner.key))
        case .joinTable(let side):
            let statement = try connection.statement(
                "DELETE FROM \(quoted(side.table))"
                    + " WHERE \(quoted(side.owner)) = ? AND \(quoted(side.member)) = ?"
            )
            try statement.run(.integer(owner.key), .integer(member.key))
            if side.isReflexive {
                try statement.run(.integer(member.key), .integer(owner.key))
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
                    try connection.statement(
                        "UPDATE \(quoted(table)) SET \(quoted(column)) = ?\(orders)"
                            + " WHERE Z_PK = ?"
                    ).run(.integer(owner.key), .integer(member.key))
                case .joinTable(let side):
                    let statement = try connection.statement(
                        "INSERT OR IGNORE INTO \(quoted(side.table))"
                            + " (\(quoted(side.owner)), \(quoted(side.member))) VALUES (?, ?)"
                    )
                    try statement.run(.integer(owner.key), .integer(member.key))
                    if side.isReflexive {
                        try statement.run(.integer(member.key), .integer(owner.key))
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

    /// The relationships that the rows of an entity's objects do not hold.
    private func outsideLinks(_ schema: EntitySchema) -> [(RelationshipDescription, ToManyStorage)]
    {
        schema.entity.relationships.compactMap { relationship in
            guard let storage = schema.toMany[relationship.slot] else { return nil }
            if case .memberKey(_, _, true) = storage { return nil }
            return (relationship, storage)
        }
    }

    /// Reads the links of objects that will be deleted, with one statement for each relationship.
    func readLinks(of ids: [ManagedObjectID], _ schema: EntitySchema) throws {
        deletedLinks = [:]
        for (relationship, _) in outsideLinks(schema) {
            let members = try store.readDestinations(of: relationship, owners: ids)
            for (id, members) in zip(ids, members) where !members.isEmpty {
                deletedLinks[id, default: [:]][relationship.slot] = members
            }
        }
    }

    /// Removes a deleted object from all relationships that its row does not hold.
    ///
    /// - Returns: its links, if an observer needs them.
    func unlink(_ id: ManagedObjectID, _ schema: EntitySchema) throws -> [WrittenLink] {
        var result: [WrittenLink] = []
        let links = deletedLinks.removeValue(forKey: id) ?? [:]
        for (relationship, storage) in outsideLinks(schema) {
            if observers.needLinks {
                var members = links[relationship.slot] ?? []
                // Objects that were deleted before have removed their links already.
                if relationship.inverse != nil { members.removeAll(where: unlinked.contains) }
                if members.isEmpty { continue }
                result.append(
                    WrittenLink(change: .removed, relationship: relationship, members: members)
                )
            }
            switch storage {
            case .memberKey(let column, _, _):
                guard let target = relationship.destination.flatMap({ store.schema.schema(of: $0) })
                else { continue }
                try connection.statement(
                    "UPDATE \(quoted(target.table.name)) SET \(quoted(column)) = NULL"
                        + " WHERE \(quoted(column)) = ?"
                ).run(.integer(id.key))
            case .joinTable(let side):
                try connection.statement(
                    "DELETE FROM \(quoted(side.table)) WHERE \(quoted(side.owner)) = ?"
                ).run(.integer(id.key))
                if side.isReflexive {
                    try connection.statement(
                        "DELETE FROM \(quoted(side.table)) WHERE \(quoted(side.member)) = ?"
                    ).run(.integer(id.key))
                }
            }
        }
        unlinked.insert(id)
        return result
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
        var ordered: Set<OrderedList> = []
        var changed: [StoreConflict.Order] = []
        for link in plan.links {
            guard let order = link.order, let storage = storage(link) else { continue }
            let list = OrderedList(owner: owner(link), relationship: link.relationship)
            ordered.insert(list)
            let members = try order.map { try resolve($0, link.relationship).key }
            guard let places = OrderedPlaces(storage, list, store) else { continue }
            let present = try places.read()
            if !plan.ignoresVersions, isOutdated(link, present) {
                let order = try store.readDestinations(of: link.relationship, owners: [list.owner])
                changed.append(
                    StoreConflict.Order(
                        owner: link.owner,
                        relationship: link.relationship,
                        order: order.first ?? []
                    )
                )
                continue
            }
            let keys = members.map { present[$0] ?? nil }
            for change in SparseOrder.changes(keys) {
                try places.write(change.key, for: members[change.position])
            }
        }
        if !changed.isEmpty { throw StoreConflict(orders: changed) }
        for list in unplaced.lists where !ordered.contains(list) {
            guard let storage = store.schema(of: list.owner)?.toMany[list.relationship.slot],
                let places = OrderedPlaces(storage, list, store)
            else { continue }
            let present = try places.read()
            var last = present.values.compactMap { $0 }.max() ?? SparseOrder.first - 1
            for member in unplaced.members[list] ?? [] where present[member] == .some(nil) {
                last = (last / SparseOrder.step + 1) * SparseOrder.step
                try places.write(last, for: member)
            }
        }
    }
}

extension SaveOperation {
    /// Whether the members of a list that were there before this save are not those that were read, in
    /// their order; `present` has no position for those that this save has brought.
    private func isOutdated(_ link: LinkChange, _ present: [Int64: Int64?]) -> Bool {
        guard let read = link.readOrder else { return false }
        let removed = Set(link.removed.map { permanentIDs.permanent($0).key })
        let expected = read.map { permanentIDs.permanent($0).key }.filter { key in
            if removed.contains(key) { return false }
            // A member without a position is new here, or in a file of another program.
            if case .some(.none) = present[key] { return false }
            return true
        }
        let placed = present.compactMap { key, place in place.map { (key, $0) } }
            .filter { !removed.contains($0.0) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        return expected != placed.map(\.0)
    }
}

/// The positions of one ordered list, in the file.
private struct OrderedPlaces {
    private let connection: Connection
    private let owner: Int64
    private let selecting: String
    private let updating: String

    init?(_ storage: ToManyStorage, _ list: OrderedList, _ store: SQLiteStore) {
        connection = store.connection
        owner = list.owner.key
        switch storage {
        case .memberKey(let column, let order?, _):
            guard let destination = list.relationship.destination,
                let table = store.schema.schema(of: destination)?.table.name
            else { return nil }
            selecting =
                "SELECT Z_PK, \(quoted(order)) FROM \(quoted(table)) WHERE \(quoted(column)) = ?"
            updating =
                "UPDATE \(quoted(table)) SET \(quoted(order)) = ?"
                + " WHERE \(quoted(column)) = ? AND Z_PK = ?"
        case .joinTable(let side):
            guard let order = side.order else { return nil }
            selecting =
                "SELECT \(quoted(side.member)), \(quoted(order)) FROM \(quoted(side.table))"
                + " WHERE \(quoted(side.owner)) = ?"
            updating =
                "UPDATE \(quoted(side.table)) SET \(quoted(order)) = ?"
                + " WHERE \(quoted(side.owner)) = ? AND \(quoted(side.member)) = ?"
        default: return nil
        }
    }

    /// The position of each member; `nil` for one without.
    func read() throws -> [Int64: Int64?] {
        let statement = try connection.statement(selecting)
        defer { statement.reset() }
        statement.bind(owner, at: 1)
        var result: [Int64: Int64?] = [:]
        while try statement.step() {
            result[statement.integer(0)] = .some(statement.isNull(1) ? nil : statement.integer(1))
        }
        return result
    }

    func write(_ place: Int64, for member: Int64) throws {
        let statement = try connection.statement(updating)
        statement.bind(place, at: 1)
        statement.bind(owner, at: 2)
        statement.bind(member, at: 3)
        try statement.run()
    }
}
