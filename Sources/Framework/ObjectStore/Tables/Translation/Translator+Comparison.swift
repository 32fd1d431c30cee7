import FoundationEssentials
package import ObjectModel

// Comparisons of single values.

extension Translator {
    package func direct(
        _ comparison: FetchComparison,
        _ scope: RowScope,
        exact: Bool
    ) throws -> String {
        switch comparison.operator {
        case .contains:
            if let found = try containsMember(comparison, scope) { return found }
        case .in:
            if let found = try isMember(comparison, scope, exact: exact) { return found }
        default: break
        }
        let left = try operand(comparison.left, scope)
        return try compare(left, comparison, scope, exact: exact)
    }

    /// One value on the left against the comparison's right side.
    package func compare(
        _ left: SQLOperand,
        _ comparison: FetchComparison,
        _ scope: RowScope,
        exact: Bool
    ) throws -> String {
        let options = comparison.options.subtracting(.localeSensitive)
        switch comparison.operator {
        case .equal, .notEqual:
            let right = try operand(comparison.right, scope)
            let equal = try equality(left, right, options)
            return comparison.operator == .equal ? equal : "NOT \(equal)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let right = try operand(comparison.right, scope)
            return try order(left, comparison.operator, right, options, exact: exact)
        case .between: return try between(left, comparison.right, options, scope, exact: exact)
        case .in:
            if comparison.right.isConstant {
                return try isOne(left, of: comparison.right, options, exact: exact)
            }
            return try substring(left, comparison.right, options, scope)
        case .contains: return try textual(.contains, left, comparison, options, scope)
        case .beginsWith: return try textual(.prefix, left, comparison, options, scope)
        case .endsWith: return try textual(.suffix, left, comparison, options, scope)
        case .like: return try textual(.like, left, comparison, options, scope)
        case .matches, .custom: throw Untranslatable()
        }
    }

    // MARK: Equality

    /// Whether two operands are equal; never NULL.
    package func equality(
        _ left: SQLOperand,
        _ right: SQLOperand,
        _ options: FetchComparison.Options
    ) throws -> String {
        switch (left, right) {
        case (.constant(let a), .constant(let b)):
            let comparison = FetchComparison(.constant(a), .equal, .constant(b), options: options)
            guard let holds = try? FetchPredicate.comparison(comparison).evaluate(with: .null)
            else { throw Untranslatable() }
            return dialect.constant(holds)
        case (.expression(let a), .constant(let b)): return try equality(a, b, options)
        case (.constant(let a), .expression(let b)): return try equality(b, a, options)
        case (.expression(let a), .expression(let b)): return try equality(a, b, options)
        }
    }

    private func equality(
        _ a: SQLExpression,
        _ b: SQLExpression,
        _ options: FetchComparison.Options
    ) throws -> String {
        guard a.type.isComparable(to: b.type) else {
            if a.type.isOpaque || b.type.isOpaque { throw Untranslatable() }
            // An exact decimal cannot be compared exactly with a binary number in SQL.
            if a.type.isDecimal && b.type.isNumber || b.type.isDecimal && a.type.isNumber {
                throw Untranslatable()
            }
            return "(\(a.sql) IS NULL AND \(b.sql) IS NULL)"
        }
        try requireExact(a.type, b.type)
        switch a.type {
        case .text where !options.isEmpty:
            let equal = try dialect.matches(.equal, a.sql, b.sql, options)
            return "(\(equal) OR (\(a.sql) IS NULL AND \(b.sql) IS NULL))"
        case .decimal:
            return dialect.same(dialect.decimal(a.sql), dialect.decimal(b.sql))
        default: return dialect.same(a.sql, b.sql)
        }
    }

    package func equality(
        _ a: SQLExpression,
        _ value: GraphValue,
        _ options: FetchComparison.Options
    ) throws -> String {
        if value.isNull { return "(\(a.sql) IS NULL)" }
        if case .text = a.type, case .string(let text) = value, !options.isEmpty {
            if let found = folded(.equal, a, text, options) { return found }
            return try dialect.matches(.equal, a.sql, argument(.text(text)), options)
        }
        if case .entity = a.type, !options.isEmpty { throw Untranslatable() }
        if case .decimal = a.type {
            guard value.isNumber else { return dialect.constant(false) }
            guard let number = value.decimalValue, !number.isNaN else { throw Untranslatable() }
            let text = dialect.decimalArgument(argument(.text(number.description)))
            return dialect.same(dialect.decimal(a.sql), value: text)
        }
        guard let argument = try argument(value, for: a.type) else {
            return dialect.constant(false)
        }
        return dialect.same(a.sql, value: self.argument(argument))
    }

    /// A constant as an argument that SQL compares in the same way as predicates do.
    ///
    /// - Returns: `nil` if no value of the type can equal it.
    package func argument(_ value: GraphValue, for type: SQLType) throws -> SQLValue? {
        switch (type, value) {
        case (.integer, _), (.boolean, _), (.real, _):
            guard value.isNumber else { return nil }
            return try exact(try numeric(value, type), type)
        case (.text, .string(let text)): return .text(text)
        case (.date, .date(let date)):
            // SQL would take NaN for NULL.
            if date.timeIntervalSinceReferenceDate.isNaN { throw Untranslatable() }
            return .real(date.timeIntervalSinceReferenceDate)
        case (.data, .data(let data)): return .blob(data)
        case (.uuid, .uuid(let uuid)): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case (.uri, .url(let url)): return .text(url.absoluteString)
        case (.entity, .string(let name)):
            let entity = store.schema.model.entity(named: name)
            return entity.flatMap { store.schema.schema(of: $0) }.map { .integer($0.number) }
        case (.reference(let root), .objectID), (.reference(let root), .object):
            guard let id = ManagedObjectID(value: value), !id.isTemporaryID,
                id.spaceNumber == store.space.number,
                store.schema(of: id)?.table.root === root
            else { return nil }
            return .integer(id.key)
        case (.opaque, _): throw Untranslatable()
        default: return nil
        }
    }

    /// A number for the comparison with a column of whole or floating point numbers.
    private func numeric(_ value: GraphValue, _ type: SQLType) throws -> SQLValue {
        switch value {
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .int(let number): return .integer(number)
        case .double(let number):
            if number.isNaN { throw Untranslatable() }
            return .real(number)
        case .decimal(let number):
            // In memory a floating point number equals the decimal of its shortest text.
            if let whole = value.integerValue {
                if case .real = type, whole.magnitude > 1 << 53 { throw Untranslatable() }
                return .integer(whole)
            }
            let rounded = number.doubleValue
            guard GraphValue.double(rounded).decimalValue == number else { throw Untranslatable() }
            return .real(rounded)
        default: throw Untranslatable()
        }
    }

    /// The argument in the type of the column, where the database would compare both as floating
    /// point numbers.
    private func exact(_ argument: SQLValue, _ type: SQLType) throws -> SQLValue {
        if !dialect.isStrict { return argument }
        switch (type, argument) {
        case (.real, .integer(let number)):
            if number.magnitude > 1 << 53 { throw Untranslatable() }
            return .real(Double(number))
        case (.integer, .real(let number)), (.boolean, .real(let number)):
            if let whole = Int64(exactly: number) { return .integer(whole) }
            if number.magnitude >= 0x1p53 { throw Untranslatable() }
            return argument
        default: return argument
        }
    }

    /// Refuses two kinds of numbers where the database would compare whole numbers as floating point
    /// ones.
    private func requireExact(_ a: SQLType, _ b: SQLType) throws {
        if !dialect.isStrict { return }
        switch (a, b) {
        case (.integer, .real), (.real, .integer): throw Untranslatable()
        default: break
        }
    }

    // MARK: Order

    private func order(
        _ left: SQLOperand,
        _ comparison: FetchComparison.Operator,
        _ right: SQLOperand,
        _ options: FetchComparison.Options,
        exact: Bool
    ) throws -> String {
        let allowsSame = comparison == .lessOrEqual || comparison == .greaterOrEqual
        switch (left, right) {
        case (.constant(let a), .constant(let b)):
            let comparison = FetchComparison(
                .constant(a),
                comparison,
                .constant(b),
                options: options
            )
            guard let holds = try? FetchPredicate.comparison(comparison).evaluate(with: .null)
            else { throw Untranslatable() }
            return dialect.constant(holds)
        case (.constant(let a), .expression(let b)):
            return try order(b, comparison.mirrored, a, options, exact: exact)
        case (.expression(let a), .constant(let b)):
            return try order(a, comparison, b, options, exact: exact)
        case (.expression(let a), .expression(let b)):
            guard a.type.isOrdered, a.type.isComparable(to: b.type) else { throw Untranslatable() }
            try requireExact(a.type, b.type)
            let test =
                "\(try ordered(a, options)) \(comparison.sign) \(try ordered(b, options))"
            if allowsSame {
                return "(\(dialect.orFalse(test)) OR (\(a.sql) IS NULL AND \(b.sql) IS NULL))"
            }
            return exact ? dialect.orFalse(test) : "(\(test))"
        }
    }

    private func order(
        _ a: SQLExpression,
        _ comparison: FetchComparison.Operator,
        _ value: GraphValue,
        _ options: FetchComparison.Options,
        exact: Bool
    ) throws -> String {
        if value.isNull {
            let allowsSame = comparison == .lessOrEqual || comparison == .greaterOrEqual
            return allowsSame ? "(\(a.sql) IS NULL)" : dialect.constant(false)
        }
        if let condition = a.isNotEmpty {
            let least: Int64 = comparison == .greater ? 0 : 1
            let isAny = comparison == .greater || comparison == .greaterOrEqual
            if isAny, case .int(least) = value { return condition }
        }
        guard a.type.isOrdered else { throw Untranslatable() }
        let bound: SQLValue
        switch (a.type, value) {
        case (.text, .string(let text)) where !options.isEmpty:
            bound = .text(TextFolding.fold(text, options: options))
        case (.decimal, _):
            guard let number = value.decimalValue, !number.isNaN else { throw Untranslatable() }
            bound = .text(number.description)
        default:
            guard let argument = try argument(value, for: a.type) else { throw Untranslatable() }
            bound = argument
        }
        var parameter = argument(bound)
        if case .decimal = a.type { parameter = dialect.decimalArgument(parameter) }
        let test = "\(try ordered(a, options)) \(comparison.sign) \(parameter)"
        return exact ? dialect.orFalse(test) : "(\(test))"
    }

    /// An expression in the form that SQL orders in the same way as predicates do.
    private func ordered(
        _ a: SQLExpression,
        _ options: FetchComparison.Options
    ) throws -> String {
        switch a.type {
        case .text: try dialect.folded(a.sql, options)
        case .decimal: dialect.decimal(a.sql)
        default: a.sql
        }
    }

    private func between(
        _ left: SQLOperand,
        _ bounds: FetchExpression,
        _ options: FetchComparison.Options,
        _ scope: RowScope,
        exact: Bool
    ) throws -> String {
        let (lower, upper): (SQLOperand, SQLOperand)
        switch bounds {
        case .aggregate(let elements) where elements.count == 2:
            lower = try operand(elements[0], scope)
            upper = try operand(elements[1], scope)
        default:
            guard case .constant(.array(let values)) = try operand(bounds, scope),
                values.count == 2
            else { throw Untranslatable() }
            (lower, upper) = (.constant(values[0]), .constant(values[1]))
        }
        guard case .expression(let value) = left else { throw Untranslatable() }
        let from = try order(left, .greaterOrEqual, lower, options, exact: exact)
        let to = try order(left, .lessOrEqual, upper, options, exact: exact)
        return "(\(value.sql) IS NOT NULL AND \(from) AND \(to))"
    }

    // MARK: Text

    private func textual(
        _ relation: TextRelation,
        _ left: SQLOperand,
        _ comparison: FetchComparison,
        _ options: FetchComparison.Options,
        _ scope: RowScope
    ) throws -> String {
        let right = try operand(comparison.right, scope)
        if case .constant(.null) = right { return dialect.constant(false) }
        if case .expression(let a) = left, case .constant(.string(let text)) = right,
            let found = folded(relation, a, text, options)
        {
            return found
        }
        let (a, b) = (try scalar(left), try scalar(right))
        guard case .text = a.type, case .text = b.type else { throw Untranslatable() }
        return try dialect.matches(relation, a.sql, b.sql, options)
    }

    /// A comparison without case and diacritics by the folded form that the store keeps; never NULL.
    private func folded(
        _ relation: TextRelation,
        _ a: SQLExpression,
        _ text: String,
        _ options: FetchComparison.Options
    ) -> String? {
        guard options.isSuperset(of: [.caseInsensitive, .diacriticInsensitive]),
            let (column, key) = a.folded, relation != .like
        else { return nil }
        guard let test = relation.test(column.column, text, argument) else {
            return dialect.constant(false)
        }
        return "(\(key) IS NOT NULL AND \(key) IN (\(column.keys(test))))"
    }

    /// `part IN text`.
    private func substring(
        _ left: SQLOperand,
        _ text: FetchExpression,
        _ options: FetchComparison.Options,
        _ scope: RowScope
    ) throws -> String {
        let (a, b) = (try scalar(left), try scalar(try operand(text, scope)))
        guard case .text = a.type, case .text = b.type else { throw Untranslatable() }
        return try dialect.matches(.contains, b.sql, a.sql, options)
    }
}

extension SQLType {
    package var isOpaque: Bool {
        if case .opaque = self { return true }
        return false
    }

    package var isDecimal: Bool {
        if case .decimal = self { return true }
        return false
    }
}

extension FetchComparison.Operator {
    fileprivate var sign: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        default: ">="
        }
    }

    /// The order with its sides exchanged.
    fileprivate var mirrored: FetchComparison.Operator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
