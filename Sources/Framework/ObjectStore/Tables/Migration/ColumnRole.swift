package import ObjectModel

/// What a column of a table holds.
package enum ColumnRole {
    case attribute(AttributeDescription)
    /// The key of a to-one relationship's object.
    case reference(RelationshipDescription)
    /// The number of that object's entity.
    case referenceEntity(RelationshipDescription)
    /// The key of the owner, in the row of a member, of a to-many relationship without inverse.
    case memberKey(RelationshipDescription)
    /// The position of the row in an ordered to-many relationship.
    case memberOrder(RelationshipDescription)
}

extension StoreSchema {
    /// The roles of all columns, by table and column.
    package var columnRoles: [String: [String: ColumnRole]] {
        var roles: [String: [String: ColumnRole]] = [:]
        for schema in entities {
            for property in schema.entity.ownSlots {
                if let column = schema.columns[property.slot] {
                    let table = schema.table.name
                    if let attribute = column.attribute {
                        roles[table, default: [:]][column.name] = .attribute(attribute)
                    } else if let relationship = column.relationship {
                        roles[table, default: [:]][column.name] = .reference(relationship)
                        if let entityColumn = column.entityColumn {
                            roles[table, default: [:]][entityColumn] = .referenceEntity(
                                relationship
                            )
                        }
                    }
                }
                guard let relationship = property as? RelationshipDescription,
                    case .memberKey(let key, let order, let isInverse)? =
                        schema.toMany[property.slot],
                    let table = memberTable(of: relationship)
                else { continue }
                if !isInverse { roles[table, default: [:]][key] = .memberKey(relationship) }
                if let order { roles[table, default: [:]][order] = .memberOrder(relationship) }
            }
        }
        return roles
    }

    package func memberTable(of relationship: RelationshipDescription) -> String? {
        relationship.destination.flatMap { schema(of: $0) }?.table.name
    }

    /// How a to-many relationship is stored.
    package func storage(of relationship: RelationshipDescription) -> ToManyStorage? {
        guard let entity = relationship.entity, let schema = schema(of: entity) else { return nil }
        return schema.toMany[relationship.slot]
    }

    /// The column of a to-one relationship.
    package func column(of property: PropertyDescription) -> StoredColumn? {
        guard let entity = property.entity, let schema = schema(of: entity) else { return nil }
        return schema.columns[property.slot]
    }
}
