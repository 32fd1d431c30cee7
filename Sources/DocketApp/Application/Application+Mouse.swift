import DocketCore
import ObjectGraph
import TerminalUI

extension Application {
    /// The wheel scrolls the view below the pointer, a click goes there; what else the mouse does is
    /// the pane's.
    func act(on mouse: MouseEvent) {
        if let modal = workspace.modal {
            // A modal uses the coordinates of its own place.
            var mouse = mouse
            let top = layout.bar?.row ?? layout.title?.rows ?? 0
            mouse.position.row -= top
            if modal.barRows == 0 || mouse.position.row >= 0 { dispatcher.handle(.mouse(mouse)) }
            return
        }
        for (id, place) in layout.panes where place.area.contains(mouse.position) {
            if mouse.kind == .press, mouse.button == .left { workspace.go(to: id) }
            do {
                try workspace.panes[id].handle(mouse, in: place.body)
            } catch {
                workspace.tell(error)
            }
            workspace.library.context.processPendingChanges()
        }
    }
}
