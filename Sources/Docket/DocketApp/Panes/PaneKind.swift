import Phrases
import TerminalUI

/// A row of the table of panes.
struct PaneKind: Sendable {
    /// What the panes that stand side by side can show.
    enum Content: Sendable {
        case items
        case folder
        case agenda
        case month
    }

    let id: PaneID
    let place: PanePlace
    /// With which content it is on the screen; empty with any.
    var content: Set<Content> = []
    /// Its part of the columns; `nil` for that of its place.
    var share: Share?
    /// The name of the width that the user gives it: those of a place share one, unless they have a
    /// part of their own.
    var width: String { share == nil ? place.rawValue : id.name }
    /// Whether leaving drops it with all that it shows; it is made again when it is needed.
    var isDroppedWhenLeft = false
    /// Its name in a breadcrumb.
    let title: Phrase
    /// Whether its first row is its head.
    var hasHead = true
    /// Where its commands are; those of `main` work on items.
    var keyContext = KeyContext.main
    /// What the commands of the panes of items may act on in this pane.
    var takes: Set<Command.Subject> = [.window, .history]
    /// The commands that only this pane has, and the one that opens it.
    var commands: [Command] = []
    let make: @Sendable (Workspace) -> any Pane
}
