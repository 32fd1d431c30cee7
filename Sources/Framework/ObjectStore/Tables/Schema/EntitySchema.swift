package import ObjectModel

/// A column that holds an attribute or a to-one relationship.
package struct StoredColumn {
    package let name: String
    package let property: PropertyDescription
    package let kind: RowLayout.Kind
    /// For a to-one relationship whose destination has subentities: the column with the number
    /// of the concrete entity.
    package let entityColumn: String?

    package var attribute: AttributeDescription? { property as? AttributeDescription }
    package var relationship: RelationshipDescription? { property as? RelationshipDescription }
}

/// How the members of a to-many relationship are stored.
package enum ToManyStorage {
    /// A key to the owner in each member's row, and perhaps one for the order.
    ///
    /// `isInverse` means that the key is the column of the inverse to-one relationship; otherwise
    /// the relationship has no inverse and the column belongs to it alone.
    case memberKey(column: String, order: String?, isInverse: Bool)
    /// A table of pairs.
    case joinTable(JoinSide)
}

/// A join table seen from one of its two relationships.
package struct JoinSide {
    package let table: String
    package let owner: String
    package let member: String
    /// The column that orders the members of one owner.
    package let order: String?
    /// Whether the relationship is its own inverse, so that each pair is stored both ways.
    package let isReflexive: Bool
}

/// The table of a root entity, which holds the rows of all its descendants.
package final class TableSchema {
    package let name: String
    package let root: EntityDescription
    package fileprivate(set) var columns: [(name: String, type: String)] = []

    package init(name: String, root: EntityDescription) {
        self.name = name
        self.root = root
    }

    package func append(column name: String, type: String) { columns.append((name, type)) }
}

/// Where an entity's objects are in the file.
package final class EntitySchema {
    package let entity: EntityDescription
    /// The entity's number in the file, `Z_ENT`.
    ///
    /// It may differ from its number in the model.
    package let number: Int64
    package let table: TableSchema
    /// By slot; `nil` for a property without a column.
    package var columns: [StoredColumn?]
    /// By slot; `nil` for a property that is not a to-many relationship of this store.
    package var toMany: [ToManyStorage?]
    package let layout: RowLayout
    /// Whether the history needs no values, because nobody undoes the changes.
    package let isOutsideUndo: Bool
    /// By the slot of a to-one relationship whose inverse is ordered: the order column.
    package var orderColumns: [Int: String] = [:]
    /// Derived attributes that triggers of a foreign file compute, so that no update writes them.
    package var triggeredSlots = SlotSet()

    package init(
        _ entity: EntityDescription,
        number: Int64,
        table: TableSchema,
        externalFolder: String?
    ) {
        self.entity = entity
        self.number = number
        self.table = table
        columns = Array(repeating: nil, count: entity.slots.count)
        toMany = Array(repeating: nil, count: entity.slots.count)
        layout = RowLayout(entity, externalFolder: externalFolder)
        isOutsideUndo = entity.isOutsideUndo
    }

    /// The columns whose data may lie in files.
    package var externalColumns: [StoredColumn] {
        layout.columns.filter { $0.externalFolder != nil }.compactMap { columns[$0.slot] }
    }
}

extension AttributeType {
    /// The type of a column, in Core Data's words.
    package var columnType: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .undefined: "INTEGER"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri, .objectID: "VARCHAR"
        case .date: "TIMESTAMP"
        case .binary, .uuid, .transformable, .composite: "BLOB"
        }
    }

    /// Where columns of the type stand in a table.
    package var columnGroup: Int {
        switch columnType {
        case "INTEGER": 0
        case "FLOAT", "TIMESTAMP": 1
        case "DECIMAL": 2
        case "VARCHAR": 3
        default: 4
        }
    }
}
