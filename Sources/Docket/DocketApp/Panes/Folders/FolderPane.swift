import CivilTime
import DocketCore
import MarkdownFolder
import ObjectGraph
import TerminalUI

/// The Markdown files of a folder, in place of items; they are only read.
final class FolderPane: Pane {
    static let kind = PaneKind(
        id: .folder,
        place: .middle,
        content: [.folder],
        title: "Folder",
        takes: [.window, .history, .list, .items, .marks],
        commands: commands
    ) { FolderPane($0) }

    private unowned let workspace: Workspace
    private var place: FolderPlace? { workspace.shownFolder }

    init(_ workspace: Workspace) { self.workspace = workspace }

    var head: String {
        guard let place else { return "" }
        if !place.isSearching { return place.setting.name }
        let text = localized("\"\(place.searchText)\"")
        return "\(place.setting.name) \(workspace.look.signs.crumb) \(text)"
    }

    var status: [String] { place?.status ?? [] }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        guard let place else { return PaneExtent() }
        let look = workspace.look
        place.list.layout(rows: canvas.rows)
        guard !place.lines.isEmpty else {
            let clear = workspace.key("search.clear")
            EmptyView(text: place.emptyText(look, clear: clear), look: look).render(into: &canvas)
            return PaneExtent()
        }
        let format = DateFormat(context: workspace.library.clock())
        var rows: [Int: ItemRow] = [:]
        for index in place.list.visible { rows[index] = place.row(place.lines[index], format) }
        let columns = ItemColumns(
            rows: Array(rows.values),
            width: canvas.columns,
            hasTree: place.lines.contains { $0.isFolder }
        )
        place.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { line, canvas in
            guard let row = rows[line.index] else { return }
            ItemRowView(row: row, columns: columns, look: look)
                .render(into: &canvas)
        }
        return PaneExtent(place.list, rows: canvas.rows)
    }

    // MARK: Moving

    func move(by rows: Int) { place?.list.move(by: rows) }
    func page(_ windows: Int) { place?.list.page(windows) }
    func moveToEnd(first: Bool) { place?.list.select(first ? 0 : .max) }

    func leaveLevel() -> Bool {
        guard let place, place.isSearching else { return false }
        place.endSearch()
        return true
    }

    // MARK: Opening

    var cannotOpen: String? {
        guard let place, place.problem == nil, place.selectedLine == nil else { return nil }
        return localized("There is no note here.")
    }

    /// Unfolds a folder, or goes to the text of a document.
    func open() throws {
        guard let place else { return }
        if place.problem != nil { return workspace.show(place) }
        if place.selectedLine?.isFolder == true { return try place.toggleFold() }
        workspace.go(to: .folderText)
    }

    var cannotFold: String? {
        place?.selectedLine?.isFolder == true
            ? nil : localized("This is not a folder; there is nothing to fold.")
    }
    func toggleFold() throws { try place?.toggleFold() }
    var cannotFoldAll: String? {
        let isUnfolded = place?.lines.contains(where: \.isUnfolded) ?? false
        return isUnfolded ? nil : localized("All folders are folded already.")
    }
    func toggleAllFolds() { place?.foldAll() }

    var cannotReorder: String? { workspace.folderIsReadOnly }

    func select(at position: Position, in area: Rect) -> Bool {
        place?.list.select(at: position, in: area)
        return place?.list.row(at: position, in: area) != nil
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        guard let place else { return }
        try follow(place.list.handle(mouse, in: area), in: place.list)
    }
}
