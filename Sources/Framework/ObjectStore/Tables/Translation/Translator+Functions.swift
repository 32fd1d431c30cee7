import FoundationEssentials
package import ObjectModel

// Expressions other than key paths: arithmetic, functions, aggregates of collections.

extension Translator {
    package func expression(
        _ expression: FetchExpression,
        _ scope: RowScope
    ) throws -> SQLExpression {
        try deeper { try node(expression, scope) }
    }

    private func node(_ expression: FetchExpression, _ scope: RowScope) throws -> SQLExpression {
        switch expression {
        case .keyPath(let path):
            let plan = KeyPathPlan(path)
            if let operation = plan.operation {
                return try aggregate(operation, try follow(plan.keys, from: .object(scope)))
            }
            return try value(try follow(plan.keys, from: .object(scope)))
        case .keyPathOf(let operand, let path):
            let plan = KeyPathPlan(path)
            let start = try end(of: operand, scope)
            let end = try follow(plan.keys, from: start)
            if let operation = plan.operation { return try aggregate(operation, end) }
            return try value(end)
        case .evaluatedObject, .variable: return try value(try end(of: expression, scope))
        case .subscripted(let operand, .size):
            guard case .members(let set) = try end(of: operand, scope) else {
                throw Untranslatable()
            }
            return try count(set)
        case .function(let name, let arguments): return try function(name, arguments, scope)
        case .conditional(let predicate, let first, let second):
            let condition = try condition(predicate, scope, exact: false)
            let (a, b) = try same(first, second, scope)
            return SQLExpression("CASE WHEN \(condition) THEN \(a.sql) ELSE \(b.sql) END", a.type)
        case .constant, .subscripted, .call, .aggregate, .subquery, .union, .intersect, .minus,
            .assignment, .cast, .anyKey:
            throw Untranslatable()
        }
    }

    /// Two operands of one type.
    private func same(
        _ first: FetchExpression,
        _ second: FetchExpression,
        _ scope: RowScope
    ) throws -> (SQLExpression, SQLExpression) {
        let a = try scalar(try operand(first, scope))
        let b = try scalar(try operand(second, scope))
        guard a.type.isComparable(to: b.type) else { throw Untranslatable() }
        if dialect.isStrict, a.type.isReal != b.type.isReal { throw Untranslatable() }
        if case .decimal = a.type { throw Untranslatable() }
        return (a, b)
    }

    /// An operand as an expression; a constant by its own type.
    package func scalar(_ operand: SQLOperand) throws -> SQLExpression {
        switch operand {
        case .expression(let expression): return expression
        case .constant(let value):
            switch value {
            case .bool(let flag): return SQLExpression(flag ? "1" : "0", .boolean)
            case .int(let number):
                return SQLExpression(argument(.integer(number)), .integer)
            case .double(let number) where number.isFinite:
                return SQLExpression(argument(.real(number)), .real)
            case .string(let text): return SQLExpression(argument(.text(text)), .text)
            case .date(let date) where !date.timeIntervalSinceReferenceDate.isNaN:
                let seconds = date.timeIntervalSinceReferenceDate
                return SQLExpression(argument(.real(seconds)), .date)
            default: throw Untranslatable()
            }
        }
    }

    // MARK: Functions

    private func function(
        _ name: String,
        _ arguments: [FetchExpression],
        _ scope: RowScope
    ) throws -> SQLExpression {
        guard let function = BuiltInFunction(name: name), function.accepts(arguments.count) else {
            throw Untranslatable()
        }
        if function.isStatistic {
            guard arguments.count == 1 else { throw Untranslatable() }
            if aggregates,
                FetchExpression.function(name, arguments).aggregate(in: root.entity) != nil
            {
                return try overRows(function, arguments[0], scope)
            }
            return try statistic(function, arguments[0], scope)
        }
        let values = try arguments.map { try scalar(try operand($0, scope)) }
        switch function {
        case .add, .subtract, .multiply, .divide, .modulus:
            return try arithmetic(function, values[0], values[1])
        case .bitwiseAnd: return try whole(values) { "(\($0[0]) & \($0[1]))" }
        case .bitwiseOr: return try whole(values) { "(\($0[0]) | \($0[1]))" }
        case .bitwiseXor:
            return try whole(values) {
                "((\($0[0]) | \($0[1])) - (\($0[0]) & \($0[1])))"
            }
        case .onesComplement: return try whole(values) { "(~\($0[0]))" }
        case .canonical:
            guard case .text = values[0].type else { throw Untranslatable() }
            return SQLExpression(
                try dialect.folded(values[0].sql, [.caseInsensitive, .diacriticInsensitive]),
                .text
            )
        case .length:
            switch values[0].type {
            case .text: return SQLExpression(try dialect.own("OG_LENGTH", values[0].sql), .integer)
            case .data: return SQLExpression("LENGTH(\(values[0].sql))", .integer)
            default: throw Untranslatable()
            }
        case .noIndex:
            return
                SQLExpression(dialect.withoutIndex(values[0].sql), values[0].type)
        case .floor, .ceiling, .truncate: return try rounded(function, values[0])
        default: throw Untranslatable()
        }
    }

    private func whole(
        _ values: [SQLExpression],
        _ make: ([String]) -> String
    ) throws -> SQLExpression {
        for value in values {
            switch value.type {
            case .integer, .boolean: break
            default: throw Untranslatable()
            }
        }
        return SQLExpression(make(values.map(\.sql)), .integer)
    }

    private func arithmetic(
        _ function: BuiltInFunction,
        _ left: SQLExpression,
        _ right: SQLExpression
    ) throws -> SQLExpression {
        // What has no result, such as a division by zero, fails there instead of being `nil`.
        if dialect.isStrict { throw Untranslatable() }
        let sign: String
        switch function {
        case .add: sign = "+"
        case .subtract: sign = "-"
        case .multiply: sign = "*"
        case .divide: sign = "/"
        default: sign = "%"
        }
        let sql = "(\(real(left)) \(sign) \(real(right)))"
        switch (left.type, right.type) {
        case (.date, .date) where function == .subtract: return SQLExpression(sql, .real)
        case (.date, _) where right.type.isNumber && (sign == "+" || sign == "-"):
            return SQLExpression(sql, .date)
        case (_, .date) where left.type.isNumber && sign == "+": return SQLExpression(sql, .date)
        case (.real, _), (_, .real):
            guard left.type.isNumber, right.type.isNumber, sign != "%" else {
                throw Untranslatable()
            }
            return SQLExpression(sql, .real)
        default:
            guard left.type.isNumber, right.type.isNumber else { throw Untranslatable() }
            return SQLExpression(sql, .integer)
        }
    }

    /// A whole number next to a number; one of 2^52 or more has no fraction.
    ///
    /// SQLite has no such functions unless it was built with them. The operand is written several
    /// times, so a long one is evaluated in memory.
    private func rounded(
        _ function: BuiltInFunction,
        _ number: SQLExpression
    ) throws -> SQLExpression {
        switch number.type {
        case .integer, .boolean: return SQLExpression("(0 + \(number.sql))", .integer)
        case .real where number.sql.utf8.count < 1000 && !dialect.isStrict: break
        default: throw Untranslatable()
        }
        let whole = "CAST(\(number.sql) AS INTEGER)"
        let rounded =
            switch function {
            case .floor: "\(whole) - (\(whole) > \(number.sql))"
            case .ceiling: "\(whole) + (\(whole) < \(number.sql))"
            default: whole
            }
        return SQLExpression(
            "CASE WHEN ABS(\(number.sql)) < 4503599627370496.0 THEN CAST(\(rounded) AS REAL)"
                + " ELSE \(number.sql) END",
            .real
        )
    }

    /// A date as a floating point number: the column may hold a whole number.
    private func real(_ expression: SQLExpression) -> String {
        if case .date = expression.type { return "CAST(\(expression.sql) AS REAL)" }
        return expression.sql
    }

    // MARK: Aggregates of collections

    /// `collection.@operator.path`.
    ///
    /// The members before the operator must be those of the relationship itself: through a further
    /// key, a set in memory would lose its duplicates.
    private func aggregate(
        _ operation: KeyPathPlan.Operation,
        _ end: PathEnd
    ) throws -> SQLExpression {
        guard case .members(let set) = end, set.depth == 1, set.isDirect || set.owner == nil else {
            throw Untranslatable()
        }
        if operation.kind == .count, operation.right == nil { return try count(set) }
        guard let right = operation.right, operation.kind != .count else {
            throw Untranslatable()
        }
        if let inner = right.operation {
            // `orders.@sum.lines.@sum.amount`: the inner collection of each member.
            let value = try aggregate(inner, try follow(right.keys, from: set.member))
            return try aggregate(operation.kind, value, set)
        }
        // Through a further to-many relationship the values of all of its members.
        guard case .members(let found) = try follow(right.keys, from: .members(set)) else {
            throw Untranslatable()
        }
        return try aggregate(operation.kind, try value(found.member), set)
    }

    private func count(_ set: MemberSet) throws -> SQLExpression {
        let number: String
        switch set.counting {
        case .all: number = "COUNT(*)"
        case .once:
            let value = try value(set.member)
            switch value.type {
            case .reference, .integer: number = "COUNT(DISTINCT \(value.sql))"
            default: throw Untranslatable()
            }
        case .other: throw Untranslatable()
        }
        var count = nilWithoutOwner("(SELECT \(number) \(set.level.clause()))", .integer, set)
        if case .all = set.counting { count.isNotEmpty = isNotEmpty(set) }
        return count
    }

    /// The condition that a row has members, found from the members at once; a count would run for
    /// each row.
    ///
    /// - Returns: `nil` where the members depend on the row in another way too.
    private func isNotEmpty(_ set: MemberSet) -> String? {
        guard let link = set.link, link.key == "\(root.alias).Z_PK" else { return nil }
        let known = "\(link.owner) IS NOT NULL"
        let clause = set.level.clause([known], without: link.condition)
        let outer = [root.alias] + root.level.joined.values
        if outer.contains(where: { clause.contains("\($0).") }) { return nil }
        return "\(link.key) IN (SELECT \(link.owner) \(clause))"
    }

    private func aggregate(
        _ kind: CollectionOperator,
        _ value: SQLExpression,
        _ set: MemberSet
    ) throws -> SQLExpression {
        let clause = set.level.clause()
        switch (kind, set.counting) {
        case (.minimum, _), (.maximum, _), (_, .all): break
        default: throw Untranslatable()
        }
        switch kind {
        case .sum where value.type.isNumber:
            let type: SQLType = if case .real = value.type { .real } else { .integer }
            return nilWithoutOwner("(SELECT \(dialect.sum(value)) \(clause))", type, set)
        case .average where value.type.isNumber:
            return nilWithoutOwner("(SELECT \(dialect.average(value)) \(clause))", .real, set)
        case .minimum, .maximum:
            if case .decimal = value.type { throw Untranslatable() }
            guard dialect.hasLeast(value.type) else { throw Untranslatable() }
            let name = kind == .minimum ? "MIN" : "MAX"
            return nilWithoutOwner("(SELECT \(name)(\(value.sql)) \(clause))", value.type, set)
        default: throw Untranslatable()
        }
    }

    /// The value of an operator where the path to its collection met `nil`: `nil`.
    private func nilWithoutOwner(_ sql: String, _ type: SQLType, _ set: MemberSet) -> SQLExpression
    {
        guard let owner = set.owner, owner != "\(root.alias).Z_PK" else {
            return SQLExpression(sql, type)
        }
        return SQLExpression("CASE WHEN \(owner) IS NOT NULL THEN \(sql) END", type)
    }

    /// `sum(path)` over the members as joins see them; an empty collection where the path met
    /// `nil`.
    private func statistic(
        _ function: BuiltInFunction,
        _ collection: FetchExpression,
        _ scope: RowScope
    ) throws -> SQLExpression {
        guard case .members(let found) = try end(of: collection, scope) else {
            throw Untranslatable()
        }
        // A value that is counted per row within an aggregate's argument is not an aggregate
        // itself.
        let set = MemberSet(
            level: found.level,
            member: found.member,
            depth: found.depth,
            owner: nil,
            counting: found.counting
        )
        if function == .count { return try count(set) }
        let value = try value(set.member)
        switch function {
        case .sum: return try aggregate(.sum, value, set)
        case .average: return try aggregate(.average, value, set)
        case .min: return try aggregate(.minimum, value, set)
        case .max: return try aggregate(.maximum, value, set)
        default: throw Untranslatable()
        }
    }

    // MARK: Aggregates over rows

    /// A column of a dictionary request.
    package func column(_ expression: FetchExpression) throws -> SQLExpression {
        try scalar(try operand(expression, root))
    }

    /// A statistic over all rows of a group; `nil` does not count.
    private func overRows(
        _ function: BuiltInFunction,
        _ argument: FetchExpression,
        _ scope: RowScope
    ) throws -> SQLExpression {
        let value = try expression(argument, scope)
        let isExact = value.type.isDecimal
        switch function {
        case .count: return SQLExpression("COUNT(\(value.sql))", .integer)
        case .sum where isExact:
            return SQLExpression(try dialect.own("OG_SUM", value.sql), .decimal)
        case .sum where value.type.isNumber:
            let type: SQLType = if case .real = value.type { .real } else { .integer }
            return SQLExpression(dialect.sum(value), type)
        case .average where value.type.isNumber || isExact:
            if value.type.isReal { return SQLExpression(dialect.average(value), .real) }
            return SQLExpression(try dialect.own("OG_AVERAGE", value.sql), .decimal)
        case .min, .max:
            guard dialect.hasLeast(value.type), !isExact else { throw Untranslatable() }
            let name = function == .min ? "MIN" : "MAX"
            return SQLExpression("\(name)(\(value.sql))", value.type)
        default: throw Untranslatable()
        }
    }
}

extension SQLType {
    var isReal: Bool {
        if case .real = self { return true }
        return false
    }
}

extension SQLDialect {
    /// The sum of numbers; 0 of none.
    fileprivate func sum(_ value: SQLExpression) -> String {
        let sum = "COALESCE(SUM(\(value.sql)), 0)"
        return isStrict && !value.type.isReal ? "CAST(\(sum) AS BIGINT)" : sum
    }

    fileprivate func average(_ value: SQLExpression) -> String {
        if !isStrict || value.type.isReal { return "AVG(\(value.sql))" }
        return "(CAST(SUM(\(value.sql)) AS DOUBLE PRECISION) / NULLIF(COUNT(\(value.sql)), 0))"
    }

    /// Whether the database finds the least of such values.
    fileprivate func hasLeast(_ type: SQLType) -> Bool {
        switch type {
        case .data, .uuid: !isStrict
        default: type.isOrdered
        }
    }
}
