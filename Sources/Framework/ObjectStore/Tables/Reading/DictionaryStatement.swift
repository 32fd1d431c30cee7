import ObjectModel

/// A dictionary request as one SELECT.
package struct DictionaryStatement {
    package struct Column {
        package let name: String
        package let type: SQLType
        package let index: Int32
        /// For a reference: the column with the number of the concrete entity.
        package let entityIndex: Int32?
    }

    package private(set) var columns: [Column] = []
    package private(set) var sql = ""

    package init(_ request: DictionaryRequest, _ translator: Translator) throws {
        var list: [String] = []
        var expressions: [String: SQLExpression] = [:]
        for column in request.columns {
            let expression = try translator.column(column.expression)
            expressions[column.name] = expression
            let index = Int32(list.count)
            list.append(expression.sql)
            var entityIndex: Int32?
            if case .reference = expression.type {
                guard let entity = expression.entity else { throw Untranslatable() }
                entityIndex = Int32(list.count)
                list.append(entity)
            }
            columns.append(
                Column(
                    name: column.name,
                    type: try DictionaryStatement.type(expression.type, column.type),
                    index: index,
                    entityIndex: entityIndex
                )
            )
        }
        // With an index on the groups SQLite would read the rows in the order of the index, from
        // places all over the file. Reading them in file order and sorting the groups takes a
        // quarter of the time.
        let readsAll = request.request.predicate == nil && request.readsMoreThanGroups
        let groups = try request.request.propertiesToGroupBy.map {
            let column = try translator.column($0.expression).sql
            return readsAll ? translator.dialect.withoutIndex(column) : column
        }
        let having = try request.request.having.map { predicate in
            try translator.condition(
                predicate.replacingColumns(request),
                translator.root,
                exact: false
            )
        }
        let order = try translator.order(request.request.sortDescriptors) { name in
            if let known = expressions[name] { return known }
            return request.column(named: name).flatMap { try? translator.column($0.expression) }
        }
        guard let order else { throw Untranslatable() }
        // Only what is in the list has one value for each of its different rows.
        if translator.dialect.isStrict, request.request.returnsDistinctResults,
            !request.request.sortDescriptors.allSatisfy({ expressions[$0.keyPath] != nil })
        {
            throw Untranslatable()
        }
        sql = request.request.returnsDistinctResults ? "SELECT DISTINCT " : "SELECT "
        sql += list.joined(separator: ", ") + " " + translator.root.level.clause()
        if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
        if let having { sql += " HAVING " + having }
        if !order.isEmpty { sql += " ORDER BY " + order }
        let window = request.request
        if window.limit > 0 || window.offset > 0 { sql += translator.window(window) }
    }

    /// The type of a result: the expression's own, unless the request names another one that fits.
    private static func type(_ own: SQLType, _ wanted: AttributeType?) throws -> SQLType {
        guard let wanted else {
            if own.isOpaque { throw Untranslatable() }
            return own
        }
        switch (own, wanted) {
        case (.integer, .double), (.integer, .float): return .real
        case (.integer, .boolean): return .boolean
        case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64):
            return .integer
        default:
            if own.isOpaque { throw Untranslatable() }
            return own
        }
    }
}

extension FetchPredicate {
    /// The predicate with the names of columns replaced by their expressions.
    fileprivate func replacingColumns(_ request: DictionaryRequest) -> FetchPredicate {
        func replaced(_ expression: FetchExpression) -> FetchExpression {
            if case .keyPath(let name) = expression, let column = request.column(named: name) {
                return column.expression
            }
            return expression
        }
        switch self {
        case .constant, .block: return self
        case .and(let parts): return .and(parts.map { $0.replacingColumns(request) })
        case .or(let parts): return .or(parts.map { $0.replacingColumns(request) })
        case .not(let part): return .not(part.replacingColumns(request))
        case .comparison(var comparison):
            comparison.left = replaced(comparison.left)
            comparison.right = replaced(comparison.right)
            return .comparison(comparison)
        }
    }
}
