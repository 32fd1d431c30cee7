import DocketCore
import FoundationEssentials
import ObjectGraph
import SearchLanguage
import TextSearch

// A search is a tree of conditions (`CompiledQuery`). Each leaf becomes a set of rows: texts by a
// scan of the arena, dates, numbers, lists and tags by the columns, and what neither has by one
// statement of the store. The sets are kept until something changes, so that a key computes those of
// the condition that is being typed, and joins sets of one bit a row.

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
            var all = arena.allRows
            for part in parts { all.formIntersection(try rows(part)) }
            return all
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

    private func leafRows(_ query: CompiledQuery) throws -> RowSet {
        switch query {
        case .text(let text): return scan(text, .all)
        case .contains(let text, let field): return scan(text, SearchFields([number(of: field)]))
        case .pattern(let pattern, let field):
            return arena.rows(among: arena.allRows, whereField: number(of: field)) {
                pattern.isFound(inFolded: $0)
            }
        case .condition(let predicate):
            if let rows = columns.rows(predicate, rowCount: arena.allRowCount) { return rows }
            let found = try library.context.fetch(
                FetchRequest<ManagedObjectID>(of: Item.self, where: Condition(predicate))
            )
            return arena.rows(of: found.map(\.raw))
        default: return arena.allRows
        }
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
                columns.set(references: Set(texts.tagIDs.map(\.raw)), row: row, column: number)
            }
        }
    }

    /// Takes the values of an item that may have changes.
    func read(_ item: Item, row: UInt32, into columns: inout SearchColumns) {
        for (number, column) in self.columns.enumerated() {
            let hasKey = (item is Note ? column.note : column.task) >= 0
            switch column.kind {
            case .references:
                let ids = item.tags.map(\.objectID.raw)
                columns.set(references: Set(ids), row: row, column: number)
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
