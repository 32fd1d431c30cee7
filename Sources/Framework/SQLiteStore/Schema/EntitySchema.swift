import CSQLite
import ObjectModel
import ObjectStore

/// A column that holds an attribute or a to-one relationship.
struct StoredColumn {
    let name: String
    let property: PropertyDescription
    let kind: RowLayout.Kind
    /// For a to-one relationship whose destination has subentities: the column with the number
    /// of the concrete entity.
    let entityColumn: String?

    var attribute: AttributeDescription? { property as? AttributeDescription }
    var relationship: RelationshipDescription? { property as? RelationshipDescription }
}

/// How the members of a to-many relationship are stored.
enum ToManyStorage {
    /// A key to the owner in each member's row, and perhaps one for the order.
    ///
    /// `isInverse` means that the key is the column of the inverse to-one relationship; otherwise
    /// the relationship has no inverse and the column belongs to it alone.
    case memberKey(column: String, order: String?, isInverse: Bool)
    /// A table of pairs.
    case joinTable(JoinSide)
}

/// A join table seen from one of its two relationships.
struct JoinSide {
    let table: String
    let owner: String
    let member: String
    /// The column that orders the members of one owner.
    let order: String?
    /// Whether the relationship is its own inverse, so that each pair is stored both ways.
    let isReflexive: Bool
}

/// The table of a root entity, which holds the rows of all its descendants.
final class TableSchema {
    let name: String
    let root: EntityDescription
    fileprivate(set) var columns: [(name: String, type: String)] = []

    init(name: String, root: EntityDescription) {
        self.name = name
        self.root = root
    }

    func append(column name: String, type: String) { columns.append((name, type)) }
}

/// Where an entity's objects are in the file.
final class EntitySchema {
    let entity: EntityDescription
    /// The entity's number in the file, `Z_ENT`.
    ///
    /// It may differ from its number in the model.
    let number: Int64
    let table: TableSchema
    /// By slot; `nil` for a property without a column.
    var columns: [StoredColumn?]
    /// By slot; `nil` for a property that is not a to-many relationship of this store.
    var toMany: [ToManyStorage?]
    let layout: RowLayout
    /// Whether the history needs no values, because nobody undoes the changes.
    let isOutsideUndo: Bool
    /// By the slot of a to-one relationship whose inverse is ordered: the order column.
    var orderColumns: [Int: String] = [:]
    /// Derived attributes that triggers of a foreign file compute, so that no update writes them.
    var triggeredSlots = SlotSet()

    init(_ entity: EntityDescription, number: Int64, table: TableSchema, externalFolder: String?) {
        self.entity = entity
        self.number = number
        self.table = table
        columns = Array(repeating: nil, count: entity.slots.count)
        toMany = Array(repeating: nil, count: entity.slots.count)
        layout = RowLayout(entity, externalFolder: externalFolder)
        isOutsideUndo = entity.isOutsideUndo
    }

    /// The columns whose data may lie in files.
    var externalColumns: [StoredColumn] {
        layout.columns.filter { $0.externalFolder != nil }.compactMap { columns[$0.slot] }
    }
}

extension AttributeType {
    /// The type of a column, in Core Data's words.
    var columnType: String {
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
    var columnGroup: Int {
        switch columnType {
        case "INTEGER": 0
        case "FLOAT", "TIMESTAMP": 1
        case "DECIMAL": 2
        case "VARCHAR": 3
        default: 4
        }
    }
}

extension EntitySchema {
    /// The keys above one of the rows of exactly this entity, rising.
    func keys(after key: Int64, limit: Int, _ connection: Connection) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT Z_PK FROM \(quoted(table.name)) WHERE Z_PK > ? AND Z_ENT = ?"
                + " ORDER BY Z_PK LIMIT \(limit)"
        )
        defer { statement.reset() }
        statement.bind(key, at: 1)
        statement.bind(number, at: 2)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(0)) }
        return keys
    }
}
