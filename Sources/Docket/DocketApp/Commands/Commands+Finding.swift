import Phrases

extension CommandTable {
    static let finding: [Command] = [
        Command(
            "search.open",
            "Search",
            keys: ["/"],
            .find,
            help:
                "Searches during typing, in titles, notes, lists and tags; Tab switches between everywhere and here.",
            hint: "search",
            synonyms: ["find", "filter"],
            run: { $0.openSearch() }
        ),
        Command(
            "search.clear",
            "End the search",
            keys: ["ctrl+x"],
            .find,
            help: "Shows the whole list again; the selection stays.",
            disabled: { $0.isSearching ? nil : localized("No search is active; / starts one.") },
            run: { workspace in
                if let folder = workspace.shownFolder { return folder.endSearch() }
                workspace.clearSearch()
            }
        ),
    ]
}

extension Workspace {
    fileprivate var isSearching: Bool { shownFolder?.isSearching ?? items.isSearching }

    /// Asks for words, of items or of what the shown folder has.
    fileprivate func openSearch() {
        guard let folder = shownFolder else { return open(SearchBar(workspace: self)) }
        go(to: .folder)
        open(FolderSearchBar(folder))
    }
}
