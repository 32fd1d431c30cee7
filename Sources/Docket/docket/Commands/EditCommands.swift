import ArgumentParser
import DocketCore
import DocketFormats
import ObjectGraph

struct EditCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change fields of an item, or of those that a filter finds.",
        discussion: """
            Fields: title, notes, body, list, tags, due, start, repeats, priority, estimate, done, \
            flagged, parent, waits, blocks, location, remind. An empty value clears one: docket edit 3 due= "tags=home, garden". A \
            filter is one argument: docket edit 'tag:home due:<today' due=tomorrow. With --where it \
            may be left out.

            waits and blocks take the numbers of the tasks for which it waits, and of those that \
            wait for it: docket edit 3 waits=12,14; waits=+15,-12 adds and removes.

            remind takes words, such as "remind=1 week before, 2 h before", remind=30m or \
            "remind=tomorrow 9:00"; a length is before the due date.

            repeats takes words, such as "repeats=every 2 weeks on friday", or a rule of RFC 5545; \
            empty it ends the series. Changes of a repeating task are passed on to its next \
            occurrences, unless --only-this is given.

            """ + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Argument(
        help: "A short ID, a UUID, or a filter such as tag:home.",
        completion: ShellCompletion.filter
    )
    var id: String
    @Argument(help: "field=value, one or more.", completion: ShellCompletion.changes)
    var changes: [String] = []
    @OptionGroup var filter: FilterOptions
    @Flag(help: "Change this occurrence of a repeating task alone; the series goes on.")
    var onlyThis = false
    @OptionGroup var output: ChangeOutput

    /// The words that name items, and the changes: behind --where all of them may be changes.
    private var parts: (words: [String], changes: [String]) {
        let isChange = !filter.predicates.isEmpty && (try? FieldChange(id)) != nil
        return isChange ? ([], [id] + changes) : ([id], changes)
    }

    func validate() throws {
        if parts.changes.isEmpty {
            throw ValidationError("Say what to change: docket edit 3 due=tomorrow")
        }
    }

    func perform() throws {
        let (words, texts) = parts
        let changes = try texts.map { try FieldChange($0) }
        let library = try store.open(.writing)
        let selection = ItemSelection(words: words, predicates: filter.predicates)
        let items = try selection.items(in: library, .open)
        if onlyThis, items.count > 1 {
            throw InputError(
                .badReference,
                "--only-this is for one item, not for \(items.count); nothing was changed."
            )
        }
        // After a change in parts the items are not valid any more.
        let rest = FieldChange.left(changes, items)
        try output.perform(library, on: items, already: "like that already", rest: rest) {
            onlyThis
                ? try library.editOnlyThis(items[0], changes) : try library.edit(items, changes)
        }
    }
}

struct MoveCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an item in the display order, or below another task.",
        discussion: """
            --under alone makes the task a subtask and leaves it at its place; with one of the \
            other options it also moves there: docket move 5 --under 2 --top
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String
    @Flag(help: "Past the open item before it in its list.") var up = false
    @Flag(help: "Past the open item after it in its list.") var down = false
    @Flag(help: "Before all others.") var top = false
    @Flag(help: "After all others.") var bottom = false
    @Option(help: "Before this item.", completion: nil) var before: String?
    @Option(help: "After this item.", completion: nil) var after: String?
    @Option(help: "Make the task a subtask of this one.", completion: nil) var under: String?
    @OptionGroup var output: ChangeOutput

    func validate() throws {
        let count =
            [up, down, top, bottom].filter { $0 }.count
            + [before, after].compactMap { $0 }.count
        if count == 1 || count == 0 && under != nil { return }
        throw ValidationError(
            "Say where to, with one of --up, --down, --before ID, --after ID, --top, --bottom, "
                + "or with --under ID."
        )
    }

    func perform() throws {
        let library = try store.open(.writing)
        let item = try library.item(ItemReference(id))
        try output.perform(library, on: [item], already: "at that place already") {
            try move(item, library)
        }
    }

    private func move(_ item: Item, _ library: Library) throws -> SavedStep? {
        let parent = try under.map { try task(library.item(ItemReference($0))) }
        let placement = try placement(of: item, library)
        if let parent { return try library.setParent(parent, of: [task(item)], placing: placement) }
        return try placement.flatMap { try library.place([item], $0) }
    }

    private func task(_ item: Item) throws -> Task {
        if let task = item as? Task { return task }
        throw InputError(
            .badReference,
            "\(ShortID.string(item.shortID)) is a note; only tasks have subtasks."
        )
    }

    /// The place of the options; `nil` without one, or if the item is at the end already.
    private func placement(of item: Item, _ library: Library) throws -> Library.Placement? {
        if top { return .top }
        if bottom { return .bottom }
        if let before { return .before(try library.item(ItemReference(before))) }
        if let after { return .after(try library.item(ItemReference(after))) }
        if !up, !down { return nil }
        let visible = Library.openItems && library.condition(beside: item)
        guard let other = try library.neighbour(of: item, ahead: up, among: visible) else {
            return nil
        }
        return up ? .before(other) : .after(other)
    }
}
