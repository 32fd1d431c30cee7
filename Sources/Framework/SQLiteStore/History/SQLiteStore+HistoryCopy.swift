import FoundationEssentials
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package func select(
        _ sql: String,
        _ arguments: [SQLValue],
        as kinds: [RowLayout.Kind]
    ) throws -> [[SQLValue]] {
        try translatingErrors {
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            try statement.bind(arguments)
            var rows: [[SQLValue]] = []
            while try statement.step() {
                rows.append(
                    kinds.enumerated().map { index, kind in
                        let place = Int32(index)
                        if statement.isNull(place) { return .null }
                        return switch kind {
                        case .integer, .reference: .integer(statement.integer(place))
                        case .real: .real(statement.real(place))
                        case .text: .text(statement.text(place))
                        case .bytes: .blob(Data(statement.bytes(place)))
                        }
                    }
                )
            }
            return rows
        }
    }

    package func replaceHistory(
        _ fill: (_ insert: (HistoryTable, [[SQLValue]]) throws -> Void) throws -> Void
    ) throws {
        try translatingErrors {
            try connection.transaction {
                for table in HistoryTable.allCases {
                    try connection.run("DELETE FROM \(table.name)")
                }
                try fill { table, rows in
                    let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
                    let statement = try connection.statement(
                        "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(marks))"
                    )
                    for row in rows {
                        try statement.bind(row)
                        try statement.run()
                    }
                }
            }
            names = HistoryNames()
        }
    }
}
