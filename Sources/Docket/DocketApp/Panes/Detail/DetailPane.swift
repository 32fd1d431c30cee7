import DocketCore
import ObjectGraph
import TerminalUI

/// Everything about the selected item.
final class DetailPane: Pane {
    static let kind = PaneKind(
        id: .detail,
        place: .right,
        content: [.items, .agenda],
        title: "Detail",
        takes: [.window, .history, .list, .items]
    ) { DetailPane($0) }

    private unowned let workspace: Workspace
    private var detail: DetailController { workspace.detail }

    init(_ workspace: Workspace) { self.workspace = workspace }

    var head: String {
        guard let item = workspace.items.selected else { return "" }
        return item.title.isEmpty ? localized("(no title)") : DisplayWidth.singleLine(item.title)
    }

    var cannotOpen: String? { workspace.noRow }
    func open() throws {
        if workspace.items.selected is Note { return try workspace.read() }
        try workspace.openForm()
    }
    func edit() throws { try workspace.openForm() }
    var cannotReorder: String? { workspace.panes[workspace.panes.middle].cannotReorder }
    func reorder(by places: Int) throws {
        try workspace.panes[workspace.panes.middle].reorder(by: places)
    }

    func move(by rows: Int) { detail.scroll(by: rows) }
    func page(_ windows: Int) { detail.page(windows) }
    func moveToEnd(first: Bool) { detail.scrollToEnd(first: first) }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        guard let item = workspace.items.selected else {
            detail.clear()
            return PaneExtent()
        }
        let columns = max(1, canvas.columns - 2)
        let lines = detail.lines(
            of: item,
            workspace.items.subtasks,
            workspace.items.dependencies,
            columns: columns,
            showsTitle: !workspace.showsHeads,
            conflicts: workspace.conflictLines(of: item, columns: columns),
            look: look
        )
        return detail.render(lines, into: &canvas, look: look, isFocused: isFocused)
    }

    var selectedName: String { head }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        try detail.handle(mouse, in: area) { target in
            if let target {
                return try workspace.follow(target) { [workspace] id in try workspace.goToItem(id) }
            }
            if let reason = cannotOpen { return workspace.tell("\(reason)", .warning) }
            try open()
        }
    }
}
