package import ObjectModel

/// A fetch as a store sees it: resolved against its model.
package struct FetchPlan {
    package var request: FetchDescription
    package var entity: EntityDescription
    /// Whether the store may apply limit and offset.
    ///
    /// Not so while pending changes will be overlaid, because the window counts what is left after
    /// them.
    package var appliesWindow: Bool
    /// Whether the rows of the results are to be cached.
    package var loadsRows: Bool
    /// Who may cancel the fetch and hears of its progress.
    package var monitor: FetchMonitor?

    package init(
        request: FetchDescription,
        entity: EntityDescription,
        appliesWindow: Bool,
        loadsRows: Bool
    ) {
        self.request = request
        self.entity = entity
        self.appliesWindow = appliesWindow
        self.loadsRows = loadsRows
    }
}

/// What a store found, and what it left to do.
///
/// A store that cannot express a predicate answers with a superset and hands the predicate back;
/// then the caller filters, sorts and cuts the window.
package struct FetchAnswer {
    package var ids: [ManagedObjectID] = []
    /// Results of a dictionary fetch, each by the names of the request's columns.
    package var dictionaries: [[String: Value]] = []
    /// The result of a count request that the store answered itself.
    package var count: Int?
    /// The condition that ``ids`` still have to meet.
    package var remainder: FetchPredicate?
    /// What the store itself evaluated after a wider query, for whoever watches; nothing is left
    /// to do.
    package var evaluated: FetchPredicate?
    package var isSorted = true
    package var isWindowed = true

    package init() {}

    /// Whether the answer needs no further work.
    package var isComplete: Bool { remainder == nil && isSorted && isWindowed }
}
