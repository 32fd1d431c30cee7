import FoundationEssentials
import ObjectModel

/// What databases write differently in the part of SQL that the translator uses.
///
/// A strict dialect has types: its conditions are not numbers, and it does not compare whole and
/// floating point numbers exactly. It has no functions of ours either, so what folds text is
/// evaluated in memory there.
package enum SQLDialect: Sendable {
    case sqlite
    case postgresql

    package var isStrict: Bool { self == .postgresql }

    /// The most parameters of a statement; some are left for the window.
    var argumentLimit: Int { self == .sqlite ? 32_000 : 65_000 }

    func constant(_ holds: Bool) -> String {
        switch self {
        case .sqlite: holds ? "1" : "0"
        case .postgresql: holds ? "TRUE" : "FALSE"
        }
    }

    /// The parameter with a number, from 1 on.
    package func parameter(_ number: Int) -> String {
        self == .sqlite ? "?\(number)" : "$\(number)"
    }

    /// A condition that is false where it would be NULL.
    func orFalse(_ condition: String) -> String {
        self == .sqlite ? "IFNULL(\(condition), 0)" : "COALESCE(\(condition), FALSE)"
    }

    /// Whether two expressions have the same value, or both none; never NULL.
    func same(_ a: String, _ b: String) -> String {
        self == .sqlite ? "(\(a) IS \(b))" : "(\(a) IS NOT DISTINCT FROM \(b))"
    }

    /// Whether an expression has a value that is not NULL; never NULL, and an index may find it.
    func same(_ a: String, value: String) -> String {
        self == .sqlite ? "(\(a) IS \(value))" : "(\(a) IS NOT NULL AND \(a) = \(value))"
    }

    /// A stored decimal in the form that compares exactly.
    func decimal(_ sql: String) -> String {
        self == .sqlite ? "CAST(\(sql) AS TEXT) COLLATE OGDecimal" : "CAST(\(sql) AS NUMERIC)"
    }

    /// The argument of a decimal in that form.
    func decimalArgument(_ parameter: String) -> String {
        self == .sqlite ? parameter : "CAST(\(parameter) AS NUMERIC)"
    }

    /// A subselect of the whole numbers of a JSON array.
    func numbers(ofArray parameter: String) -> String {
        switch self {
        case .sqlite: "SELECT value FROM json_each(\(parameter))"
        case .postgresql:
            "SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(\(parameter) AS JSON))"
        }
    }

    /// A comparison of two texts; NULL counts as none.
    ///
    /// - Throws: ``Untranslatable`` where only our own functions can do it.
    func matches(
        _ relation: TextRelation,
        _ text: String,
        _ part: String,
        _ options: FetchComparison.Options
    ) throws -> String {
        if self == .sqlite { return "\(relation.rawValue)(\(text), \(part), \(options.rawValue))" }
        guard options.isEmpty else { throw Untranslatable() }
        switch relation {
        case .equal: return "(\(text) = \(part))"
        // An empty text is no part of another.
        case .contains: return orFalse("\(part) <> '' AND STRPOS(\(text), \(part)) > 0")
        case .prefix: return orFalse("\(part) <> '' AND STARTS_WITH(\(text), \(part))")
        case .suffix:
            return orFalse("\(part) <> '' AND RIGHT(\(text), LENGTH(\(part))) = \(part)")
        case .like: throw Untranslatable()
        }
    }

    /// A text without what the options ignore.
    ///
    /// - Throws: ``Untranslatable`` where only our own functions can do it.
    func folded(_ sql: String, _ options: FetchComparison.Options) throws -> String {
        if options.isEmpty { return sql }
        if isStrict { throw Untranslatable() }
        return "OG_FOLD(\(sql), \(options.rawValue))"
    }

    /// A function that only SQLite has, because the store has registered it there.
    func own(_ function: String, _ argument: String) throws -> String {
        if isStrict { throw Untranslatable() }
        return "\(function)(\(argument))"
    }

    /// The value in a form for which no index is used.
    package func withoutIndex(_ sql: String) -> String { self == .sqlite ? "+\(sql)" : sql }

    /// The type of a column, given in SQLite's words.
    package func columnType(_ type: String) -> String {
        if self == .sqlite { return type }
        return switch type {
        case "INTEGER": "BIGINT"
        case "FLOAT", "TIMESTAMP", "REAL": "DOUBLE PRECISION"
        case "BLOB": "BYTEA"
        default: "TEXT COLLATE \"C\""
        }
    }

    /// What makes NULL less than every value, as it is in predicates.
    package func nullsFirst(ascending: Bool) -> String {
        if self == .sqlite { return "" }
        return ascending ? " NULLS FIRST" : " NULLS LAST"
    }

    /// A name of a table or a column.
    ///
    /// PostgreSQL cuts names after 63 bytes, so that two may become one; a long one ends in a digest of
    /// itself, with room for what is put before or behind it.
    package func name(_ name: String) -> String {
        if self == .sqlite || name.utf8.count <= 50 { return name }
        return String(decoding: name.utf8.prefix(30), as: UTF8.self) + "_"
            + textDigest([name]).uppercased()
    }

    /// A name of an index; one that is too long for the database ends in a digest of itself.
    package func indexName(_ name: String) -> String {
        if self == .sqlite || name.utf8.count <= 60 { return name }
        return String(decoding: name.utf8.prefix(40), as: UTF8.self) + "_" + textDigest([name])
    }

    /// The default with a number, in an expression over the columns of a row.
    func madeDefault(_ number: Int) -> String {
        self == .sqlite
            ? "OG_DEFAULT(\(number))"
            : "(SELECT v FROM OGM_D\(number) made WHERE made.k = Z_PK)"
    }

    /// The words between a table of pairs and the table that is looked up for each of them, in this
    /// order.
    package var lookUpJoin: String { self == .sqlite ? "CROSS JOIN" : "JOIN" }
}

/// How a text is compared with a part of it, by the name of our function in SQLite.
package enum TextRelation: String {
    case equal = "OG_EQUAL"
    case contains = "OG_CONTAINS"
    case prefix = "OG_PREFIX"
    case suffix = "OG_SUFFIX"
    case like = "OG_LIKE"
}
