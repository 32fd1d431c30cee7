import FoundationEssentials
import ObjectModel
package import ObjectStore

extension PostgreSQLStore {
    package func select(
        _ sql: String,
        _ arguments: [SQLValue],
        as kinds: [RowLayout.Kind]
    ) throws -> [[SQLValue]] {
        let result = try perform { try $0.run(sql, arguments) }
        return (0..<result.count).map { row in
            kinds.enumerated().map { index, kind in
                if result.isNull(row, index) { return .null }
                return switch kind {
                case .integer, .reference: .integer(result.integer(row, index))
                case .real: .real(result.real(row, index))
                case .text: .text(result.text(row, index))
                case .bytes: .blob(Data(result.bytes(row, index)))
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
