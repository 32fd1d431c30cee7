import MarkdownFolder
import ObjectGraph

// A search goes on in parts between events, because it may read many files.
extension FolderPlace {
    /// How many documents are searched between two looks at the keyboard.
    private static let part = 64

    var isSearching: Bool { found != nil }

    /// Whether documents are still to be searched.
    var hasSearchWork: Bool { isSearching && search?.isDone == false }

    /// Shows the documents that have some words; all rows without words.
    func search(_ text: String) throws {
        guard let library else { return }
        searchText = text
        if text.allSatisfy(\.isWhitespace) { return endSearch() }
        // The documents are listed once while somebody types.
        search = try search?.searching(text) ?? FolderSearch(text, in: library)
        found = []
        searchPart()
    }

    /// Searches again, among the files that there are now.
    func restartSearch() throws {
        search = nil
        try search(searchText)
    }

    /// Searches the next documents.
    func searchPart() {
        guard var running = search else { return }
        // A file that cannot be read does not end the search.
        let more = (try? running.next(FolderPlace.part)) ?? []
        search = running
        if !more.isEmpty { found?.append(contentsOf: more) }
    }

    func endSearch() {
        searchText = ""
        search = nil
        if found != nil { found = nil }
    }
}
