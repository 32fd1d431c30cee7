package import ObjectModel

/// How a join table of the new layout gets its pairs.
package struct JoinMove {
    package let join: JoinDefinition
    /// The relationship whose owners are in the first column.
    package let first: RelationshipDescription
    package let isReflexive: Bool
    /// The old table that becomes this one by new names; `nil` if the table is made from `query`.
    package let source: JoinDefinition?
    /// The pairs over the old layout; `nil` if there are none.
    package let query: String?

    /// Whether nothing has to be done.
    package var isSame: Bool {
        source.map {
            $0.table == join.table && $0.columns == join.columns
                && $0.orderColumns == join.orderColumns
        } ?? false
    }

    package static func all(
        from old: StoreSchema,
        to new: StoreSchema,
        _ links: LinkQueries
    ) -> [JoinMove] {
        var result: [JoinMove] = []
        for schema in new.entities {
            for relationship in schema.entity.ownSlots {
                guard let relationship = relationship as? RelationshipDescription,
                    case .joinTable(let side)? = schema.toMany[relationship.slot],
                    let join = new.joins.first(where: { $0.table == side.table }),
                    join.columns[0] == side.owner,
                    !result.contains(where: { $0.join.table == join.table })
                else { continue }
                result.append(
                    JoinMove(
                        join: join,
                        first: relationship,
                        isReflexive: side.isReflexive,
                        source: source(of: relationship, join, old, links),
                        query: links.pairs(of: relationship)
                    )
                )
            }
        }
        return result
    }

    /// The old join table with the same columns in the same order, perhaps under other names.
    private static func source(
        of relationship: RelationshipDescription,
        _ join: JoinDefinition,
        _ old: StoreSchema,
        _ links: LinkQueries
    ) -> JoinDefinition? {
        let own = links.correspondence.origins(of: relationship)
        let others = relationship.inverse.map { links.correspondence.origins(of: $0) } ?? []
        let origin: RelationshipDescription
        let isOwner: Bool
        if own.count == 1, let found = own[0].property as? RelationshipDescription,
            links.coversAllOwners(found, own[0].entities)
        {
            (origin, isOwner) = (found, true)
        } else if own.isEmpty, others.count == 1,
            let found = others[0].property as? RelationshipDescription,
            links.coversAllOwners(found, others[0].entities)
        {
            (origin, isOwner) = (found, false)
        } else {
            return nil
        }
        guard case .joinTable(let side)? = old.storage(of: origin),
            side.isReflexive == (relationship.inverse === relationship),
            let source = old.joins.first(where: { $0.table == side.table }),
            source.columns[0] == (isOwner ? side.owner : side.member),
            source.orderColumns.map(\.isEmpty) == join.orderColumns.map(\.isEmpty)
        else { return nil }
        return source
    }

    /// The statements that make and fill the table under a name.
    package func creation(as name: String, in dialect: SQLDialect) -> [String] {
        let table = join.creation(as: name, in: dialect)
        guard let query else { return [table] }
        let orders = join.orderColumns
        func position(_ known: String, owner: String, member: String) -> String {
            let number = "ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(known), \(member))"
            return
                "COALESCE(\(known), \(SparseOrder.first) + \(SparseOrder.step) * (\(number) - 1))"
        }
        var names = join.columns
        var values = ["o", "m"]
        if !orders[0].isEmpty {
            names.append(orders[0])
            values.append(position("k1", owner: "o", member: "m"))
        }
        if !orders[1].isEmpty {
            names.append(orders[1])
            values.append(position("k2", owner: "m", member: "o"))
        }
        func insertion(_ columns: [String]) -> String {
            "INSERT INTO \(quoted(name)) (\(columns.map(quoted).joined(separator: ", ")))"
                + " SELECT \(values.joined(separator: ", ")) FROM (\(query)) AS pairs"
                + " WHERE TRUE ON CONFLICT DO NOTHING"
        }
        if !isReflexive { return [table, insertion(names)] }
        // A relationship that is its own inverse has each pair both ways.
        let turned = [names[1], names[0]] + names.dropFirst(2)
        return [table, insertion(names), insertion(turned)]
    }
}
