package import ObjectModel

/// A text one relationship away from the rows of a search.
package struct RelatedText {
    /// The table of the related rows, as in a statement.
    package let table: String
    package let column: String
    package let attribute: PropertyDescription
    /// Whether the request's own row leads to one of some related rows, given a SELECT of their
    /// keys.
    package let leads: (_ keys: String) -> String
    /// A SELECT of the keys of the entity's own rows that lead to them.
    package let owners: (_ keys: String) -> String

    /// - Returns: `nil` for a path through more than one relationship, or not to a text.
    package init?(
        _ path: String,
        from entity: EntityDescription,
        _ alias: String,
        _ stored: StoreSchema
    ) {
        let keys = path.split(separator: ".").map(String.init)
        guard keys.count == 2,
            let relationship = entity.properties(named: keys[0]).first as? RelationshipDescription,
            let owner = relationship.entity.flatMap({ stored.schema(of: $0) }),
            let destination = relationship.destination,
            let target = stored.schema(of: destination),
            let slot = destination.slotByName[keys[1]],
            let column = target.columns[slot], case .text = column.kind
        else { return nil }
        let table = quoted(target.table.name)
        (self.table, self.column, attribute) = (table, column.name, column.property)
        if let key = owner.columns[relationship.slot] {
            let reference = "\(alias).\(quoted(key.name))"
            leads = { "\(reference) IN (\($0))" }
            owners = { keys in
                "SELECT o.Z_PK FROM \(quoted(owner.table.name)) o"
                    + " WHERE o.\(quoted(key.name)) IN (\(keys))"
            }
            return
        }
        let owners: (String) -> String
        switch owner.toMany[relationship.slot] {
        case .joinTable(let side):
            owners = { keys in
                "SELECT j.\(quoted(side.owner)) FROM \(quoted(side.table)) j"
                    + " WHERE j.\(quoted(side.member)) IN (\(keys))"
            }
        case .memberKey(let key, _, _):
            owners = { keys in
                "SELECT m.\(quoted(key)) FROM \(table) m"
                    + " WHERE m.\(quoted(key)) IS NOT NULL AND m.Z_PK IN (\(keys))"
            }
        case nil: return nil
        }
        self.owners = owners
        leads = { "\(alias).Z_PK IN (\(owners($0)))" }
    }
}
