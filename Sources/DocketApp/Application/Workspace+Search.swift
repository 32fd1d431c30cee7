import ObjectGraph
import TextSearch

extension Workspace {
    /// Filters the items pane by the text; the selection stays on its item if it is found.
    func search(_ text: String) throws {
        searchText = text
        try runSearch()
    }

    func runSearch() throws {
        searchIsStale = false
        searchIsPartial = false
        searchCounts = [:]
        searchCounting = nil
        guard !SearchQuery(searchText).isEmpty else {
            searchCountsAreStale = false
            if items.found != nil {
                items.found = nil
                items.makeLines(keeping: true)
            }
            return
        }
        let result = try search.search(searchText, among: searchedIDs)
        items.found = (result.ids, result.query)
        items.makeLines(keeping: true)
        searchIsPartial = result.isPartial
        // A few are counted at once, which saves a second frame.
        searchCountsAreStale = !result.isPartial
        if searchCountsAreStale, result.ids.count < Workspace.countedAtOnce { countSearch() }
    }

    /// How many found items are counted by field before the frame that shows them.
    private static let countedAtOnce = 20_000

    /// The searched items, if not all are searched: those of the shown list, or of the trash.
    var searchedIDs: [ManagedObjectID]? {
        if searchIsEverywhere && items.scope != .smart(.trash) { return nil }
        do { try items.complete() } catch { tell(error) }
        return Array(items.unsearchedRows)
    }

    func clearSearch() {
        let selected = items.selectedID
        clearSearchText()
        items.found = nil
        items.wanted = selected
        items.makeLines(keeping: true)
    }

    func clearSearchText() {
        searchText = ""
        searchCounts = [:]
        searchCounting = nil
        searchIsStale = false
        searchIsPartial = false
        searchCountsAreStale = false
    }

    /// `3 found: title 2, notes 1`.
    var searchSummary: String {
        guard let found = items.found else { return "" }
        if searchIsPartial { return "\(found.ids.count) found so far" }
        if found.ids.isEmpty {
            return searchIsEverywhere ? "nothing found" : "nothing found here"
        }
        let fields = SearchField.allCases.compactMap { field -> String? in
            guard let count = searchCounts[field], count > 0 else { return nil }
            return "\(field.title) \(count)"
        }
        let detail = fields.isEmpty ? "" : ": " + fields.joined(separator: ", ")
        return "\(found.ids.count) found\(detail)"
    }
}
