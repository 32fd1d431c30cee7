import ObjectModel
import ObjectStore

// What a save reads and runs for links and positions.

extension SaveOperation: TableSave {
    func run(_ statement: String, _ parameters: Int64...) throws {
        let statement = try connection.statement(statement)
        for (place, parameter) in parameters.enumerated() {
            statement.bind(parameter, at: Int32(place + 1))
        }
        try statement.run()
    }

    // MARK: Deletion

    /// Reads the links of objects that will be deleted, with one statement for each relationship.
    func readLinks(of ids: [ManagedObjectID], _ schema: EntitySchema) throws {
        deletedLinks = [:]
        for (relationship, _) in schema.outsideLinks {
            let members = try store.readDestinations(of: relationship, owners: ids)
            for (id, members) in zip(ids, members) where !members.isEmpty {
                deletedLinks[id, default: [:]][relationship.slot] = members
            }
        }
    }

    /// Removes a deleted object from all relationships that its row does not hold.
    func unlink(_ id: ManagedObjectID, _ schema: EntitySchema) throws {
        for (relationship, storage) in schema.outsideLinks {
            switch storage {
            case .memberKey(let column, _, _):
                guard let target = relationship.destination.flatMap({ store.schema.schema(of: $0) })
                else { continue }
                try run(
                    "UPDATE \(quoted(target.table.name)) SET \(quoted(column)) = NULL"
                        + " WHERE \(quoted(column)) = ?",
                    id.key
                )
            case .joinTable(let side):
                for column in side.isReflexive ? [side.owner, side.member] : [side.owner] {
                    try run("DELETE FROM \(quoted(side.table)) WHERE \(quoted(column)) = ?", id.key)
                }
            }
        }
    }

    // MARK: Order

    func positions(
        of list: OrderedList,
        _ columns: OrderColumns,
        _: LinkChange?
    ) throws -> [Int64: Int64?] {
        let statement = try connection.statement(
            "SELECT \(columns.member), \(columns.position) FROM \(columns.table)"
                + " WHERE \(columns.owner) = ?"
        )
        defer { statement.reset() }
        statement.bind(list.owner.key, at: 1)
        var result: [Int64: Int64?] = [:]
        while try statement.step() {
            result[statement.integer(0)] = .some(statement.isNull(1) ? nil : statement.integer(1))
        }
        return result
    }

    func members(of list: OrderedList, _: [Int64: Int64?]) throws -> [ManagedObjectID] {
        try store.readDestinations(of: list.relationship, owners: [list.owner]).first ?? []
    }
}
