import DocketCore
import ObjectGraph

/// The panes of a window; each is made when it is first needed.
final class Panes {
    private unowned let workspace: Workspace
    private let kinds: [PaneID: PaneKind]
    private var made: [PaneID: any Pane] = [:]
    private let order: [PaneKind]

    /// The panes that stand side by side, from left to right.
    var columns: [PaneID] {
        let content = workspace.content
        return [PanePlace.left, .middle, .right].flatMap { place in
            order.filter {
                $0.place == place && ($0.content.isEmpty || $0.content.contains(content))
            }.map(\.id)
        }
    }

    /// The pane in the middle, which shows the rows of what the lists pane selects.
    var middle: PaneID { columns.first { kind($0).place == .middle } ?? .items }

    init(_ workspace: Workspace, _ kinds: [PaneKind]) {
        self.workspace = workspace
        self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.id, $0) })
        order = kinds
    }

    subscript(id: PaneID) -> any Pane {
        if let known = made[id] { return known }
        let pane = kind(id).make(workspace)
        made[id] = pane
        return pane
    }

    /// Drops a pane with all that it shows; it is made again when it is needed.
    func forget(_ id: PaneID) { made[id] = nil }

    /// The pane that is on the screen where a pane would be with other content.
    func counterpart(of id: PaneID) -> PaneID {
        let place = kind(id).place
        if place == .whole { return id }
        return columns.first { kind($0).place == place } ?? id
    }

    /// - Precondition: the pane is in the table.
    func kind(_ id: PaneID) -> PaneKind {
        guard let kind = kinds[id] else { preconditionFailure("no pane is named \(id.name)") }
        return kind
    }
}

extension Workspace {
    /// The pane with the focus.
    var pane: any Pane { panes[focus] }

    /// Its row in the table.
    var paneKind: PaneKind { panes.kind(focus) }

    /// Shows a pane, or goes to it; ``leavePane()`` returns.
    func go(to id: PaneID) {
        if paneKind.place != .whole { left = focus }
        focus = panes.counterpart(of: id)
    }

    /// Selects an item in the list that is shown, or in the first one that has it.
    func goToItem(_ id: ManagedObjectID) throws {
        leaveFolder()
        go(to: .items)
        if items.isSearching { clearSearch() }
        if try items.uncover(id) { return }
        for list in [SmartList.all, .done, .trash] {
            try show(.smart(list))
            if try items.uncover(id) { return }
        }
    }

    /// Leaves a pane that covers the screen.
    func leavePane() { focus = panes.counterpart(of: left) }
}
