import ObjectGraph
import TerminalUI

/// What the mouse drags with its left button held.
enum Drag {
    /// Items, until they are dropped on a row or on a list; the row below the pointer.
    case items([ManagedObjectID], over: Rect?)
    /// The line between two panes.
    case divider(PaneID)
}
