package import ObjectModel

/// A fetch as a store sees it: resolved against its model.
public struct FetchPlan {
    package var request: FetchDescription
    package var entity: EntityDescription
    /// Whether the store may apply limit and offset.
    ///
    /// False while pending changes are to be considered, because the window counts the results
    /// after them.
    package var appliesWindow: Bool
    /// Whether the rows of the results are to be cached.
    package var loadsRows: Bool
    /// The monitor that may cancel the fetch and receives its progress.
    package var monitor: FetchMonitor?

    package init(
        request: FetchDescription,
        entity: EntityDescription,
        appliesWindow: Bool = true,
        loadsRows: Bool = false
    ) {
        self.request = request
        self.entity = entity
        self.appliesWindow = appliesWindow
        self.loadsRows = loadsRows
    }
}

/// The results of a store, and the work that it left to its caller.
///
/// A store that cannot express a predicate returns a superset and the predicate; then the caller
/// filters, sorts and applies the window.
public struct FetchAnswer {
    package var ids: [ManagedObjectID] = []
    /// Results of a dictionary fetch, each by the names of the request's columns.
    package var dictionaries: [[String: GraphValue]] = []
    /// The result of a count request that the store answered itself.
    package var count: Int?
    /// The condition that the objects of ``ids`` still have to meet.
    package var remainder: FetchPredicate?
    /// The condition that the store itself evaluated in memory after a wider query; for traces
    /// only, the caller has nothing to do.
    package var evaluated: FetchPredicate?
    package var isSorted = true
    package var isWindowed = true

    package init() {}

    /// Whether the answer needs no further work.
    package var isComplete: Bool { remainder == nil && isSorted && isWindowed }
}
