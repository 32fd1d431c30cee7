import CivilTime
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
                on: .row,
                takesCount: true,
                disabled: { $0.pane.cannotReorder },
                run: { try $0.pane.reorder(by: $0.takeCount()) }
            ),
            Command(
                "item.moveUp",
                "Move up",
                keys: ["K"],
                .arrange,
                help: "Moves the item above the one before it.",
                on: .row,
                takesCount: true,
                disabled: { $0.pane.cannotReorder },
                run: { try $0.pane.reorder(by: -$0.takeCount()) }
            ),
            Command(
                "item.nest",
                "Make a subtask of the task above",
                keys: ["i"],
                .arrange,
                help: "Puts the task under the task above it.",
                on: .items,
                disabled: { $0.noShownTarget ?? $0.noTask },
                run: { try $0.nest() }
            ),
            Command(
                "item.lift",
                "Lift out of its parent",
                keys: ["I"],
                .arrange,
                help: "Moves a subtask up to the level of its parent.",
                on: .items,
                disabled: { $0.noShownTarget ?? $0.noTask },
                run: { try $0.lift() }
            ),
            Command(
                "view.fold",
                "Fold or unfold",
                keys: ["-"],
                .arrange,
                help: "Hides or shows what is under the row.",
                on: .window,
                disabled: { $0.pane.cannotFold },
                run: { try $0.pane.toggleFold() }
            ),
            Command(
                "view.foldAll",
                "Fold or unfold all",
                keys: ["_"],
                .arrange,
                help: "Hides everything below other rows, or shows it.",
                on: .window,
                disabled: { $0.pane.cannotFoldAll },
                run: { try $0.pane.toggleAllFolds() }
            ),
            Command(
                "waiting.show",
                "Draw dependencies, or show the list",
                keys: ["g w"],
                .arrange,
                help: "Draws the open tasks of this list below those for which they wait.",
                synonyms: ["blocked", "dependencies", "waiting", "tree", "graph"],
                on: .window,
                run: { try $0.toggleDependencies() }
            ),
            Command(
                "view.done",
                "Show or hide done tasks",
                keys: ["."],
                .arrange,
                help: "Shows done tasks in their places, or hides them.",
                disabled: { workspace in
                    if workspace.shownFolder != nil { return workspace.orderIsFixed }
                    let scope = workspace.items.scope
                    if scope.canShowDone || workspace.items.isSearching { return nil }
                    let isAlways = scope.isDone || scope.isTrash
                    let title = workspace.lists.title(of: scope)
                    return isAlways
                        ? localized("\(title) shows done tasks always.")
                        : localized("\(title) has open tasks only.")
                },
                run: { workspace in
                    workspace.items.showsDone.toggle()
                    try workspace.rearrange()
                    let days = workspace.library.clock().settings.archiveDays
                    let shown = days.map { days -> Phrase in
                        let age: Phrase = days == 1 ? "a day" : "\(days) days"
                        return "Done tasks of \(age) are shown."
                    }
                    workspace.tell(
                        workspace.items.showsDone
                            ? shown ?? "Done tasks are shown." : "Done tasks are hidden."
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
                disabled: { $0.orderIsFixed },
                run: { workspace in
                    let (order, isReversed) = workspace.items.order
                    workspace.items.orders[workspace.items.scope] = (order, !isReversed)
                    try workspace.rearrange()
                    workspace.tell(
                        "Sorted \(order.title)\(isReversed ? "" : localized(", reversed"))."
                    )
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
            disabled: { $0.orderIsFixed },
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
            disabled: { workspace in
                workspace.orderIsFixed
                    ?? (workspace.items.scope.isDependencies
                        ? localized("Dependencies are drawn without groups.") : nil)
            },
            run: { workspace in
                workspace.items.group(grouping)
                try workspace.rearrange()
                workspace.tell(
                    grouping == .none ? "There are no groups." : "Grouped \(grouping.title)."
                )
            }
        )
    }
}

extension Workspace {
    /// Fetches the rows after a change of order, and repeats a search inside the list.
    func rearrange() throws {
        try items.refetch()
        markSearchStale()
    }

    /// Draws the dependencies of the shown list, or shows the list again.
    func toggleDependencies() throws {
        let selected = items.selectedID
        switch items.scope {
        case .dependencies(let list): try show(list)
        case .days: try show(.dependencies(.smart(.all)))
        case let list: try show(.dependencies(list))
        }
        go(to: .items)
        if let selected { _ = try items.uncover(selected) }
    }

    func nest() throws {
        let tasks = try items.shownTargets(localized("to place by hand")).compactMap { $0 as? Task }
        let ids = Set(tasks.map(\.objectID))
        guard let place = items.lines.indexes(of: ids).first,
            case .item(_, let depth) = items.lines[place],
            let parent = (panes[.items] as? ItemsPane)?
                .sibling(of: place, depth: depth, down: false, ids) as? Task
        else { return tell("There is no task above it.") }
        // It becomes the last subtask.
        let last = try library.lastSubtask(of: parent, besides: tasks)
        let isBehind = last.map { last in tasks.allSatisfy { $0.displayOrder > last.displayOrder } }
        let placement = isBehind == false ? last.map(Library.Placement.after) : nil
        let step = try library.setParent(parent, of: tasks, placing: placement)
        items.folded.remove(parent.objectID)
        items.clearTargets()
        let name = quoted(parent.title)
        tell(step, unchanged: "Under \(name) already")
    }

    func lift() throws {
        let tasks = try items.shownTargets(localized("to place by hand")).compactMap { $0 as? Task }
        let step = try library.lift(tasks)
        items.clearTargets()
        tell(step, unchanged: tasks.count == 1 ? "It is not a subtask." : "None is a subtask.")
    }
}
