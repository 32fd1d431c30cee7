package import ObjectModel

/// A text search in a store: every word must occur in at least one searched text of an object or of
/// its related objects, ignoring case and diacritics.
///
/// The article "Searching several fields" has the rules.
public struct SearchPlan {
    package var entity: EntityDescription
    /// The search text; words are separated by white space.
    ///
    /// Without words every object is found.
    package var text: String
    /// Texts of related objects that count as an object's own, such as `list.name`, `tags.name`.
    package var relatedKeyPaths: [String] = []
    /// A condition that results must meet as well.
    package var predicate: FetchPredicate?
    package var sortDescriptors: [FetchSortDescriptor] = []
    /// The greatest number of results; 0 = all.
    ///
    /// A search without a limit reads every row that may match.
    package var limit = 0
    package var includesSubentities = true
    /// Whether the rows of the results are to be cached.
    package var loadsRows = true

    package init(_ entity: EntityDescription, _ text: String) {
        self.entity = entity
        self.text = text
    }

    /// The words, folded, each once.
    package var words: [String] {
        var seen: Set<String> = []
        return text.split(whereSeparator: \.isWhitespace).map {
            TextFolding.fold(String($0), options: [.caseInsensitive, .diacriticInsensitive])
        }.filter { seen.insert($0).inserted }
    }
}

extension SearchPlan {
    /// The search as a predicate, for stores without an index and for pending changes.
    package var condition: FetchPredicate {
        let words = words.map { word -> FetchPredicate in
            .or(ownKeys.map { contains(word, $0, .direct) } + related(word))
        }
        let all = words + (predicate.map { [$0] } ?? [])
        return all.isEmpty ? .constant(true) : .and(all)
    }

    /// The searched attributes of the entity and, if they are included, of its descendants.
    private var ownKeys: [String] {
        var names: Set<String> = []
        func collect(_ entity: EntityDescription) {
            for attribute in entity.storedAttributes where attribute.isSearched {
                names.insert(attribute.name)
            }
            if includesSubentities { for child in entity.subentities { collect(child) } }
        }
        collect(entity)
        return names.sorted()
    }

    private func related(_ word: String) -> [FetchPredicate] {
        relatedKeyPaths.map { keyPath in
            let first = keyPath.split(separator: ".").first.map(String.init) ?? keyPath
            let relationship = entity.propertyInHierarchy(named: first) as? RelationshipDescription
            return contains(word, keyPath, relationship?.isToMany == true ? .any : .direct)
        }
    }

    private func contains(
        _ word: String,
        _ keyPath: String,
        _ modifier: FetchComparison.Modifier
    ) -> FetchPredicate {
        .comparison(
            FetchComparison(
                .keyPath(keyPath),
                .contains,
                .constant(.string(word)),
                modifier: modifier,
                options: [.caseInsensitive, .diacriticInsensitive]
            )
        )
    }
}
