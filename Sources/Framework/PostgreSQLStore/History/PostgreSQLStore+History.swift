import FoundationEssentials
import ObjectModel
package import ObjectStore

extension PostgreSQLStore {
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired`` if
    ///   transactions after the token have been trimmed.
    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        guard keepsHistory else { return [] }
        if isCurrent, let known = knowledge?.transactions(after: token) {
            return Array(known.prefix(limit))
        }
        let found = try perform { connection in
            let oldest = try connection.enqueue(
                "SELECT MIN(number) FROM OG_TRANSACTION",
                keepsRows: true
            )
            let transactions = try enqueueTransactions(after: token, limit: limit, connection)
            // All in one pipeline, so they see one state but for a save between them, which
            // deletes nothing.
            let results = try connection.finish()
            if let oldest = results[oldest]?.number, token > 0, token < oldest - 1 {
                throw ObjectGraphError.historyExpired(after: token)
            }
            return try read(results, transactions)
        }
        if isNoting { knowledge?.note(found, of: schema.model) }
        return found
    }

    package func knownTransaction(_ number: Int64) -> HistoryTransaction? {
        isCurrent ? knowledge?.transaction(number) : nil
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        guard keepsHistory else { return nil }
        if let known = knownTransaction(number) { return known }
        return try perform { connection in
            let places = try enqueueTransactions(
                "WHERE number = $1",
                [.integer(number)],
                connection
            )
            return try read(try connection.finish(), places).first
        }
    }

    package func historyChangeCount(after token: Int64, limit: Int) throws -> Int {
        guard keepsHistory else { return 0 }
        if isCurrent, let known = knowledge?.transactions(after: token) {
            return known.reduce(0) { $0 + $1.changes.count }
        }
        return try perform { connection in
            let rows = try connection.enqueue(
                "SELECT CAST(SUM(count) AS BIGINT) FROM OG_TRANSACTION WHERE number > $1",
                .integer(token),
                keepsRows: true
            )
            // One row may contain many inserts.
            let changes = try connection.enqueue(
                "SELECT CAST(SUM(n) AS BIGINT) FROM (SELECT n FROM OG_CHANGE WHERE id >="
                    + " (SELECT MIN(first) FROM OG_TRANSACTION WHERE number > $1) LIMIT $2) found",
                .integer(token),
                .integer(Int64(limit)),
                keepsRows: true
            )
            let results = try connection.finish()
            let count = Int(results[rows]?.number ?? 0)
            return count > limit ? count : Int(results[changes]?.number ?? 0)
        }
    }

    package func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try steps(.done, limit, author)
    }

    package func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try steps(.undone, limit, author)
    }

    package func latestTransaction() throws -> Int64 {
        guard keepsHistory else { return 0 }
        if let lockedNumber { return lockedNumber }
        if isCurrent, let knowledge { return knowledge.newest }
        return try perform { try $0.number("SELECT number FROM OG_STATE") ?? 0 }
    }

    package var seenState: UInt32 { UInt32(truncatingIfNeeded: serial) }

    package var stateMark: String? {
        guard !isSnapshot else { return nil }
        return try? perform { "\(try $0.number("SELECT serial FROM OG_STATE") ?? 0)" }
    }

    package func foreignMark() throws -> Int64? {
        if isCurrent, serial - ownSaves == metadataMark { return metadataMark }
        return try perform { connection in
            let place = try connection.enqueue("SELECT serial, number FROM OG_STATE", [])
            let metadata = try connection.enqueue(PostgreSQLTables.metadata, [])
            // What others have saved comes along, because that is read next.
            let news =
                isNoting && keepsHistory
                ? try enqueueTransactions(after: knowledge?.lastKnown ?? 0, limit: 500, connection)
                : nil
            let results = try connection.finish()
            let state = results[place]
            noteState(
                state?.number ?? 0,
                number: state.flatMap { $0.count > 0 ? $0.integer(0, 1) : nil }
            )
            if let news { knowledge?.note(try read(results, news), of: schema.model) }
            let mark = serial - ownSaves
            if mark != metadataMark, let found = results[metadata] {
                takeMetadata(merged(try found.metadata(of: self.place).metadata))
                metadataMark = mark
            }
            return mark
        }
    }

    package func historyName(_ number: Int64) throws -> String? {
        if let known = names[number] { return known }
        for (name, number) in try perform({ try $0.historyNames() }) { note(name, number) }
        return names[number]
    }

    // MARK: Reading

    private func steps(
        _ state: CommandState,
        _ limit: Int,
        _ author: String?
    ) throws -> [HistoryStep] {
        guard keepsHistory, limit > 0 else { return [] }
        if isCurrent, let knowledge, knowledge.hasAll,
            let known = knowledge.steps.newest(limit, state, by: author)
        {
            return known
        }
        let isNoted = isNoting && knowledge?.hasAll == true && limit <= Self.notedSteps
        let wanted = isNoted ? Self.notedSteps : limit
        let steps = try readSteps(state, wanted, author)
        if isNoted {
            knowledge?.steps.note(steps, state, by: author, isAll: steps.count < wanted)
        }
        return steps.prefix(limit).map(\.step)
    }

    /// So many steps are read together, because somebody may go on with the next one.
    private static let notedSteps = 16

    private func readSteps(
        _ state: CommandState,
        _ limit: Int,
        _ author: String?
    ) throws -> [(step: HistoryStep, latest: Int64)] {
        try perform { connection in
            let wanted =
                "FROM OG_TRANSACTION WHERE state = \(state.rawValue)"
                + (author == nil ? "" : " AND author = $2") + " ORDER BY latest DESC LIMIT $1"
            let places = try [
                "SELECT number, name, date, author, latest \(wanted)",
                "SELECT grp, number FROM OG_TRANSACTION WHERE grp IN (SELECT latest \(wanted))"
                    + " AND grp <> number ORDER BY number DESC",
            ].map { sql in
                var fields = FieldWriter()
                fields.add(Int64(limit))
                if let author { fields.add(author) }
                let types: [ServerType] = author == nil ? [.integer] : [.integer, .text]
                let statement = connection.statement(sql, types)
                return try connection.enqueue(statement, fields, keepsRows: true)
            }
            let results = try connection.finish()
            guard let commands = results[places[0]], let others = results[places[1]] else {
                return []
            }
            let latest = (0..<commands.count).map { commands.integer($0, 4) }
            var members: [Int64: [Int64]] = [:]
            for row in 0..<others.count {
                members[others.integer(row, 0), default: []].append(others.integer(row, 1))
            }
            return (0..<commands.count).map { row in
                let step = HistoryStep(
                    command: commands.integer(row, 0),
                    name: commands.optionalText(row, 1),
                    date: Date(timeIntervalSinceReferenceDate: commands.real(row, 2)),
                    author: commands.optionalText(row, 3),
                    transactions: (members[latest[row]] ?? []) + [latest[row]]
                )
                return (step, latest[row])
            }
        }
    }

    private func enqueueTransactions(
        after number: Int64,
        limit: Int,
        _ connection: PostgreSQLConnection
    ) throws -> (transactions: Int, changes: Int) {
        try enqueueTransactions(
            "WHERE number > $1 ORDER BY number LIMIT $2",
            [.integer(number), .integer(Int64(limit))],
            connection
        )
    }

    /// Adds the queries for transactions and for all their changes to the pipeline.
    private func enqueueTransactions(
        _ condition: String,
        _ arguments: [SQLValue],
        _ connection: PostgreSQLConnection
    ) throws -> (transactions: Int, changes: Int) {
        (
            try connection.enqueue(
                "SELECT number, date, author, context, process, kind, name, grp, target, first, count"
                    + " FROM OG_TRANSACTION \(condition)",
                arguments
            ),
            try connection.enqueue(
                "SELECT c.ent, c.pk, c.n, c.kind, c.data FROM (SELECT first, count"
                    + " FROM OG_TRANSACTION \(condition)) t JOIN OG_CHANGE c"
                    + " ON c.id >= t.first AND c.id < t.first + t.count ORDER BY c.id",
                arguments
            )
        )
    }

    private func read(
        _ results: [Int: PostgreSQLResult],
        _ places: (transactions: Int, changes: Int)
    ) throws -> [HistoryTransaction] {
        guard let result = results[places.transactions], let found = results[places.changes] else {
            return []
        }
        var next = 0
        return try (0..<result.count).map { row in
            let first = next
            next += Int(clamping: result.integer(row, 10))
            return HistoryTransaction(
                number: result.integer(row, 0),
                date: Date(timeIntervalSinceReferenceDate: result.real(row, 1)),
                author: result.optionalText(row, 2),
                contextName: result.optionalText(row, 3),
                processIdentifier: Int32(truncatingIfNeeded: result.integer(row, 4)),
                kind: TransactionInfo.Kind(rawValue: result.integer(row, 5)) ?? .silent,
                groupName: result.optionalText(row, 6),
                group: result.integer(row, 7),
                target: result.isNull(row, 8) ? nil : result.integer(row, 8),
                changes: try changes(found, first..<next)
            )
        }
    }

    private func changes(
        _ result: PostgreSQLResult,
        _ rows: Range<Int>
    ) throws -> [HistoryChange] {
        guard result.count >= rows.upperBound else {
            throw ObjectGraphError(
                .damagedFile,
                "The history of the store does not have all changes of a save.",
                recovery: "Nothing was changed; restore a backup."
            )
        }
        return try rows.flatMap { row -> [HistoryChange] in
            guard let kind = HistoryChange.Kind(rawValue: result.integer(row, 3)) else { return [] }
            let change = HistoryRow(
                id: 0,
                entity: result.integer(row, 0),
                key: result.integer(row, 1),
                count: result.integer(row, 2),
                kind: kind
            )
            return try changes(change, result.bytes(row, 4))
        }
    }
}

extension PostgreSQLStore {
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        if isSnapshot || isInTransaction || isReading { return try body() }
        if isCurrent, let used = try? connected() {
            isReading = true
            defer {
                isReading = false
                used.beforeNext = nil
                if used.isInTransaction { used.endReading() }
            }
            // Where memory suffices there is no transaction at all.
            used.beforeNext = { [unowned self, unowned used] in
                try used.begin(Self.reading)
                try used.enqueue(
                    "SELECT serial FROM OG_STATE",
                    checking: { [unowned self] in
                        if $0.number != serial { throw OldKnowledge() }
                    }
                )
            }
            do { return try translatingServerErrors(body) } catch is OldKnowledge {
            } catch let error as ObjectGraphError where error.code == .serverUnreachable {}
        }
        let used = try perform { connection in
            try connection.begin(Self.reading)
            do { _ = try connection.finish() } catch {
                connection.isInTransaction = false
                throw error
            }
            return connection
        }
        defer { used.endReading() }
        return try translatingServerErrors(body)
    }

    private static let reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Reads what other programs have set; entries that were set here and not written yet stay.
    func mergeMetadata(_ connection: PostgreSQLConnection) throws {
        takeMetadata(merged(try connection.metadata(place).metadata))
    }

    /// Entries of the database with those that were set here.
    private func merged(_ stored: StoreMetadata) -> StoreMetadata {
        var merged = stored
        merged[MetadataList.storeUUID] = .string(identifier.uuidString)
        for key in changedMetadata { merged[key] = metadata[key] }
        return merged
    }

    /// Adds the writing of the metadata to a pipeline in a transaction.
    func enqueueMetadata(_ stored: StoreMetadata, on connection: PostgreSQLConnection) throws {
        takeMetadata(merged(stored))
        try connection.enqueue(
            "UPDATE Z_METADATA SET Z_PLIST = $1",
            .blob(try MetadataList.data(metadata))
        )
    }
}
