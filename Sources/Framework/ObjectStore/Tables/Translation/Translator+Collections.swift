import FoundationEssentials
package import ObjectModel

// ANY, ALL, IN and CONTAINS with collections.

extension Translator {
    /// A list with more members than this is passed to SQL as one JSON text.
    private static let listLimit = 1000

    /// ANY and ALL: a subselect of the members for which the comparison holds, or does not.
    package func quantified(
        _ comparison: FetchComparison,
        _ scope: RowScope,
        isAny: Bool,
        exact: Bool
    ) throws -> String {
        guard case .members(let set) = try end(of: comparison.left, scope) else {
            throw Untranslatable()
        }
        let member = SQLOperand.expression(try value(set.member))
        let test = try compare(member, comparison, scope, exact: !isAny)
        if isAny, !exact, let owners = owners(of: set, for: comparison, test) { return owners }
        return isAny
            ? "EXISTS (SELECT 1 \(set.level.clause([test])))"
            : "NOT EXISTS (SELECT 1 \(set.level.clause(["NOT \(test)"])))"
    }

    /// The condition that the members of a row include a known object, found from that object;
    /// `nil` for other comparisons.
    ///
    /// An index leads from an object to its owners, while EXISTS would run for each row. The
    /// condition is NULL, not false, where an owner is unknown.
    private func owners(
        of set: MemberSet,
        for comparison: FetchComparison,
        _ test: String
    ) -> String? {
        guard comparison.operator == .equal, comparison.right.isConstant, set.isDirect,
            case .object = set.member, let link = set.link
        else { return nil }
        set.level.conditions.removeAll { $0 == link.condition }
        return "\(link.key) IN (SELECT \(link.owner) \(set.level.clause([test])))"
    }

    /// `collection CONTAINS value`; `nil` if the left side is not a collection.
    package func containsMember(_ comparison: FetchComparison, _ scope: RowScope) throws -> String?
    {
        guard comparison.left.mayBeCollection,
            let end = try? end(of: comparison.left, scope),
            case .members(let set) = end
        else { return nil }
        // In memory a relationship of a relationship is a set of sets, which does not contain a
        // value.
        guard set.depth == 1 else { throw Untranslatable() }
        let member = SQLOperand.expression(try value(set.member))
        let right = try operand(comparison.right, scope)
        let options = comparison.options.subtracting(.localeSensitive)
        let test = try equality(member, right, options)
        return "EXISTS (SELECT 1 \(set.level.clause([test])))"
    }

    /// `value IN collection` where the collection is a relationship or a list of expressions;
    /// `nil` for other right sides.
    package func isMember(
        _ comparison: FetchComparison,
        _ scope: RowScope,
        exact: Bool
    ) throws -> String? {
        let options = comparison.options.subtracting(.localeSensitive)
        if case .aggregate(let elements) = comparison.right, !comparison.right.isConstant {
            let left = try operand(comparison.left, scope)
            let tests = try elements.map { try equality(left, try operand($0, scope), options) }
            return "(\(tests.joined(by: "OR")))"
        }
        guard comparison.right.mayBeCollection,
            let end = try? end(of: comparison.right, scope),
            case .members(let set) = end
        else { return nil }
        guard set.depth == 1 else { throw Untranslatable() }
        let member = SQLOperand.expression(try value(set.member))
        let test = try equality(member, try operand(comparison.left, scope), options)
        return "EXISTS (SELECT 1 \(set.level.clause([test])))"
    }

    /// `value IN` a collection that is known before the query, or a text.
    package func isOne(
        _ left: SQLOperand,
        of right: FetchExpression,
        _ options: FetchComparison.Options,
        exact: Bool
    ) throws -> String {
        guard let collection = try? right.value(with: .null) else { throw Untranslatable() }
        if case .string(let text) = collection {
            let part = try scalar(left)
            guard case .text = part.type else { throw Untranslatable() }
            return try dialect.matches(.contains, argument(.text(text)), part.sql, options)
        }
        if collection.isNull { return dialect.constant(false) }
        guard let members = collection.elements, case .expression(let value) = left else {
            throw Untranslatable()
        }
        if case .opaque = value.type { throw Untranslatable() }
        var parts: [String] = []
        if members.contains(where: \.isNull) { parts.append("\(value.sql) IS NULL") }
        let rest = members.filter { !$0.isNull }
        if case .decimal = value.type {
            parts += try rest.map { try equality(value, $0, options) }
        } else if let list = try list(rest, value, options) {
            parts.append(exact ? dialect.orFalse(list) : list)
        }
        return parts.isEmpty ? dialect.constant(false) : "(\(parts.joined(by: "OR")))"
    }

    /// `value IN (…)` with those members that the value can equal; `nil` if there are none.
    private func list(
        _ members: [GraphValue],
        _ value: SQLExpression,
        _ options: FetchComparison.Options
    ) throws -> String? {
        var left = value.sql
        var arguments: [SQLValue] = []
        if case .text = value.type, !options.isEmpty {
            left = try dialect.folded(value.sql, options)
            for case .string(let text) in members {
                arguments.append(.text(TextFolding.fold(text, options: options)))
            }
        } else {
            for member in members {
                if let argument = try argument(member, for: value.type) {
                    arguments.append(argument)
                }
            }
        }
        if arguments.isEmpty { return nil }
        if dialect.isStrict, case .real = value.type {
        } else if dialect.isStrict {
            // A number with a fraction equals no whole number, and would make all of them such.
            arguments.removeAll { if case .real = $0, value.type.isNumber { true } else { false } }
            if arguments.isEmpty { return nil }
        }
        if arguments.count > Translator.listLimit {
            return "\(left) IN (\(dialect.numbers(ofArray: argument(try json(arguments)))))"
        }
        // Few sizes of lists give few different statements.
        let sizes = [1, 4, 16, 64, 256, Translator.listLimit]
        let size = sizes.first { $0 >= arguments.count } ?? arguments.count
        if let last = arguments.last {
            arguments += Array(repeating: last, count: size - arguments.count)
        }
        let marks = arguments.map { argument($0) }.joined(separator: ", ")
        return "\(left) IN (\(marks))"
    }

    /// Whole numbers as a JSON array; other kinds would lose precision or type.
    private func json(_ arguments: [SQLValue]) throws -> SQLValue {
        var text = "["
        for (index, argument) in arguments.enumerated() {
            guard case .integer(let number) = argument else { throw Untranslatable() }
            text += index == 0 ? "\(number)" : ",\(number)"
        }
        return .text(text + "]")
    }
}

extension FetchExpression {
    /// Whether the expression can lead to the members of a relationship.
    fileprivate var mayBeCollection: Bool {
        switch self {
        case .keyPath, .keyPathOf, .variable, .subquery: true
        default: false
        }
    }
}
