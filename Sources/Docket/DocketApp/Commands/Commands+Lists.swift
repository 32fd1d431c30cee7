import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

extension CommandTable {
    static let lists: [Command] = [
        Command(
            "list.add",
            "New list",
            keys: ["L n"],
            .list,
            help: "Asks for a name; Home/Garden creates Garden under Home.",
            synonyms: ["new project", "add list", "create list"],
            on: .lists,
            disabled: { $0.readOnly },
            run: { workspace in
                workspace.open(
                    NameBar("New list", text: "") { name, workspace in
                        let (list, step) = try workspace.library.addList(
                            path: ListPath.parse(name)
                        )
                        try workspace.show(.list(list.objectID))
                        let name = workspace.quoted(list.name)
                        workspace.tell(step, unchanged: "The list \(name) exists already")
                    }
                )
            }
        ),
        Command(
            "list.rename",
            "Rename the list",
            keys: ["L r"],
            .list,
            help: "Asks for another name, also for a smart list.",
            disabled: { $0.noRenaming },
            run: { workspace in
                if let list = workspace.currentSmartList { return workspace.openRenaming(list) }
                guard let list = workspace.currentList else { return }
                workspace.open(
                    NameBar("Rename list", text: list.name) { name, workspace in
                        let old = workspace.quoted(list.name)
                        let step = try workspace.library.rename(list, to: name)
                        workspace.tell(step, unchanged: "The list has the name \(old) already")
                    }
                )
            }
        ),
        Command(
            "list.delete",
            "Delete the list",
            keys: ["L d"],
            .list,
            help:
                "Deletes the list and those below it; the items go to the inbox. Those of a smart list"
                + " stay where they are.",
            synonyms: ["remove the list"],
            disabled: { $0.noRenaming },
            run: { workspace in
                if let list = workspace.currentSmartList {
                    let step = try workspace.library.delete(list)
                    return workspace.tell(step, unchanged: "The smart list was deleted already")
                }
                guard let list = workspace.currentList else { return }
                let others = try workspace.library.smartLists(naming: list)
                let step = try workspace.library.delete(list)
                var rest = localized("; its items are in the inbox")
                if let first = others.first {
                    let more =
                        others.count == 2
                        ? localized("1 more smart list") : localized("\(others.count - 1) more")
                    let who = workspace.quoted(first.title)
                    rest =
                        others.count == 1
                        ? localized(" (\(who) still names it)\(rest)")
                        : localized(" (\(who) and \(more) still name it)\(rest)")
                }
                workspace.tell(
                    step,
                    unchanged: "The list was deleted already",
                    also: rest
                )
            }
        ),
        Command(
            "list.save",
            "Save the search as a smart list",
            keys: ["L s"],
            .list,
            help: "Asks for a name, an order and groups; the lists pane shows it with its count.",
            synonyms: ["new smart list", "saved search", "save filter"],
            on: .lists,
            disabled: { $0.readOnly },
            run: { $0.saveSearchAsList() }
        ),
        Command(
            "list.edit",
            "Edit the smart list",
            keys: ["L e"],
            .list,
            help: "Changes the search, the order and the groups of a saved or built-in list.",
            synonyms: ["change the search"],
            disabled: { $0.noSmartList },
            run: { workspace in
                guard let list = workspace.currentSmartList else { return }
                workspace.open(SmartListForm(list, SmartListValues(list), in: workspace))
            }
        ),
        Command(
            "list.hide",
            "Hide or show the smart list",
            keys: ["L h"],
            .list,
            help:
                "Leaves the list out of the lists pane, or shows it again; its key still leads to it.",
            disabled: { $0.noSmartList },
            run: { workspace in
                guard let list = workspace.currentSmartList else { return }
                var values = SmartListValues(list)
                values.isHidden.toggle()
                let step = try workspace.library.edit(list, values)
                workspace.tell(step, unchanged: "The smart list is as it was")
            }
        ),
        Command(
            "list.reset",
            "Set the built-in list back",
            keys: ["L o"],
            .list,
            help: "Gives a built-in list its own search, order, groups and place again.",
            synonyms: ["restore the original list"],
            disabled: { $0.noChangedList },
            run: { workspace in
                guard let list = workspace.currentSmartList else { return }
                let step = try workspace.library.delete(list)
                workspace.tell(step, unchanged: "The list is as it was")
            }
        ),
    ]
}

extension Workspace {
    /// What commands on lists are about: what the lists pane selects, elsewhere what is shown.
    private var currentScope: Scope? {
        if focus == .lists { return lists.selectedScope }
        return shownFolder == nil ? items.scope : nil
    }

    var currentList: List? { lists.list(of: currentScope) }

    var currentSmartList: SmartList? {
        if case .smart(let list)? = currentScope { return list }
        return nil
    }

    var noSmartList: String? {
        readOnly
            ?? (currentSmartList == nil
                ? localized("This is not a list that a search fills.") : nil)
    }

    /// Why the current list has no other name and cannot be deleted.
    var noRenaming: String? {
        guard let list = currentSmartList else { return noList }
        return readOnly
            ?? (list.isBuiltIn
                ? localized(
                    "\(list.title) is built in; \(key("list.edit")) changes its search,"
                        + " \(key("list.hide")) hides it."
                )
                : nil)
    }

    var noChangedList: String? {
        noSmartList
            ?? (currentSmartList.map { !$0.isBuiltIn || $0.row == nil } ?? true
                ? localized("This is not a built-in list that was changed.") : nil)
    }

    func openRenaming(_ list: SmartList) {
        open(
            NameBar("Rename list", text: list.title) { name, workspace in
                var values = SmartListValues(list)
                values.name = name
                let old = workspace.quoted(list.title)
                let step = try workspace.library.edit(list, values)
                workspace.tell(step, unchanged: "The list has the name \(old) already")
            }
        )
    }

    /// Asks for the name of a list with the search that is shown, or of one that is to be written.
    func saveSearchAsList() {
        if let reason = readOnly { return tell("\(reason)", .warning) }
        let (order, isReversed) = items.order
        let values = SmartListValues(
            name: "",
            query: session.text,
            sort: SortWord(order, isReversed: isReversed),
            grouping: items.grouping == .none ? nil : items.grouping
        )
        open(
            SmartListForm(nil, values, in: self) { workspace in
                for case let bar as SearchBar in workspace.modals { workspace.close(bar) }
                workspace.clearSearch()
            }
        )
    }

    var noList: String? {
        readOnly
            ?? (currentList == nil
                ? localized("This is not a list of your own; choose one in the left pane.") : nil)
    }
}
