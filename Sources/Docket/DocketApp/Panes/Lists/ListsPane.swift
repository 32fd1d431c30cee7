import DocketCore
import ObjectGraph
import TerminalUI

/// The lists: built-in ones, the user's as a tree, tags; the items follow its selection.
final class ListsPane: Pane {
    static let kind = PaneKind(
        id: .lists,
        place: .left,
        content: [.items, .folder, .agenda],
        title: "Lists",
        hasHead: false,
        takes: [.window, .history, .list]
    ) { ListsPane($0) }

    private unowned let workspace: Workspace
    private var lists: ListsController { workspace.lists }

    init(_ workspace: Workspace) { self.workspace = workspace }

    var head: String { localized("Lists") }

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
                vaultState: line == .vault ? workspace.vaultState : "",
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
        // An agenda is in place of the selected list.
        if workspace.items.span != nil { workspace.leaveDays() }
        workspace.go(to: .items)
    }

    var cannotFold: String? {
        lists.selectedHasChildren ? nil : localized("There are no lists below this one to fold.")
    }
    func toggleFold() { lists.toggleFold() }
    var cannotFoldAll: String? {
        lists.parentIDs.isEmpty ? localized("No list has others below it to fold.") : nil
    }
    func toggleAllFolds() { lists.toggleAllFolds() }

    // MARK: Order

    var cannotReorder: String? {
        guard case .smart(let list)? = lists.selectedScope, list.section == .focus else {
            return workspace.noList
        }
        return workspace.readOnly
    }

    func reorder(by places: Int) throws {
        if case .smart(let list)? = lists.selectedScope {
            let step = try workspace.library.move(list, by: places)
            return workspace.tell(step, unchanged: workspace.atEnd(places > 0))
        }
        guard let list = lists.list(of: lists.selectedScope) else { return }
        let step = try workspace.library.move(list, by: places)
        workspace.tell(step, unchanged: workspace.atEnd(places > 0))
    }

    // MARK: Mouse

    func select(at position: Position, in area: Rect) -> Bool {
        guard let row = lists.list.row(at: position, in: area), lists.lines[row] != .separator
        else { return false }
        follow { $0.list.select(row) }
        return true
    }

    var selectedName: String { lists.selectedScope.map(lists.title) ?? "" }

    /// A click shows the list, a second one goes to its items.
    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let outcome = lists.list.handle(mouse, in: area)
        guard let row = outcome.row else { return }
        if lists.lines[row] == .vault { return try workspace.openVault() }
        if let folder = lists.selectedFolder {
            workspace.show(folder)
        } else if let scope = lists.lines[row].scope {
            try workspace.show(scope)
        }
        try follow(outcome, in: lists.list)
    }

    /// What dragged items become where they are dropped: they move to a list or to the trash, or get
    /// a tag.
    func take(
        _ ids: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {
        guard let row = lists.list.row(at: position, in: area), let scope = lists.lines[row].scope
        else { return }
        let name = lists.title(of: scope)
        let (what, change): (String, ItemChange)
        switch scope {
        case .list(let id): (what, change) = (localized("move it to \(name)"), .list(.list(id)))
        case .tag:
            (what, change) = (
                localized("tag it \(name)"), .tags(adding: [String(name.dropFirst())], removing: [])
            )
        case .smart(.inbox): (what, change) = (localized("move it to the inbox"), .list(.inbox))
        case .smart(.trash): (what, change) = (localized("put it into the trash"), .trash)
        case .smart, .days, .dependencies:
            return workspace.tell(
                "A search fills \(workspace.quoted(name)); nothing can be put there."
            )
        }
        guard isDrop else { return workspace.tell("Drop it to \(what).") }
        if let reason = workspace.readOnly { return workspace.tell("\(reason)", .warning) }
        let targets = try workspace.library.targets(ids)
        if case .trash = change { return try workspace.change(targets, by: .trashing) }
        try workspace.perform(change, on: targets, unchanged: "Already in \(name)")
    }
}
