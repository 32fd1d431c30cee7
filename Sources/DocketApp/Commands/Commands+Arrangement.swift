import DocketCore
import ObjectGraph
import TerminalUI

extension CommandTable {
    static let arrangement: [Command] =
        [
            Command(
                "item.moveDown",
                "Move down",
                keys: ["J"],
                .arrange,
                help: "Moves the item below the next one that is shown; not in a sorted list.",
                hint: "move",
                disabled: { $0.cannotReorder },
                run: { try $0.reorder(down: true) }
            ),
            Command(
                "item.moveUp",
                "Move up",
                keys: ["K"],
                .arrange,
                help: "Moves the item above the one before it.",
                disabled: { $0.cannotReorder },
                run: { try $0.reorder(down: false) }
            ),
            Command(
                "item.nest",
                "Make a subtask of the task above",
                keys: [">"],
                .arrange,
                help: "Puts the task under the task above it.",
                disabled: { $0.noTask },
                run: { try $0.nest() }
            ),
            Command(
                "item.lift",
                "Lift out of its parent",
                keys: ["<"],
                .arrange,
                help: "Moves a subtask up to the level of its parent.",
                disabled: { $0.noTask },
                run: { try $0.lift() }
            ),
            Command(
                "view.fold",
                "Fold or unfold",
                keys: ["z"],
                .arrange,
                help: "Hides or shows what is under the row.",
                run: { workspace in
                    if workspace.focus == .lists {
                        workspace.lists.toggleFold()
                    } else {
                        workspace.items.toggleFold()
                    }
                }
            ),
            Command(
                "view.foldAll",
                "Fold or unfold all",
                keys: ["Z"],
                .arrange,
                help: "Hides all subtasks, or shows them.",
                run: { try $0.items.toggleAllFolds() }
            ),
            Command(
                "view.done",
                "Show or hide done tasks",
                keys: ["."],
                .arrange,
                help: "Shows done tasks in their places, or hides them.",
                run: { workspace in
                    workspace.items.showsDone.toggle()
                    try workspace.rearrange()
                    workspace.tell(
                        workspace.items.showsDone
                            ? "Done tasks are shown." : "Done tasks are hidden."
                    )
                }
            ),
        ]
        + [
            sort("s o", .byHand), sort("s d", .due), sort("s p", .priority), sort("s t", .title),
            sort("s c", .created), sort("s m", .modified),
            Command(
                "sort.reverse",
                "Reverse the order",
                keys: ["s r"],
                .arrange,
                help: "Reverses the order of the list.",
                run: { workspace in
                    let (order, isReversed) = workspace.items.order
                    workspace.items.orders[workspace.items.scope] = (order, !isReversed)
                    try workspace.rearrange()
                }
            ),
            group("s g n", ItemGrouping.none), group("s g l", .list), group("s g d", .due),
            group("s g p", .priority), group("s g k", .kind),
        ]

    private static func sort(_ keys: String, _ order: ItemOrder) -> Command {
        Command(
            "sort.\(order.rawValue)",
            "Sort \(order.title)",
            keys: [keys],
            .arrange,
            help: "Sorts this list \(order.title).",
            run: { workspace in
                workspace.items.orders[workspace.items.scope] = (order, false)
                try workspace.rearrange()
                workspace.tell("Sorted \(order.title).")
            }
        )
    }

    private static func group(_ keys: String, _ grouping: ItemGrouping) -> Command {
        Command(
            "group.\(grouping.rawValue)",
            "Group: \(grouping.title)",
            keys: [keys],
            .arrange,
            help: "Divides the list: \(grouping.title).",
            run: { workspace in
                workspace.items.grouping = grouping
                try workspace.rearrange()
            }
        )
    }
}

extension Workspace {
    /// Why the rows cannot be moved by hand; `nil` where the order on the screen is the manual one.
    var cannotReorder: String? {
        if focus == .lists { return noList }
        if let noItem { return noItem }
        // The results of a search everywhere are in manual order, also if the list behind it is
        // sorted.
        if items.isSearching, searchedIDs == nil { return nil }
        let (order, isReversed) = items.order
        if items.grouping != .none {
            return "The list is in groups; s g n removes them, then J and K move."
        }
        if order != .byHand || isReversed {
            let reversed = isReversed ? ", reversed" : ""
            return "The list is sorted \(order.title)\(reversed);"
                + " s o sorts by hand, then J and K move."
        }
        return nil
    }

    /// Fetches the rows after a change of order, and repeats a search inside the list.
    func rearrange() throws {
        try items.refetch()
        if items.isSearching { searchIsStale = true }
    }

    /// Moves the selected list, or items past their visible neighbour: the targets of the command
    /// or the dragged item.
    func reorder(down: Bool, _ dragged: Item? = nil) throws {
        if focus == .lists {
            guard let list = lists.list(of: lists.selectedScope) else { return }
            let step = try library.move(list, by: down ? 1 : -1)
            return tell(step, unchanged: atEnd(down)) { "Moved the list \($0)" }
        }
        if dragged == nil, let tooMany { return tell(tooMany, .warning) }
        let moved = dragged.map { [$0] } ?? items.targets
        let ids = Set(moved.map(\.objectID))
        let places = ids.compactMap { items.lines.place(of: $0) }.sorted()
        guard let first = places.first, let last = places.last,
            case .item(_, let depth) = items.lines[first]
        else { return }
        guard let neighbour = sibling(of: down ? last : first, depth: depth, down: down, ids) else {
            return tell(atEnd(down))
        }
        let step = try library.place(moved, down ? .after(neighbour) : .before(neighbour))
        tell(step, unchanged: atEnd(down)) { "Moved \($0) \(down ? "down" : "up")" }
    }

    private func atEnd(_ down: Bool) -> String {
        down ? "It is the last one here." : "It is the first one here."
    }

    /// The next item of the same depth under the same parent.
    private func sibling(
        of place: Int,
        depth: Int,
        down: Bool,
        _ moved: Set<ManagedObjectID>
    ) -> Item? {
        var index = place
        while true {
            index += down ? 1 : -1
            guard items.lines.indices.contains(index),
                case .item(let id, let other) = items.lines[index], other >= depth
            else { return nil }
            if other == depth, !moved.contains(id) { return items.item(id) }
        }
    }

    /// Why the marked items cannot be placed by hand.
    private var tooMany: String? {
        let count = items.marks.count
        if count <= library.largestChange { return nil }
        return "\(count) items are too many to place by hand; mark fewer."
    }

    func nest() throws {
        if let tooMany { return tell(tooMany, .warning) }
        let tasks = items.targetTasks
        let ids = Set(tasks.map(\.objectID))
        guard let place = ids.compactMap({ items.lines.place(of: $0) }).min(),
            case .item(_, let depth) = items.lines[place],
            let parent = sibling(of: place, depth: depth, down: false, ids) as? Task
        else { return tell("There is no task above it.") }
        let step = try library.setParent(parent, of: tasks)
        finish()
        let name = quoted(parent.title)
        tell(step, unchanged: "Under \(name) already") { "Put \($0) under \(name)" }
    }

    func lift() throws {
        if let tooMany { return tell(tooMany, .warning) }
        let tasks = items.targetTasks.filter { $0.parent != nil }
        guard let parent = tasks.first?.parent else { return tell("It is not a subtask.") }
        let step = try library.setParent(parent.parent, of: tasks)
        finish()
        let name = quoted(parent.title)
        tell(step, unchanged: "Out of \(name) already") { "Lifted \($0) out of \(name)" }
    }
}
