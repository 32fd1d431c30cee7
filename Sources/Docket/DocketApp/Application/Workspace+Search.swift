import DocketCore
import ObjectGraph

// The search of the items pane. Its state is one value, ``SearchSession``.
extension Workspace {
    /// Filters the items pane by the text; the selection stays on its item if it is found.
    func search(_ text: String) throws {
        session = session.searching(text)
        try runSearch()
    }

    /// Searches for the text of the session, after it or the items have changed.
    func runSearch() throws {
        session = session.searching(session.text)
        let filter = try search.filter(session.text)
        session.filter = filter
        guard !session.isEmpty else {
            if items.found != nil { items.show(found: nil) }
            return
        }
        let result = try search.search(filter, among: searchedIDs)
        items.show(found: (result.ids, result.query))
        session.isPartial = result.isPartial
        if result.isPartial || filter.compiled.requiredTexts.isEmpty { return }
        // A few are counted at once, which saves a second frame.
        session.counting = .due
        if result.ids.count < Workspace.countedAtOnce { while !countFound() {} }
    }

    /// How many found items are counted by field before the frame that shows them.
    private static let countedAtOnce = 20_000

    /// The searched items, if not all are searched: those of the shown list, or of the trash.
    var searchedIDs: [ManagedObjectID]? {
        if session.isEverywhere && !items.scope.isTrash { return nil }
        do { try items.complete() } catch { tell(error) }
        return Array(items.unsearchedRows)
    }

    /// Ends the search; the selection stays on its item.
    func clearSearch() {
        let selected = items.selectedID
        let hasSearched = !session.text.isEmpty
        session = session.ended
        items.wanted = selected
        items.show(found: nil)
        if hasSearched { search.endSearching() }
    }

    /// Marks all items that the search finds, and ends it.
    func markFound() throws {
        guard let filter = session.filter, let found = items.found else {
            return tell("Nothing was searched for, so nothing was marked.")
        }
        var ids = found.ids
        if session.isPartial {
            // The store has what is not loaded yet.
            ids = try library.itemIDs(of: filter, matching: Library.notTrashed)
            if let searched = searchedIDs { ids = ids.filter(Set(searched).contains) }
        }
        let before = items.marks.count
        items.marks.formUnion(ids)
        let count = items.marks.count - before
        let what = "\(Phrase(count, "item"))"
        clearSearch()
        tell(
            ids.isEmpty
                ? "Nothing was found, so nothing was marked."
                : count == 0
                    ? "Everything that was found is marked already"
                    : "Marked \(what); \(key("item.clearMarks")) removes the marks."
        )
    }

    /// Notes that items have changed, so that a search is run again before the next frame.
    func markSearchStale() {
        if !session.text.isEmpty { session.isStale = true }
    }

    // MARK: Work between events

    /// Loads the texts that the search still needs.
    func loadSearch() {
        search.work()
        guard search.isReady || search.state == .storeOnly else { return }
        session.isPartial = false
        session.isStale = true
    }

    /// Counts a part of the found items; returns whether that was the last.
    func countFound() -> Bool {
        var running: SearchCounting?
        switch session.counting {
        case .none, .counted: return true
        case .due: running = search.counting(among: searchedIDs)
        case .running(let counting): running = counting
        }
        guard items.isSearching, var counting = running else {
            session.counting = .none
            return true
        }
        let isLast = counting.work(in: search.arena)
        session.counting = isLast ? .counted(counting.counts) : .running(counting)
        return isLast
    }

    /// `3 found: title 2, notes 1`.
    var searchSummary: String {
        guard let found = items.found else { return "" }
        if session.isPartial { return localized("\(found.ids.count) found so far") }
        if found.ids.isEmpty {
            return session.isEverywhere
                ? localized("nothing found") : localized("nothing found here")
        }
        let fields = SearchField.allCases.compactMap { field -> String? in
            guard let count = session.counts[field], count > 0 else { return nil }
            return "\(field.title) \(count)"
        }
        let detail = fields.isEmpty ? "" : ": " + fields.joined(separator: ", ")
        return localized("\(found.ids.count) found\(detail)")
    }

    /// The name of the shown list.
    var listTitle: String { lists.title(of: items.scope) }

    /// What the search line says at its right.
    var searchBarSummary: String {
        let place = searchedIDs == nil ? localized("everywhere") : localized("in \(listTitle)")
        let summary = searchSummary
        return summary.isEmpty ? place : "\(summary) \(look.signs.separator) \(place)"
    }
}

extension Application {
    /// Keeps the last searches and the widths of panes in files of a folder, so that they come back
    /// after a start.
    public func keepState(in folder: String) {
        workspace.searchHistory = SearchHistory(path: "\(folder)/searches")
        workspace.widths = PaneWidths(path: "\(folder)/widths")
    }
}
