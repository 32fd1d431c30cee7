import FoundationEssentials
import ObjectModel
package import ObjectStore

extension PostgreSQLStore {
    package func historyRows(
        _ table: HistoryTable,
        after key: Int64,
        limit: Int
    ) throws -> [[SQLValue]] {
        try perform { connection in
            let result = try connection.run(
                table.selection(dialect),
                [.integer(key), .integer(Int64(limit))]
            )
            return (0..<result.count).map { row in
                table.columns.enumerated().map { index, column in
                    if result.isNull(row, index) { return .null }
                    return switch column.kind {
                    case .integer, .reference: .integer(result.integer(row, index))
                    case .real: .real(result.real(row, index))
                    case .text: .text(result.text(row, index))
                    case .bytes: .blob(Data(result.bytes(row, index)))
                    }
                }
            }
        }
    }

    package func replaceHistory(
        _ fill: (_ insert: (HistoryTable, [[SQLValue]]) throws -> Void) throws -> Void
    ) throws {
        try translatingServerErrors {
            let connection = try connected()
            var known: [String: Int64] = [:]
            try connection.transaction {
                try connection.lockState()
                for table in HistoryTable.allCases {
                    try connection.enqueue("DELETE FROM \(table.name)")
                }
                try fill { table, rows in
                    var fields = FieldWriter(copying: rows.count)
                    for row in rows {
                        fields.beginRow(row.count)
                        for value in row { fields.add(value) }
                    }
                    fields.end()
                    try connection.copy(into: "\(table.name) (\(table.columnList))", fields)
                }
                known = try connection.addHistoryNames(schema)
                try connection.enqueue(
                    "UPDATE OG_STATE SET serial = serial + 1,"
                        + " number = COALESCE((SELECT MAX(number) FROM OG_TRANSACTION), 0),"
                        + " change = COALESCE((SELECT MAX(first + count) FROM OG_TRANSACTION), 1)"
                )
            }
            ownSaves += 1
            (names, nameNumbers) = ([:], [:])
            for (name, number) in known { note(name, number) }
        }
    }
}
