import FoundationEssentials
import ObjectModel
package import ObjectStore

// A search, in two ways:
//   1. If a word of three letters or more has few candidates in the index, those are verified
//      against their texts.
//   2. Otherwise rows are tested one by one. With a limit they are tested in the wanted order until
//      there are enough, so that with an index on that order a search for a frequent word stops
//      early. Without a limit all rows are tested, in file order.
// How many candidates count as few depends on the number of rows to test otherwise.
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
    private var related: [Related] = []
    /// Key paths through more than one relationship, tested row by row.
    private var distant: [String] = []
    private(set) var conditions: [String] = []

    /// With a limit: more candidates than this are not worth verifying one by one.
    private static let fewCandidates = 4000
    /// Without a limit: candidates are worth verifying up to this fraction of all rows.
    private static let fewestRowsEach = 3
    /// A word of this many letters has trigrams.
    private static let indexedLength = 3
    /// The greatest number of trigrams of a word that are looked up.
    private static let mostTrigrams = 8

    /// The texts at the end of one relationship.
    private struct Related {
        let column: String
        let from: String
        /// A SELECT of the keys of the entity's own rows, given a condition on the related row `r`.
        let owners: (_ condition: String) -> String
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
            if let one = relation(path, plan.entity) {
                related.append(one)
            } else {
                distant.append(path)
            }
        }
        for word in words {
            let argument = translator.argument(.text(word))
            if let few = try candidates(word, argument, plan) { conditions.append(few) }
            conditions.append(try test(word, argument))
        }
    }

    /// Whether the row or one of its related objects has the word.
    private func test(_ word: String, _ argument: String) throws -> String {
        var parts: [String] = []
        if !columns.isEmpty {
            let list = columns.map { "\(alias).\(quoted($0))" }.joined(separator: ", ")
            parts.append("OG_HAS(\(argument), \(list))")
        }
        for one in related {
            let owners = one.owners("OG_HAS(\(argument), r.\(quoted(one.column)))")
            parts.append("\(alias).Z_PK IN (\(owners))")
        }
        for path in distant {
            let isCollection = translator.root.entity.hasToMany(path)
            let comparison = FetchComparison(
                .keyPath(path),
                .contains,
                .constant(.string(word)),
                modifier: isCollection ? .any : .direct,
                options: [.caseInsensitive, .diacriticInsensitive]
            )
            parts.append(
                try translator.condition(.comparison(comparison), translator.root, exact: false)
            )
        }
        return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
    }

    /// The rows that can have the word, by the index; `nil` if there are too many, or no index.
    private func candidates(
        _ word: String,
        _ argument: String,
        _ plan: SearchPlan
    ) throws -> String? {
        guard distant.isEmpty, let table = store.searchTables.table(of: plan.entity),
            let query = SearchConditions.query(word)
        else { return nil }
        var few = SearchConditions.fewCandidates
        if plan.limit == 0 {
            let own = try store.requireSchema(of: plan.entity).table.name
            let rows = try store.connection.integer("SELECT MAX(Z_PK) FROM \(quoted(own))")
            few = max(few, Int(rows ?? 0) / SearchConditions.fewestRowsEach)
        }
        let count = try store.connection.integer(
            "SELECT COUNT(*) FROM (SELECT 1 FROM \(quoted(table.name)) WHERE \(quoted(table.name)) MATCH ?"
                + " LIMIT \(few + 1))",
            .text(query)
        )
        if count ?? 0 > few { return nil }
        var parts = [
            "SELECT rowid FROM \(quoted(table.name)) WHERE \(quoted(table.name)) MATCH"
                + " \(translator.argument(.text(query)))"
        ]
        for one in related {
            parts.append(one.owners("OG_HAS(\(argument), r.\(quoted(one.column)))"))
        }
        return "\(alias).Z_PK IN (\(parts.joined(separator: " UNION ALL ")))"
    }

    /// The trigrams of a word as a query of the index; `nil` for a word that is too short.
    private static func query(_ word: String) -> String? {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count >= indexedLength else { return nil }
        var trigrams: [String] = []
        for start in 0...(scalars.count - indexedLength) {
            if trigrams.count == mostTrigrams { break }
            var trigram = ""
            trigram.unicodeScalars.append(contentsOf: scalars[start..<start + indexedLength])
            let term = "\"" + trigram.replacing("\"", with: "\"\"") + "\""
            if !trigrams.contains(term) { trigrams.append(term) }
        }
        return trigrams.joined(separator: " AND ")
    }

    /// A text one relationship away, with the query for the rows that lead to it.
    private func relation(_ path: String, _ entity: EntityDescription) -> Related? {
        let keys = path.split(separator: ".").map(String.init)
        guard keys.count == 2,
            let relationship = entity.properties(named: keys[0]).first as? RelationshipDescription,
            let owner = relationship.entity.flatMap({ store.schema.schema(of: $0) }),
            let destination = relationship.destination,
            let target = store.schema.schema(of: destination),
            let slot = destination.slotByName[keys[1]],
            let column = target.columns[slot], case .text = column.kind
        else { return nil }
        let table = quoted(target.table.name)
        let own = quoted(owner.table.name)
        if let key = owner.columns[relationship.slot] {
            return Related(column: column.name, from: table) { condition in
                "SELECT o.Z_PK FROM \(own) o WHERE o.\(quoted(key.name)) IN"
                    + " (SELECT r.Z_PK FROM \(table) r WHERE \(condition))"
            }
        }
        switch owner.toMany[relationship.slot] {
        case .joinTable(let side):
            return Related(column: column.name, from: table) { condition in
                "SELECT j.\(quoted(side.owner)) FROM \(quoted(side.table)) j"
                    + " WHERE j.\(quoted(side.member)) IN"
                    + " (SELECT r.Z_PK FROM \(table) r WHERE \(condition))"
            }
        case .memberKey(let key, _, _):
            return Related(column: column.name, from: table) { condition in
                "SELECT r.\(quoted(key)) FROM \(table) r"
                    + " WHERE r.\(quoted(key)) IS NOT NULL AND \(condition)"
            }
        case nil: return nil
        }
    }
}
