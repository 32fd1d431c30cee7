import CivilTime
public import DocketFormats
import FoundationEssentials
public import ObjectGraph

// Searches in the language of `ItemFilter`, from the store.

extension Library {
    /// Reads a search.
    ///
    /// - Throws: the store's error; what is not understood is among the filter's problems.
    public func filter(_ text: String) throws -> ItemFilter {
        try ItemFilter(text, QueryNames(self), clock())
    }

    /// The items that a search finds, in display order.
    ///
    /// Texts that every found item has are looked up in the store's index, where it finds the same
    /// as the search in memory; everything else is a condition of the same statement.
    ///
    /// - Parameters:
    ///   - filter: the search.
    ///   - condition: a condition besides.
    ///   - limit: the most results; 0 = all.
    /// - Returns: the IDs, in display order.
    /// - Throws: the store's error.
    public func itemIDs(
        of filter: ItemFilter,
        matching condition: Condition<Item>? = nil,
        limit: Int = 0
    ) throws -> [ManagedObjectID] {
        try refresh()
        return try itemIDs(of: plan(filter, condition), limit: limit)
    }

    /// Passes the records of the items that a search finds to a closure, in an order and in groups.
    ///
    /// - Parameters:
    ///   - filter: the search.
    ///   - condition: a condition besides.
    ///   - sorting: the order and the groups.
    ///   - limit: the most results; 0 = all.
    ///   - isLine: whether to read only the fields that a line of a list shows.
    ///   - heading: receives the name of each group before its items.
    ///   - body: receives a slice of items; its error ends the pass.
    /// - Returns: the number of items.
    /// - Throws: the store's error, or that of a closure.
    /// - Complexity: in display order what the items up to the limit cost; else what all found ones
    ///   cost, because only then the first ones are known. With groups, and by due date, their rows are read
    ///   twice.
    public func forEachRecord(
        of filter: ItemFilter,
        matching condition: Condition<Item>? = nil,
        sorted sorting: ItemSorting = ItemSorting(),
        limit: Int = 0,
        isLine: Bool = false,
        heading: (String) throws -> Void = { _ in },
        _ body: ([ItemRecord]) throws -> Void
    ) throws -> Int {
        let plan = try plan(filter, condition)
        if sorting.isDisplayOrder {
            if plan.words.isEmpty {
                // The first items are passed on before all are found.
                return try forEachRecord(
                    matching: plan.condition,
                    limit: limit,
                    isLine: isLine,
                    body
                )
            }
            let ids = try itemIDs(of: plan, limit: limit)
            try forEachRecord(of: ids, isLine: isLine, passesFieldsOn: true, body)
            return ids.count
        }
        var left = limit == 0 ? Int.max : limit
        var count = 0
        for (name, ids) in try groups(of: plan, sorting) where left > 0 {
            if sorting.grouping != .none { try heading(name) }
            let ids = Array(ids.prefix(left))
            try forEachRecord(of: ids, isLine: isLine, passesFieldsOn: true, body)
            count += ids.count
            left -= ids.count
        }
        return count
    }

    private func groups(
        of plan: TextPlan,
        _ sorting: ItemSorting
    ) throws -> [(name: String, ids: [ManagedObjectID])] {
        let clock = clock()
        while true {
            var ids = try itemIDs(of: plan, sorted: sorting)
            if sorting.isByDay(ids.count) {
                var dues: [DueDate?] = []
                try forEachRecord(of: ids, isLine: true) { dues += $0.map(\.due) }
                if dues.count != ids.count { continue }
                let rows = zip(ids, dues).map { (id: $0, due: $1) }
                ids = sorting.byDay(rows, in: clock.zone)
            }
            if sorting.grouping == .none { return [("", ids)] }
            var places: [ItemGroups.Place] = []
            try forEachRecord(of: ids, isLine: true) { records in
                places += records.map { sorting.place(of: $0, clock) }
            }
            // Somebody has deleted an item after it was found.
            if places.count != ids.count { continue }
            var groups = ItemGroups()
            for (id, place) in zip(ids, places) { groups.add(id, to: place) }
            return groups.all
        }
    }

    /// The IDs of the items of a plan, in an order; those without a date last, where the order of
    /// the groups does not decide it.
    private func itemIDs(
        of plan: TextPlan,
        sorted sorting: ItemSorting
    ) throws -> [ManagedObjectID] {
        try refresh()
        func fetch(_ condition: Condition<Item>?) throws -> [ManagedObjectID] {
            var request = FetchRequest<Item>(where: condition)
            request.order = sorting.keys
            return try context.fetch(FetchRequest<ManagedObjectID>(request))
        }
        var ids = try fetch(plan.condition)
        if !plan.words.isEmpty {
            let found = Set(try itemIDs(of: plan, limit: 0))
            ids.removeAll { !found.contains($0) }
        }
        guard sorting.empty == .lastOfAll else { return ids }
        let isEmpty = Condition.task { $0.due == nil }
        let empty = Set(try fetch(plan.condition.map { $0 && isEmpty } ?? isEmpty))
        return ids.filter { !empty.contains($0) } + ids.filter(empty.contains)
    }

    /// The number of items that a search finds.
    ///
    /// Cost: one statement, without reading any item, unless a text is looked up in the index.
    public func count(
        of filter: ItemFilter,
        matching condition: Condition<Item>? = nil
    ) throws -> Int {
        let plan = try plan(filter, condition)
        return plan.words.isEmpty
            ? try count(plan.condition ?? .always(true)) : try itemIDs(of: plan, limit: 0).count
    }

    private func plan(
        _ filter: ItemFilter,
        _ condition: Condition<Item>?
    ) throws -> TextPlan {
        let names = QueryNames(self)
        let plan = TextPlan(filter.compiled, names, condition)
        try names.check()
        return plan
    }

    private func itemIDs(of plan: TextPlan, limit: Int) throws -> [ManagedObjectID] {
        plan.words.isEmpty
            ? try itemIDs(matching: plan.condition, limit: limit)
            : try search(
                plan.words.joined(separator: " "),
                matching: plan.condition,
                limit: limit
            )
    }

    /// A whole predicate of the framework as a condition on items, with the variables of
    /// ``queryVariables``.
    ///
    ///     due < $today AND priority >= 2
    ///
    /// - Throws: `InputError` for a text that is not a predicate, a variable or a property that does
    ///   not exist.
    public func condition(where format: String) throws -> Condition<Item> {
        let parsed: FetchPredicate
        do { parsed = try FetchPredicate(format: format) } catch let error as ObjectGraphError {
            throw InputError(.malformed, "\(error.message)")
        }
        let variables = queryVariables
        let predicate = byDay(parsed, variables)
            .withSubstitutionVariables(variables.mapValues { .date($0) })
        if let name = predicate.unboundVariable {
            let names = variables.keys.sorted().map { "$\($0)" }.joined(separator: ", ")
            throw InputError(
                .malformed,
                "The variable $\(name) does not exist; there are \(names)."
            )
        }
        return Condition(predicate)
    }

    /// A predicate in which a whole day, which is stored as noon, compares with a variable as a day:
    /// what is due today is not before `$now`, as `is:overdue` says.
    private func byDay(_ predicate: FetchPredicate, _ variables: [String: Date]) -> FetchPredicate {
        switch predicate {
        case .and(let parts): return .and(parts.map { byDay($0, variables) })
        case .or(let parts): return .or(parts.map { byDay($0, variables) })
        case .not(let part): return .not(byDay(part, variables))
        case .comparison(let comparison):
            let flags = [
                Task.Keys.due: Task.Keys.dueDateOnly, Task.Keys.start: Task.Keys.startDateOnly,
            ]
            guard case .keyPath(let key) = comparison.left, let flag = flags[key],
                case .variable(let name) = comparison.right, let moment = variables[name]
            else { return predicate }
            var day = comparison
            if name == "now" {
                // A day that has begun is neither over nor still to come.
                let orders: [FetchComparison.Operator: FetchComparison.Operator] = [
                    .lessOrEqual: .less, .greater: .greaterOrEqual,
                ]
                day.operator = orders[day.operator] ?? day.operator
            }
            day.right = .constant(.date(DueDate.noon(clock().zone.day(of: moment))))
            func isDay(_ value: Bool) -> FetchPredicate {
                .comparison(.init(.keyPath(flag), .equal, .constant(.bool(value))))
            }
            return .or([.and([isDay(false), predicate]), .and([isDay(true), .comparison(day)])])
        case .constant, .block: return predicate
        }
    }

    /// The moments that a whole predicate can name: `$now`, and the beginnings of days.
    var queryVariables: [String: Date] {
        let clock = clock()
        let today = clock.today
        let days = [
            "today": today,
            "tomorrow": today.adding(days: 1),
            "yesterday": today.adding(days: -1),
            "week": today.startOfWeek(clock.weekStart),
            "nextWeek": today.startOfWeek(clock.weekStart).adding(days: 7),
            "month": today.firstOfMonth,
            "nextMonth": today.firstOfMonth.adding(months: 1),
            "year": today.firstOfMonth.adding(months: 1 - today.month),
            "nextYear": today.firstOfMonth.adding(months: 13 - today.month),
        ]
        var variables = days.mapValues { clock.zone.moment($0) }
        variables["now"] = clock.now
        return variables
    }
}

/// How the store answers a search: the words that its index looks up, and the condition besides.
struct TextPlan {
    private(set) var words: [String] = []
    let condition: Condition<Item>?

    /// `besides` holds for all results, too.
    init(_ query: CompiledQuery, _ names: QueryNames, _ besides: Condition<Item>?) {
        var rest: [CompiledQuery] = []
        for text in query.requiredTexts {
            let folded = QueryNames.folded(text)
            // The index separates words, and knows a list by its own name and a tag without sign.
            let isWord = !text.unicodeScalars.contains(where: \.properties.isWhitespace)
            let isSame =
                isWord && names.areFoundByName(listsContaining: folded)
                && names.areFoundByName(tagsContaining: folded)
            if isSame { words.append(text) } else { rest.append(.text(text)) }
        }
        let other = query.withoutRequiredTexts
        if other != .everything { rest.append(other) }
        let all = rest.map { $0.condition(names) } + [besides].compactMap { $0 }
        condition = all.dropFirst().reduce(all.first) { all, next in all.map { $0 && next } }
    }
}
