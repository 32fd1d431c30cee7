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
