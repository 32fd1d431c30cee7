import DocketCore
import ObjectGraph
import TerminalUI

extension ItemsPane {
    /// A click selects, a second one opens; dragging an item moves it.
    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        if mouse.kind == .release { dragged = nil }
        if mouse.kind == .drag { return try drag(to: mouse, area) }
        let outcome = items.list.handle(mouse, in: area)
        items.skipHeading(down: true)
        if let row = outcome.row { dragged = items.lines[row].id }
        try follow(outcome, in: items.list)
    }

    /// Moves the dragged item to the row below the pointer, one step at a time.
    private func drag(to mouse: MouseEvent, _ area: Rect) throws {
        guard let dragged, let row = items.list.row(at: mouse.position, in: area),
            let from = items.lines.index(of: dragged), from != row
        else { return }
        items.select(dragged)
        if let reason = cannotReorder {
            // Reported once, not at each row that the pointer passes.
            self.dragged = nil
            return workspace.tell(reason, .warning)
        }
        if let item = items.item(dragged) { try reorder([item], down: row > from) }
        workspace.library.context.processPendingChanges()
        workspace.prepare()
    }
}
