import FoundationEssentials
import ObjectModel
import ObjectStore

/// What a column of a table holds.
enum ColumnRole {
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
    var columnRoles: [String: [String: ColumnRole]] {
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

    func memberTable(of relationship: RelationshipDescription) -> String? {
        relationship.destination.flatMap { schema(of: $0) }?.table.name
    }

    /// How a to-many relationship is stored.
    func storage(of relationship: RelationshipDescription) -> ToManyStorage? {
        guard let entity = relationship.entity, let schema = schema(of: entity) else { return nil }
        return schema.toMany[relationship.slot]
    }

    /// The column of a to-one relationship.
    func column(of property: PropertyDescription) -> StoredColumn? {
        guard let entity = property.entity, let schema = schema(of: entity) else { return nil }
        return schema.columns[property.slot]
    }
}

extension RowLayout {
    /// A value in the form of its column.
    ///
    /// - Throws: the transformer's error.
    func argument(_ value: GraphValue, slot: Int) throws -> SQLValue {
        let index = slot < columnBySlot.count ? columnBySlot[slot] : -1
        guard index >= 0 else { return .null }
        let column = columns[index]
        switch (column.kind, value) {
        case (.integer, .int(let number)): return .integer(number)
        case (.integer, .bool(let flag)): return .integer(flag ? 1 : 0)
        case (.real, .double(let number)): return .real(number)
        case (.real, .date(let date)): return .real(date.timeIntervalSinceReferenceDate)
        case (_, .null): return .null
        case (.text, .string(let text)): return .text(text)
        case (.text, .decimal(let number)): return DecimalForm.argument(number)
        case (.text, _):
            return .text(String(decoding: try RowWriter.encoded(value, column), as: UTF8.self))
        case (.bytes, .uuid(let uuid)):
            return withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
        case (.bytes, _): return .blob(try RowWriter.encoded(value, column))
        default: return .null
        }
    }
}

extension SQLValue {
    /// The value in the text of a statement.
    var literal: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number):
            if number.isNaN { return "NULL" }
            if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
            return number.description
        case .text(let text):
            // SQLite ends the text of a statement at a NUL.
            if text.utf8.contains(0) { return "CAST(\(SQLValue.bytes(Data(text.utf8))) AS TEXT)" }
            return "'\(text.replacing("'", with: "''"))'"
        case .blob(let data): return SQLValue.bytes(data)
        }
    }

    private static func bytes(_ data: Data) -> String {
        var text = "x'"
        for byte in data {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text + "'"
    }
}
