import DocketCore
import FoundationEssentials
import ObjectGraph
import SearchLanguage
import TextSearch

// A search is a tree of conditions (`CompiledQuery`). Each leaf becomes a set of rows: texts by a
// scan of the arena, dates, numbers, lists and tags by the columns, and what neither has by one
// statement of the store, whose answer is kept until something changes that it depends on. The sets
// are kept until anything changes, so that a key computes those of the condition that is being typed,
// and joins sets of one bit a row.

/// The sets of rows of conditions, as long as they are right.
struct SearchedSets {
    /// The state of everything from which sets are made.
    struct Version: Hashable {
        var texts: Int
        var columns: Int
        var changes: Int
    }

    private var sets: [CompiledQuery: RowSet] = [:]
    private var version = Version(texts: 0, columns: 0, changes: 0)
    /// How many are kept: those of a search of the most words.
    private static let most = 128

    mutating func set(
        _ query: CompiledQuery,
        _ version: Version,
        _ make: () throws -> RowSet
    ) rethrows -> RowSet {
        if version != self.version || sets.count >= Self.most {
            sets = [:]
            self.version = version
        }
        if let known = sets[query] { return known }
        let set = try make()
        sets[query] = set
        return set
    }
}

extension SearchController {
    /// Reads a search.
    func filter(_ text: String) throws -> ItemFilter {
        try ItemFilter(text, names, library.clock())
    }

    /// The rows that a search finds, whatever the order and the list.
    func rows(_ query: CompiledQuery) throws -> RowSet {
        switch query {
        case .everything: return arena.allRows
        case .not(let inner):
            var rows = try rows(inner)
            rows.invert()
            return rows
        case .and(let parts):
            return try intersection(parts) { try rows($0) }
        case .or(let parts):
            guard let first = parts.first else { return arena.allRows }
            var any = try rows(first)
            for part in parts.dropFirst() { any.formUnion(try rows(part)) }
            return any
        case .text, .contains, .pattern, .condition:
            let version = version
            // Taken out, since making a set reads the arena.
            var sets = self.sets
            self.sets = SearchedSets()
            defer { self.sets = sets }
            return try sets.set(query, version) { try leafRows(query) }
        }
    }

    /// The rows that are in the sets of all parts; after none is left, no further set is made.
    private func intersection<Part>(
        _ parts: [Part],
        _ rows: (Part) throws -> RowSet
    ) rethrows -> RowSet {
        var all = arena.allRows
        for part in parts where !all.isEmpty { all.formIntersection(try rows(part)) }
        return all
    }

    private func leafRows(_ query: CompiledQuery) throws -> RowSet {
        switch query {
        case .text(let text): return scan(text, .all)
        case .contains(let text, let field): return scan(text, SearchFields([number(of: field)]))
        case .pattern(let pattern, let field): return match(pattern, number(of: field))
        case .condition(let predicate): return try rows(predicate)
        default: return arena.allRows
        }
    }

    /// The rows for which a condition holds; what is not in memory costs one statement,
    /// until it changes.
    private func rows(_ predicate: FetchPredicate) throws -> RowSet {
        if let rows = columns.rows(predicate, rowCount: arena.allRowCount) { return rows }
        switch predicate {
        case .and(let parts):
            return try intersection(parts) { try rows($0) }
        case .or(let parts):
            var any = arena.noRows
            for part in parts { any.formUnion(try rows(part)) }
            return any
        case .not(let part):
            var rows = try rows(part)
            rows.invert()
            return rows
        default: break
        }
        if let relation = QueryRelation(predicate), let rows = try rows(relation) { return rows }
        if let title = predicate.wholeTitle { return match(title) }
        return arena.rows(of: try answers.ids(predicate, library.context))
    }

    private func rows(_ relation: QueryRelation) throws -> RowSet? {
        let isByTask = relation != .subtasks
        if isByTask, !columns.hasReferences(Task.Keys.blockedBy) { return arena.noRows }
        var others = try rows(FetchPredicate.isNull(Item.Keys.trashed))
        others.formIntersection(arena.presentRows)
        if isByTask {
            others.formIntersection(try rows(FetchPredicate.isNull(Task.Keys.completed)))
            others.formIntersection(try rows(.not(FetchPredicate.isNull(Task.Keys.priority))))
        }
        let count = arena.allRowCount
        let arena = arena
        switch relation {
        case .blocked:
            return columns.rows(referringBy: Task.Keys.blockedBy, to: others, rowCount: count) {
                arena.row(of: $0)
            }
        case .blocking, .subtasks:
            let key = relation == .blocking ? Task.Keys.blockedBy : Task.Keys.parent
            return columns.rows(referredToBy: key, from: others, rowCount: count) {
                arena.row(of: $0)
            }
        }
    }

    /// The rows with a whole title.
    private func match(_ title: String) -> RowSet {
        let folded = TextFolding.foldedBytes(
            title,
            options: [.caseInsensitive, .diacriticInsensitive]
        )
        return arena.rows(whereField: SearchField.title.rawValue) {
            $0.count == folded.count && $0.elementsEqual(folded)
        }
    }

    /// Up to this number of rows, one thread is as fast as several.
    private static let threadingRows = 50_000

    /// The rows in which a pattern is found.
    private func match(_ pattern: QueryPattern, _ field: Int) -> RowSet {
        let parts = arena.rowCount > Self.threadingRows ? Self.threads : 1
        let work = PatternParts(arena: arena, pattern: pattern, field: field, parts: parts)
        let threads = (1..<parts).map { part in
            let thread = ContextThread(name: "pattern")
            let done = Completion()
            thread.later {
                work.match(part)
                done.signal()
            }
            return (thread: thread, done: done)
        }
        work.match(0)
        for (thread, done) in threads { withExtendedLifetime(thread) { done.wait() } }
        var found = work.results[0] ?? arena.noRows
        for rows in work.results.dropFirst() { if let rows { found.formUnion(rows) } }
        return found
    }

    private func scan(_ text: String, _ fields: SearchFields) -> RowSet {
        arena.rows(matching: SearchQuery(texts: [text], fields: fields), threads: Self.threads)
    }

    private func number(of field: QueryTextField) -> Int {
        switch field {
        case .title: SearchField.title.rawValue
        case .notes: SearchField.notes.rawValue
        }
    }
}

/// A search for a pattern, in parts on several threads.
///
/// Safety: nobody changes the arena meanwhile, and each thread writes its own slots, which are freed
/// with this object.
private final class PatternParts: @unchecked Sendable {
    private let arena: SearchArena
    private let pattern: QueryPattern
    private let field: Int
    private let slots: UnsafeMutableBufferPointer<RowSet?>

    /// What each part has found.
    var results: [RowSet?] { Array(slots) }

    init(arena: SearchArena, pattern: QueryPattern, field: Int, parts: Int) {
        (self.arena, self.pattern, self.field) = (arena, pattern, field)
        slots = .allocate(capacity: parts)
        slots.initialize(repeating: nil)
    }

    deinit {
        slots.deinitialize()
        slots.deallocate()
    }

    func match(_ part: Int) {
        let matcher = QueryPattern.Matcher(pattern)
        slots[part] = arena.rows(whereField: field, part: part, of: slots.count) {
            matcher.isFound(inFolded: $0)
        }
    }
}

extension FetchPredicate {
    fileprivate static func isNull(_ key: String) -> FetchPredicate {
        .comparison(FetchComparison(.keyPath(key), .equal, .constant(.null)))
    }

    /// The text that it compares a whole title with, without letter case and accents.
    fileprivate var wholeTitle: String? {
        guard case .comparison(let comparison) = self, comparison.operator == .equal,
            comparison.left == .keyPath(Item.Keys.title), comparison.modifier == .direct,
            comparison.options == [.caseInsensitive, .diacriticInsensitive],
            case .constant(.string(let text)) = comparison.right
        else { return nil }
        return text
    }
}

/// The values of items that searches compare for all items at once.
struct ItemValues {
    /// A column and its slot in the rows of tasks and of notes; -1 where they do not have it.
    private struct Column {
        let key: String
        let kind: SearchColumns.Kind
        let task: Int
        let note: Int
    }

    private let columns: [Column]

    /// What searches compare most; everything else is asked of the store.
    static let keys: [(key: String, kind: SearchColumns.Kind)] = [
        (Task.Keys.due, .date), (Task.Keys.dueDateOnly, .number), (Task.Keys.start, .date),
        (Task.Keys.startDateOnly, .number), (Task.Keys.completed, .date),
        (Item.Keys.created, .date),
        (Item.Keys.modified, .date), (Item.Keys.trashed, .date), (Task.Keys.priority, .number),
        (Item.Keys.flagged, .number), (Task.Keys.estimate, .number), (Item.Keys.shortID, .number),
        (Item.Keys.list, .reference), (Task.Keys.parent, .reference), (Item.Keys.tags, .references),
        (Task.Keys.blockedBy, .references), (Task.Keys.location, .reference),
        (Item.Keys.lastReviewed, .date), (Item.Keys.notes, .text), (Note.Keys.body, .text),
        (Task.Keys.rule, .label), (Task.Keys.remindTimes, .text),
    ]

    init(_ library: Library) {
        let model = library.context.coordinator.model
        let (task, note) = (model.entity(of: Task.self), model.entity(of: Note.self))
        columns = Self.keys.map { key, kind in
            Column(
                key: key,
                kind: kind,
                task: task?.slotByName[key] ?? -1,
                note: note?.slotByName[key] ?? -1
            )
        }
    }

    /// Takes the values of a saved item.
    func read(_ texts: SavedTexts.Texts, row: UInt32, into columns: inout SearchColumns) {
        for (number, column) in self.columns.enumerated() {
            let slot = texts.isNote ? column.note : column.task
            switch column.kind {
            case .number: columns.set(texts.row.number(slot), row: row, column: number)
            case .date: columns.set(texts.row.date(slot), row: row, column: number)
            case .reference:
                columns.set(reference: texts.row.reference(slot)?.raw, row: row, column: number)
            case .references:
                let ids = column.key == Item.Keys.tags ? texts.tagIDs : texts.blockerIDs
                columns.set(references: Set(ids.map(\.raw)), row: row, column: number)
            case .text:
                let isEmpty = texts.row.isEmptyText(slot)
                columns.set(text: isEmpty.map { $0 ? "" : "…" }, row: row, column: number)
            case .label: columns.set(text: texts.row.string(slot), row: row, column: number)
            }
        }
    }

    /// Takes the values of an item that may have changes.
    func read(_ item: Item, row: UInt32, into columns: inout SearchColumns) {
        for (number, column) in self.columns.enumerated() {
            let hasKey = (item is Note ? column.note : column.task) >= 0
            switch column.kind {
            case .references:
                let ids =
                    column.key == Item.Keys.tags
                    ? item.tags.map(\.objectID.raw)
                    : (item as? Task)?.blockedBy.map(\.objectID.raw) ?? []
                columns.set(references: Set(ids), row: row, column: number)
            case .text, .label:
                let value = hasKey ? (try? item.value(forKey: column.key)) ?? .null : .null
                let text: String? = if case .string(let text) = value { text } else { nil }
                columns.set(text: text, row: row, column: number)
            case _ where !hasKey: columns.set(nil as Int64?, row: row, column: number)
            case .number:
                let value = (try? item.value(forKey: column.key)) ?? .null
                let number64: Int64? =
                    switch value {
                    case .int(let number): number
                    case .bool(let flag): flag ? 1 : 0
                    default: nil
                    }
                columns.set(number64, row: row, column: number)
            case .date:
                let value = (try? item.value(forKey: column.key)) ?? .null
                let date: Date? = if case .date(let date) = value { date } else { nil }
                columns.set(date, row: row, column: number)
            case .reference:
                let value = (try? item.value(forKey: column.key)) ?? .null
                columns.set(
                    reference: ManagedObjectID(value: value)?.raw,
                    row: row,
                    column: number
                )
            }
        }
    }
}
