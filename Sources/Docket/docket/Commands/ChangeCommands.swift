import ArgumentParser
import DocketCore
import DocketFormats
import ObjectGraph

struct DoneCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark tasks as done.",
        discussion: SubtaskOptions.discussion + "\n\n" + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments
    @OptionGroup var subtasks: SubtaskOptions

    func perform() throws {
        try items.selection.perform(
            .complete,
            in: items.store,
            items.output,
            already: "done already",
            requiresTasks: true,
            adding: { library, items in
                let ended = items.filter { ($0 as? Task)?.completed == nil }
                return try subtasks.chosen("complete", ended, library) {
                    try library.openSubtasks(of: $0)
                }
            }
        )
    }
}

struct UndoneCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "undone",
        abstract: "Reopen done tasks.",
        discussion: "A filter is about done tasks. " + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments

    func perform() throws {
        try items.selection.perform(
            .reopen,
            in: items.store,
            items.output,
            already: "open already",
            among: .done,
            requiresTasks: true
        )
    }
}

struct DuplicateCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicate",
        abstract: "Copy items, and show the copies.",
        discussion: "A copy is open and does not repeat.\n\n" + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments
    @Flag(help: "Copy the subtasks too.") var withSubtasks = false

    func perform() throws {
        let library = try items.store.open(.writing)
        let originals = try items.selection.items(in: library, .open)
        func copy() throws -> (copies: [Item], step: SavedStep?) {
            try library.duplicate(originals, withSubtasks: withSubtasks)
        }
        if items.output.dryRun || items.output.quiet {
            return try items.output.perform(library, on: originals, already: "") { try copy().step }
        }
        let copies = try copy().copies
        if items.output.json {
            var output = try ItemOutput(library, json: true)
            try output.print(copies.map { library.shownRecord(of: $0) })
            return try output.finish()
        }
        for copy in copies {
            try Console.print("\(ShortID.string(copy.shortID)) \(Console.shown(copy.title))")
        }
    }
}

struct TrashCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Put items into the trash.",
        discussion: SubtaskOptions.discussion + "\n\n" + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments
    @OptionGroup var subtasks: SubtaskOptions

    func perform() throws {
        try items.selection.perform(
            .trash,
            in: items.store,
            items.output,
            already: "in the trash already",
            adding: { library, items in
                let ended = items.filter { $0.trashed == nil }
                return try subtasks.chosen("trash", ended, library) {
                    try library.subtasks(of: $0)
                }
            }
        )
    }
}

struct PurgeCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete items that are in the trash, or all of them.",
        discussion: """
            Subtasks that are in the trash are deleted with their parent; others lose it. It is a step \
            like others, which docket undo takes back. A filter is about the trash.

            --all deletes everything that is in the trash. On a terminal, docket asks first; a script \
            needs --yes.

            """ + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Everything that is in the trash.") var all = false
    @Flag(help: "With --all: do not ask.") var yes = false
    @Argument(
        parsing: .allUnrecognized,
        help:
            "Short IDs, ranges such as 3-7, UUIDs, a filter such as tag:home, or - for IDs on standard input.",
        completion: ShellCompletion.filter
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var output: ChangeOutput

    func validate() throws {
        let isNamed = !ids.isEmpty || !filter.predicates.isEmpty
        if all, isNamed { throw ValidationError("--all takes no items.") }
        if yes, !all { throw ValidationError("--yes needs --all.") }
        if !all { try ItemSelection.validate(ids, filter) }
    }

    func perform() throws {
        guard all else {
            let selection = ItemSelection(words: ids, predicates: filter.predicates)
            return try selection.perform(
                .purge,
                in: store,
                output,
                already: "not in the trash",
                among: .trashed
            )
        }
        let library = try store.open(.writing)
        let count = try library.trashedItemIDs().count
        let items = "\(count) item\(count == 1 ? "" : "s") in the trash"
        if count > 0, !yes, !output.dryRun, !Console.confirm("Delete \(items)?") {
            throw InputError(
                .badReference,
                "Nothing was deleted: there \(count == 1 ? "is" : "are") \(items); --yes deletes "
                    + "without a question."
            )
        }
        let trashed = try library.items(of: .many(library.trashedItemIDs()))
        if trashed.isEmpty, !output.json, !output.quiet {
            return try Console.print("The trash is empty.")
        }
        try output.perform(library, on: trashed, already: "", isDeleting: true) {
            try library.perform(.purge, on: trashed)
        }
    }
}

struct RestoreCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore items from the trash, or the whole store from a backup.",
        discussion: """
            --backup puts a backup in the place of the store, which nobody may have open; what was \
            there before becomes a backup itself. The backup may be encrypted. A filter is about the \
            trash.

            """ + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Option(
        help: ArgumentHelp(
            "A backup's file, its name in the list of `docket backup --list`, or latest.",
            valueName: "backup"
        )
    )
    var backup: String?
    @OptionGroup var decryption: AgeInputOptions
    @Flag(help: "Restore the subtasks in the trash too.") var withSubtasks = false
    @Argument(
        parsing: .allUnrecognized,
        help:
            "Short IDs, ranges such as 3-7, UUIDs, a filter such as tag:home, or - for IDs on standard input.",
        completion: ShellCompletion.filter
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var output: ChangeOutput

    func validate() throws {
        if backup == nil, decryption.isGiven {
            throw ValidationError("--identity and --passphrase-file need --backup.")
        }
        if backup != nil, output.dryRun || output.json {
            throw ValidationError("--dry-run and --json are for items, not for --backup.")
        }
        if backup != nil, !ids.isEmpty || !filter.predicates.isEmpty {
            throw ValidationError("--backup restores the whole store; it takes no items.")
        }
        if backup == nil, ids.isEmpty, filter.predicates.isEmpty {
            throw ValidationError("Name items to take out of the trash, or a backup with --backup.")
        }
        _ = try FilterOptions.words(ids)
    }

    func perform() throws {
        if let backup { return try BackupRestoring.run(backup, over: store, decryption) }
        let selection = ItemSelection(words: ids, predicates: filter.predicates)
        try selection.perform(
            .restore,
            in: store,
            output,
            already: "not in the trash",
            among: .trashed,
            adding: { library, items in
                let below = try library.trashedSubtasks(of: .items(items))
                if withSubtasks { return .init(items: try library.items(of: below)) }
                let (s, stay) = below.count == 1 ? ("", "stays") : ("s", "stay")
                return .init(
                    rest: below.isEmpty ? "" : "; \(below.count) subtask\(s) \(stay) in the trash"
                )
            }
        )
    }
}

/// One or more items, changed together in one step.
struct ItemArguments: ParsableArguments {
    @OptionGroup var store: StoreLocation
    @Argument(
        parsing: .allUnrecognized,
        help:
            "Short IDs, ranges such as 3-7, UUIDs, a filter such as tag:home, or - for IDs on standard input.",
        completion: ShellCompletion.filter
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var output: ChangeOutput

    func validate() throws { try ItemSelection.validate(ids, filter) }

    var selection: ItemSelection { ItemSelection(words: ids, predicates: filter.predicates) }
}

extension ItemSelection {
    /// Finds every item before anything is changed, changes them as one step, and prints its name.
    ///
    /// - Parameters:
    ///   - change: what is done to each of them.
    ///   - store: where they are.
    ///   - output: how it is said.
    ///   - state: the state of items that need no change.
    ///   - found: which of the items that a filter finds are meant.
    ///   - requiresTasks: whether notes alone are an error.
    ///   - adding: returns the further items to change, and the message about the rest.
    /// - Throws: the exit code, after the message was printed.
    func perform(
        _ change: ItemChange,
        in store: StoreLocation,
        _ output: ChangeOutput,
        already state: String,
        among found: ItemSelection.State = .open,
        requiresTasks: Bool = false,
        adding: ((Library, [Item]) throws -> SubtaskOptions.Choice)? = nil
    ) throws {
        let library = try store.open(.writing)
        let items = try items(in: library, found)
        if requiresTasks, let first = items.first, !items.contains(where: { $0 is Task }) {
            throw InputError(
                .badReference,
                "\(ShortID.string(first.shortID)) is a note; only a task can be done or open."
            )
        }
        let more = try adding?(library, items)
        let notes = requiresTasks ? items.filter { $0 is Note } : []
        let needless = items.filter { !change.affects($0) && !(requiresTasks && $0 is Note) }
        let left = Confirmation.left(needless, state)
        let rest = left + Confirmation.left(notes, "no \(notes.count == 1 ? "task" : "tasks")")
        let all = items + (more?.items ?? [])
        let isDeleting = if case .purge = change { true } else { false }
        // After a change in parts the items are not valid any more.
        let isWhole = all.count <= library.largestChange
        func end() throws -> String {
            let freed = isWhole && change.endsTasks ? try library.freedInWords(by: all) : ""
            return (more?.rest ?? "") + freed + rest
        }
        try output.perform(
            library,
            on: all,
            named: items,
            already: state,
            isDeleting: isDeleting,
            rest: end()
        ) {
            try library.perform(change, on: all)
        }
    }
}
