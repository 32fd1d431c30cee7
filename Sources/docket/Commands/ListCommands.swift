import ArgumentParser
import DocketCore
import FoundationEssentials
import ObjectGraph

struct ListItems: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show open items in display order."
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "Only this list and those below it, such as Home or Home/Garden.")
    var list: String?
    @Option(help: "Only items with this tag; may be given several times.")
    var tag: [String] = []
    @Option(help: "At most this many.")
    var limit: Int?
    @Flag(help: "Also done items and those in the trash.")
    var all = false
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
    }

    func run() throws {
        try Exit.onFailure {
            if limit == 0 { return try json ? Console.print("[]") : () }
            let library = try store.open(.reading)
            var conditions: [FetchPredicate] = all ? [] : [Library.openItems]
            if let list { conditions.append(try library.condition(inList: list)) }
            conditions += try tag.map { try library.condition(taggedWith: $0) }
            let items = try library.itemIDs(
                matching: conditions.isEmpty ? nil : .and(conditions),
                limit: limit ?? 0
            )
            try ItemOutput(library, json: json).print(items)
            if items.isEmpty, !json, Console.isTerminal {
                Console.note("Nothing here. docket add Pay the rent tomorrow adds a task.")
            }
        }
    }
}

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show everything about an item.")

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String
    @Flag(help: "As JSON.") var json = false

    func run() throws {
        try Exit.onFailure {
            let library = try store.open(.reading)
            let item = try library.item(ItemReference(id))
            if json {
                var bytes: [UInt8] = []
                DocketJSONWriter.append(library.record(of: item), to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
                return try Console.write(bytes)
            }
            for line in ItemDetails(library).lines(item) { try Console.print(line) }
        }
    }
}

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find items that have every word in title, notes, list or tags."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "The words; case and accents do not matter.") var words: [String]
    @Option(help: "At most this many.") var limit: Int?
    @Flag(help: "Also done items and those in the trash.") var all = false
    @Flag(help: "As JSON.") var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
    }

    func run() throws {
        try Exit.onFailure {
            if limit == 0 { return try json ? Console.print("[]") : () }
            let library = try store.open(.reading)
            let found = try library.search(
                words.joined(separator: " "),
                matching: all ? nil : Library.openItems,
                limit: limit ?? 0
            )
            try ItemOutput(library, json: json).print(found)
        }
    }
}
