import Phrases
import TerminalUI

/// Asks for words of the files of the shown folder, during typing; Esc shows all files again.
final class FolderSearchBar: RowsBar {
    private let place: FolderPlace

    init(_ place: FolderPlace) {
        self.place = place
        super.init("/", text: place.searchText, placeholder: "words of a note in this folder")
        field.offer()
    }

    override var mode: String { localized("Search") }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "keep"), Hint("Esc", "show all"),
            Hint(look.isASCII ? "Up/Down" : "↑↓", "choose"),
        ]
    }

    override func textDidChange(in workspace: Workspace) throws {
        try place.search(field.text)
    }

    override func accept(in workspace: Workspace) throws { workspace.close(self) }

    override func cancel(in workspace: Workspace) throws { place.endSearch() }
}
