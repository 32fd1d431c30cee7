import ObjectModel
import ObjectStore

// Dictionary requests: in SQL where everything in them has an SQL form, else from the rows.

extension SQLiteStore {
    func fetchDictionaries(_ plan: FetchPlan) throws -> FetchAnswer {
        let request = try DictionaryRequest(plan.request, plan.entity)
        var answer = FetchAnswer()
        if let dictionaries = try dictionariesInSQL(request, plan) {
            answer.dictionaries = dictionaries
            return answer
        }
        let view = StoredObjects(self, schema.model)
        try withExtendedLifetime(view) {
            let (objects, rest) = try matching(plan, in: view)
            answer.dictionaries = try request.results(objects)
            answer.evaluated = rest
        }
        return answer
    }

    /// The objects that meet a request's predicate, as rows without a context, and the part of the
    /// predicate that SQL cannot express.
    private func matching(
        _ plan: FetchPlan,
        in view: StoredObjects
    ) throws -> ([StoredObject], FetchPredicate?) {
        var wider = plan
        wider.request.resultType = .objectIDs
        wider.request.sortDescriptors = []
        wider.request.limit = 0
        wider.request.offset = 0
        wider.loadsRows = true
        let found = try fetchObjects(wider)
        let objects = found.ids.compactMap { view.object($0) }
        guard let remainder = found.remainder else { return (objects, nil) }
        let compiled = CompiledPredicate(remainder)
        return (try objects.filter { try compiled.evaluate(with: .object($0)) }, remainder)
    }

    private func dictionariesInSQL(
        _ request: DictionaryRequest,
        _ plan: FetchPlan
    ) throws -> [[String: GraphValue]]? {
        let (translator, remainder) = try translate(plan)
        if remainder != nil { return nil }
        translator.aggregates = request.isGrouped
        let statement = try translator.attempt {
            let statement = try DictionaryStatement(request, translator)
            try translator.requireTaken(statement.sql) { statement.sql }
            return statement
        }
        guard let statement else { return nil }
        return try run(statement, translator)
    }

    private func run(
        _ query: DictionaryStatement,
        _ translator: Translator
    ) throws -> [[String: GraphValue]] {
        let statement = try connection.statement(query.sql)
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        var results: [[String: GraphValue]] = []
        while try statement.step() {
            var values: [String: GraphValue] = [:]
            for column in query.columns {
                values[column.name] = column.value(statement, in: self)
            }
            results.append(values)
        }
        return results
    }
}

/// A dictionary request as one SELECT.
private struct DictionaryStatement {
    struct Column {
        let name: String
        let type: SQLType
        let index: Int32
        /// For a reference: the column with the number of the concrete entity.
        let entityIndex: Int32?

        func value(_ statement: Statement, in store: SQLiteStore) -> GraphValue {
            guard let entityIndex else { return type.value(statement, index, in: store) }
            let id = store.id(number: statement.integer(entityIndex), key: statement.integer(index))
            return id.map { .objectID($0) } ?? .null
        }
    }

    private(set) var columns: [Column] = []
    private(set) var sql = ""

    init(_ request: DictionaryRequest, _ translator: Translator) throws {
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
            (readsAll ? "+" : "") + (try translator.column($0.expression).sql)
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
