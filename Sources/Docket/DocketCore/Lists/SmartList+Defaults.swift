import CivilTime
import ObjectGraph
import SearchLanguage

extension SmartList {
    /// What a new item gets in the list, so that it belongs there: the values that the search names
    /// plainly, each of which must hold.
    ///
    ///     tag:home list:Work priority=high is:flagged due:today start:monday
    ///
    /// A new item in a list of what is due until a day gets that day. What can be fulfilled in several ways (or, not, texts, ranges, parts of the year), and what
    /// two conditions say differently, is left out. A search that cannot be used gives nothing.
    ///
    /// - Complexity: O(length of the search).
    public func defaults(in library: Library) -> ItemDefaults {
        let clock = library.clock()
        let filter = filter(clock)
        guard filter.problems.isEmpty else { return ItemDefaults() }
        let names = QueryNames(hasOwnQuery ? self.names : QueryNames.Table())
        let named = NamedValues(filter.expression, QueryCompiler(names: names, clock: clock))
        var defaults = ItemDefaults()
        defaults.due = named.due.only
        defaults.start = named.start.only
        defaults.priority = named.priority.only ?? 0
        defaults.isFlagged = named.isFlagged
        defaults.tags = named.tags
        defaults.location = named.location.only
        if let id = named.list.only { defaults.list = library.context.object(with: id) as? List }
        return defaults
    }
}

/// The values that all items of a search have, as far as its conditions name them.
private struct NamedValues {
    /// The values that some conditions name for one field.
    struct Field<Value: Hashable> {
        private var values: Set<Value> = []

        /// The value, if they agree.
        var only: Value? { values.count == 1 ? values.first : nil }

        mutating func add(_ value: Value?) { if let value { values.insert(value) } }
    }

    private(set) var due = Field<DueDate>()
    private(set) var start = Field<DueDate>()
    private(set) var priority = Field<Int>()
    private(set) var list = Field<ManagedObjectID>()
    private(set) var location = Field<String>()
    private(set) var isFlagged = false
    private(set) var tags: [String] = []
    private let compiler: QueryCompiler

    init(_ expression: QueryExpression, _ compiler: QueryCompiler) {
        self.compiler = compiler
        switch expression {
        case .term(let term): read(term)
        case .and(let parts):
            for case .term(let term) in parts { read(term) }
        case .everything, .text, .not, .or: break
        }
    }

    private mutating func read(_ term: QueryTerm) {
        guard let kind = QueryField.named(term.field)?.kind, term.values.count == 1,
            let value = term.values.first?.text,
            [.fits, .equal, .lessOrEqual].contains(term.comparison)
        else { return }
        if term.comparison == .lessOrEqual {
            if case .date(.due) = kind { due.add(date(value)) }
            return
        }
        let word = value.lowercased()
        if QueryCompiler.none.contains(word) || QueryCompiler.any.contains(word) { return }
        switch kind {
        case .date(.due): due.add(date(value))
        case .date(.start): start.add(date(value))
        case .priority: priority.add(QueryCompiler.priorityLevel(value))
        case .state: if word == QueryState.flagged.rawValue { isFlagged = true }
        case .tag:
            for tag in compiler.names.tags(named: QueryCompiler.tagName(value)).prefix(1) {
                let name = compiler.names.tags.first { $0.id == tag }?.name
                if let name, !tags.contains(name) { tags.append(name) }
            }
        case .list where word != "inbox":
            let found = compiler.names.lists(at: QueryCompiler.listPath(value), alone: true)
            if found.count == 1 { list.add(found.first) }
        case .location:
            let name = QueryCompiler.locationName(value)
            let found = compiler.names.locations.filter { $0.folded == QueryNames.folded(name) }
            location.add(found.first?.name)
        case .date, .list, .text, .number, .estimate, .presence, .repetition, .relation, .links:
            break
        }
    }

    /// The day or the moment that a text means; `nil` for a longer span.
    private func date(_ value: String) -> DueDate? {
        guard let span = try? compiler.span(.due, value) else { return nil }
        switch (span.first, span.end) {
        case (.day(let day), .day(let end)):
            return end == day.adding(days: 1) ? DueDate(day: day) : nil
        case (.moment(let moment), .moment(let end)):
            return end == moment ? DueDate(moment: moment) : nil
        default: return nil
        }
    }
}
