import FoundationEssentials
import ObjectModel

/// The tables of the history as they are copied, in this order.
package enum HistoryTable: CaseIterable {
    case names
    case transactions
    case changes

    package var name: String {
        switch self {
        case .names: "OG_NAME"
        case .transactions: "OG_TRANSACTION"
        case .changes: "OG_CHANGE"
        }
    }

    /// The columns, the key first.
    package var columns: [(name: String, kind: RowLayout.Kind)] {
        switch self {
        case .names: [("id", .integer), ("name", .text)]
        case .transactions:
            [
                ("number", .integer), ("date", .real), ("author", .text), ("context", .text),
                ("process", .integer), ("kind", .integer), ("name", .text), ("grp", .integer),
                ("target", .integer), ("state", .integer), ("latest", .integer),
                ("first", .integer), ("count", .integer),
            ]
        case .changes:
            [
                ("id", .integer), ("ent", .integer), ("pk", .integer), ("n", .integer),
                ("kind", .integer), ("data", .bytes),
            ]
        }
    }

    package var columnList: String { columns.map(\.name).joined(separator: ", ") }
}

extension TableStore {
    /// How many rows are in memory at a time.
    private var batch: Int { 2000 }

    /// Rows of a table of the history after a key, in the order of their keys.
    private func historyRows(
        _ table: HistoryTable,
        after last: Int64,
        limit: Int
    ) throws -> [[SQLValue]] {
        let key = table.columns[0].name
        return try select(
            "SELECT \(table.columnList) FROM \(table.name) WHERE \(key) > \(dialect.parameter(1))"
                + " ORDER BY \(key) LIMIT \(dialect.parameter(2))",
            [.integer(last), .integer(Int64(limit))],
            as: table.columns.map(\.kind)
        )
    }

    /// Takes over the history of a store whose objects it has, with their IDs: the numbers of
    /// transactions, names and changes stay, and so what undo and redo do.
    ///
    /// - Parameters:
    ///   - source: the other store.
    ///   - author: whose the commands are from now on; `nil` leaves them to their authors.
    /// - Throws: the error of one of the stores; the history is as before then.
    package func takeHistory(of source: any TableStore, author: String? = nil) throws {
        guard keepsHistory, source.keepsHistory else { return }
        let conversion = HistoryConversion(from: source, to: self)
        try replaceHistory { insert in
            for table in HistoryTable.allCases {
                var last = Int64.min
                while true {
                    var rows = try source.historyRows(table, after: last, limit: batch)
                    guard case .integer(let key)? = rows.last?.first else { break }
                    last = key
                    if table == .changes { try conversion.convert(&rows) }
                    if table == .transactions, let author {
                        for index in rows.indices { rows[index][2] = .text(author) }
                    }
                    try insert(table, rows)
                }
            }
        }
    }
}

/// Rewrites changes with large data, which each kind of store keeps in its own way.
private struct HistoryConversion {
    private let source: any TableStore
    private let target: any TableStore
    /// The columns in both stores by the name of the attribute, by entity.
    private let columns: [String: [String: (old: RowLayout.Column, new: RowLayout.Column)]]

    init(from source: any TableStore, to target: any TableStore) {
        self.source = source
        self.target = target
        var columns: [String: [String: (old: RowLayout.Column, new: RowLayout.Column)]] = [:]
        for schema in source.schema.entities {
            let layout = target.layout(schema.entity)
            for (old, new) in zip(schema.layout.columns, layout.columns)
            where old.externalFolder != nil || new.externalFolder != nil {
                let name = schema.entity.slots[old.slot].name
                columns[schema.entity.name, default: [:]][name] = (old, new)
            }
        }
        self.columns = columns
    }

    func convert(_ rows: inout [[SQLValue]]) throws {
        if columns.isEmpty { return }
        for index in rows.indices {
            guard case .integer(let entity) = rows[index][1], case .blob(let data) = rows[index][5],
                let name = try source.historyName(entity), let columns = columns[name]
            else { continue }
            rows[index][5] = .blob(try converted(data, columns))
        }
    }

    private func converted(
        _ data: Data,
        _ columns: [String: (old: RowLayout.Column, new: RowLayout.Column)]
    ) throws -> Data {
        var writer = HistoryBytesWriter()
        try data.withUnsafeBytes { bytes in
            var reader = HistoryBytesReader(bytes)
            while let (entry, number) = reader.entry() {
                writer.entry(entry, name: number)
                let column = try source.historyName(number).flatMap { columns[$0] }
                switch entry {
                case .update, .deletedValue:
                    for _ in 0..<(entry == .update ? 2 : 1) {
                        if let column {
                            try write(reader.value(column.old) { _, _ in .null }, column.new)
                        } else {
                            switch reader.rawValue() {
                            case .bytes(let value): writer.copy(value)
                            case .reference(let entity, let key):
                                writer.reference(entity: entity, key: key)
                            }
                        }
                    }
                case .addedMembers, .removedMembers, .oldOrder, .newOrder:
                    let members = reader.members()
                    writer.number(UInt64(members.count))
                    for member in members { writer.member(entity: member.entity, key: member.key) }
                case .erased: break
                }
            }
        }
        func write(_ value: GraphValue, _ column: RowLayout.Column) throws {
            guard column.externalFolder != nil else { return try writer.value(value, column) }
            guard case .data(let data) = value else {
                return writer.raw(UnsafeRawBufferPointer(start: nil, count: 0))
            }
            ExternalData.inline(data).withUnsafeBytes { writer.raw($0) }
        }
        return Data(writer.bytes)
    }
}
