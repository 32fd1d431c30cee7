import FoundationEssentials
package import ObjectModel
import ObjectStore

// Answers from memory. They are given only where the program has asked for that, outside of the
// store's own transactions, and while the watch of the store tells of no save that it does not know.

extension PostgreSQLStore {
    /// Whether what the store knows is the state of the database, as far as anybody has told.
    package var isCurrent: Bool {
        guard answersFromMemory, !isSnapshot, unresolved == nil, !isInTransaction,
            let seen = watched.present
        else { return false }
        return seen <= serial
    }

    /// Whether what is read now is kept; it is an answer later if nobody saves before the watch looks.
    var isNoting: Bool { answersFromMemory && !isSnapshot && !isInTransaction && knowledge != nil }

    /// Forgets what others may have changed when they have saved.
    ///
    /// - Parameters:
    ///   - present: how many saves there are now, the running one of this store not counted.
    ///   - number: the number of the newest transaction, if it was read.
    func noteState(_ present: Int64, number: Int64?) {
        if present == serial, knowledge != nil { return }
        defer { serial = present }
        guard let number else {
            knowledge = nil
            return
        }
        if let known = knowledge, keepsHistory, present > serial,
            number - known.newest == present - serial
        {
            knowledge?.noteOthers(until: number)
        } else {
            // Some save is not in the history.
            knowledge = PostgreSQLKnowledge(after: number)
        }
    }

    /// The result of a query, from memory if nothing has changed since it was asked.
    func ask(
        _ sql: String,
        _ arguments: [SQLValue],
        _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLResult {
        guard isNoting else { return try connection.run(sql, arguments) }
        let question = PostgreSQLKnowledge.Question(sql: sql, arguments: arguments)
        if isCurrent, let known = knowledge?.answer(to: question) { return known }
        let result = try connection.run(sql, arguments)
        knowledge?.note(result, to: question, from: roots(in: sql))
        return result
    }

    /// The numbers of the root entities whose tables a query may read.
    private func roots(in sql: String) -> Set<UInt16> {
        var roots: Set<UInt16> = []
        for schema in schema.entities {
            let number = schema.entity.root.number
            if roots.contains(number) { continue }
            let joins = schema.toMany.compactMap { storage -> String? in
                if case .joinTable(let side) = storage { side.table } else { nil }
            }
            if ([schema.table.name] + joins).contains(where: { sql.contains($0) }) {
                roots.insert(number)
            }
        }
        return roots
    }

    package func learn(
        _ relationships: [RelationshipDescription],
        of owners: [ManagedObjectID]
    ) throws {
        let keys = Set(owners.filter { !$0.isTemporaryID }.map(\.key)).sorted()
        if keys.isEmpty || !isNoting { return }
        try perform { connection in
            var asked: [(Int, RelationshipDescription, [Int64])] = []
            for relationship in relationships {
                let unknown = keys.filter {
                    knowledge?.members(of: relationship, $0) == nil
                }
                guard !unknown.isEmpty, let query = memberQuery(relationship) else { continue }
                let place = try connection.enqueue(
                    query.select(owners: "= ANY($1)"),
                    list: unknown
                )
                asked.append((place, relationship, unknown))
            }
            let results = try connection.finish()
            for (place, relationship, keys) in asked {
                guard let result = results[place] else { continue }
                knowledge?.note(members(result), of: relationship, owners: keys)
            }
        }
    }

    /// Copies rows that are known into another cache.
    ///
    /// - Returns: false if one is not known; then nothing was copied.
    func copyKnown(_ ids: [ManagedObjectID], into target: RowCache) -> Bool {
        guard isCurrent, let knowledge, knowledge.knows(ids, rows) else { return false }
        if target === rows { return true }
        for id in ids {
            guard let blob = rows.blob(id) else { continue }
            let size = Int(blob.load(as: UInt32.self))
            let room = target.reserve(size)
            room.copyMemory(from: blob, byteCount: size)
            target.commit(room, size: size, for: id)
        }
        return true
    }

    /// A transaction that the store has written, as the history has it.
    func transaction(
        _ row: HistoryTransactionRow,
        _ rows: [(row: HistoryRow, data: [UInt8])]
    ) throws -> HistoryTransaction {
        let info = row.info
        return HistoryTransaction(
            number: row.number,
            date: Date(timeIntervalSinceReferenceDate: row.date),
            author: info.author,
            contextName: info.contextName,
            processIdentifier: ProcessInfo.processInfo.processIdentifier,
            kind: info.kind,
            groupName: info.groupName,
            group: row.group,
            target: info.target,
            changes: try rows.flatMap { change in
                try change.data.withUnsafeBytes { try changes(change.row, $0) }
            }
        )
    }

    /// The changes of objects that a row of the history holds.
    func changes(
        _ row: HistoryRow,
        _ data: UnsafeRawBufferPointer
    ) throws -> [HistoryChange] {
        guard let name = try historyName(row.entity), let entity = schema.model.entity(named: name)
        else { return [] }
        func id(_ key: Int64) -> ManagedObjectID {
            ManagedObjectID(space: space.number, entity: entity.number, key: key)
        }
        if row.kind == .insert {
            return try historyKeys(from: row.key, count: row.count).map {
                HistoryChange(objectID: id($0), kind: .insert)
            }
        }
        return [try historyChange(id(row.key), row.kind, data, entity)]
    }
}
