import CivilTime
import DocketCore
import FoundationEssentials
import MarkdownFolder
import ObjectGraph
import TerminalUI

extension FolderPlace {
    /// The row of a line, as the items pane shows notes; reads the beginning of the file.
    func row(_ line: FolderLine, _ format: DateFormat) -> ItemRow {
        guard let entry = entry(line) else { return ItemRow(title: "…") }
        var row = ItemRow(depth: line.depth)
        if line.isFolder {
            row.state = .folder
            row.title = DisplayWidth.singleLine(entry.name)
            row.fold = line.isUnfolded ? .unfolded : .folded
            return row
        }
        row.state = .note
        guard let document = entry as? Document else { return row }
        row.title = DisplayWidth.singleLine(document.title)
        row.tags = document.tagList.map { "#\(DisplayWidth.singleLine($0))" }
            .joined(separator: " ")
        row.due = document.modified.map {
            ItemRow.Due(text: format.moment($0), role: .dim)
        }
        if isSearching {
            row.list = place(of: document)
            showMatches(of: document, in: &row)
        }
        return row
    }

    /// The folder of a document inside this one.
    private func place(of document: Document) -> String {
        let path = document.path
        return path.lastIndex(of: "/").map { DisplayWidth.singleLine(String(path[..<$0])) } ?? ""
    }

    /// `12 notes · 3 folders · read only`.
    var status: [String] {
        guard library != nil else { return [] }
        if let found {
            let words = localized("\(found.count) found")
            if hasSearchWork { return [localized("\(words) so far")] }
            let cut =
                search?.isCut == true ? [localized("first \(FolderSearch.most) searched")] : []
            return [words] + cut + [localized("read only")]
        }
        let folders = lines.count { $0.isFolder && $0.depth == 0 }
        return [Phrase(count ?? 0, "note").text]
            + (folders > 0 ? [Phrase(folders, "folder").text] : [])
            + [localized("read only")]
    }

    /// Why there are no rows, one sentence.
    func emptyText(_ look: Look, clear: String) -> String {
        if let problem {
            return localized("\(problem) \(look.isASCII ? "Enter" : "⏎") looks again.")
        }
        if isSearching {
            return hasSearchWork
                ? localized("Searching.")
                : localized("No note here matches \"\(searchText)\". \(clear) shows all.")
        }
        return localized("There is no Markdown file in this folder.")
    }
}
