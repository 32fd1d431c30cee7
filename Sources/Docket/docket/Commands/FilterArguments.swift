import ArgumentParser
import DocketCore
import DocketFormats
import ObjectGraph

/// Which items a command takes, in the language of searches or as a whole predicate.
struct FilterOptions: ParsableArguments {
    static let discussion = """
        FILTER: words that any text of an item has, "exact words", and conditions such as \
        'due:<7d', due:2026-10, tag:home, list:Work, is:open, is:blocked, has:notes, \
        'priority>=medium', created:today, every:any, title:~^re (< and > need quotes in a shell). \
        All must hold; or, not or - before one, and parentheses join them otherwise. Without is: or done: it is about open items. \
        --where takes a predicate such as 'due < $tomorrow AND priority >= 2'. Numbers of items \
        stand alone; in a filter write id:2, or "2" in quotes for the word.
        """

    @Option(name: .customLong("where"), help: "Only items for which this predicate holds.")
    var predicates: [String] = []

    /// The words of a command line that are a filter.
    ///
    /// `options` are those of the command, for advice.
    ///
    /// - Returns: the words without the sign that ends the options.
    /// - Throws: `ValidationError` for an option that does not exist: its letters would be excluded.
    static func words(_ words: [String], options: [String] = []) throws -> [String] {
        let place = words.firstIndex(of: "--") ?? words.endIndex
        if let option = words[..<place].first(where: CommandAdvice.isOption) {
            let near = CommandAdvice.nearest(to: option, among: options + ["--where", "--store"])
            let advice =
                near.map { "Did you mean '\($0)'?" }
                ?? "To leave out items with a word, write not before it."
            throw ValidationError("Unknown option '\(option)'. \(advice)")
        }
        return Array(words[..<place]) + words[place...].dropFirst()
    }

    /// A filter that was given, as far as one was.
    struct Given {
        let filter: ItemFilter
        /// The predicates.
        let condition: Condition<Item>?
        /// Whether anything was given.
        var isEmpty: Bool { filter.isEmpty && condition == nil }

        /// The condition besides the filter: the predicates, and what is meant if nothing else is
        /// said.
        func condition(usual: Condition<Item>?) -> Condition<Item>? {
            guard let usual else { return condition }
            return condition.map { $0 && usual } ?? usual
        }
    }

    /// Reads the filter of a command.
    ///
    /// - Throws: `InputError` with the first thing that is not understood.
    func given(_ words: [String], _ library: Library) throws -> Given {
        try FilterOptions.given(library.filter(words.joined(separator: " ")), predicates, library)
    }

    static func given(
        _ filter: ItemFilter,
        _ predicates: [String],
        _ library: Library
    ) throws -> Given {
        try filter.checkUnderstood()
        let conditions = try predicates.map { try library.condition(where: $0) }
        return Given(
            filter: filter,
            condition: conditions.dropFirst().reduce(conditions.first) { all, next in
                all.map { $0 && next }
            }
        )
    }
}

/// The items that a changing command is about: named ones, or those that a filter finds.
struct ItemSelection {
    /// The items that are meant where the filter does not say it.
    enum State {
        case open
        case done
        case trashed

        func condition(_ filter: ItemFilter) -> Condition<Item> {
            switch self {
            case .open: filter.usualCondition
            case .done: Library.notTrashed && Library.isDone
            case .trashed: !Library.notTrashed
            }
        }
    }

    let words: [String]
    /// Those of the option `--where`.
    var predicates: [String] = []

    /// - Throws: `ValidationError` if nothing is named.
    static func validate(_ words: [String], _ filter: FilterOptions) throws {
        if words.isEmpty, filter.predicates.isEmpty {
            throw ValidationError("Name items by their numbers, or by a filter such as tag:home.")
        }
        _ = try FilterOptions.words(words, options: ["--with-subtasks", "--leave-subtasks"])
    }

    /// The items, before anything is changed.
    ///
    /// A filter of words alone is refused: they may be a misspelled number.
    ///
    /// - Throws: `InputError` if an item does not exist, or the filter finds nothing.
    func items(in library: Library, _ state: State) throws -> [Item] {
        if words == ["-"] { return try library.items(named: ItemSelection.inputIDs()) }
        let words = try FilterOptions.words(self.words)
        let filter = try library.filter(words.joined(separator: " "))
        if predicates.isEmpty, !filter.namesFields, filter.problems.isEmpty {
            return try library.items(named: words)
        }
        try ItemSelection.checkNumbers(words)
        let given = try FilterOptions.given(filter, predicates, library)
        let ids = try library.itemIDs(
            of: given.filter,
            matching: given.condition(usual: state.condition(given.filter))
        )
        if ids.isEmpty {
            throw InputError(.badReference, "Nothing is found; nothing was changed.")
        }
        return try library.existing(ids)
    }

    /// The items of standard input: the numbers of a line, or the one before the title of a line that
    /// Docket has printed.
    private static func inputIDs() throws -> [String] {
        var ids: [String] = []
        while let line = readLine() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            let isOfIDs = words.allSatisfy {
                (try? ItemReference($0)) != nil || (try? ShortID.parseList($0)) != nil
            }
            ids += isOfIDs ? words : Array(words.prefix(1))
        }
        if ids.isEmpty {
            throw InputError(
                .badReference,
                "Standard input has no number of an item; nothing was changed."
            )
        }
        return ids
    }

    /// Refuses numbers of items in a filter: they would be words to find.
    private static func checkNumbers(_ words: [String]) throws(InputError) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .map { $0.filter { !"()".contains($0) } }
        guard let number = parts.first(where: { (try? ShortID.parseList($0)) != nil }) else {
            return
        }
        throw InputError(
            .badReference,
            "“\(number)” stands beside a condition, where it is no item; write the items alone, id:"
                + "\(number) as a condition, or \"\(number)\" in quotes for the word."
        )
    }
}
