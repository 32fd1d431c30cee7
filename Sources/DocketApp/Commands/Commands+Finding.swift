extension CommandTable {
    static let finding: [Command] = [
        Command(
            "search.open",
            "Search",
            keys: ["/"],
            .find,
            help: "Finds as you type, in titles, notes, lists and tags; Tab: everywhere or here.",
            hint: "search",
            run: { $0.open(SearchBar(workspace: $0)) }
        ),
        Command(
            "search.clear",
            "End the search",
            keys: ["ctrl+x"],
            .find,
            help: "Shows the whole list again; the selection stays.",
            disabled: { $0.items.isSearching ? nil : "There is no search; / begins one." },
            run: { $0.clearSearch() }
        ),
    ]
}
