import DocketCore
import ObjectGraph
import TerminalUI

extension Application {
    private static let doubleClick: Duration = .milliseconds(400)

    /// A click selects, a second one opens; the wheel scrolls the view below the pointer; dragging
    /// an item moves it.
    func act(on mouse: MouseEvent) {
        if let modal = workspace.modal {
            // A modal uses the coordinates of its own place.
            var mouse = mouse
            let top = layout.bar?.row ?? layout.title?.rows ?? 0
            mouse.position.row -= top
            if modal.barRows == 0 || mouse.position.row >= 0 { dispatcher.handle(.mouse(mouse)) }
            return
        }
        for pane in Pane.allCases {
            guard let area = layout.panes[pane], area.contains(mouse.position) else { continue }
            act(on: mouse, pane, PaneView.inside(area))
        }
        if mouse.kind == .release { dragged = nil }
    }

    private func act(on mouse: MouseEvent, _ pane: Pane, _ area: Rect) {
        let isPress = mouse.kind == .press && mouse.button == .left
        if isPress { workspace.focus = pane }
        switch pane {
        case .lists: clickLists(mouse, area)
        case .items: clickItems(mouse, area, isPress: isPress)
        case .detail:
            if mouse.kind == .wheelDown { workspace.detail.scroll(by: 3) }
            if mouse.kind == .wheelUp { workspace.detail.scroll(by: -3) }
        }
    }

    private func clickLists(_ mouse: MouseEvent, _ area: Rect) {
        let lists = workspace.lists
        guard case .clicked(let row) = lists.list.handle(mouse, in: area),
            let scope = lists.lines[row].scope
        else { return }
        do { try workspace.show(scope) } catch { workspace.tell(error) }
    }

    private func clickItems(_ mouse: MouseEvent, _ area: Rect, isPress: Bool) {
        let items = workspace.items
        if mouse.kind == .drag { return drag(to: mouse, area) }
        let outcome = items.list.handle(mouse, in: area)
        items.skipHeading(down: true)
        guard case .clicked(let row) = outcome, isPress else { return }
        let isDouble =
            lastClick.map {
                $0.position == mouse.position
                    && mouse.time - $0.time < Application.doubleClick
            } ?? false
        lastClick = isDouble ? nil : (mouse.position, mouse.time)
        dragged = items.lines[row].id
        if isDouble { dispatcher.run("item.edit") }
    }

    /// Moves the dragged item to the row below the pointer, one step at a time.
    private func drag(to mouse: MouseEvent, _ area: Rect) {
        let items = workspace.items
        guard let dragged, let row = items.list.row(at: mouse.position, in: area),
            let from = items.lines.place(of: dragged), from != row
        else { return }
        items.select(dragged)
        if let reason = workspace.cannotReorder {
            // Reported once, not at each row that the pointer passes.
            self.dragged = nil
            return workspace.tell(reason, .warning)
        }
        do {
            if let item = items.item(dragged) { try workspace.reorder(down: row > from, item) }
        } catch {
            workspace.tell(error)
        }
        workspace.library.context.processPendingChanges()
        workspace.prepare()
    }
}
