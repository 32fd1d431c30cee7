import ArgumentParser

/// A command that is made from its words if they are all there is, without the parser.
///
/// The parser reflects on every option, three times; that takes longer than the command. An option,
/// a word too many and a missing one are left to it: it has the messages.
protocol DirectCommand: DocketCommand {
    /// The command without options; `nil` if the parser has something to say about the words.
    init?(words: [String])
}

extension Docket {
    private static let direct: [any DirectCommand.Type] = [
        ListCommand.self, AddCommand.self, DoneCommand.self, UndoCommand.self, ShowCommand.self,
        SearchCommand.self,
    ]

    /// The command of a line that needs no parser; `nil` for another line.
    static func directCommand(_ words: ArraySlice<String>) -> (any DocketCommand)? {
        guard let name = words.first else { return Docket(words: []) }
        guard !words.contains(where: { $0.hasPrefix("-") }),
            let type = direct.first(where: { $0.configuration.commandName == name }),
            var command = type.init(words: Array(words.dropFirst())),
            (try? command.validate()) != nil
        else { return nil }
        return command
    }
}

extension Docket: DirectCommand {
    init?(words: [String]) {
        guard words.isEmpty else { return nil }
        self.init()
        (store, exportFormat) = (.default, nil)
    }
}

extension ListCommand: DirectCommand {
    init?(words: [String]) {
        self.init()
        (store, self.words, filter, listing) = (.default, words, .none, .default)
        (list, tag) = (nil, [])
    }
}

extension SearchCommand: DirectCommand {
    init?(words: [String]) {
        self.init()
        (store, self.words, filter, listing) = (.default, words, .none, .default)
    }
}

extension ShowCommand: DirectCommand {
    init?(words: [String]) {
        guard words.count == 1 else { return nil }
        self.init()
        (store, id, json) = (.default, words[0], false)
    }
}

extension AddCommand: DirectCommand {
    init?(words: [String]) {
        self.init()
        (store, text, note, plain, json, idOnly) = (.default, words, false, false, false, false)
        (due, start, priority, list, tag, every, notes) = (nil, nil, nil, nil, [], nil, nil)
    }
}

extension DoneCommand: DirectCommand {
    init?(words: [String]) {
        guard !words.isEmpty else { return nil }
        self.init()
        items = ItemArguments()
        (items.store, items.ids, items.filter) = (.default, words, .none)
        subtasks = SubtaskOptions()
        (subtasks.withSubtasks, subtasks.leaveSubtasks) = (false, false)
    }
}

extension UndoCommand: DirectCommand {
    init?(words: [String]) {
        guard words.isEmpty else { return nil }
        self.init()
        store = .default
        options = StepOptions()
        (options.preview, options.onConflict) = (false, .refuse)
    }
}

// MARK: Options that are not given

extension StoreLocation {
    fileprivate static var `default`: StoreLocation {
        var location = StoreLocation()
        location.path = nil
        return location
    }
}

extension FilterOptions {
    fileprivate static var none: FilterOptions {
        var filter = FilterOptions()
        filter.predicates = []
        return filter
    }
}

extension ListingOptions {
    fileprivate static var `default`: ListingOptions {
        var listing = ListingOptions()
        (listing.limit, listing.all, listing.json, listing.count) = (nil, false, false, false)
        return listing
    }
}
