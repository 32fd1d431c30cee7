import ObjectModel
import ObjectStore

extension SQLiteStore {
    func fetchDictionaries(_ plan: FetchPlan) throws -> FetchAnswer {
        try dictionaries(plan, run: run) { try fetchObjects($0) }
    }

    private func run(
        _ query: DictionaryStatement,
        _ arguments: [SQLValue]
    ) throws -> [[String: GraphValue]] {
        let statement = try connection.statement(query.sql)
        defer { statement.reset() }
        try statement.bind(arguments)
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

extension DictionaryStatement.Column {
    func value(_ statement: Statement, in store: SQLiteStore) -> GraphValue {
        guard let entityIndex else { return type.value(statement, index, in: store) }
        let id = store.id(number: statement.integer(entityIndex), key: statement.integer(index))
        return id.map { .objectID($0) } ?? .null
    }
}
