import FoundationEssentials
package import ObjectModel

/// A predicate that SQL cannot express with the same meaning; it is evaluated in memory.
package struct Untranslatable: Error {}

/// The kind of value that an SQL expression yields.
package enum SQLType {
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

    package init(_ attribute: AttributeDescription) {
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
    package var isNumber: Bool {
        switch self {
        case .integer, .boolean, .real: true
        default: false
        }
    }

    /// Whether values of both types can be equal.
    package func isComparable(to other: SQLType) -> Bool {
        switch (self, other) {
        case (.text, .text), (.date, .date), (.data, .data), (.uuid, .uuid), (.uri, .uri),
            (.entity, .entity), (.decimal, .decimal):
            true
        case (.reference(let a), .reference(let b)): a === b
        default: isNumber && other.isNumber
        }
    }

    /// Whether values of the type have an order in predicates.
    package var isOrdered: Bool {
        switch self {
        case .reference, .entity, .opaque: false
        default: true
        }
    }
}

/// A part of a statement that yields one value.
package struct SQLExpression {
    package let sql: String
    package let type: SQLType
    /// For a reference: an expression for the number of the object's concrete entity, if there is
    /// one.
    package var entity: String?
    /// For a count of members: the condition that there are any, found from the members.
    package var isNotEmpty: String?
    /// For a text attribute: its folded form, if the store keeps it, and the key of the row.
    package var folded: (column: FoldedColumn, key: String)?

    package init(_ sql: String, _ type: SQLType, entity: String? = nil) {
        self.sql = sql
        self.type = type
        self.entity = entity
    }
}

/// An operand: a value that is known before the query runs, or an expression.
package enum SQLOperand {
    case constant(GraphValue)
    case expression(SQLExpression)
}

/// One SELECT with its FROM clause, to which key paths add joins.
package final class SelectLevel {
    package let from: String
    package var joins: [String] = []
    /// The aliases of the rows of to-one relationships, by column, for those in `joins`.
    package var joined: [String: String] = [:]
    package var conditions: [String] = []

    package init(_ from: String) { self.from = from }

    /// FROM, joins and WHERE, with more conditions and without one.
    package func clause(_ more: [String] = [], without left: String? = nil) -> String {
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
    package func joined(by word: String) -> String {
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
package final class RowScope {
    package let alias: String
    package let entity: EntityDescription
    package let level: SelectLevel

    package init(_ alias: String, _ entity: EntityDescription, _ level: SelectLevel) {
        self.alias = alias
        self.entity = entity
        self.level = level
    }

    /// The object's own key.
    package var reference: SQLExpression {
        SQLExpression("\(alias).Z_PK", .reference(entity.root), entity: "\(alias).Z_ENT")
    }
}

/// Where a key path ends.
package indirect enum PathEnd {
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
package struct MemberSet {
    package enum Counting {
        /// As often as the collection in memory.
        case all
        /// Perhaps several times, where the collection in memory has it once.
        case once
        /// Not as often as the collection in memory.
        case other
    }

    package let level: SelectLevel
    /// The kind of member: a row, or a value of it.
    package let member: PathEnd
    /// How many to-many relationships are on the path.
    package let depth: Int
    /// An expression that is NULL where the path met `nil` before the collection.
    package let owner: String?
    /// Whether the members are the rows of the last to-many relationship itself.
    package var isDirect = true
    /// How often the SELECT has a member.
    package var counting = Counting.all
    /// The column that names the owner, the condition that it is the outer row, and the key of that
    /// row; `nil` for members of members.
    package var link: (owner: String, condition: String, key: String)?
}
