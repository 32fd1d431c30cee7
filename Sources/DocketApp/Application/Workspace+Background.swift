import DocketCore
import ObjectGraph

// Work between events, after the frame.
extension Workspace {
    /// Loads the texts that a visible search still needs.
    func loadSearch() {
        search.work()
        guard search.isReady || search.state == .storeOnly else { return }
        searchIsPartial = false
        searchIsStale = true
    }

    /// Counts all found items at once.
    func countSearch() { while !countSearchSlice() {} }

    /// Counts a part of the found items; returns whether that was the last.
    func countSearchSlice() -> Bool {
        if searchCounting == nil, items.isSearching {
            searchCounting = search.counting(searchText, among: searchedIDs)
        }
        if searchCounting?.work(in: search.arena) == false { return false }
        searchCounts = searchCounting?.counts ?? [:]
        searchCounting = nil
        searchCountsAreStale = false
        return true
    }

    func countUndoSteps() {
        undoCountIsStale = false
        undoCount = (try? library.undoStepCount(limit: Workspace.undoLimit)) ?? 0
    }
}
