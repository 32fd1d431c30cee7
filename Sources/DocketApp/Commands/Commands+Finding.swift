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
            run: { $0.open(SearchBar(workspace: $0)) }
        ),
        Command(
            "search.clear",
            "End the search",
            keys: ["ctrl+x"],
            .find,
            help: "Shows the whole list again; the selection stays.",
            disabled: { $0.items.isSearching ? nil : "No search is active; / starts one." },
            run: { $0.clearSearch() }
        ),
    ]
}
