import DocketCore
import ObjectGraph
import TerminalUI

/// The lists: built-in ones, the user's as a tree, tags; the items follow its selection.
final class ListsPane: Pane {
    static let kind = PaneKind(id: .lists, place: .left, title: "Lists", hasHead: false) {
        ListsPane($0)
    }

    private unowned let workspace: Workspace
    private var lists: ListsController { workspace.lists }

    init(_ workspace: Workspace) { self.workspace = workspace }

    var head: String { "Lists" }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        lists.list.layout(rows: canvas.rows)
        let (look, scope) = (workspace.look, workspace.items.scope)
        lists.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
            let line = lists.lines[row.index]
            let folder = line.folder.map { workspace.folders[$0] }
            let shown = workspace.shownFolder
            ListLineView(
                line: line,
                count: line.scope.flatMap { workspace.count(of: $0) },
                hasProblem: workspace.hasProblem(line.scope),
                isCurrent: shown == nil ? line.scope == scope : folder === shown,
                vaultState: workspace.vaultState,
                folder: folder,
                look: look
            ).render(into: &canvas)
        }
        return PaneExtent(lists.list, rows: canvas.rows)
    }

    // MARK: Moving

    func move(by rows: Int) { follow { $0.move(by: rows) } }
    func page(_ windows: Int) { follow { $0.page(windows) } }
    func moveToEnd(first: Bool) { follow { $0.selectEnd(first: first) } }

    /// Moves, and shows the items of the list that is selected then.
    private func follow(_ motion: (ListsController) -> Void) {
        motion(lists)
        if let folder = lists.selectedFolder {
            if folder !== workspace.shownFolder { workspace.show(folder) }
            return
        }
        guard let scope = lists.selectedScope,
            scope != workspace.items.scope || workspace.shownFolder != nil
        else { return }
        do { try workspace.show(scope) } catch { workspace.tell(error) }
    }

    func open() throws {
        if lists.isOnVault { return try workspace.openVault() }
        workspace.go(to: .items)
    }
    func toggleFold() { lists.toggleFold() }

    // MARK: Order

    var cannotReorder: String? {
        guard case .smart(let list)? = lists.selectedScope, list.section == .focus else {
            return workspace.noList
        }
        return workspace.readOnly
    }

    func reorder(down: Bool) throws {
        if case .smart(let list)? = lists.selectedScope {
            let step = try workspace.library.move(list, by: down ? 1 : -1)
            return workspace.tell(step, unchanged: workspace.atEnd(down))
        }
        guard let list = lists.list(of: lists.selectedScope) else { return }
        let step = try workspace.library.move(list, by: down ? 1 : -1)
        workspace.tell(step, unchanged: workspace.atEnd(down))
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        guard let row = lists.list.handle(mouse, in: area).row else { return }
        if lists.lines[row] == .vault { return try workspace.openVault() }
        if let folder = lists.selectedFolder { return workspace.show(folder) }
        guard let scope = lists.lines[row].scope else { return }
        try workspace.show(scope)
    }
}
