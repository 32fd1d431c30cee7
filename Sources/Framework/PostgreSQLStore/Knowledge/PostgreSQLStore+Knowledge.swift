import FoundationEssentials
import ObjectModel
package import ObjectStore

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
        _ question: PostgreSQLKnowledge.Question,
        _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLResult {
        if isNoting, isCurrent, let known = knowledge?.answer(to: question) { return known }
        let result = try connection.run(question.sql, question.arguments)
        note(result, to: question)
        return result
    }

    private func note(_ result: PostgreSQLResult, to question: PostgreSQLKnowledge.Question) {
        if isNoting { knowledge?.note(result, to: question, from: roots(in: question.sql)) }
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

    package func learn(_ wanted: ReadAhead) throws {
        let ids = wanted.objects.filter { !$0.isTemporaryID && $0.spaceNumber == space.number }
        if !isNoting { return }
        let missing = ids.filter { !rows.contains($0) && knowledge?.isGone($0) != true }
        try perform { connection in
            let rowsAsked = try keysByRoot(missing).map { root, keys in
                let selection = selection(root.entity, withDescendants: true)
                return (try connection.enqueue(selection.rows(of: root), list: keys), selection)
            }
            var takers: [(place: Int, take: (PostgreSQLResult) -> Void)] = []
            for (root, keys) in keysByRoot(ids) {
                for relationship in wanted.relationships
                where relationship.entity?.root === root.entity {
                    let unknown = Set(keys).filter {
                        knowledge?.members(of: relationship, $0) == nil
                    }.sorted()
                    guard !unknown.isEmpty, let query = memberQuery(relationship) else { continue }
                    let sql = query.select(owners: "= ANY($1)")
                    let place = try connection.enqueue(sql, list: unknown)
                    takers.append(
                        (
                            place,
                            { [self] result in
                                let found = members(result)
                                knowledge?.note(found, of: relationship, owners: unknown)
                            }
                        )
                    )
                }
            }
            for plan in wanted.plans {
                guard let question = try question(of: plan) else { continue }
                if isCurrent, knowledge?.answer(to: question) != nil { continue }
                let place = try connection.enqueue(question.sql, question.arguments)
                takers.append((place, { [self] in note($0, to: question) }))
            }
            let results = try connection.finish()
            for (place, selection) in rowsAsked {
                if let result = results[place] { store(result, selection, in: rows) }
            }
            // Before the members, which are of owners that the new rows name.
            noteRead(missing)
            for (place, take) in takers { if let result = results[place] { take(result) } }
        }
    }

    /// What a fetch asks the database; `nil` if that is not one statement.
    private func question(of plan: FetchPlan) throws -> PostgreSQLKnowledge.Question? {
        guard plan.request.resultType == .dictionaries else {
            return try objectQuery(plan).question
        }
        var question: PostgreSQLKnowledge.Question?
        _ = try dictionaries(plan) { statement, arguments in
            question = .init(statement.sql, arguments)
            return []
        } fetch: { _ in
            FetchAnswer()
        }
        return question
    }

    /// Notes that rows were looked for, which are in the cache if they are there.
    func noteRead(_ ids: [ManagedObjectID]) {
        guard isNoting, !ids.isEmpty else { return }
        knowledge?.noteRead(ids, found: Set(ids.filter { rows.contains($0) })) { id in
            guard let blob = rows.blob(id), let schema = schema(of: id) else { return [] }
            let row = RowReader(blob, schema.layout)
            return schema.entity.relationships.compactMap { relationship in
                guard !relationship.isToMany, let inverse = relationship.inverse, inverse.isToMany,
                    case let column = schema.layout.columnBySlot[relationship.slot], column >= 0,
                    case .objectID(let owner) = row.value(column)
                else { return nil }
                return (inverse, owner)
            }
        }
    }

    /// Copies rows that are known into another cache.
    ///
    /// - Returns: false if one is not known; then nothing was copied.
    func copyKnown(_ ids: [ManagedObjectID], into target: RowCache) -> Bool {
        guard isCurrent, let knowledge, knowledge.knows(ids, rows) else { return false }
        if target === rows { return true }
        for id in ids where !knowledge.isGone(id) {
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
