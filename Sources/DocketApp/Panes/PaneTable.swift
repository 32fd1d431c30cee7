/// The name of a pane, for the focus and the layout.
package struct PaneID: Hashable, Sendable {
    let name: String

    static let lists = PaneID(name: "lists")
    static let items = PaneID(name: "items")
    static let detail = PaneID(name: "detail")
}

/// A row of the table of panes.
struct PaneKind: Sendable {
    /// Where a pane stands.
    enum Place: Sendable {
        case left
        case middle
        case right
        /// Over the whole screen, in place of the others.
        case whole
    }

    let id: PaneID
    let place: Place
    /// Its name in a breadcrumb.
    let title: String
    /// Whether its first row is its head.
    var hasHead = true
    /// Where its commands are; those of `main` work on items.
    var keyContext = KeyContext.main
    /// The commands that only this pane has, and the one that opens it.
    var commands: [Command] = []
    let make: @Sendable (Workspace) -> any Pane
}

/// All panes; to add one, add its kind.
enum PaneTable {
    static let all: [PaneKind] = [
        ListsPane.kind, ItemsPane.kind, DetailPane.kind, HistoryPane.kind, WaitingPane.kind,
    ]

    /// The panes that stand side by side, from left to right.
    static let columns: [PaneID] = [PaneKind.Place.left, .middle, .right].flatMap { place in
        all.filter { $0.place == place }.map(\.id)
    }

    static func kind(_ id: PaneID) -> PaneKind { kinds[id] ?? ItemsPane.kind }

    private static let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}

/// The panes of a window; each is made when it is first needed.
final class Panes {
    private unowned let workspace: Workspace
    private var made: [PaneID: any Pane] = [:]

    init(_ workspace: Workspace) { self.workspace = workspace }

    subscript(id: PaneID) -> any Pane {
        if let known = made[id] { return known }
        let pane = PaneTable.kind(id).make(workspace)
        made[id] = pane
        return pane
    }
}

extension Workspace {
    /// The pane with the focus.
    var pane: any Pane { panes[focus] }

    /// Shows a pane, or goes to it; ``leavePane()`` returns.
    func go(to id: PaneID) {
        if PaneTable.kind(focus).place != .whole { left = focus }
        focus = id
    }

    /// Leaves a pane that covers the screen.
    func leavePane() { focus = left }
}
