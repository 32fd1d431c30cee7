import ArgumentParser

extension Docket {
    /// The command of a line that has nothing but words, made without the parser; `nil` for others,
    /// and for those about which the parser has something to say.
    ///
    /// The parser reflects on every option, three times; that takes longer than the command. A
    /// command with an option that is not set here has another size, and goes to the parser.
    static func directCommand(_ line: ArraySlice<String>) -> (any DocketCommand)? {
        if line.contains(where: { $0.hasPrefix("-") }) { return nil }
        let words = Array(line.dropFirst())
        switch line.first {
        case nil:
            var docket = Docket()
            (docket.store, docket.exportFormat, docket.isPlain) = (.default, nil, false)
            return whole(docket, 169)
        case "list":
            var list = ListCommand()
            (list.store, list.words, list.list, list.tag) = (.default, words, nil, [])
            (list.filter, list.listing) = (.none, .default)
            return (try? list.validate()).flatMap { whole(list, 264) }
        case "search" where !words.isEmpty:
            var search = SearchCommand()
            (search.store, search.words) = (.default, words)
            (search.filter, search.listing) = (.none, .default)
            return whole(search, 216)
        case "show" where words.count == 1:
            var show = ShowCommand()
            (show.store, show.id, show.json) = (.default, words[0], false)
            return whole(show, 81)
        case "add" where !words.isEmpty:
            var add = AddCommand()
            (add.store, add.text, add.tag) = (.default, words, [])
            (add.note, add.plain, add.json, add.idOnly) = (false, false, false, false)
            (add.quiet, add.dryRun) = (false, false)
            (add.due, add.start, add.priority) = (nil, nil, nil)
            (add.list, add.every, add.notes, add.template) = (nil, nil, nil, nil)
            return whole(add, 393)
        case "done" where !words.isEmpty:
            var done = DoneCommand()
            (done.items, done.subtasks) = (ItemArguments(), SubtaskOptions())
            (done.items.store, done.items.ids, done.items.filter) = (.default, words, .none)
            done.items.output = ChangeOutput()
            (done.items.output.dryRun, done.items.output.quiet) = (false, false)
            done.items.output.json = false
            (done.subtasks.withSubtasks, done.subtasks.leaveSubtasks) = (false, false)
            return whole(done, 280)
        case "undo" where words.isEmpty:
            var undo = UndoCommand()
            (undo.store, undo.options) = (.default, StepOptions())
            (undo.options.preview, undo.options.onConflict) = (false, .refuse)
            undo.options.quiet = false
            return whole(undo, 128)
        default: return nil
        }
    }

    /// A command if it has the size that it had when all of its options were set here.
    private static func whole<Command: DocketCommand>(_ command: Command, _ size: Int) -> Command? {
        MemoryLayout<Command>.size == size ? command : nil
    }
}

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
