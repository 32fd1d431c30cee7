public import ObjectGraph
public import SearchLanguage

/// A search as conditions on items, from which the store's request and the search in memory are
/// made.
public indirect enum CompiledQuery: Hashable {
    case everything
    /// Any searched field has the text.
    case text(String)
    /// A field has the text.
    case contains(String, QueryTextField)
    /// A condition that the store evaluates.
    case condition(FetchPredicate)
    /// A pattern is found in a field.
    case pattern(QueryPattern, QueryTextField)
    case not(CompiledQuery)
    case and([CompiledQuery])
    case or([CompiledQuery])
}

/// A text of an item that a search can name.
public enum QueryTextField: String, Hashable, Sendable {
    case title
    case notes

    /// The properties that have it.
    var keys: [String] {
        switch self {
        case .title: [Item.Keys.title]
        case .notes: [Item.Keys.notes, Note.Keys.body]
        }
    }
}

extension CompiledQuery {
    /// The texts that every found item has.
    public var requiredTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .and(let parts): parts.flatMap { $0.isText ? $0.requiredTexts : [] }
        default: []
        }
    }

    /// Without the texts that every found item has.
    public var withoutRequiredTexts: CompiledQuery {
        switch self {
        case .text: return .everything
        case .and(let parts):
            let rest = parts.filter { !$0.isText }
            return rest.count > 1 ? .and(rest) : rest.first ?? .everything
        default: return self
        }
    }

    private var isText: Bool { if case .text = self { true } else { false } }

    /// The texts that found items may have, for marking them.
    public var wantedTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .and(let parts), .or(let parts): parts.flatMap(\.wantedTexts)
        case .contains(let text, _): [text]
        case .everything, .condition, .pattern, .not: []
        }
    }

    /// The search as one condition.
    public func condition(_ names: QueryNames) -> Condition<Item> {
        Condition(predicate(names))
    }

    private func predicate(_ names: QueryNames) -> FetchPredicate {
        switch self {
        case .everything: .constant(true)
        case .text(let text): CompiledQuery.condition(text, names)
        case .contains(let text, let field): CompiledQuery.contains(text, field.keys)
        case .condition(let condition): condition
        case .pattern(let pattern, let field): .block(CompiledQuery.block(pattern, field))
        case .not(let inner): .not(inner.predicate(names))
        case .and(let parts): .and(parts.map { $0.predicate(names) })
        case .or(let parts): .or(parts.map { $0.predicate(names) })
        }
    }

    /// That a text is in the title, the notes, the path of the list or a tag with its sign.
    private static func condition(_ text: String, _ names: QueryNames) -> FetchPredicate {
        let folded = QueryNames.folded(text)
        var parts = [contains(text, [Item.Keys.title, Item.Keys.notes, Note.Keys.body])]
        let lists = names.lists(containing: folded)
        if !lists.isEmpty { parts.append(Condition<Item> { $0.list.in(lists) }.predicate) }
        let tags = names.tags(containing: folded)
        if !tags.isEmpty { parts.append(tagged(tags)) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private static func contains(_ text: String, _ keys: [String]) -> FetchPredicate {
        let parts = keys.map { compare($0, .contains, text) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// A comparison of a text that ignores letter case and accents.
    static func compare(
        _ key: String,
        _ operation: FetchComparison.Operator,
        _ text: String
    ) -> FetchPredicate {
        .comparison(
            FetchComparison(
                .keyPath(key),
                operation,
                .constant(.string(text)),
                options: [.caseInsensitive, .diacriticInsensitive]
            )
        )
    }

    /// That an item has one of some tags.
    static func tagged(_ ids: [ManagedObjectID]) -> FetchPredicate {
        Condition<Item> { $0.tags.any { $0.in(ids) } }.predicate
    }

    private static func block(_ pattern: QueryPattern, _ field: QueryTextField) -> FetchBlock {
        let matcher = QueryPattern.Matcher(pattern)
        return FetchBlock { object, _ in
            guard case .object(let object) = object, let item = object as? Item else {
                return false
            }
            let texts: [String?] =
                switch field {
                case .title: [item.title]
                case .notes: [item.notes, (item as? Note)?.body]
                }
            return texts.contains { $0.map(matcher.isFound(in:)) ?? false }
        }
    }
}
