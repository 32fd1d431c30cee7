public import ArgumentParser
import CivilTime
public import DocketCore
import DocketFormats
import ObjectGraph

struct SmartListsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show the smart lists, save a search as one, change or remove one.",
        discussion: """
            A smart list has a name, a search, an order and groups; docket list NAME shows its \
            items. Built-in lists can be changed too, all but their names: \(SmartList.names).
            """,
        subcommands: [
            SmartListsShowCommand.self, SmartListAddCommand.self, SmartListEditCommand.self,
            SmartListRemoveCommand.self,
        ],
        defaultSubcommand: SmartListsShowCommand.self
    )
}

struct SmartListsShowCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all smart lists with their searches, in the order of the lists pane."
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Only saved and changed ones.") var saved = false
    @Flag(help: "As JSON.") var json = false

    func perform() throws {
        let library = try store.open(.reading)
        let clock = library.clock()
        let lists = try library.smartLists().all.filter { !saved || $0.row != nil }
        if json {
            return try Console.print(.array(lists.map { value($0, clock) }))
        }
        for list in lists {
            var parts = [list.title]
            if !list.query.isEmpty { parts.append(list.search(clock)) }
            if list.row != nil { parts.append(list.isBuiltIn ? "changed" : "saved") }
            if list.isHidden { parts.append("hidden") }
            if let problem = list.problem(clock) { parts.append("! \(problem)") }
            try Console.print(parts.joined(separator: "  "))
        }
    }

    private func value(_ list: SmartList, _ clock: DateContext) -> JSONValue {
        .object([
            JSONMember("name", .string(list.title)),
            JSONMember("builtIn", list.isBuiltIn ? .string(list.id) : .null),
            JSONMember("search", .string(list.search(clock))),
            JSONMember("order", .string(SortWord(list.order, isReversed: list.isReversed).text)),
            JSONMember("groups", list.grouping.map { .string($0.rawValue) } ?? .null),
            JSONMember("hidden", .bool(list.isHidden)),
            JSONMember("changed", .bool(list.isBuiltIn && list.row != nil)),
            JSONMember("problem", list.problem(clock).map { .string($0) } ?? .null),
        ])
    }
}

struct SmartListOptions: ParsableArguments {
    static let names = ["--order", "--groups", "--name", "--hide", "--show"]

    @Option(
        help: ArgumentHelp(
            "The order: \(ItemOrder.allCases.map(\.rawValue).joined(separator: ", ")); with = and -"
                + " reversed: --order=-created.",
            valueName: "order"
        ),
        completion: .list(ItemOrder.allCases.flatMap { [$0.rawValue, "-\($0.rawValue)"] })
    )
    var order: SortWord?
    @Option(
        help: ArgumentHelp(
            "The groups: \(ItemGrouping.allCases.map(\.rawValue).joined(separator: ", ")), or usual.",
            valueName: "groups"
        ),
        completion: .list(ItemGrouping.allCases.map(\.rawValue) + ["usual"])
    )
    var groups: GroupingWord?

    func fill(_ values: inout SmartListValues) {
        if let order { values.sort = order }
        if let groups { values.grouping = groups.grouping }
    }
}

// The type is ours too; the module that declares it parses no arguments.
// swift-format-ignore: AvoidRetroactiveConformances
extension SortWord: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A grouping as the shell writes it; `usual` for that of the pane.
struct GroupingWord: ExpressibleByArgument {
    let grouping: ItemGrouping?

    init?(argument: String) {
        grouping = ItemGrouping(rawValue: argument)
        if grouping == nil, argument != "usual" { return nil }
    }
}

struct SmartListAddCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Save a search as a smart list.",
        discussion: "docket lists add \"Work soon\" 'due:<7d' list:Work\n\n"
            + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Its name.") var name: String
    @Argument(parsing: .allUnrecognized, help: "The search.", completion: ShellCompletion.filter)
    var words: [String]
    @OptionGroup var options: SmartListOptions

    func validate() throws {
        _ = try FilterOptions.words(words, options: SmartListOptions.names)
    }

    func perform() throws {
        let query = try FilterOptions.words(words).joined(separator: " ")
        var values = SmartListValues(name: name, query: query)
        options.fill(&values)
        let library = try store.open(.writing)
        let step = try library.addSmartList(values).step
        try Confirmation.print(step, [], "there already")
    }
}

struct SmartListEditCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a smart list, a built-in one too.",
        discussion: "docket lists edit \"Work soon\" --name Soon --search 'due:<3d'"
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Its name.", completion: ShellCompletion.smartLists) var name: String
    @Option(name: .customLong("name"), help: "Another name; a built-in list keeps its own.")
    var newName: String?
    @Option(help: "Another search.") var search: String?
    @OptionGroup var options: SmartListOptions
    @Flag(help: "Leave it out of the lists pane.") var hide = false
    @Flag(help: "Show it in the lists pane.") var show = false

    func validate() throws {
        if hide, show { throw ValidationError("--hide and --show exclude each other.") }
    }

    func perform() throws {
        let library = try store.open(.writing)
        let list = try library.smartList(named: name)
        if newName != nil, list.isBuiltIn {
            throw InputError(.conflict, "\(list.title) is built in and keeps its name.")
        }
        var values = SmartListValues(list)
        if let newName { values.name = newName }
        if let search { values.query = search }
        options.fill(&values)
        if hide || show { values.isHidden = hide }
        try Confirmation.print(library.edit(list, values), list)
    }
}

struct SmartListRemoveCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a saved list, or set a built-in one back to what it was.",
        discussion: "The items stay where they are."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Its name.", completion: ShellCompletion.smartLists) var name: String

    func perform() throws {
        let library = try store.open(.writing)
        let list = try library.smartList(named: name)
        try Confirmation.print(library.delete(list), list)
    }
}
