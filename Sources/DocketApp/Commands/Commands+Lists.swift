import DocketCore
import ObjectGraph

extension CommandTable {
    static let lists: [Command] = [
        Command(
            "list.add",
            "New list",
            keys: ["L n"],
            .list,
            help: "Asks for a name; Home/Garden creates Garden under Home.",
            synonyms: ["new project", "add list", "create list"],
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
            help: "Asks for another name.",
            disabled: { $0.noList },
            run: { workspace in
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
            help: "Deletes the list and those below it; the items go to the inbox.",
            synonyms: ["remove the list"],
            disabled: { $0.noList },
            run: { workspace in
                guard let list = workspace.currentList else { return }
                let step = try workspace.library.delete(list)
                workspace.tell(
                    step,
                    unchanged: "The list was deleted already",
                    also: "; its items are in the inbox"
                )
            }
        ),
    ]
}

extension Workspace {
    /// The list that the lists pane selects.
    var currentList: List? { lists.list(of: lists.selectedScope) }

    var noList: String? {
        readOnly
            ?? (currentList == nil
                ? "This is not a list of your own; choose one in the left pane." : nil)
    }
}
