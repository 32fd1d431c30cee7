/// The effect of an event on a list.
public enum ListOutcome: Hashable, Sendable {
    /// The selection or the scrolling may have changed.
    case moved
    /// A row was clicked, and is selected.
    case clicked(Int)
    /// The row was clicked a second time within a moment, at the same place, and is selected.
    case doubleClicked(Int)
    /// The event does not belong to the list.
    case ignored

    /// The row of a click, also of the second one of a double click.
    public var row: Int? {
        switch self {
        case .clicked(let row), .doubleClicked(let row): row
        case .moved, .ignored: nil
        }
    }
}

extension ListView {
    /// Moves by the arrows, Page Up and Down, Home and End; other keys are left to the key map.
    public mutating func handle(_ key: Key) -> ListOutcome {
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: page(-1)
        case .pageDown: page(1)
        case .home: select(0)
        case .end: select(count - 1)
        default: return .ignored
        }
        return .moved
    }

    /// Moves by whole windows, with one row of overlap.
    public mutating func page(_ windows: Int) {
        let step = max(1, visibleRows - 1) * windows
        let before = first
        scroll(by: step)
        // At an end the window cannot move: the selection moves to the end instead.
        if first == before { move(by: step) }
    }

    /// Scrolls by the wheel and selects by a click; `area` is the place of the list, in the event's
    /// coordinates.
    public mutating func handle(_ event: MouseEvent, in area: Rect) -> ListOutcome {
        guard area.contains(event.position) else { return .ignored }
        switch event.kind {
        case .wheelUp: scroll(by: -3)
        case .wheelDown: scroll(by: 3)
        case .press where event.button == .left:
            guard let row = row(at: event.position, in: area) else { return .ignored }
            let isSecond = clicks.isSecond(event, row: row)
            select(row)
            return isSecond ? .doubleClicked(row) : .clicked(row)
        default: return .ignored
        }
        return .moved
    }

    /// Selects the row at a position of the screen, if there is one.
    public mutating func select(at position: Position, in area: Rect) {
        if let row = row(at: position, in: area) { select(row) }
    }

    /// The row at a position of the screen.
    public func row(at position: Position, in area: Rect) -> Int? {
        guard area.contains(position) else { return nil }
        let row = first + position.row - area.row
        return row < count ? row : nil
    }
}
