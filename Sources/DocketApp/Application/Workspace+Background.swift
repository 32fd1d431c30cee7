import DocketCore
import ObjectGraph

// What is done between events, after the frame.
extension Workspace {
    /// Loads the texts that a search which is on the screen still lacks.
    func loadSearch() {
        search.work()
        guard search.isReady || search.state == .storeOnly else { return }
        searchIsPartial = false
        searchIsStale = true
    }

    /// Counts what the search has found, all at once.
    func countSearch() { while !countSearchSlice() {} }

    /// Counts a part of what the search has found; returns whether that was the last.
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
