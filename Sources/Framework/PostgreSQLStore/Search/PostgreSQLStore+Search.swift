package import ObjectModel
package import ObjectStore

// A search in the tables of folded texts: for each word a SELECT of the keys of the rows that have it
// themselves, and of those that lead to a row that has it. LIKE on folded texts finds the same as
// the comparison in memory, so nothing is left to verify.

extension PostgreSQLStore {
    package func search(_ plan: SearchPlan) throws -> FetchAnswer {
        let patterns = plan.words.compactMap { FoldedText.pattern($0) }
        guard let table = searchTables.table(of: plan.entity), !patterns.isEmpty,
            patterns.count == plan.words.count
        else { return try searchByCondition(plan) }
        var request = FetchDescription(
            entityName: plan.entity.name,
            predicate: plan.predicate,
            sortDescriptors: plan.sortDescriptors
        )
        request.limit = plan.limit
        request.includesSubentities = plan.includesSubentities
        let fetch = FetchPlan(request: request, entity: plan.entity, loadsRows: plan.loadsRows)
        let related = plan.relatedKeyPaths.compactMap {
            RelatedText($0, from: plan.entity, "t0", schema)
        }
        let columns = related.compactMap { text in
            (text.attribute as? AttributeDescription).flatMap { foldedColumn($0) }
        }
        guard columns.count == plan.relatedKeyPaths.count else {
            return try searchByCondition(plan)
        }
        return try perform { connection in
            try fetchObjects(fetch, connection) { translator in
                var own: [String] = []
                for pattern in patterns {
                    let parameter = translator.argument(.text(pattern))
                    let test = table.columns.map { "\($0) LIKE \(parameter)" }.joined(by: "OR")
                    if related.isEmpty {
                        own.append("(\(test))")
                        continue
                    }
                    let selects = zip(related, columns).map {
                        $0.owners($1.keys("\($1.column) LIKE \(parameter)"))
                    }
                    let all = ["SELECT k FROM \(table.name) WHERE \(test)"] + selects
                    translator.root.level.conditions.append(
                        "t0.Z_PK IN (\(all.joined(separator: " UNION ALL ")))"
                    )
                }
                if own.isEmpty { return }
                translator.root.level.conditions.append(
                    "t0.Z_PK IN (SELECT k FROM \(table.name) WHERE \(own.joined(by: "AND")))"
                )
            }
        }
    }

    package func foldedColumn(_ attribute: AttributeDescription) -> FoldedColumn? {
        guard let entity = attribute.entity, let table = searchTables.table(of: entity),
            let text = table.texts(of: entity).first(where: { $0.slot == attribute.slot })
        else { return nil }
        return FoldedColumn(table: table.name, column: text.column)
    }
}
