import DocketCore
import ObjectGraph
import TerminalUI

extension ItemsPane {
    /// Why the rows cannot be moved by hand; `nil` where the order on the screen is the manual one.
    var cannotReorder: String? {
        if let reason = workspace.noShownTarget { return reason }
        // The results of a search everywhere are in manual order, also if the list behind it is
        // sorted.
        if items.isSearching, workspace.searchedIDs == nil { return nil }
        if items.scope.isDependencies {
            let key = workspace.key("back")
            return
                localized(
                    "These rows are below what they wait for; \(key) returns to the list, J and K move there."
                )
        }
        let (order, isReversed) = items.order
        if items.grouping != .none {
            return localized("The list is in groups; s g n removes them, then J and K move.")
        }
        if order != .byHand || isReversed {
            let reversed = isReversed ? localized(", reversed") : ""
            return localized(
                "The list is sorted \(order.title)\(reversed);"
                    + " s o sorts by hand, then J and K move."
            )
        }
        return nil
    }

    /// Moves the items past some of their visible neighbours.
    func reorder(by places: Int) throws {
        let moved = try items.shownTargets(localized("to place by hand"))
        let atEnd = workspace.atEnd(places > 0)
        guard let placement = placement(of: moved, movedBy: places) else {
            return workspace.tell(atEnd)
        }
        let step = try workspace.library.place(moved, placement)
        workspace.tell(step, unchanged: atEnd)
    }

    /// Reads from a server what the next keys will ask for: the rows around those on the screen and
    /// at the ends, the place above and below, and what is asked when the typed item is added.
    func readAhead() {
        var placements: [Library.Placement] = []
        let item = items.targetMarks.isEmpty && cannotReorder == nil ? items.selected : nil
        if let item { placements = [1, -1].compactMap { placement(of: [item], movedBy: $0) } }
        try? workspace.library.readAhead(
            showing: items.near,
            placing: item,
            placements,
            adding: (workspace.modal as? CaptureBar)?.added
        )
    }

    /// The place of items past some of their visible neighbours; `nil` if there is none.
    private func placement(of moved: [Item], movedBy places: Int) -> Library.Placement? {
        let ids = Set(moved.map(\.objectID))
        let indexes = items.lines.indexes(of: ids)
        let down = places > 0
        guard var index = down ? indexes.last : indexes.first, let first = indexes.first,
            case .item(_, let depth) = items.lines[first]
        else { return nil }
        var neighbour: Item?
        for _ in 0..<abs(places) {
            guard let next = sibling(of: index, depth: depth, down: down, ids),
                let place = items.lines.index(of: next.objectID)
            else { break }
            (neighbour, index) = (next, place)
        }
        return neighbour.map { down ? .after($0) : .before($0) }
    }

    /// The next item of the same depth under the same parent.
    func sibling(
        of index: Int,
        depth: Int,
        down: Bool,
        _ moved: Set<ManagedObjectID>
    ) -> Item? {
        var index = index
        while true {
            index += down ? 1 : -1
            guard items.lines.indices.contains(index),
                case .item(let id, let other) = items.lines[index], other >= depth
            else { return nil }
            if other == depth, !moved.contains(id) { return items.item(id) }
        }
    }
}

extension Workspace {
    func atEnd(_ down: Bool) -> Phrase {
        down ? "It is the last one here." : "It is the first one here."
    }
}
