import CSQLite
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        let base = try requireSchema(of: plan.entity)
        return try translatingErrors {
            var answer = FetchAnswer()
            answer.remainder = plan.request.predicate
            answer.isSorted = plan.request.sortDescriptors.isEmpty
            answer.isWindowed = plan.request.limit == 0 && plan.request.offset == 0
            let selection = selection(
                plan.entity,
                withDescendants: plan.request.includesSubentities
            )
            let statement = try connection.statement(
                "SELECT \(selection.list("t0")) FROM \(quoted(base.table.name)) t0"
            )
            defer { statement.reset() }
            var count = 0
            while try statement.step() {
                count += 1
                let number = statement.integer(1)
                guard let id = id(number: number, key: statement.integer(0)) else { continue }
                if plan.loadsRows {
                    selection.cache(statement, as: id, number: Int(number), in: self)
                }
                answer.ids.append(id)
            }
            connection.countRows(count)
            return answer
        }
    }
}
