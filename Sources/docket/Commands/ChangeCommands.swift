import ArgumentParser
import DocketCore
import ObjectGraph

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a task, or a note with --note.",
        discussion: """
            Dates, #tag, !high and +List are recognised anywhere in the text; a backslash before \
            a word makes it plain text. Prints the new item's short ID first. Text with words that \
            begin like an option goes after --: docket add -- Explain --verbose
            """
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Add a note; its first line is the title.") var note = false
    @Argument(
        parsing: .allUnrecognized,
        help: "What to do, or - to read it from standard input."
    )
    var text: [String] = []

    func validate() throws {
        if text.isEmpty { throw ValidationError("Say what to add: docket add Pay the rent") }
        if let option = text.prefix(while: { $0 != "--" }).first(where: CommandAdvice.isOption) {
            throw ValidationError(CommandAdvice.onOptionOfAdd(option))
        }
    }

    func run() throws {
        try Exit.onFailure {
            var words = text
            // The terminator arrives with the words.
            if let place = words.firstIndex(of: "--") { words.remove(at: place) }
            let line = text == ["-"] ? try standardInput() : words.joined(separator: " ")
            let library = try store.open(.writing)
            let captured = try library.capture(line)
            let item: Item =
                note ? try library.addNote(captured).note : try library.addTask(captured).task
            try Console.print("\(ShortID.string(item.shortID)) \(Console.shown(item.title))")
        }
    }

    private func standardInput() throws -> String {
        let input = try ByteSource.opening("-")
        let bytes = input.remaining()
        try input.checkWhole()
        return String(decoding: CaptureText.clean(bytes), as: UTF8.self)
    }
}

struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark tasks as done.",
        discussion: SubtaskOptions.discussion + "\n\n" + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments
    @OptionGroup var subtasks: SubtaskOptions

    func run() throws {
        try items.perform(
            .complete,
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

struct UndoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undone",
        abstract: "Reopen done tasks.",
        discussion: "A filter is about done tasks. " + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments

    func run() throws {
        try items.perform(
            .reopen,
            already: "open already",
            among: .done,
            requiresTasks: true
        )
    }
}

struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Put items into the trash.",
        discussion: SubtaskOptions.discussion + "\n\n" + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments
    @OptionGroup var subtasks: SubtaskOptions

    func run() throws {
        try items.perform(
            .trash,
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

struct RestoreCommand: ParsableCommand {
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
    @Argument(
        parsing: .allUnrecognized,
        help: "Short IDs, ranges such as 3-7, UUIDs, or a filter such as tag:home."
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions

    func validate() throws {
        if backup == nil, decryption.isGiven {
            throw ValidationError("--identity and --passphrase-file need --backup.")
        }
        if backup != nil, !ids.isEmpty || !filter.predicates.isEmpty {
            throw ValidationError("--backup restores the whole store; it takes no items.")
        }
        if backup == nil, ids.isEmpty, filter.predicates.isEmpty {
            throw ValidationError("Name items to take out of the trash, or a backup with --backup.")
        }
        _ = try FilterOptions.words(ids)
    }

    func run() throws {
        if let backup {
            return try Exit.onFailure { try BackupRestoring.run(backup, over: store, decryption) }
        }
        try ItemArguments.perform(
            .restore,
            on: ItemSelection(words: ids, predicates: filter.predicates),
            of: store,
            already: "not in the trash",
            among: .trashed
        )
    }
}

/// One or more items, changed together in one step.
struct ItemArguments: ParsableArguments {
    @OptionGroup var store: StoreLocation
    @Argument(
        parsing: .allUnrecognized,
        help: "Short IDs, ranges such as 3-7, UUIDs, or a filter such as tag:home."
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions

    func validate() throws { try ItemSelection.validate(ids, filter) }

    /// Finds every item before anything is changed, changes them as one step, and prints its name.
    ///
    /// - Parameters:
    ///   - change: what is done to each of them.
    ///   - state: the state of items that need no change.
    ///   - found: which of the items that a filter finds are meant.
    ///   - requiresTasks: whether notes alone are an error.
    ///   - adding: returns the further items to change, and the message about the rest.
    /// - Throws: the exit code, after the message was printed.
    func perform(
        _ change: ItemChange,
        already state: String,
        among found: ItemSelection.State = .open,
        requiresTasks: Bool = false,
        adding: ((Library, [Item]) throws -> SubtaskOptions.Choice)? = nil
    ) throws {
        try ItemArguments.perform(
            change,
            on: ItemSelection(words: ids, predicates: filter.predicates),
            of: store,
            already: state,
            among: found,
            requiresTasks: requiresTasks,
            adding: adding
        )
    }

    /// The same for a command with arguments of its own.
    static func perform(
        _ change: ItemChange,
        on selection: ItemSelection,
        of store: StoreLocation,
        already state: String,
        among found: ItemSelection.State = .open,
        requiresTasks: Bool = false,
        adding: ((Library, [Item]) throws -> SubtaskOptions.Choice)? = nil
    ) throws {
        try Exit.onFailure {
            let library = try store.open(.writing)
            let items = try selection.items(in: library, found)
            if requiresTasks, let first = items.first, !items.contains(where: { $0 is Task }) {
                throw InputError(
                    .badReference,
                    "\(ShortID.string(first.shortID)) is a note; only a task can be done or open."
                )
            }
            let more = try adding?(library, items)
            let step = try library.perform(change, on: items + (more?.items ?? []))
            try Confirmation.print(step, items, state, rest: more?.rest ?? "")
        }
    }
}
