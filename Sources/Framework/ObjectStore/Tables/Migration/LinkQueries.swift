package import ObjectModel

/// Queries for the pairs of relationships as the old layout stores them.
///
/// Each gives rows of o, m, k1, k2: an owner's key, a member's key, the position of the member in the
/// owner's list, and that of the owner in the member's list, or NULL.
package struct LinkQueries {
    package let old: StoreSchema
    package let correspondence: ModelCorrespondence

    /// The pairs of a relationship of the new model; `nil` if the old one has none for it.
    package func pairs(of relationship: RelationshipDescription) -> String? {
        let own = queries(of: relationship)
        if !own.isEmpty { return own.joined(separator: " UNION ALL ") }
        guard let inverse = relationship.inverse else { return nil }
        let others = queries(of: inverse)
        if others.isEmpty { return nil }
        let union = others.joined(separator: " UNION ALL ")
        return "SELECT m AS o, o AS m, k2 AS k1, k1 AS k2 FROM (\(union)) AS pairs"
    }

    /// Whether a relationship's pairs are all of a declaration of the old model.
    package func coversAllOwners(
        _ origin: RelationshipDescription,
        _ entities: [EntityDescription]
    ) -> Bool {
        guard let declaring = origin.entity else { return false }
        return correspondence.entities.allSatisfy { entry in
            guard let source = entry.source, source.isKind(of: declaring) else { return true }
            return entities.contains { $0 === entry.destination }
        }
    }

    private func queries(of relationship: RelationshipDescription) -> [String] {
        correspondence.origins(of: relationship).compactMap { origin in
            guard let property = origin.property as? RelationshipDescription else { return nil }
            return query(
                property,
                owners: coversAllOwners(property, origin.entities) ? nil : origin.entities
            )
        }
    }

    /// The pairs of a relationship of the old model, of all owners or of those that become certain
    /// entities.
    private func query(_ origin: RelationshipDescription, owners: [EntityDescription]?) -> String? {
        guard let entity = origin.entity, let schema = old.schema(of: entity) else { return nil }
        let numbers = owners.map { owners in
            owners.compactMap {
                correspondence.entry(of: $0)?.source.flatMap { old.schema(of: $0)?.number }
            }.map(String.init).joined(separator: ", ")
        }
        let table = quoted(schema.table.name)
        if let column = schema.columns[origin.slot] {
            let order = schema.orderColumns[origin.slot].map(quoted) ?? "CAST(NULL AS BIGINT)"
            let key = quoted(column.name)
            let own =
                numbers
                ?? old.hierarchy(of: entity).map { String($0.number) }
                .joined(separator: ", ")
            return
                "SELECT Z_PK AS o, \(key) AS m, CAST(NULL AS BIGINT) AS k1, \(order) AS k2 FROM \(table)"
                + " WHERE \(key) IS NOT NULL AND Z_ENT IN (\(own))"
        }
        func filter(_ owner: String) -> String {
            guard let numbers else { return "" }
            return " AND \(owner) IN (SELECT Z_PK FROM \(table) WHERE Z_ENT IN (\(numbers)))"
        }
        switch schema.toMany[origin.slot] {
        case .memberKey(let column, let order, _)?:
            guard let members = old.memberTable(of: origin) else { return nil }
            let key = quoted(column)
            return
                "SELECT \(key) AS o, Z_PK AS m, \(order.map(quoted) ?? "CAST(NULL AS BIGINT)") AS k1,"
                + " CAST(NULL AS BIGINT) AS k2 FROM \(quoted(members)) WHERE \(key) IS NOT NULL\(filter(key))"
        case .joinTable(let side)?:
            let owner = quoted(side.owner)
            let other = origin.inverse.flatMap { old.storage(of: $0) }
            var otherOrder = "CAST(NULL AS BIGINT)"
            if !side.isReflexive, case .joinTable(let inverse)? = other, let order = inverse.order {
                otherOrder = quoted(order)
            }
            return "SELECT \(owner) AS o, \(quoted(side.member)) AS m,"
                + " \(side.order.map(quoted) ?? "CAST(NULL AS BIGINT)") AS k1, \(otherOrder) AS k2"
                + " FROM \(quoted(side.table)) WHERE \(owner) IS NOT NULL\(filter(owner))"
        case nil: return nil
        }
    }
}
