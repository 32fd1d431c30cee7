import DocketFormats
import ObjectGraph
import SearchLanguage

// A smart list names lists in its search by their paths. When a list is renamed, these values are
// written again in the same step, so that the search stays about the same list.

extension Library {
    /// Renames a list, and writes its new name into the searches of smart lists; part of a verb.
    ///
    /// Only values that mean exactly one list change; everything else in a search stays as it was
    /// typed.
    ///
    /// Cost: one statement; two more, for the lists before and after, if there are saved searches.
    func rename(_ list: List, keepingSearches name: String) throws {
        let rows = try SavedSearch.all(in: context).filter { !$0.query.isEmpty }
        guard !rows.isEmpty else {
            list.name = name
            return
        }
        let before = QueryNames(self)
        _ = try before.table()
        list.name = name
        let after = QueryNames(self)
        _ = try after.table()
        for row in rows {
            let kept = Library.search(row.query, naming: before, as: after)
            if kept != row.query { row.query = kept }
        }
    }

    private static func search(
        _ text: String,
        naming before: QueryNames,
        as after: QueryNames
    ) -> String {
        var bytes = Array(text.utf8)
        for value in listNames(in: text).reversed() {
            let path = QueryCompiler.listPath(value.text)
            guard let name = renamed(path, before, after) else { continue }
            bytes.replaceSubrange(value.range, with: QueryText(name).printedValue.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The values of a search that name lists, from left to right.
    private static func listNames(in text: String) -> [QueryText] {
        let parsed = QueryParser.parse(
            text,
            QueryField.vocabulary,
            mostTerms: Limits.searchWords
        )
        let values = parsed.tokens.flatMap { token -> [QueryText] in
            guard case .term(let term) = token.kind,
                case .list? = QueryField.named(term.field)?.kind
            else { return [] }
            return term.values
        }
        return values.filter { !QueryCompiler.isWord($0.text) }
    }

    /// The smart lists whose searches name a list, or one below it, and no other list by the same
    /// name: without it they are not understood.
    ///
    /// Cost: one statement; two more, for the lists and tags, if there are saved searches.
    public func smartLists(naming list: List) throws -> [SmartList] {
        let names = QueryNames(self)
        let path = list.path
        return try smartLists().all.filter { smart in
            guard smart.row != nil else { return false }
            let isNamed = Library.listNames(in: smart.query).contains { value in
                let meant = names.lists(at: QueryCompiler.listPath(value.text), alone: true)
                let found = names.lists.filter { meant.contains($0.id) }
                return !found.isEmpty && found.allSatisfy { $0.path.starts(with: path) }
            }
            try names.check()
            return isNamed
        }
    }

    /// How a search names the list that a path meant; `nil` if the path still means it, or has meant
    /// several.
    private static func renamed(
        _ path: [String],
        _ before: QueryNames,
        _ after: QueryNames
    ) -> String? {
        let meant = before.lists(at: path, alone: true)
        guard !path.isEmpty, meant.count == 1, after.lists(at: path, alone: true) != meant,
            let now = after.lists.first(where: { $0.id == meant[0] })?.path
        else { return nil }
        let short = Array(now.suffix(path.count))
        let isClear = after.lists(at: short, alone: true) == meant
        return QueryNames.written(isClear ? short : now)
    }
}
