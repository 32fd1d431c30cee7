import FoundationEssentials
import ObjectModel
package import ObjectStore

// A search, in two ways:
//   1. The index gives candidates, which are verified against their texts: the rows whose own text
//      can have all words, and those with a related object that has one of them.
//   2. Otherwise rows are tested one by one. With a limit they are tested in the wanted order until
//      there are enough, so that with an index on that order a search for a frequent word stops
//      early. So a limit is worth candidates only if they are few.
// Matches in related objects are found from their side: first the lists or tags that have the word,
// then the items that belong to them. So renaming a list or tag does not change the index.

extension SQLiteStore {
    /// Finds objects by text.
    ///
    /// As with a fetch, the caller may have to apply a part of the predicate, or the order; then
    /// the limit is not applied either. Works without an index too, by testing every row.
    package func search(_ plan: SearchPlan) throws -> FetchAnswer {
        try checkPlace()
        return try translatingErrors {
            var request = FetchDescription(
                entityName: plan.entity.name,
                predicate: plan.predicate,
                sortDescriptors: plan.sortDescriptors
            )
            request.limit = plan.limit
            request.includesSubentities = plan.includesSubentities
            let fetch = FetchPlan(request: request, entity: plan.entity, loadsRows: plan.loadsRows)
            let words = plan.words
            return try fetchObjects(fetch, readsAll: plan.limit == 0) { translator in
                for condition in try SearchConditions(plan, words, self, translator).conditions {
                    translator.root.level.conditions.append(condition)
                }
            }
        }
    }
}

/// The conditions of a search, for the request's own row.
private struct SearchConditions {
    private let store: SQLiteStore
    private let translator: Translator
    private let alias: String
    /// The searched columns of the entity and its descendants.
    private let columns: [String]
    private var related: [RelatedText] = []
    /// Key paths through more than one relationship, tested row by row.
    private var distant: [String] = []
    private(set) var conditions: [String] = []

    /// With a limit: more candidates than this are not worth verifying one by one.
    private static let fewCandidates = 4000
    /// Without a limit: rows with a related object that has a word are candidates up to this
    /// fraction of all rows.
    private static let fewestRowsEach = 8
    /// A word of this many letters has trigrams.
    private static let indexedLength = 3
    /// The greatest number of trigrams that are looked up.
    private static let mostTrigrams = 16
    /// How many rows are the sample that shows which trigrams are selective.
    private static let sample: Int64 = 2048

    /// A word, and the relationships through which it is found.
    private struct Word {
        let text: String
        let argument: String
        let related: [RelatedText]
    }

    init(
        _ plan: SearchPlan,
        _ words: [String],
        _ store: SQLiteStore,
        _ translator: Translator
    ) throws {
        self.store = store
        self.translator = translator
        alias = translator.root.alias
        let members =
            plan.includesSubentities
            ? store.schema.hierarchy(of: plan.entity)
            : [try store.requireSchema(of: plan.entity)]
        var names: [String] = []
        for schema in members {
            for attribute in schema.entity.storedAttributes
            where attribute.isSearched && attribute.type == .string {
                guard let column = schema.columns[attribute.slot]?.name, !names.contains(column)
                else { continue }
                names.append(column)
            }
        }
        columns = names
        for path in plan.relatedKeyPaths {
            if let one = RelatedText(path, from: plan.entity, alias, store.schema) {
                related.append(one)
            } else {
                distant.append(path)
            }
        }
        let arguments = words.map { translator.argument(.text($0)) }
        let relatedByWord = try related(having: arguments)
        let found = words.indices.map {
            Word(text: words[$0], argument: arguments[$0], related: relatedByWord[$0])
        }
        if let candidates = try candidates(found, plan) {
            conditions.append("\(alias).Z_PK IN (\(candidates.joined(separator: " UNION ALL ")))")
        }
        for word in found { conditions.append(try test(word)) }
    }

    /// For each word the relationships through which it is found, by one statement.
    private func related(having arguments: [String]) throws -> [[RelatedText]] {
        let terms = arguments.flatMap { argument in
            related.map { "EXISTS (\($0.keys(having: argument)))" }
        }
        if terms.isEmpty { return arguments.map { _ in [] } }
        let statement = try store.connection.statement(
            "SELECT \(terms.joined(separator: ", "))"
        )
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        guard try statement.step() else { return arguments.map { _ in [] } }
        return arguments.indices.map { word in
            related.indices.filter { statement.integer(Int32(word * related.count + $0)) == 1 }
                .map { related[$0] }
        }
    }

    /// Whether the row or one of its related objects has the word.
    private func test(_ word: Word) throws -> String {
        var parts: [String] = []
        if !columns.isEmpty {
            let list = columns.map { "\(alias).\(quoted($0))" }.joined(separator: ", ")
            parts.append("OG_HAS(\(word.argument), \(list))")
        }
        parts += word.related.map { $0.leads($0.keys(having: word.argument)) }
        for path in distant {
            let isCollection = translator.root.entity.hasToMany(path)
            let comparison = FetchComparison(
                .keyPath(path),
                .contains,
                .constant(.string(word.text)),
                modifier: isCollection ? .any : .direct,
                options: [.caseInsensitive, .diacriticInsensitive]
            )
            parts.append(
                try translator.condition(.comparison(comparison), translator.root, exact: false)
            )
        }
        return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
    }

    /// SELECTs of the keys of the rows that can have all words; `nil` if they are too many, or the
    /// index does not know them.
    private func candidates(_ words: [Word], _ plan: SearchPlan) throws -> [String]? {
        let indexed = words.filter { $0.text.unicodeScalars.count >= Self.indexedLength }
        guard distant.isEmpty, !indexed.isEmpty,
            let table = store.searchTables.table(of: plan.entity)
        else { return nil }
        // A row has all words itself, or leads to an object that has one of them.
        let led = indexed.flatMap { word in
            word.related.map { $0.owners($0.keys(having: word.argument)) }
        }
        let all = [try match(indexed, in: table)] + led
        if plan.limit == 0 {
            if try led.isEmpty || isFew(led, Int(lastKey(table)) / Self.fewestRowsEach) {
                return all
            }
        } else if try isFew(all, Self.fewCandidates) {
            return all
        }
        // The words that no related object has it has itself.
        let own = indexed.filter(\.related.isEmpty)
        if own.isEmpty || led.isEmpty { return nil }
        let some = [try match(own, in: table)]
        return try plan.limit == 0 || isFew(some, Self.fewCandidates) ? some : nil
    }

    /// The greatest key of a row; 0 without rows.
    private func lastKey(_ table: SearchTable) throws -> Int64 {
        try store.connection.integer("SELECT MAX(Z_PK) FROM \(quoted(table.table.name))") ?? 0
    }

    private func isFew(_ selects: [String], _ limit: Int) throws -> Bool {
        let all = selects.joined(separator: " UNION ALL ")
        let statement = try store.connection.statement(
            "SELECT COUNT(*) FROM (SELECT 1 FROM (\(all)) LIMIT \(limit + 1))"
        )
        defer { statement.reset() }
        try statement.bind(translator.arguments)
        return try statement.step() && statement.integer(0) <= limit
    }

    /// A SELECT of the keys of the rows whose own text can have all words.
    private func match(_ words: [Word], in table: SearchTable) throws -> String {
        var trigrams: [String] = []
        for word in words {
            for trigram in self.trigrams(word.text) where !trigrams.contains(trigram) {
                trigrams.append(trigram)
            }
        }
        trigrams = try selective(Array(trigrams.prefix(Self.mostTrigrams)), table)
        let query = translator.argument(.text(trigrams.joined(separator: " AND ")))
        let name = quoted(table.name)
        return "SELECT rowid FROM \(name) WHERE \(name) MATCH \(query)"
    }

    /// The trigrams that a word is made of, as terms of a query.
    ///
    /// Those that overlap them would leave out few more rows, and each takes time.
    private func trigrams(_ word: String) -> [String] {
        let scalars = Array(word.unicodeScalars)
        let last = scalars.count - Self.indexedLength
        return (Array(stride(from: 0, to: last, by: Self.indexedLength)) + [last]).map { start in
            var trigram = ""
            trigram.unicodeScalars.append(contentsOf: scalars[start..<start + Self.indexedLength])
            return "\"" + trigram.replacing("\"", with: "\"\"") + "\""
        }
    }

    /// The trigrams without which there would be more candidates, as far as the first rows show.
    ///
    /// In a large index each trigram costs more than a few candidates too many.
    private func selective(_ trigrams: [String], _ table: SearchTable) throws -> [String] {
        let name = quoted(table.name)
        guard trigrams.count > 1, try lastKey(table) > Self.sample * 8 else { return trigrams }
        func count(_ trigrams: [String]) throws -> Int64 {
            try store.connection.integer(
                "SELECT COUNT(*) FROM \(name) WHERE \(name) MATCH ? AND rowid <= \(Self.sample)",
                .text(trigrams.joined(separator: " AND "))
            ) ?? 0
        }
        let ordered = try trigrams.map { ($0, try count([$0])) }.sorted { $0.1 < $1.1 }
        var (chosen, candidates) = ([ordered[0].0], ordered[0].1)
        // What the sample has not at all is rare.
        if candidates == 0 { return trigrams }
        for (trigram, _) in ordered.dropFirst() {
            let fewer = try count(chosen + [trigram])
            if fewer > candidates - candidates / 8 { continue }
            chosen.append(trigram)
            candidates = fewer
        }
        return chosen
    }
}

extension RelatedText {
    /// A SELECT of the keys of the related rows with a word.
    fileprivate func keys(having argument: String) -> String {
        "SELECT r.Z_PK FROM \(table) r WHERE OG_HAS(\(argument), r.\(quoted(column)))"
    }
}
