package import ObjectModel

// Dictionary requests: in SQL where everything in them has an SQL form, else from the rows.

extension TableStore {
    /// The dictionaries of a request.
    ///
    /// - Parameters:
    ///   - plan: the request.
    ///   - run: runs a statement.
    ///   - fetch: finds the objects of a plan, as far as SQL can.
    /// - Returns: the answer, with the part of the predicate that was evaluated here.
    /// - Throws: `ObjectGraphError` for columns that cannot be, and what the two throw.
    package func dictionaries(
        _ plan: FetchPlan,
        run: (DictionaryStatement, [SQLValue]) throws -> [[String: GraphValue]],
        fetch: (FetchPlan) throws -> FetchAnswer
    ) throws -> FetchAnswer {
        let request = try DictionaryRequest(plan.request, plan.entity)
        var answer = FetchAnswer()
        if let dictionaries = try dictionariesInSQL(request, plan, run) {
            answer.dictionaries = dictionaries
            return answer
        }
        let view = StoredObjects(self, schema.model)
        try withExtendedLifetime(view) {
            let (objects, rest) = try matching(plan, in: view, by: fetch)
            answer.dictionaries = try request.results(objects)
            answer.evaluated = rest
        }
        return answer
    }

    /// The objects that meet a request's predicate, as rows without a context, and the part of the
    /// predicate that SQL cannot express.
    private func matching(
        _ plan: FetchPlan,
        in view: StoredObjects,
        by fetch: (FetchPlan) throws -> FetchAnswer
    ) throws -> ([StoredObject], FetchPredicate?) {
        var wider = plan
        wider.request.resultType = .objectIDs
        wider.request.sortDescriptors = []
        wider.request.limit = 0
        wider.request.offset = 0
        wider.loadsRows = true
        let found = try fetch(wider)
        let objects = found.ids.compactMap { view.object($0) }
        guard let remainder = found.remainder else { return (objects, nil) }
        let compiled = CompiledPredicate(remainder)
        return (try objects.filter { try compiled.evaluate(with: .object($0)) }, remainder)
    }

    private func dictionariesInSQL(
        _ request: DictionaryRequest,
        _ plan: FetchPlan,
        _ run: (DictionaryStatement, [SQLValue]) throws -> [[String: GraphValue]]
    ) throws -> [[String: GraphValue]]? {
        let (translator, remainder) = try translate(plan)
        if remainder != nil { return nil }
        translator.aggregates = request.isGrouped
        let statement = try translator.attempt {
            let statement = try DictionaryStatement(request, translator)
            try translator.requireTaken(statement.sql) { statement.sql }
            return statement
        }
        guard let statement else { return nil }
        return try run(statement, translator.arguments)
    }
}
