import ArgumentParser
import DocketCore
import ObjectGraph

struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change fields of an item.",
        discussion: """
            Fields: title, notes, body, list, tags, due, start, priority, done, flagged, parent. \
            An empty value clears one: docket edit 3 due= "tags=home, garden"
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String
    @Argument(help: "field=value, one or more.") var changes: [String]

    func run() throws {
        try Exit.onFailure {
            let changes = try changes.map { try FieldChange($0) }
            let library = try store.open(.writing)
            let item = try library.item(ItemReference(id))
            let step = try library.edit(item, changes)
            try Console.print(
                step.map { Confirmation.of("Changed", $0) }
                    ?? Confirmation.nothing([item], "like that already")
            )
        }
    }
}

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an item in the display order."
    )

    @OptionGroup var store: StoreLocation
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
                "Say where to, with one of --up, --down, --before ID, --after ID, --top, --bottom."
            )
        }
    }

    func run() throws {
        try Exit.onFailure {
            let library = try store.open(.writing)
            let item = try library.item(ItemReference(id))
            let step = try placement(of: item, library).flatMap {
                try library.place([item], $0)
            }
            try Console.print(
                step.map { Confirmation.of("Moved", $0) }
                    ?? Confirmation.nothing([item], "at that place already")
            )
        }
    }

    private func placement(of item: Item, _ library: Library) throws -> Library.Placement? {
        if top { return .top }
        if bottom { return .bottom }
        if let before { return .before(try library.item(ItemReference(before))) }
        if let after { return .after(try library.item(ItemReference(after))) }
        let visible = Library.openItems && library.condition(beside: item)
        guard let other = try library.neighbour(of: item, ahead: up, among: visible) else {
            return nil
        }
        return up ? .before(other) : .after(other)
    }
}
