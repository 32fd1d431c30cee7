import ArgumentParser
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

struct ListCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show open items in display order, or those of a smart list or a filter.",
        discussion:
            "Built-in lists: \(SmartList.names); docket lists shows the saved ones. A smart list has its"
            + " own order and groups. lists/NAME is a folder of Markdown files of"
            + " the settings, and lists/NAME/PATH one in it. Exit code 1 if a filter finds nothing."
            + "\n\n" + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Argument(
        parsing: .allUnrecognized,
        help: "A smart list such as today, or a folder such as lists/Recipes; then a filter.",
        completion: ShellCompletion.listed
    )
    var words: [String] = []
    @Option(
        help: "Only this list and those below it, such as Home or Home/Garden.",
        completion: ShellCompletion.lists
    )
    var list: String?
    @Option(
        help: "Only items with this tag; may be given several times.",
        completion: ShellCompletion.tags
    )
    var tag: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var listing: ListingOptions

    /// The built-in list or the folder; a saved list is known only in the library.
    private var name: String? {
        words.first.flatMap { isFolder || SmartList.named($0) != nil ? $0 : nil }
    }

    /// The smart list that the first word names.
    private func smartList(in library: Library) throws -> SmartList? {
        guard let word = words.first else { return nil }
        let list = try library.smartLists().named(word)
        if let problem = list?.problem(library.clock()) {
            throw InputError(.malformed, "The list \(word) cannot be shown: \(problem)")
        }
        return list
    }

    func validate() throws {
        let rest = try FilterOptions.words(
            name == nil ? words : Array(words.dropFirst()),
            options: ListingOptions.names + ["--list", "--tag"]
        )
        if isFolder {
            let isForItems = listing.all || listing.count || !filter.predicates.isEmpty
            if list != nil || !tag.isEmpty || isForItems || !rest.isEmpty {
                throw ValidationError(
                    "--list, --tag and --all are for items, not for a folder; so are filters."
                )
            }
        }
        if tag.count > Limits.searchWords {
            throw ValidationError("--tag can be given at most \(Limits.searchWords) times.")
        }
    }

    /// The built-in list that was probably meant by a word that finds nothing.
    private var misspelledName: String? {
        guard words.count == 1 else { return nil }
        return CommandAdvice.nearest(to: words[0], among: SmartList.table.map(\.id))
            .map { "Did you mean the built-in list \($0)?" }
    }

    private var isFolder: Bool { words.first?.hasPrefix(FolderOutput.prefix) ?? false }

    func perform() throws {
        if let name, isFolder {
            return try FolderOutput(name).printList(limit: listing.limit, json: listing.json)
        }
        var isSearch = false
        let count = try listing.print(from: store) { library in
            let smart = try smartList(in: library)
            let rest = try FilterOptions.words(smart == nil ? words : Array(words.dropFirst()))
            let given = try filter.given(rest, library)
            isSearch = !given.isEmpty
            var condition: Condition<Item>? =
                listing.all ? nil : given.filter.usualCondition
            if let smart {
                let clock = library.clock()
                condition = listing.all ? smart.rule(clock) : smart.countedCondition(clock)
            }
            var all = given.condition(usual: condition)
            func add(_ more: Condition<Item>) { all = all.map { $0 && more } ?? more }
            if let list { add(try library.condition(inList: list)) }
            for name in tag { add(try library.condition(taggedWith: name)) }
            return .init(given.filter, all, smart.map { ItemSorting($0) } ?? ItemSorting())
        }
        if isSearch { return try listing.endSearch(count, advice: misspelledName) }
        if count == 0, !listing.json, !listing.count, Console.isTerminal {
            Console.note("Nothing here. docket add Pay the rent tomorrow adds a task.")
        }
    }
}

struct ShowCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all fields of an item, or a note of a folder."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID, or a note such as lists/Recipes/soup.md.")
    var id: String
    @Flag(help: "As JSON.") var json = false

    func perform() throws {
        if id.hasPrefix(FolderOutput.prefix) {
            let clock = SystemClock(environment: ProcessInfo.environment)
            return try FolderOutput(id).printNote(clock.context, json: json)
        }
        let library = try store.open(.reading)
        let item = try library.item(ItemReference(id))
        if json { return try ItemOutput.printJSON(library.shownRecord(of: item)) }
        try ItemDetails(library).print(item)
    }
}

struct SearchCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find items that have every word in title, notes, list or tags.",
        discussion: "Exit code 1 if nothing is found. " + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Argument(
        parsing: .allUnrecognized,
        help: "The words, whose case and accents do not matter, or any other filter.",
        completion: ShellCompletion.filter
    )
    var words: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var listing: ListingOptions

    func validate() throws {
        if words.isEmpty, filter.predicates.isEmpty {
            throw ValidationError("Say what to find: docket search rent")
        }
        _ = try FilterOptions.words(words, options: ListingOptions.names)
    }

    func perform() throws {
        let count = try listing.print(from: store) { library in
            let given = try filter.given(FilterOptions.words(words), library)
            let usual = listing.all ? nil : given.filter.usualCondition
            return .init(given.filter, given.condition(usual: usual))
        }
        try listing.endSearch(count)
    }
}

/// The number and the form of printed items.
struct ListingOptions: ParsableArguments {
    /// The options, for advice.
    static let names = ["--limit", "--all", "--json", "--count"]

    @Option(help: "At most this many.") var limit: Int?
    @Flag(help: "Also done items and those in the trash.") var all = false
    @Flag(help: "As JSON.") var json = false
    @Flag(help: "Only how many there are.") var count = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
        if count, json || limit != nil {
            throw ValidationError("--count prints one number; leave out --json and --limit.")
        }
    }

    /// What is printed: the items that a filter finds, with a condition besides, and their order.
    struct Query {
        let filter: ItemFilter
        let condition: Condition<Item>?
        let sorting: ItemSorting

        init(
            _ filter: ItemFilter,
            _ condition: Condition<Item>?,
            _ sorting: ItemSorting = ItemSorting()
        ) {
            self.filter = filter
            self.condition = condition
            self.sorting = sorting
        }
    }

    /// Prints the items of a query.
    ///
    /// Returns the number of items; `nil` if none was requested.
    @discardableResult
    func print(from store: StoreLocation, _ query: (Library) throws -> Query) throws -> Int? {
        if limit == 0 {
            if json { try Console.print("[]") }
            return nil
        }
        let library = try store.open(.reading)
        let query = try query(library)
        if count {
            let count = try library.count(of: query.filter, matching: query.condition)
            try Console.print("\(count)")
            return count
        }
        var output = try ItemOutput(library, json: json)
        let count = try library.forEachRecord(
            of: query.filter,
            matching: query.condition,
            sorted: query.sorting,
            limit: limit ?? 0,
            isLine: output.isLine,
            heading: { try output.printHeading($0) },
            { try output.print($0) }
        )
        try output.finish()
        return count
    }

    /// Ends a search: it fails if it has found nothing, as scripts expect.
    ///
    /// `advice` says what may have been meant instead.
    ///
    /// - Throws: the exit code.
    func endSearch(_ count: Int?, advice: String? = nil) throws {
        guard count == 0 else { return }
        if let advice {
            Console.note("Nothing is found. \(advice)")
        } else if !json, !self.count, Console.isTerminal {
            Console.note("Nothing is found.")
        }
        throw ExitCode(Exit.notDone)
    }
}
