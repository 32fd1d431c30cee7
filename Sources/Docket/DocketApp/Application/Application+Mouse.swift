import DocketCore
import ObjectGraph
import TerminalUI

extension Application {
    /// The wheel scrolls the view below the pointer, a click goes there, and a word of the last line
    /// does what its key does.
    ///
    /// The lines between panes can be dragged. What else the mouse does is the pane's.
    func act(on mouse: MouseEvent) {
        if let drag = workspace.drag, mouse.kind == .drag || mouse.kind == .release {
            return follow(drag, mouse)
        }
        workspace.drag = nil
        let isPress = mouse.kind == .press && mouse.button == .left
        if isPress, let keys = keys(at: mouse.position) {
            for key in keys { dispatcher.handle(.key(key)) }
            return
        }
        if workspace.modal != nil, !isWheelBesideBar(mouse) {
            // A modal uses the coordinates of its own place.
            var mouse = mouse
            let top = layout.bar?.row ?? layout.title?.rows ?? 0
            mouse.position.row -= top
            if layout.bar == nil || mouse.position.row >= 0 { dispatcher.handle(.mouse(mouse)) }
            return
        }
        if isPress, let pane = layout.divided(at: mouse.position) {
            workspace.drag = Drag(.divider(pane), from: mouse.position)
            return
        }
        for (id, place) in layout.panes where place.area.contains(mouse.position) {
            if mouse.kind == .press, mouse.button == .right {
                return offerCommands(at: mouse.position, of: id, place)
            }
            if isPress { workspace.go(to: id) }
            workspace.respond { try workspace.panes[id].handle(mouse, in: place.body) }
        }
    }

    /// Selects what is below the pointer, and offers the commands that act on it; with nothing there,
    /// those of the pane.
    private func offerCommands(at position: Position, of id: PaneID, _ place: ScreenLayout.Place) {
        workspace.go(to: id)
        var isOnRow = false
        workspace.respond { isOnRow = workspace.panes[id].select(at: position, in: place.body) }
        workspace.prefix = []
        if let menu = CommandMenu(isOnRow: isOnRow, workspace) { workspace.open(menu) }
    }

    /// Whether the wheel is turned over the panes, beside a bar that leaves them in sight.
    private func isWheelBesideBar(_ mouse: MouseEvent) -> Bool {
        guard let bar = layout.bar, mouse.position.row < bar.row else { return false }
        return mouse.kind == .wheelUp || mouse.kind == .wheelDown
    }

    /// The keys of the hint at a position.
    private func keys(at position: Position) -> [Key]? {
        guard let footer = layout.footer, footer.contains(position) else { return nil }
        let view = footerView
        let hint = view.places(width: footer.columns).first { $0.columns.contains(position.column) }
        return hint?.hint.keys
    }

    // MARK: Dragging

    private func follow(_ drag: Drag, _ mouse: MouseEvent) {
        if mouse.kind == .release { workspace.drag = nil }
        let position = mouse.position
        if !drag.hasMoved, position == drag.start {
            if mouse.kind == .release, let click = drag.click { workspace.respond(click) }
            return
        }
        workspace.drag?.hasMoved = true
        switch drag.what {
        case .divider(let pane):
            let name = workspace.panes.kind(pane).width
            workspace.widths[name] = layout.width(of: pane, endingAt: position.column)
            if mouse.kind == .release { workspace.widths.keep(name) }
        case .items(let ids):
            follow(mouse) { try $0.take(ids, at: position, in: $1, isDrop: $2) }
        case .occurrence(let id, let date):
            guard let task = workspace.items.item(id) as? DocketCore.Task else { return }
            follow(mouse) { try $0.take((task, date), at: position, in: $1, isDrop: $2) }
        }
    }

    /// Notes the row below the pointer; the pane there takes what is dragged.
    private func follow(_ mouse: MouseEvent, take: (any Pane, Rect, Bool) throws -> Void) {
        let target = layout.panes.first { $0.value.area.contains(mouse.position) }
        guard let (id, place) = target else { return }
        let isDrop = mouse.kind == .release
        if !isDrop {
            var row = place.body
            (row.row, row.rows) = (mouse.position.row, 1)
            workspace.drag?.row = row
        }
        workspace.respond { try take(workspace.panes[id], place.body, isDrop) }
    }
}
