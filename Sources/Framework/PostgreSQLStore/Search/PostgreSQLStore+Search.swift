package import ObjectModel
package import ObjectStore

// A search in the tables of folded texts. Words that no related object has are one SELECT of keys, so
// that the index joins them; for each other word it is a SELECT of the keys of the rows that have it
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
            let having = try having(patterns, columns, connection)
            return try fetchObjects(fetch, connection) { translator in
                var own: [String] = []
                for (pattern, having) in zip(patterns, having) {
                    let parameter = translator.argument(.text(pattern))
                    let test = table.columns.map { "\($0) LIKE \(parameter)" }.joined(by: "OR")
                    if having.isEmpty {
                        own.append("(\(test))")
                        continue
                    }
                    let selects = having.map { index in
                        let column = columns[index]
                        return related[index].owners(
                            column.keys("\(column.column) LIKE \(parameter)")
                        )
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

    /// For each word the places of the related texts of which any has it, by one statement.
    private func having(
        _ patterns: [String],
        _ columns: [FoldedColumn],
        _ connection: PostgreSQLConnection
    ) throws -> [[Int]] {
        if columns.isEmpty { return patterns.map { _ in [] } }
        let tests = patterns.indices.flatMap { word in
            columns.map { column in
                "CAST(CASE WHEN EXISTS (\(column.keys("\(column.column) LIKE $\(word + 1)")))"
                    + " THEN 1 ELSE 0 END AS BIGINT)"
            }
        }
        let result = try connection.run(
            "SELECT \(tests.joined(separator: ", "))",
            patterns.map { .text($0) }
        )
        return patterns.indices.map { word in
            columns.indices.filter { result.integer(0, word * columns.count + $0) == 1 }
        }
    }

    package func foldedColumn(_ attribute: AttributeDescription) -> FoldedColumn? {
        guard let entity = attribute.entity, let table = searchTables.table(of: entity),
            let text = table.texts(of: entity).first(where: { $0.slot == attribute.slot })
        else { return nil }
        return FoldedColumn(table: table.name, column: text.column)
    }
}
