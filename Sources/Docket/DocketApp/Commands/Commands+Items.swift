import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

extension CommandTable {
    static let items: [Command] = [
        Command(
            "item.add",
            "Add a task",
            keys: ["a"],
            .item,
            help: "Adds a task from one line: dates, #tag, !high, +List are recognised.",
            hint: "add",
            synonyms: ["new task", "create", "capture"],
            on: .list,
            disabled: { $0.noNewItem },
            run: { $0.open(CaptureBar(workspace: $0)) }
        ),
        Command(
            "item.addNote",
            "Add a note",
            keys: ["n"],
            .item,
            help: "Opens a form for a new note.",
            hint: "note",
            synonyms: ["new note"],
            on: .list,
            disabled: { $0.noNewItem },
            run: { try $0.openForm(newNote: true) }
        ),
        Command(
            "item.addFromTemplate",
            "Add a note from a template",
            keys: ["N"],
            .item,
            help: "Opens a form for a new note with the text of one of your templates.",
            synonyms: ["new note", "template"],
            on: .list,
            disabled: { $0.noNewItem },
            run: { $0.chooseTemplate() }
        ),
        Command(
            "item.addForm",
            "Add a task by form",
            keys: ["O"],
            .item,
            help: "Opens a form with all fields for a new task.",
            on: .list,
            disabled: { $0.noNewItem },
            run: { try $0.openForm(newNote: false) }
        ),
        Command(
            "item.addSubtask",
            "Add a subtask",
            keys: ["A"],
            .item,
            help: "Adds a subtask to the selected task.",
            disabled: { workspace in
                workspace.noRow ?? workspace.inTrash
                    ?? (workspace.items.selected is Task
                        ? nil : localized("This is a note; only tasks have subtasks."))
            },
            run: { workspace in
                guard let task = workspace.items.selected as? Task else { return }
                workspace.open(CaptureBar(workspace: workspace, parent: task))
            }
        ),
        Command(
            "item.open",
            "Open",
            keys: ["enter"],
            .item,
            help: "Reads a note, opens the form of a task; in the lists pane, goes to the items.",
            hint: "open",
            on: .row,
            disabled: { $0.pane.cannotOpen },
            run: { try $0.pane.open() }
        ),
        Command(
            "item.edit",
            "Edit",
            keys: ["e"],
            .item,
            help: "Opens the form with every field.",
            synonyms: ["change", "open"],
            on: .row,
            disabled: { $0.pane.cannotOpen },
            run: { try $0.pane.edit() }
        ),
        Command(
            "item.editor",
            "Edit the text in $EDITOR",
            keys: ["E"],
            .item,
            help: "Opens the note in your editor; an encrypted text in a box, without a file.",
            disabled: { $0.noRow ?? $0.inTrash },
            run: { workspace in
                guard let item = workspace.items.selected else { return }
                try workspace.editText(of: item)
            }
        ),
        Command(
            "item.duplicate",
            "Duplicate",
            keys: ["c"],
            .item,
            help:
                "Copies the marked items, or the selected one, each below its original; asks about"
                + " subtasks. A copy is open.",
            synonyms: ["copy", "clone"],
            disabled: { $0.noItem },
            run: { try $0.duplicate() }
        ),
        Command(
            "item.done",
            "Mark as done, or reopen",
            keys: ["space"],
            .item,
            help: "Completes the marked tasks, or the selected one; reopens done ones.",
            hint: "done",
            synonyms: ["complete", "finish", "check", "reopen"],
            disabled: { $0.noTask },
            run: { try $0.toggleDone($0.items.targets()) }
        ),
        Command(
            "item.skip",
            "Skip this occurrence",
            keys: [],
            .item,
            help:
                "Moves the marked repeating tasks, or the selected one, on to the next occurrence.",
            synonyms: ["repeat", "pass over"],
            disabled: { $0.noRepeatingTask },
            run: { try $0.skipOccurrence() }
        ),
        Command(
            "item.separate",
            "Change only this occurrence",
            keys: [],
            .item,
            help:
                "Makes the selected occurrence a task of its own; the series goes on with the next"
                + " one.",
            synonyms: ["repeat", "detach"],
            disabled: { $0.noRepeatingTask },
            run: { try $0.separateOccurrence() }
        ),
        Command(
            "item.endSeries",
            "End the series",
            keys: [],
            .item,
            help: "The marked tasks, or the selected one, do not repeat any more.",
            synonyms: ["repeat", "stop repeating"],
            disabled: { $0.noRepeatingTask },
            run: { try $0.endSeries() }
        ),
        Command(
            "item.trash",
            "Move to the trash",
            keys: ["d", "delete"],
            .item,
            help: "Puts the marked items, or the selected one, into the trash.",
            synonyms: ["delete", "remove"],
            disabled: { workspace in
                let isInTrash =
                    workspace.items.scope.isTrash
                    && workspace.items.hiddenMarkCount == 0
                return isInTrash ? workspace.alreadyTrashed : workspace.noItem
            },
            run: { try $0.change($0.items.targets(), by: .trashing) }
        ),
        Command(
            "item.restore",
            "Restore from the trash",
            keys: ["r"],
            .item,
            help: "Restores items from the trash.",
            synonyms: ["undelete", "recover"],
            disabled: { workspace in
                workspace.noItem
                    ?? (workspace.targetsAreTrashed
                        ? nil : localized("Nothing here is in the trash; g x shows the trash."))
            },
            run: { try $0.change($0.items.targets(), by: .restoring) }
        ),
        Command(
            "item.purge",
            "Delete from the trash",
            keys: ["X"],
            .item,
            help: "Deletes the marked items, or the selected one, if they are in the trash.",
            synonyms: ["purge", "remove", "erase"],
            disabled: { workspace in
                workspace.noItem
                    ?? (workspace.targetsAreTrashed
                        ? nil
                        : localized("Only what is in the trash is deleted; d puts items there."))
            },
            run: { workspace in
                try workspace.perform(
                    .purge,
                    on: workspace.items.targets(),
                    unchanged: "Not in the trash"
                )
            }
        ),
        Command(
            "item.emptyTrash",
            "Empty the trash",
            keys: ["g X"],
            .item,
            help: "Deletes everything that is in the trash, after a question.",
            synonyms: ["purge", "clear", "erase"],
            on: .window,
            disabled: { $0.readOnly },
            run: { try $0.emptyTrash() }
        ),
        Command(
            "item.mark",
            "Mark",
            keys: ["v", "M m"],
            .item,
            help:
                "Marks the row for the next command, or removes the mark; marks stay in other lists.",
            synonyms: ["select several"],
            on: .mark,
            disabled: { $0.noRow },
            run: { workspace in
                workspace.items.toggleMark()
                workspace.items.move(by: 1)
            }
        ),
        Command(
            "item.markAll",
            "Mark all",
            keys: ["V", "M a"],
            .item,
            help: "Marks all rows, or removes their marks.",
            synonyms: ["select all"],
            on: .marks,
            disabled: { $0.noRow },
            run: { try $0.items.markAll() }
        ),
        Command(
            "item.markRange",
            "Mark to here",
            keys: ["M r"],
            .item,
            help: "Marks the rows from the one that was marked last to the selected one.",
            hint: "mark to here",
            synonyms: ["select a range", "visual"],
            on: .mark,
            disabled: { workspace in
                workspace.noRow
                    ?? (workspace.items.marks.isEmpty
                        ? localized(
                            "\(workspace.key("item.mark")) marks the first row;"
                                + " \(workspace.key("item.markRange")) then marks up to another one."
                        )
                        : nil)
            },
            run: { workspace in
                guard let count = workspace.items.markRange() else {
                    return workspace.tell(
                        "The row that was marked last is not shown;"
                            + " \(workspace.key("item.mark")) marks another one.",
                        .warning
                    )
                }
                workspace.tell(
                    count == 0
                        ? "All rows from there to here are marked already"
                        : "Marked \(Phrase(count, "more row"))"
                )
            }
        ),
        Command(
            "item.markFound",
            "Mark what a search finds",
            keys: ["M /"],
            .item,
            help: "Searches during typing; Enter marks everything that is found.",
            synonyms: ["select by search", "filter"],
            on: .marks,
            disabled: { $0.noNewItem },
            run: { $0.open(SearchBar(workspace: $0, marks: true)) }
        ),
        Command(
            "item.invertMarks",
            "Invert the marks",
            keys: ["M i"],
            .item,
            help: "Marks the rows that have no mark, and removes the marks of the others.",
            synonyms: ["select the others"],
            on: .marks,
            disabled: { $0.noRow },
            run: { try $0.items.invertMarks() }
        ),
        Command(
            "item.clearMarks",
            "Remove all marks",
            keys: ["M c"],
            .item,
            help: "Removes all marks, also those of items that the list does not show.",
            hint: "clear marks",
            synonyms: ["select none", "unmark"],
            on: .marks,
            disabled: {
                $0.items.marks.isEmpty ? localized("Nothing is marked.") : $0.folderIsReadOnly
            },
            run: { $0.items.marks = [] }
        ),
        Command(
            "item.copy",
            "Copy",
            keys: ["y"],
            .item,
            help: "Copies title and text to the clipboard, where the terminal allows it.",
            synonyms: ["clipboard", "yank"],
            disabled: { $0.shownFolder == nil ? $0.noItem : nil },
            run: { workspace in
                if workspace.shownFolder != nil { return try workspace.copyDocument() }
                let count = workspace.items.targetIDs.count
                if count > Workspace.mostCopied {
                    throw Targets.refusal(of: count, localized("to copy"))
                }
                let items = try workspace.items.targets(localized("to copy"))
                let texts = items.map { [$0.title, $0.text].filter { !$0.isEmpty } }
                let text = texts.map { $0.joined(separator: "\n\n") }.joined(separator: "\n\n")
                workspace.requests.append(.copy(text))
                workspace.tell("Copied \(workspace.named(items))")
            }
        ),
    ]
}

extension Workspace {
    /// Copies the targets, asks once about subtasks, and selects the copies: one is selected,
    /// several are marked.
    func duplicate() throws {
        let originals = try items.targets(localized("to place by hand"))
        let ids = originals.map(\.objectID)
        let below = try library.subtasks(of: .items(originals))
        if below.isEmpty { return try duplicate(originals, withSubtasks: false) }
        let count = "\(Phrase(below.count, "subtask"))"
        try ask(
            SubtaskQuestion(
                command: localized("Duplicate"),
                text:
                    "\(Targets.items(originals).onlyTask.map { localized("\(quoted($0.title)) has") } ?? localized("They have")) \(count).",
                take: localized(
                    "Duplicate \(below.count == 1 ? localized("it") : localized("them")) too"
                ),
                leave: localized(
                    "Copy without \(below.count == 1 ? localized("it") : localized("them"))"
                )
            )
        ) { workspace, takes in
            let originals = try workspace.library.items(of: workspace.library.targets(ids))
            try workspace.duplicate(originals, withSubtasks: takes)
        }
    }

    private func duplicate(_ originals: [Item], withSubtasks: Bool) throws {
        let (copies, step) = try library.duplicate(originals, withSubtasks: withSubtasks)
        library.context.processPendingChanges()
        items.clearTargets()
        if copies.count > 1 { items.marks = Set(copies.map(\.objectID)) }
        guard let first = copies.first else { return tell("There is nothing to copy.") }
        // A copy is found by the words that found its original.
        if items.isSearching { try runSearch() }
        reveal(first.objectID, step)
    }
}

// Why commands on items cannot be run.
extension Workspace {
    var readOnly: String? {
        guard library.isReadOnly else { return nil }
        if !library.isOnServer { return localized("The store is open read-only.") }
        return localized(
            "You may read this library and not change it; its owner can grant the right."
        )
    }

    /// Why no item can be added here.
    var noNewItem: String? { readOnly ?? folderIsReadOnly }

    /// Why there is nothing for a command on the selected item.
    var noRow: String? {
        if let reason = noNewItem { return reason }
        if items.selectedID != nil { return nil }
        return items.selectedLater == nil
            ? localized("There is no item here; press a to add a task.")
            : localized("This occurrence is not there yet; x skips it, > and < move it.")
    }

    /// Why there is nothing for a command on the marked items or the selected one.
    var noItem: String? { items.targetMarks.isEmpty ? noRow : noNewItem }

    /// Why the marked items or the selected one cannot be changed.
    var noChange: String? { noItem ?? inTrash }

    /// The refusal of a change of the selected item, if that is in the trash; of marked ones the
    /// change itself finds out.
    var inTrash: String? {
        guard items.targetMarks.isEmpty, let item = items.selected, item.trashed != nil else {
            return nil
        }
        return Library.refusal(ofTrashed: item).message
    }

    /// Why there is nothing for a command on places in the list: marked items may be in others.
    var noShownTarget: String? {
        if let reason = noItem { return reason }
        guard !items.targetMarks.isEmpty, items.hiddenMarkCount == items.marks.count else {
            return nil
        }
        return
            localized(
                "None of the marked items is shown here; \(key("item.clearMarks")) removes the marks."
            )
    }

    /// The key of a command, for messages.
    func key(_ id: String) -> String { keyMap.label(of: id, ascii: look.isASCII) }

    var noTask: String? {
        if let noChange { return noChange }
        if items.targetMarks.isEmpty {
            return items.selected is Task ? nil : localized("This is a note; only tasks have this.")
        }
        return items.targetMarks.contains { $0.entityName == Task.entityName }
            ? nil : localized("Only notes are marked; only tasks have this.")
    }

    var alreadyTrashed: String? {
        noItem ?? localized("It is in the trash already; r restores it, X deletes it.")
    }

    fileprivate static let mostCopied = 10_000

    /// Whether one of the targets is in the trash.
    fileprivate var targetsAreTrashed: Bool {
        if items.scope.isTrash { return true }
        let trashed = try? library.affected(by: .restore, among: items.targets())
        return trashed?.isEmpty == false
    }
}
