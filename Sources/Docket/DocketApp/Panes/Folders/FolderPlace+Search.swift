import MarkdownFolder
import ObjectGraph
import TextSearch

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
        findings = [:]
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

    /// Shows where a document has the words, in its row.
    ///
    /// As in the search, the text is read only if title, tags and name do not decide; once for a
    /// search.
    func showMatches(of document: Document, in row: inout ItemRow) {
        let query = SearchQuery(searchText)
        var texts = [document.title]
        func decides() -> Bool {
            query.words.allSatisfy { !SearchQuery($0).matches(in: texts).isEmpty }
        }
        if !decides() {
            texts.append(document.tagList.map { "#\($0)" }.joined(separator: " "))
            texts.append(document.name)
        }
        let id = document.objectID
        let isRead = !decides() && findings[id] == nil
        if isRead {
            texts.append(((try? library?.text(of: document))?.body).map(String.init) ?? "")
        }
        row.show(query, in: texts, named: ["title", "tags", "name", "text"])
        if isRead { findings[id] = .some(row.finding) }
        if let known = findings[id] { row.finding = known }
    }

    func endSearch() {
        searchText = ""
        search = nil
        findings = [:]
        if found != nil { found = nil }
    }
}
