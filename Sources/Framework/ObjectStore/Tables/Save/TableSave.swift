package import ObjectModel

// What a save into tables does in the same way in every database: it writes the links that no to-one
// column expresses, and the positions of ordered members. A store reads, and runs the statements.

/// One running save of a store whose objects are in tables.
package protocol TableSave: AnyObject {
    associatedtype Store: TableStore

    var plan: SavePlan { get }
    var store: Store { get }
    var permanentIDs: IDMap { get }
    /// Members that joined an ordered list without a position, in the plan's order.
    var unplaced: UnplacedMembers { get set }

    /// Runs a statement, at once or with the others.
    func run(_ statement: String, _ parameters: Int64...) throws
    /// The position of each member after the writes of this save; `nil` for one without.
    ///
    /// A link says how the save changes the list.
    func positions(
        of list: OrderedList,
        _ columns: OrderColumns,
        _ link: LinkChange?
    ) throws -> [Int64: Int64?]
    /// The members of a list in their order, given their positions.
    func members(of list: OrderedList, _ positions: [Int64: Int64?]) throws -> [ManagedObjectID]
}

extension TableSave {
    /// The permanent ID of an object that a property of this store leads to.
    @inline(__always)
    private func resolve(
        _ id: ManagedObjectID,
        _ property: PropertyDescription
    ) throws -> ManagedObjectID {
        try permanentIDs.resolve(id, in: store.space, property)
    }

    private func parameter(_ number: Int) -> String { store.dialect.parameter(number) }

    // MARK: Links

    package func removeLinks() throws {
        for link in plan.links where !link.removed.isEmpty {
            guard let storage = store.storage(of: link.relationship) else { continue }
            let owner = permanentIDs.permanent(link.owner)
            for removed in link.removed {
                let member = permanentIDs.permanent(removed)
                if member.isTemporaryID { continue }
                switch storage {
                case .memberKey(_, _, true): break
                case .memberKey(let column, let order, false):
                    guard let table = store.schema(of: member)?.table.name else { continue }
                    let orders = order.map { ", \(quoted($0)) = NULL" } ?? ""
                    try run(
                        "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(orders)"
                            + " WHERE Z_PK = \(parameter(1)) AND \(quoted(column)) = \(parameter(2))",
                        member.key,
                        owner.key
                    )
                case .joinTable(let side):
                    for (owner, member) in side.pairs(owner, member) {
                        try run(
                            "DELETE FROM \(quoted(side.table))"
                                + " WHERE \(quoted(side.owner)) = \(parameter(1))"
                                + " AND \(quoted(side.member)) = \(parameter(2))",
                            owner,
                            member
                        )
                    }
                }
            }
        }
    }

    package func addLinks() throws {
        for link in plan.links where !link.added.isEmpty {
            let owner = try resolve(link.owner, link.relationship)
            guard let storage = store.storage(of: link.relationship) else { continue }
            for added in link.added {
                let member = try resolve(added, link.relationship)
                switch storage {
                case .memberKey(_, _, true): break
                case .memberKey(let column, let order, false):
                    guard let table = store.schema(of: member)?.table.name else { continue }
                    let orders = order.map { ", \(quoted($0)) = NULL" } ?? ""
                    try run(
                        "UPDATE \(quoted(table)) SET \(quoted(column)) = \(parameter(1))\(orders)"
                            + " WHERE Z_PK = \(parameter(2))",
                        owner.key,
                        member.key
                    )
                case .joinTable(let side):
                    for (owner, member) in side.pairs(owner, member) {
                        try run(
                            "INSERT INTO \(quoted(side.table))"
                                + " (\(quoted(side.owner)), \(quoted(side.member)))"
                                + " VALUES (\(parameter(1)), \(parameter(2)))"
                                + " ON CONFLICT DO NOTHING",
                            owner,
                            member
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

    // MARK: Order

    /// Writes the positions of ordered members: as in the plan, and at the end for members that the
    /// plan does not list.
    ///
    /// - Returns: the orders that somebody else has changed since they were read; then nothing may be
    ///   saved.
    package func setOrders() throws -> [StoreConflict.Order] {
        var ordered: Set<OrderedList> = []
        var changed: [StoreConflict.Order] = []
        for link in plan.links {
            guard let order = link.order, let columns = OrderColumns(link.relationship, store)
            else { continue }
            let list = OrderedList(
                owner: permanentIDs.permanent(link.owner),
                relationship: link.relationship
            )
            ordered.insert(list)
            let members = try order.map { try resolve($0, link.relationship).key }
            let present = try positions(of: list, columns, link)
            if !plan.ignoresVersions, link.isOutdated(present, permanentIDs) {
                changed.append(
                    StoreConflict.Order(
                        owner: link.owner,
                        relationship: link.relationship,
                        order: try self.members(of: list, present)
                    )
                )
                continue
            }
            let keys = members.map { present[$0] ?? nil }
            for change in SparseOrder.changes(keys) {
                try run(columns.updating, change.key, list.owner.key, members[change.position])
            }
        }
        for list in unplaced.lists where !ordered.contains(list) {
            guard let columns = OrderColumns(list.relationship, store) else { continue }
            let link = plan.links.first {
                $0.relationship === list.relationship
                    && permanentIDs.permanent($0.owner) == list.owner
            }
            let present = try positions(of: list, columns, link)
            var last = present.values.compactMap { $0 }.max() ?? SparseOrder.first - 1
            for member in unplaced.members[list] ?? [] where present[member] == .some(nil) {
                last = (last / SparseOrder.step + 1) * SparseOrder.step
                try run(columns.updating, last, list.owner.key, member)
            }
        }
        return changed
    }

    // MARK: Uniqueness

    /// Clears the values under uniqueness constraints that the save changes.
    package func setUniqueValuesAside() throws {
        for change in plan.updated {
            let schema = try store.requireSchema(of: change.entity)
            for name in change.entity.uniqueNames.sorted() {
                guard let slot = change.entity.slotByName[name], change.changed.contains(slot),
                    let column = schema.columns[slot]
                else { continue }
                try run(
                    "UPDATE \(quoted(schema.table.name)) SET \(quoted(column.name)) = NULL"
                        + " WHERE Z_PK = \(parameter(1))",
                    change.id.key
                )
            }
        }
    }
}

/// Where the positions of an ordered relationship's members are: a table and its columns, quoted.
package struct OrderColumns {
    package let table: String
    package let owner: String
    package let member: String
    package let position: String
    /// Sets a position, given it, the owner and the member.
    fileprivate let updating: String

    package init?(_ relationship: RelationshipDescription, _ store: some TableStore) {
        switch store.storage(of: relationship) {
        case .memberKey(let column, let order?, _):
            guard let destination = relationship.destination,
                let schema = store.schema.schema(of: destination)
            else { return nil }
            table = quoted(schema.table.name)
            (owner, member, position) = (quoted(column), "Z_PK", quoted(order))
        case .joinTable(let side):
            guard let order = side.order else { return nil }
            table = quoted(side.table)
            (owner, member, position) = (quoted(side.owner), quoted(side.member), quoted(order))
        default: return nil
        }
        let parameter = store.dialect.parameter
        updating =
            "UPDATE \(table) SET \(position) = \(parameter(1))"
            + " WHERE \(owner) = \(parameter(2)) AND \(member) = \(parameter(3))"
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

extension LinkChange {
    /// Whether the members of a list that were there before this save are not those that were read, in
    /// their order; `present` has no position for those that this save has brought.
    fileprivate func isOutdated(_ present: [Int64: Int64?], _ permanentIDs: IDMap) -> Bool {
        guard let read = readOrder else { return false }
        let removed = Set(removed.map { permanentIDs.permanent($0).key })
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
