import FoundationEssentials
package import ObjectModel

// From a predicate to SQL with the same meaning:
//   1. parts that do not depend on the row are evaluated first;
//   2. key paths become columns: to-one relationships joins, to-many ones subselects;
//   3. comparisons are written for the types of their sides, `nil` included.
//
// Predicates have two truth values, SQL three. Where only "true" counts, a condition may be NULL
// instead of false, so that indexes can be used; under NOT it is written so that it is never NULL
// (`exact`). A condition without an exact SQL form throws `Untranslatable`, and is evaluated in
// memory.

/// Translates the parts of a request into one statement's text and arguments.
package final class Translator {
    package let store: any TableStore
    package let dialect: SQLDialect
    /// The values of the numbered parameters, in order.
    package private(set) var arguments: [SQLValue] = []
    private var aliasCount = 0
    /// The paths of variables, inside SUBQUERY.
    package var variables: [String: PathEnd] = [:]
    /// Whether a statistic of a single value is an aggregate over rows.
    package var aggregates = false
    /// The row of the request's entity.
    package let root: RowScope
    /// How deep the part is nested that is being translated.
    private var nesting = 0

    /// SQLite's parser takes some thirty levels; deeper predicates are evaluated in memory.
    private static let nestingLimit = 100

    package init(_ store: any TableStore, _ entity: EntityDescription) throws {
        self.store = store
        dialect = store.dialect
        let schema = try store.requireSchema(of: entity)
        root = RowScope("t0", entity, SelectLevel("\(quoted(schema.table.name)) t0"))
    }

    package func alias() -> String {
        aliasCount += 1
        return "t\(aliasCount)"
    }

    /// Adds an argument; the result refers to it.
    package func argument(_ value: SQLValue) -> String {
        arguments.append(value)
        return dialect.parameter(arguments.count)
    }

    /// Tries a translation; if it fails, its joins and arguments are removed again.
    package func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
        let (count, joins, joined) = (arguments.count, root.level.joins, root.level.joined)
        do {
            return try body()
        } catch is Untranslatable {
            arguments.removeLast(arguments.count - count)
            root.level.joins = joins
            root.level.joined = joined
            return nil
        }
    }

    /// Splits a predicate: the parts that SQL can express become conditions, the rest is returned.
    package func split(_ predicate: FetchPredicate) throws -> FetchPredicate? {
        var rest: [FetchPredicate] = []
        for part in predicate.conjuncts {
            let condition = try attempt {
                let condition = try self.condition(part, root, exact: false)
                try requireTaken(condition) {
                    "SELECT COUNT(*) FROM (SELECT 1 \(root.level.clause([condition])) LIMIT 1)"
                }
                return condition
            }
            if let condition {
                root.level.conditions.append(condition)
            } else {
                rest.append(part)
            }
        }
        return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
    }

    /// Refuses what is beyond a limit of SQLite: its number of parameters, of joined tables, or the
    /// depth of its parser.
    ///
    /// What is long or deep is prepared for a trial.
    ///
    /// - Parameters:
    ///   - sql: the part that may be deep.
    ///   - statement: a whole statement with the part.
    /// - Throws: `Untranslatable`.
    package func requireTaken(_ sql: String, in statement: () -> String) throws {
        if arguments.count > dialect.argumentLimit { throw Untranslatable() }
        let isHarmless =
            sql.utf8.count < 8192 && root.level.joins.count < 32 && !sql.isNested(deeperThan: 5)
        if isHarmless { return }
        if !store.takes(statement()) { throw Untranslatable() }
    }

    /// Translates a part one level below.
    package func deeper<Result>(_ body: () throws -> Result) throws -> Result {
        nesting += 1
        defer { nesting -= 1 }
        if nesting > Translator.nestingLimit { throw Untranslatable() }
        return try body()
    }

    package func condition(
        _ predicate: FetchPredicate,
        _ scope: RowScope,
        exact: Bool
    ) throws -> String {
        switch predicate {
        case .constant(let value): return dialect.constant(value)
        case .and(let parts):
            if parts.isEmpty { return dialect.constant(true) }
            let conditions = try deeper { try parts.map { try condition($0, scope, exact: exact) } }
            return "(\(conditions.joined(by: "AND")))"
        case .or(let parts):
            if parts.isEmpty { return dialect.constant(false) }
            let conditions = try deeper { try parts.map { try condition($0, scope, exact: exact) } }
            return "(\(conditions.joined(by: "OR")))"
        case .not(.not(let part)): return try condition(part, scope, exact: exact)
        case .not(let part): return "NOT \(try deeper { try condition(part, scope, exact: true) })"
        case .comparison(let comparison):
            switch comparison.modifier {
            case .direct: return try direct(comparison, scope, exact: exact)
            case .any: return try quantified(comparison, scope, isAny: true, exact: exact)
            case .all: return try quantified(comparison, scope, isAny: false, exact: exact)
            }
        case .block: throw Untranslatable()
        }
    }

    /// An operand: a constant if it does not depend on any row.
    package func operand(_ expression: FetchExpression, _ scope: RowScope) throws -> SQLOperand {
        if expression.isConstant {
            guard let value = try? expression.value(with: .null) else { throw Untranslatable() }
            return .constant(value)
        }
        return .expression(try self.expression(expression, scope))
    }
}

extension FetchPredicate {
    /// The parts that must all hold.
    package var conjuncts: [FetchPredicate] {
        if case .and(let parts) = self { return parts.flatMap(\.conjuncts) }
        return [self]
    }

    /// Whether the predicate has one result for all objects.
    fileprivate var isConstant: Bool {
        switch self {
        case .constant: true
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isConstant)
        case .not(let part): part.isConstant
        case .comparison(let comparison):
            comparison.left.isConstant && comparison.right.isConstant
        case .block: false
        }
    }
}

extension FetchExpression {
    /// Whether the expression has one value for the whole request.
    package var isConstant: Bool {
        switch self {
        case .constant: true
        case .evaluatedObject, .variable, .keyPath, .anyKey, .assignment, .call, .subquery: false
        case .keyPathOf(let operand, _), .cast(let operand, _): operand.isConstant
        case .subscripted(let operand, .index(let index)):
            operand.isConstant && index.isConstant
        case .subscripted(let operand, _): operand.isConstant
        case .function(let name, let arguments):
            BuiltInFunction(name: name).map { $0 == .now || !$0.isVolatile } == true
                && arguments.allSatisfy(\.isConstant)
        case .aggregate(let elements): elements.allSatisfy(\.isConstant)
        case .union(let a, let b), .intersect(let a, let b), .minus(let a, let b):
            a.isConstant && b.isConstant
        case .conditional(let predicate, let a, let b):
            predicate.isConstant && a.isConstant && b.isConstant
        }
    }
}

extension String {
    /// Whether parentheses are open within each other deeper than a limit.
    fileprivate func isNested(deeperThan limit: Int) -> Bool {
        var depth = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "(") {
                depth += 1
                if depth > limit { return true }
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
            }
        }
        return false
    }
}
