import DocketCore
import ObjectGraph
import TerminalUI

extension ItemsPane {
    /// A click selects, a second one opens, with ctrl it marks; one on a sign completes or folds.
    ///
    /// Items can be dragged to another place or onto a list.
    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let isPress = mouse.kind == .press && mouse.button == .left
        if isPress, let row = items.list.row(at: mouse.position, in: area),
            let (id, depth) = items.lines[row].itemAtDepth,
            try act(on: id, depth: depth, mouse, area)
        {
            return
        }
        try select(mouse, in: area) { try follow($0, in: items.list) }
    }

    func select(at position: Position, in area: Rect) -> Bool {
        guard let row = items.list.row(at: position, in: area), !items.lines[row].isHeading else {
            return false
        }
        items.list.select(row)
        return true
    }

    var selectedName: String { items.selected.map { DisplayWidth.singleLine($0.title) } ?? "" }

    /// Selects the row below the pointer, and begins to drag it.
    func select(_ mouse: MouseEvent, in area: Rect, then: (ListOutcome) throws -> Void) throws {
        let outcome = items.list.handle(mouse, in: area)
        items.skipHeading(down: true)
        if let line = outcome.row.map({ items.lines[$0] }) {
            if let id = line.id {
                drag(id, from: mouse.position)
            } else if let later = items.later(line) {
                let what = Drag.What.occurrence(later.task.objectID, later.date)
                workspace.drag = Drag(what, from: mouse.position)
            }
        }
        try then(outcome)
    }

    /// Does what a press means on a sign or with ctrl; a task is completed on the release.
    ///
    /// - Returns: whether it means something.
    func act(
        on id: ManagedObjectID,
        depth: Int,
        _ mouse: MouseEvent,
        _ area: Rect
    ) throws -> Bool {
        if mouse.modifiers.contains(.ctrl) {
            items.select(id)
            items.toggleMark()
            return true
        }
        let columns = ItemColumns(rows: [], width: area.columns, hasTree: items.hasTree)
        let column = mouse.position.column - area.column
        let signs = columns.signs(depth: depth, width: area.columns)
        if column == signs.fold, items.hasChildren(id) {
            items.select(id)
            items.toggleFold()
            return true
        }
        guard (signs.state...signs.state + 1).contains(column), items.item(id) is Task else {
            return false
        }
        items.list.select(at: mouse.position, in: area)
        drag(id, from: mouse.position) { [workspace] in
            if let reason = workspace.noChange {
                workspace.tell("\(reason)", .warning)
            } else {
                try workspace.toggleDone(workspace.library.targets([id]))
            }
        }
        return true
    }

    /// Begins to drag an item, with the other marked ones if it has a mark.
    private func drag(
        _ id: ManagedObjectID,
        from start: Position,
        click: (() throws -> Void)? = nil
    ) {
        let ids = items.targetMarks.contains(id) ? items.targetIDs : [id]
        workspace.drag = Drag(.items(ids), from: start, click: click)
    }

    // MARK: Dragging

    /// Moves dragged items to the row below the pointer, as one step when they are dropped.
    func take(
        _ ids: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {
        guard let row = items.list.row(at: position, in: area), let first = ids.first,
            let from = items.lines.index(of: first), from != row
        else { return }
        if let reason = cannotReorder { return workspace.tell("\(reason)", .warning) }
        guard let moved = try workspace.library.targets(ids).items else {
            throw Targets.refusal(of: ids.count, localized("to place by hand"))
        }
        guard let target = target(of: Set(ids), near: row) else {
            return workspace.tell(
                "It stays below the same task; \(workspace.key("item.nest")) and \(workspace.key("item.lift")) change that.",
                .warning
            )
        }
        let title = workspace.quoted(target.item.title)
        guard isDrop else {
            return workspace.tell(
                "Drop it \(target.isAfter ? localized("after") : localized("before")) \(title)."
            )
        }
        let step = try workspace.library.place(
            moved,
            target.isAfter ? .after(target.item) : .before(target.item)
        )
        items.clearTargets()
        workspace.tell(step, unchanged: workspace.atEnd(target.isAfter))
    }

    /// The last sibling of dragged items on the way to a row.
    private func target(
        of ids: Set<ManagedObjectID>,
        near row: Int
    ) -> (item: Item, isAfter: Bool)? {
        let places = items.lines.indexes(of: ids)
        guard let top = places.first, let bottom = places.last,
            case .item(_, let depth) = items.lines[top]
        else { return nil }
        let isAfter = row > top
        var index = isAfter ? (row > bottom ? bottom : top) : top
        var found: Item?
        while let next = sibling(of: index, depth: depth, down: isAfter, ids),
            let place = items.lines.index(of: next.objectID),
            isAfter ? place <= row : place >= row
        {
            (found, index) = (next, place)
        }
        return found.map { ($0, isAfter) }
    }
}
