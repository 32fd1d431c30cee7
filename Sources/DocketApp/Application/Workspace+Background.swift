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

    func countSearch() {
        searchCountsAreStale = false
        guard items.isSearching else { return }
        searchCounts = search.countsByField(searchText, among: searchedIDs)
    }

    func countUndoSteps() {
        undoCountIsStale = false
        undoCount = (try? library.undoSteps(limit: Workspace.undoLimit).count) ?? 0
    }
}
