import DocketCore
import ObjectGraph

// What is done between events, after the frame.
extension Workspace {
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
