import FoundationEssentials
package import ObjectModel
package import ObjectStore

extension PostgreSQLStore {
    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        try plan.monitor?.check()
        return try perform { connection in
            connection.monitor = plan.monitor
            defer { connection.monitor = nil }
            switch plan.request.resultType {
            case .objects, .objectIDs: return try fetchObjects(plan, connection)
            case .count: return try fetchCount(plan, connection)
            case .dictionaries:
                return try dictionaries(plan) { statement, arguments in
                    let result = try ask(.init(statement.sql, arguments), connection)
                    return (0..<result.count).map { dictionary(statement, result, $0) }
                } fetch: {
                    try fetchObjects($0, connection)
                }
            }
        }
    }

    /// Fetches objects; `restrict` adds conditions.
    func fetchObjects(
        _ plan: FetchPlan,
        _ connection: PostgreSQLConnection,
        restrict: (Translator) throws -> Void = { _ in }
    ) throws -> FetchAnswer {
        let query = try objectQuery(plan, restrict: restrict)
        let result = try ask(query.question, connection)
        var answer = query.answer
        answer.ids.reserveCapacity(result.count)
        for row in 0..<result.count {
            let number = result.integer(row, 1)
            guard let id = id(number: number, key: result.integer(row, 0)) else { continue }
            query.selection?.store(
                result,
                row,
                as: id,
                number: Int(number),
                in: rows,
                idBases,
                unlessHeld: true
            )
            answer.ids.append(id)
            plan.monitor?.note(answer.ids.count)
        }
        return answer
    }

    /// A fetch of objects as a statement.
    struct ObjectQuery {
        let question: PostgreSQLKnowledge.Question
        let selection: PostgreSQLSelection?
        /// What the answer will be, without its objects.
        let answer: FetchAnswer
    }

    func objectQuery(
        _ plan: FetchPlan,
        restrict: (Translator) throws -> Void = { _ in }
    ) throws -> ObjectQuery {
        let request = plan.request
        var answer = FetchAnswer()
        let (translator, remainder) = try translate(plan)
        try restrict(translator)
        answer.remainder = remainder
        let order = try translator.order(request.sortDescriptors)
        answer.isSorted = order != nil
        let hasWindow = request.limit > 0 || request.offset > 0
        answer.isWindowed =
            !hasWindow || (plan.appliesWindow && remainder == nil && answer.isSorted)
        let selection =
            plan.loadsRows
            ? selection(plan.entity, withDescendants: request.includesSubentities) : nil
        var sql = "SELECT \(selection?.columns.list("t0") ?? "t0.Z_PK, t0.Z_ENT") "
        sql += translator.root.level.clause() + " ORDER BY "
        if let order, !order.isEmpty { sql += order + ", " }
        sql += "t0.Z_PK"
        if hasWindow, answer.isWindowed { sql += translator.window(request) }
        let question = PostgreSQLKnowledge.Question(sql, translator.arguments)
        return ObjectQuery(question: question, selection: selection, answer: answer)
    }

    private func fetchCount(
        _ plan: FetchPlan,
        _ connection: PostgreSQLConnection
    ) throws -> FetchAnswer {
        let request = plan.request
        let hasWindow = request.limit > 0 || request.offset > 0
        let (translator, remainder) = try translate(plan)
        if remainder != nil || (hasWindow && !plan.appliesWindow) {
            return try fetchObjects(plan, connection)
        }
        var sql = "SELECT COUNT(*) \(translator.root.level.clause())"
        if hasWindow {
            sql =
                "SELECT COUNT(*) FROM (SELECT 1 \(translator.root.level.clause())"
                + "\(translator.window(request))) found"
        }
        var answer = FetchAnswer()
        answer.count = Int(try ask(.init(sql, translator.arguments), connection).number ?? 0)
        return answer
    }

    private func dictionary(
        _ statement: DictionaryStatement,
        _ result: PostgreSQLResult,
        _ row: Int
    ) -> [String: GraphValue] {
        var values: [String: GraphValue] = [:]
        for column in statement.columns {
            let index = Int(column.index)
            if let entityIndex = column.entityIndex {
                let number = result.integer(row, Int(entityIndex))
                let id = id(number: number, key: result.integer(row, index))
                values[column.name] = id.map { .objectID($0) } ?? .null
            } else {
                values[column.name] = value(column.type, result, row, index)
            }
        }
        return values
    }

    /// A result's value as a value of a type.
    private func value(
        _ type: SQLType,
        _ result: PostgreSQLResult,
        _ row: Int,
        _ column: Int
    ) -> GraphValue {
        if result.isNull(row, column) { return .null }
        switch type {
        case .integer, .reference: return .int(result.integer(row, column))
        case .boolean: return .bool(result.integer(row, column) != 0)
        case .real: return .double(result.real(row, column))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: result.real(row, column)))
        case .text: return .string(result.text(row, column))
        case .decimal:
            return Decimal(storedText: result.text(row, column)).map { .decimal($0) } ?? .null
        case .uri: return URL(string: result.text(row, column)).map { .url($0) } ?? .null
        case .data, .opaque: return .data(Data(result.bytes(row, column)))
        case .uuid: return RowReader.data(result.bytes(row, column), as: .uuid, transformer: nil)
        case .entity:
            let number = Int(result.integer(row, column))
            guard number > 0, number < schema.byNumber.count, let found = schema.byNumber[number]
            else { return .null }
            return .string(found.entity.name)
        }
    }
}

extension PostgreSQLStore {
    package func load(_ ids: [ManagedObjectID]) throws {
        if copyKnown(ids, into: rows) { return }
        for id in ids { rows.remove(id) }
        try read(ids, into: rows)
    }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        try read(ids, nil, into: rows)
    }

    package func read(
        _ ids: [ManagedObjectID],
        only keys: Set<String>,
        into rows: RowCache
    ) throws { try read(ids, keys, into: rows) }

    private func read(
        _ ids: [ManagedObjectID],
        _ keys: Set<String>?,
        into rows: RowCache
    ) throws {
        if copyKnown(ids, into: rows) { return }
        try perform { connection in
            let asked = try keysByRoot(ids).map { root, keysOfRoot in
                let selection = selection(root.entity, only: keys)
                let sql = selection.rows(of: root)
                return (try connection.enqueue(sql, list: keysOfRoot), selection)
            }
            let results = try connection.finish()
            for (place, selection) in asked {
                if let result = results[place] { store(result, selection, in: rows) }
            }
        }
        if keys == nil, rows === self.rows { noteRead(ids) }
    }

    private func selection(
        _ entity: EntityDescription,
        only keys: Set<String>?
    ) -> PostgreSQLSelection {
        guard let keys else { return selection(entity, withDescendants: true) }
        let members = schema.hierarchy(of: entity)
        return PostgreSQLSelection(
            SelectedColumns(members, only: keys, schema: schema, space: space.number)
        )
    }

    /// The keys of objects by the table they are in.
    func keysByRoot(_ ids: some Sequence<ManagedObjectID>) -> [(EntitySchema, [Int64])] {
        var keys: [UInt16: [Int64]] = [:]
        for id in ids where !id.isTemporaryID && id.spaceNumber == space.number {
            guard let schema = schema(of: id) else { continue }
            keys[schema.entity.root.number, default: []].append(id.key)
        }
        return keys.sorted { $0.key < $1.key }.compactMap { number, keys in
            schema.byModelNumber[Int(number)].map { ($0, keys) }
        }
    }

    /// Puts the rows of a result into a cache.
    func store(_ result: PostgreSQLResult, _ selection: PostgreSQLSelection, in rows: RowCache) {
        for row in 0..<result.count {
            let number = result.integer(row, 1)
            guard let id = id(number: number, key: result.integer(row, 0)) else { continue }
            selection.store(result, row, as: id, number: Int(number), in: rows, idBases)
        }
    }

    package func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        let saved = Set(owners.filter { !$0.isTemporaryID }.map(\.key))
        guard let query = memberQuery(relationship), !saved.isEmpty else {
            return owners.map { _ in [] }
        }
        var members: [Int64: [ManagedObjectID]] = [:]
        if isCurrent {
            for key in saved { members[key] = knowledge?.members(of: relationship, key) }
        }
        let unknown = saved.filter { members[$0] == nil }.sorted()
        if !unknown.isEmpty {
            let result = try perform { connection in
                try connection.run(query.select(owners: "= ANY($1)"), list: unknown)
            }
            let read = self.members(result)
            if isNoting { knowledge?.note(read, of: relationship, owners: unknown) }
            members.merge(read) { $1 }
        }
        return owners.map { $0.isTemporaryID ? [] : members[$0.key] ?? [] }
    }

    /// The query for the members of a relationship; `nil` if the store does not hold it.
    func memberQuery(_ relationship: RelationshipDescription) -> MemberQuery? {
        guard let entity = relationship.entity, let owner = schema.schema(of: entity),
            let destination = relationship.destination.flatMap({ schema.schema(of: $0) }),
            let storage = owner.toMany[relationship.slot]
        else { return nil }
        return MemberQuery(storage, destination, dialect)
    }

    /// The members of each owner, by its key, from the result of their query.
    func members(_ result: PostgreSQLResult) -> [Int64: [ManagedObjectID]] {
        var found: [Int64: [ManagedObjectID]] = [:]
        for row in 0..<result.count {
            guard let id = id(number: result.integer(row, 2), key: result.integer(row, 1)) else {
                continue
            }
            found[result.integer(row, 0), default: []].append(id)
        }
        return found
    }
}

extension PostgreSQLSelection {
    /// The query for the rows of a list of keys.
    func rows(of root: EntitySchema) -> String {
        "SELECT \(columns.list("t")) FROM \(quoted(root.table.name)) t WHERE t.Z_PK = ANY($1)"
    }
}
