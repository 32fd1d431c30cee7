import ArgumentParser
import DocketCore
import ObjectGraph

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add a task, or a note with --note.",
        discussion: """
            Dates, #tag, !high and +List are recognised anywhere in the text; a backslash before \
            a word keeps it as it is. Prints the new item's short ID first.
            """)

    @OptionGroup var store: StoreOptions
    @Flag(help: "Add a note; its first line is the title.") var note = false
    @Argument(parsing: .remaining, help: "What to do, or - to read it from standard input.")
    var text: [String]

    func validate() throws {
        if text.isEmpty { throw ValidationError("Say what to add: docket add Pay the rent") }
    }

    func run() throws {
        try Exit.onFailure {
            let line = text == ["-"] ? String(decoding: CaptureText.clean(try Input.read("-")), as: UTF8.self) : text.joined(separator: " ")
            let library = try store.open()
            let item: Item =
                note
                ? try library.addNote(capturing: line) : try library.addTask(capturing: line)
            try Console.print("\(ShortID.string(item.shortID)) \(Console.shown(item.title))")
        }
    }
}

struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Mark tasks as done.")

    @OptionGroup var items: ItemArguments

    func run() throws {
        try items.change { library, items in try library.complete(items) }
    }
}

struct Undone: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open done tasks again.")

    @OptionGroup var items: ItemArguments

    func run() throws {
        try items.change { library, items in try library.reopen(items) }
    }
}

struct Trash: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Put items into the trash.")

    @OptionGroup var items: ItemArguments

    func run() throws {
        try items.change { library, items in try library.trash(items) }
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take items out of the trash.")

    @OptionGroup var items: ItemArguments

    func run() throws {
        try items.change { library, items in try library.restore(items) }
    }
}

/// One or more items, changed together in one step.
struct ItemArguments: ParsableArguments {
    @OptionGroup var store: StoreOptions
    @Argument(help: "Short IDs, ranges such as 3-7, or UUIDs.") var ids: [String]

    /// Finds every item before anything is changed.
    func change(_ body: (Library, [Item]) throws -> Void) throws {
        try Exit.onFailure {
            let library = try store.open()
            let items = try ids.flatMap { try library.items(named: $0) }
            try body(library, items)
        }
    }
}

struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change fields of an item.",
        discussion: """
            Fields: title, notes, body, list, tags, due, start, priority, done, flagged, parent. \
            An empty value clears one: docket edit 3 due= "tags=home, garden"
            """)

    @OptionGroup var store: StoreOptions
    @Argument(help: "A short ID or a UUID.") var id: String
    @Argument(help: "field=value, one or more.") var changes: [String]

    func run() throws {
        try Exit.onFailure {
            let library = try store.open()
            let item = try library.item(ItemReference(id))
            try library.edit(item, try changes.map { try FieldChange($0) })
        }
    }
}

struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move an item in the display order.")

    @OptionGroup var store: StoreOptions
    @Argument(help: "A short ID or a UUID.") var id: String
    @Flag(help: "Past the open item before it in its list.") var up = false
    @Flag(help: "Past the open item after it in its list.") var down = false
    @Flag(help: "Before all others.") var top = false
    @Flag(help: "After all others.") var bottom = false
    @Option(help: "Before this item.", completion: nil) var before: String?
    @Option(help: "After this item.", completion: nil) var after: String?

    func validate() throws {
        let count =
            [up, down, top, bottom].filter { $0 }.count
            + [before, after].compactMap { $0 }.count
        if count != 1 {
            throw ValidationError(
                "Say where to, with one of --up, --down, --before ID, --after ID, --top, --bottom.")
        }
    }

    func run() throws {
        try Exit.onFailure {
            let library = try store.open()
            let item = try library.item(ItemReference(id))
            if let placement = try placement(of: item, library) {
                try library.place([item], placement)
            }
        }
    }

    private func placement(of item: Item, _ library: Library) throws -> Library.Placement? {
        if top { return .top }
        if bottom { return .bottom }
        if let before { return .before(try library.item(ItemReference(before))) }
        if let after { return .after(try library.item(ItemReference(after))) }
        let visible = FetchPredicate.and([Library.openItems, library.condition(beside: item)])
        guard let other = try library.neighbour(of: item, ahead: up, among: visible) else {
            return nil
        }
        return up ? .before(other) : .after(other)
    }
}
