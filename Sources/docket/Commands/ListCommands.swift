import ArgumentParser
import DocketCore
import FoundationEssentials
import ObjectGraph

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show open items in display order, or those of a built-in list.",
        discussion:
            "Built-in lists: \(SmartList.names). lists/NAME is a folder of Markdown files of"
            + " the settings, and lists/NAME/PATH one in it."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A built-in list, such as today, or a folder, such as lists/Recipes.")
    var name: String?
    @Option(help: "Only this list and those below it, such as Home or Home/Garden.")
    var list: String?
    @Option(help: "Only items with this tag; may be given several times.")
    var tag: [String] = []
    @OptionGroup var listing: ListingOptions

    func validate() throws {
        if isFolder, list != nil || !tag.isEmpty || listing.all {
            throw ValidationError("--list, --tag and --all are for items, not for a folder.")
        }
        if let name, !isFolder, SmartList.named(name) == nil {
            throw ValidationError(
                "\"\(CaptureText.cleanLine(name))\" is not a built-in list; they are"
                    + " \(SmartList.names). --list takes the lists of your own."
            )
        }
        if tag.count > Limits.searchWords {
            throw ValidationError("--tag can be given at most \(Limits.searchWords) times.")
        }
    }

    private var isFolder: Bool { name?.hasPrefix(FolderOutput.prefix) ?? false }

    func run() throws {
        try Exit.onFailure {
            if let name, isFolder {
                return try FolderOutput(name).printList(limit: listing.limit, json: listing.json)
            }
            let count = try listing.print(from: store) { library, limit, output in
                var condition: Condition<Item> = listing.all ? .always(true) : Library.openItems
                if let smart = name.flatMap(SmartList.named) {
                    let clock = library.clock()
                    condition = listing.all ? smart.rule(clock) : smart.countedCondition(clock)
                }
                if let list { condition = try condition && library.condition(inList: list) }
                for name in tag { condition = try condition && library.condition(taggedWith: name) }
                return try library.forEachRecord(
                    matching: condition,
                    limit: limit,
                    isLine: output.isLine
                ) { try output.print($0) }
            }
            if count == 0, !listing.json, Console.isTerminal {
                Console.note("Nothing here. docket add Pay the rent tomorrow adds a task.")
            }
        }
    }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all fields of an item, or a note of a folder."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID, or a note such as lists/Recipes/soup.md.")
    var id: String
    @Flag(help: "As JSON.") var json = false

    func run() throws {
        try Exit.onFailure {
            if id.hasPrefix(FolderOutput.prefix) {
                let clock = SystemClock(environment: ProcessInfo.processInfo.environment)
                return try FolderOutput(id).printNote(clock.context, json: json)
            }
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

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find items that have every word in title, notes, list or tags."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "The words; case and accents do not matter.") var words: [String]
    @OptionGroup var listing: ListingOptions

    func run() throws {
        try Exit.onFailure {
            try listing.print(from: store) { library, limit, output in
                let found = try library.search(
                    words.joined(separator: " "),
                    matching: listing.all ? nil : Library.openItems,
                    limit: limit
                )
                try library.forEachRecord(
                    of: found,
                    isLine: output.isLine,
                    passesFieldsOn: true
                ) { try output.print($0) }
                return found.count
            }
        }
    }
}

/// The number and the form of printed items.
struct ListingOptions: ParsableArguments {
    @Option(help: "At most this many.") var limit: Int?
    @Flag(help: "Also done items and those in the trash.") var all = false
    @Flag(help: "As JSON.") var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
    }

    /// Prints the items that `find` passes to the output; its limit is 0 for all.
    ///
    /// Returns the number of items, from `find`; `nil` if none was requested.
    @discardableResult
    func print(
        from store: StoreLocation,
        _ find: (_ library: Library, _ limit: Int, _ output: inout ItemOutput) throws -> Int
    ) throws -> Int? {
        if limit == 0 {
            if json { try Console.print("[]") }
            return nil
        }
        let library = try store.open(.reading)
        var output = try ItemOutput(library, json: json)
        let count = try find(library, limit ?? 0, &output)
        try output.finish()
        return count
    }
}
