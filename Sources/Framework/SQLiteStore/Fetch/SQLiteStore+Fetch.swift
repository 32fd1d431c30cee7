import CSQLite
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        try checkPlace()
        guard let monitor = plan.monitor else { return try answer(plan) }
        return try connection.watched(by: monitor) { try answer(plan) }
    }

    private func answer(_ plan: FetchPlan) throws -> FetchAnswer {
        try translatingErrors {
            switch plan.request.resultType {
            case .objects, .objectIDs: try fetchObjects(plan)
            case .count: try fetchCount(plan)
            case .dictionaries: try fetchDictionaries(plan)
            }
        }
    }

    /// A translator with the request's condition, and the part of the predicate that is left.
    func translate(_ plan: FetchPlan) throws -> (Translator, FetchPredicate?) {
        let translator = try Translator(self, plan.entity)
        if let condition = entityCondition(plan) {
            translator.root.level.conditions.append(condition)
        }
        return (translator, try plan.request.predicate.flatMap { try translator.split($0) })
    }

    /// The condition that a row of the table belongs to the entity; `nil` if all rows do.
    private func entityCondition(_ plan: FetchPlan) -> String? {
        let entity = plan.entity
        let members =
            plan.request.includesSubentities
            ? schema.hierarchy(of: entity) : [schema.schema(of: entity)].compactMap { $0 }
        if entity.superentity == nil, members.count == schema.hierarchy(of: entity).count {
            return nil
        }
        // SQLite assumes that an entity has few rows. Where another index gives fewer, it must not
        // use the index of the entity.
        let column =
            plan.request.predicate?.isNarrow(in: entity) ?? false ? "+t0.Z_ENT" : "t0.Z_ENT"
        if members.count == 1 { return "\(column) = \(members[0].number)" }
        let numbers = members.map { String($0.number) }.joined(separator: ", ")
        return "\(column) IN (\(numbers))"
    }

    /// Fetches IDs, and rows if the plan asks for them; `refine` may add conditions.
    ///
    /// Where every row is read in any case (`readsAll`), no index is used for the order: sorting the
    /// results is cheaper than looking up each row.
    func fetchObjects(
        _ plan: FetchPlan,
        readsAll: Bool = false,
        refine: (Translator) throws -> Void = { _ in }
    ) throws -> FetchAnswer {
        let request = plan.request
        var answer = FetchAnswer()
        let (translator, remainder) = try translate(plan)
        try refine(translator)
        answer.remainder = remainder
        let order = try translator.order(request.sortDescriptors)
        answer.isSorted = order != nil
        let hasWindow = request.limit > 0 || request.offset > 0
        answer.isWindowed =
            !hasWindow || (plan.appliesWindow && remainder == nil && answer.isSorted)
        if readsAll, !hasWindow, !plan.loadsRows, plan.monitor == nil,
            let number = try translator.wholeNumber(request.sortDescriptors)
        {
            answer.ids = try ids(translator, by: number)
            return answer
        }
        let selection =
            plan.loadsRows
            ? self.selection(plan.entity, withDescendants: request.includesSubentities) : nil
        let members = schema.hierarchy(of: plan.entity)
        // Where a table holds one entity, an index may answer without reading its rows.
        let only = plan.entity.superentity == nil && members.count == 1 ? members.first : nil
        let columns = only == nil ? "t0.Z_PK, t0.Z_ENT" : "t0.Z_PK"
        var sql = "SELECT \(selection?.list("t0") ?? columns) "
        sql += translator.root.level.clause()
        if let order, !order.isEmpty {
            sql += " ORDER BY \(readsAll ? "+" : "")\(order), t0.Z_PK"
        }
        if hasWindow, answer.isWindowed { sql += translator.window(request) }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        if request.limit > 0 { answer.ids.reserveCapacity(min(request.limit, 4096)) }
        // A monitor gets each result when it is found, not thousands at once.
        if selection == nil, plan.monitor == nil {
            try statement.readIDs(idBases, number: only?.number) { answer.ids += $0 }
            return answer
        }
        let number = selection == nil ? only?.number : nil
        while try statement.step() {
            let number = number ?? statement.integer(1)
            guard let id = id(number: number, key: statement.integer(0)) else { continue }
            selection?.cache(statement, as: id, number: Int(number), in: self)
            answer.ids.append(id)
            plan.monitor?.note(answer.ids.count)
        }
        return answer
    }

    /// The IDs of the rows in the order of a number, then of their keys; `NULL` is less than all.
    ///
    /// They are sorted here: most are found in their order, and SQLite would copy and compare each
    /// of them many times.
    private func ids(
        _ translator: Translator,
        by number: (sql: String, isAscending: Bool)
    ) throws -> [ManagedObjectID] {
        let statement = try connection.statement(
            "SELECT t0.Z_PK, t0.Z_ENT, \(number.sql) \(translator.root.level.clause())"
        )
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        var found: [(rank: Int64, number: Int64, id: ManagedObjectID)] = []
        while try statement.step() {
            guard let id = id(number: statement.integer(1), key: statement.integer(0)) else {
                continue
            }
            let value = statement.integer(2)
            let isNull = value == 0 && statement.isNull(2)
            found.append(
                number.isAscending
                    ? (isNull ? 0 : 1, value, id) : (isNull ? 1 : 0, ~value, id)
            )
        }
        found.sort { ($0.rank, $0.number, $0.id.key) < ($1.rank, $1.number, $1.id.key) }
        return found.map(\.id)
    }

    private func fetchCount(_ plan: FetchPlan) throws -> FetchAnswer {
        let request = plan.request
        let hasWindow = request.limit > 0 || request.offset > 0
        let (translator, remainder) = try translate(plan)
        if remainder != nil || (hasWindow && !plan.appliesWindow) {
            return try fetchObjects(plan)
        }
        var answer = FetchAnswer()
        var sql = "SELECT COUNT(*) \(translator.root.level.clause())"
        if hasWindow {
            sql =
                "SELECT COUNT(*) FROM (SELECT 1 \(translator.root.level.clause())"
                + "\(translator.window(request)))"
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        if try statement.step() { answer.count = Int(statement.integer(0)) }
        return answer
    }
}

extension Translator {
    /// The terms of ORDER BY; `nil` if one of them has no SQL form.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for an order
    ///   by a to-many relationship.
    func order(
        _ descriptors: [FetchSortDescriptor],
        column: (String) -> SQLExpression? = { _ in nil }
    ) throws -> String? {
        try attempt {
            let order = try descriptors.map { descriptor in
                if descriptor.comparator != nil { throw Untranslatable() }
                let expression = try column(descriptor.keyPath) ?? sortKey(descriptor.keyPath)
                return try term(expression, descriptor)
            }.joined(separator: ", ")
            try requireTaken(order) { "SELECT 1 \(root.level.clause()) ORDER BY \(order)" }
            return order
        }
    }

    /// The column of an order by one whole number; `nil` for another order.
    func wholeNumber(
        _ descriptors: [FetchSortDescriptor]
    ) throws -> (sql: String, isAscending: Bool)? {
        guard descriptors.count == 1, descriptors[0].comparator == nil else { return nil }
        let column = try attempt { try sortKey(descriptors[0].keyPath) }
        guard let column, case .integer = column.type else { return nil }
        return (column.sql, descriptors[0].isAscending)
    }

    private func sortKey(_ keyPath: String) throws -> SQLExpression {
        let plan = KeyPathPlan(keyPath)
        if plan.operation == nil,
            case .members = try follow(plan.keys, from: .object(root))
        {
            throw ObjectGraphError(
                .invalidRequest,
                "A fetch cannot be sorted by the to-many relationship \"\(keyPath)\".",
                recovery: "Sort by a single value, such as a count.",
                key: keyPath
            )
        }
        return try expression(.keyPath(keyPath), root)
    }

    private func term(
        _ expression: SQLExpression,
        _ descriptor: FetchSortDescriptor
    ) throws -> String {
        let direction = descriptor.isAscending ? "" : " DESC"
        switch expression.type {
        case .text:
            let collation: String
            switch descriptor.comparison {
            case .binary: collation = ""
            case .caseInsensitive: collation = " COLLATE OGCaseInsensitive"
            case .localized: collation = " COLLATE OGLocalized"
            case .localizedCaseInsensitive: collation = " COLLATE OGLocalizedCaseInsensitive"
            case .localizedStandard: collation = " COLLATE OGLocalizedStandard"
            }
            return expression.sql + collation + direction
        case .decimal: return decimal(expression.sql) + direction
        case .reference, .entity, .opaque: throw Untranslatable()
        default: return expression.sql + direction
        }
    }

    /// LIMIT and OFFSET.
    func window(_ request: FetchDescription) -> String {
        let limit = argument(.integer(request.limit > 0 ? Int64(request.limit) : -1))
        if request.offset == 0 { return " LIMIT \(limit)" }
        return " LIMIT \(limit) OFFSET \(argument(.integer(Int64(request.offset))))"
    }
}

extension FetchPredicate {
    /// Whether an index of an entity finds the rows: a necessary part of the predicate compares an
    /// indexed property with a value.
    fileprivate func isNarrow(in entity: EntityDescription) -> Bool {
        switch self {
        case .and(let parts): return parts.contains { $0.isNarrow(in: entity) }
        case .comparison(let comparison):
            guard case .keyPath(let key) = comparison.left, comparison.right.isConstant,
                comparison.modifier == .direct, comparison.options.isEmpty
            else { return false }
            switch comparison.operator {
            case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in:
                return entity.hasIndex(of: key)
            default: return false
            }
        case .constant, .or, .not, .block: return false
        }
    }
}

extension EntityDescription {
    /// Whether the rows can be found by a property: an index or a uniqueness constraint begins
    /// with it, or it is a reference.
    fileprivate func hasIndex(of key: String) -> Bool {
        var entity: EntityDescription? = self
        while let current = entity {
            if current.indexes.contains(where: { $0.elements.first?.property == key })
                || current.uniquenessConstraints.contains(where: { $0.first == key })
            {
                return true
            }
            entity = current.superentity
        }
        let relationship = property(named: key) as? RelationshipDescription
        return relationship.map { !$0.isToMany } ?? false
    }
}
