import FoundationEssentials
import ObjectModel

/// A predicate that SQL cannot express with the same meaning; it is evaluated in memory.
struct Untranslatable: Error {}

/// The kind of value that an SQL expression yields.
enum SQLType {
    case integer
    case boolean
    case real
    case decimal
    case text
    case date
    case data
    case uuid
    case uri
    /// The key of an object in the hierarchy of a root entity.
    case reference(EntityDescription)
    /// The number of an entity in the file; in predicates its name.
    case entity
    /// A value that can only be compared with `nil`, such as a transformable one.
    case opaque

    init(_ attribute: AttributeDescription) {
        switch attribute.type {
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        case .double, .float: self = .real
        case .decimal: self = .decimal
        case .string: self = .text
        case .date: self = .date
        case .binary: self = attribute.allowsExternalStorage ? .opaque : .data
        case .uuid: self = .uuid
        case .uri: self = .uri
        case .undefined, .transformable, .objectID, .composite: self = .opaque
        }
    }

    /// Whether SQL calculates with it in the same way as predicates do.
    var isNumber: Bool {
        switch self {
        case .integer, .boolean, .real: true
        default: false
        }
    }

    /// Whether values of both types can be equal.
    func isComparable(to other: SQLType) -> Bool {
        switch (self, other) {
        case (.text, .text), (.date, .date), (.data, .data), (.uuid, .uuid), (.uri, .uri),
            (.entity, .entity), (.decimal, .decimal):
            true
        case (.reference(let a), .reference(let b)): a === b
        default: isNumber && other.isNumber
        }
    }

    /// Whether values of the type have an order in predicates.
    var isOrdered: Bool {
        switch self {
        case .reference, .entity, .opaque: false
        default: true
        }
    }

    /// A column's value as a value of the type.
    func value(_ statement: Statement, _ column: Int32, in store: SQLiteStore) -> GraphValue {
        if statement.isNull(column) { return .null }
        switch self {
        case .integer: return .int(statement.integer(column))
        case .boolean: return .bool(statement.integer(column) != 0)
        case .real: return .double(statement.real(column))
        case .decimal:
            return Decimal(storedText: statement.text(column)).map { .decimal($0) } ?? .null
        case .text: return .string(statement.text(column))
        case .date:
            return .date(Date(timeIntervalSinceReferenceDate: statement.real(column)))
        case .data, .opaque: return .data(Data(statement.bytes(column)))
        case .uuid:
            let bytes = statement.bytes(column)
            guard bytes.count == 16 else { return .null }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .uri: return URL(string: statement.text(column)).map { .url($0) } ?? .null
        case .entity:
            let number = Int(statement.integer(column))
            guard number > 0, number < store.schema.byNumber.count,
                let schema = store.schema.byNumber[number]
            else { return .null }
            return .string(schema.entity.name)
        case .reference: return .int(statement.integer(column))
        }
    }
}

/// A part of a statement that yields one value.
struct SQLExpression {
    let sql: String
    let type: SQLType
    /// For a reference: an expression for the number of the object's concrete entity, if there is
    /// one.
    var entity: String?
    /// For a count of members: the condition that there are any, found from the members.
    var isNotEmpty: String?

    init(_ sql: String, _ type: SQLType, entity: String? = nil) {
        self.sql = sql
        self.type = type
        self.entity = entity
    }
}

/// An operand: a value that is known before the query runs, or an expression.
enum SQLOperand {
    case constant(GraphValue)
    case expression(SQLExpression)
}

/// One SELECT with its FROM clause, to which key paths add joins.
final class SelectLevel {
    let from: String
    var joins: [String] = []
    /// The aliases of the rows of to-one relationships, by column, for those in `joins`.
    var joined: [String: String] = [:]
    var conditions: [String] = []

    init(_ from: String) { self.from = from }

    /// FROM, joins and WHERE, with more conditions and without one.
    func clause(_ more: [String] = [], without left: String? = nil) -> String {
        var text = "FROM " + ([from] + joins).joined(separator: " ")
        let all = conditions.filter { $0 != left } + more
        if !all.isEmpty { text += " WHERE " + all.joined(by: "AND") }
        return text
    }
}

extension [String] {
    /// How many conditions are joined in a row.
    ///
    /// SQLite reads them as a tree that is as high as their
    /// number, and takes a height of 1000.
    private static var rowLimit: Int { 64 }

    /// Conditions joined by AND or OR; many of them in groups of groups.
    func joined(by word: String) -> String {
        var parts = self
        while parts.count > Self.rowLimit {
            parts = stride(from: 0, to: parts.count, by: Self.rowLimit).map { start in
                let group = parts[start..<Swift.min(start + Self.rowLimit, parts.count)]
                return "(" + group.joined(separator: " \(word) ") + ")"
            }
        }
        return parts.joined(separator: " \(word) ")
    }
}

/// A row that key paths start from.
final class RowScope {
    let alias: String
    let entity: EntityDescription
    let level: SelectLevel

    init(_ alias: String, _ entity: EntityDescription, _ level: SelectLevel) {
        self.alias = alias
        self.entity = entity
        self.level = level
    }

    /// The object's own key.
    var reference: SQLExpression {
        SQLExpression("\(alias).Z_PK", .reference(entity.root), entity: "\(alias).Z_ENT")
    }
}

/// Where a key path ends.
indirect enum PathEnd {
    case value(SQLExpression)
    case object(RowScope)
    /// A to-one relationship of a row; it is joined only if the path continues.
    case toOne(RelationshipDescription, RowScope)
    /// A composite attribute of a row, by name; its elements have columns, the attribute itself has
    /// none.
    case composite(String, RowScope)
    case members(MemberSet)
}

/// The members of a to-many relationship, as a SELECT of their own.
struct MemberSet {
    enum Counting {
        /// As often as the collection in memory.
        case all
        /// Perhaps several times, where the collection in memory has it once.
        case once
        /// Not as often as the collection in memory.
        case other
    }

    let level: SelectLevel
    /// The kind of member: a row, or a value of it.
    let member: PathEnd
    /// How many to-many relationships are on the path.
    let depth: Int
    /// An expression that is NULL where the path met `nil` before the collection.
    let owner: String?
    /// Whether the members are the rows of the last to-many relationship itself.
    var isDirect = true
    /// How often the SELECT has a member.
    var counting = Counting.all
    /// The column that names the owner, the condition that it is the outer row, and the key of that
    /// row; `nil` for members of members.
    var link: (owner: String, condition: String, key: String)?
}
