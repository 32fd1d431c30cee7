package import ObjectModel

/// A text search in a store: every word must be found in at least one searched text of an object
/// or of its related objects, ignoring case and diacritics.
///
/// Source of the rule: feature Q7.
package struct SearchPlan {
    package var entity: EntityDescription
    /// The search text; words are separated by white space.
    ///
    /// Without words everything is found.
    package var text: String
    /// Texts of related objects that count as an object's own, such as `list.name`, `tags.name`.
    package var relatedKeyPaths: [String] = []
    /// A condition that results must meet besides.
    package var predicate: FetchPredicate?
    package var sortDescriptors: [FetchSortDescriptor] = []
    /// The most results; 0 = all.
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

    /// The words, folded.
    var words: [String] {
        text.split(whereSeparator: \.isWhitespace).map {
            TextFolding.fold(String($0), options: [.caseInsensitive, .diacriticInsensitive])
        }
    }
}
