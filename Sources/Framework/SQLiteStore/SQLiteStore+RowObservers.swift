import ObjectStore

extension SQLiteStore {
    /// What follows the rows of a save; the only list of them.
    func makeRowObservers() -> RowObservers {
        var observers: [any RowObserver] = []
        if !searchTables.isEmpty { observers.append(SearchIndexWriter(self)) }
        if keepsHistory { observers.append(HistoryWriter(self)) }
        if breaksHistory { observers.append(HistoryBreak(connection)) }
        return RowObservers(observers)
    }
}
