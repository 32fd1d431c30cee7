import ObjectStore

extension EntitySchema {
    /// The keys above one of the rows of exactly this entity, rising.
    func keys(after key: Int64, limit: Int, _ connection: Connection) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT Z_PK FROM \(quoted(table.name)) WHERE Z_PK > ? AND Z_ENT = ?"
                + " ORDER BY Z_PK LIMIT \(limit)"
        )
        defer { statement.reset() }
        statement.bind(key, at: 1)
        statement.bind(number, at: 2)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(0)) }
        return keys
    }
}
