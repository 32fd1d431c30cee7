import CivilTime
import ObjectGraph
import TerminalUI

/// What the mouse drags with its left button held.
struct Drag {
    enum What {
        /// Items, until they are dropped on a row or on a list.
        case items([ManagedObjectID])
        /// An occurrence of a task that is not there yet, until it is dropped on a day.
        case occurrence(ManagedObjectID, DueDate)
        /// The line between two panes.
        case divider(PaneID)
    }

    let what: What
    /// Where the button was pressed.
    let start: Position
    /// What a release there does, if the pointer was nowhere else; a click that acts at once would
    /// act before a drag.
    var click: (() throws -> Void)?
    /// Whether the pointer was somewhere else.
    var hasMoved = false
    /// The row below the pointer, where it would be dropped.
    var row: Rect?

    init(_ what: What, from start: Position, click: (() throws -> Void)? = nil) {
        (self.what, self.start, self.click) = (what, start, click)
    }
}
