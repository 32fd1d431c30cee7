public import CivilTime
public import ObjectGraph

/// A list that a search fills: a row of ``table``, as it is or as the user has changed it, or one
/// that the user has saved.
///
/// It has everything that panes, keys, counts, settings and the shell need; ``SmartLists`` has all
/// of them.
public struct SmartList: Sendable {
    /// The parts of the lists pane, from top to bottom.
    public enum Section: Int, CaseIterable, Sendable {
        /// What to look at: chosen by date, flag or priority.
        case focus
        /// Above the user's own lists.
        case places
        /// Below everything else.
        case archive
    }

    /// What the list shows of items by their state.
    public enum Completion: Sendable {
        case open
        /// Open ones, and those that are done where the user wants to see them.
        case openOrDone
        case done
        case trashed
    }

    /// The stable name: `today`, which settings and the shell use; of a saved list something that
    /// nobody writes.
    public let id: String
    /// Its title; of a list of the user in every language the same.
    public let name: Phrase
    public var title: String { name.text }
    /// The default keys of the command that shows it.
    public let keys: [String]
    public let section: Section
    /// The order where the user chose none.
    public internal(set) var order: ItemOrder
    public internal(set) var isReversed = false
    /// The groups where the user chose none; `nil` for those of the pane.
    public internal(set) var grouping: ItemGrouping?
    public let completion: Completion
    /// Whether it shows tasks below their parents; the others show each item separately.
    public let isTree: Bool
    /// Whether the lists pane shows how many items are in it.
    public let isCounted: Bool
    /// Whether its count asks for attention.
    public let isUrgent: Bool
    /// Whether rows name the list of their item.
    public let showsList: Bool
    private let emptyText: Phrase
    /// Which items belong to it, whatever their state: a search for values of the item itself.
    public internal(set) var query: String
    /// Whether the user has written the search; one of the table names no list and no tag.
    public internal(set) var hasOwnQuery = false
    /// Whether the search asks for other items too, so that it cannot be decided by the values of
    /// an item alone.
    public let concernsOthers: Bool
    /// Whether the search ends with the age after which items are to be reviewed, `2w` if the
    /// settings do not say another one.
    let hasReviewAge: Bool
    /// The row that has or changes it; `nil` for a built-in list as it is.
    public internal(set) var row: ManagedObjectID?
    /// Whether the lists pane leaves it out.
    public internal(set) var isHidden = false
    /// The place in its part of the lists pane.
    public internal(set) var rank: Int64 = 0
    /// The lists and tags that the search may name.
    var names = QueryNames.Table()

    init(
        _ id: String,
        _ title: Phrase,
        keys: [String],
        _ section: Section = .focus,
        order: ItemOrder = .byHand,
        isReversed: Bool = false,
        shows completion: Completion = .open,
        isTree: Bool = false,
        isCounted: Bool = true,
        isUrgent: Bool = false,
        isHidden: Bool = false,
        showsList: Bool = true,
        empty emptyText: Phrase,
        concernsOthers: Bool = false,
        hasReviewAge: Bool = false,
        query: String = ""
    ) {
        self.id = id
        name = title
        self.keys = keys
        self.section = section
        self.order = order
        self.isReversed = isReversed
        self.completion = completion
        self.isTree = isTree
        self.isCounted = isCounted
        self.isUrgent = isUrgent
        self.isHidden = isHidden
        self.showsList = showsList
        self.emptyText = emptyText
        self.concernsOthers = concernsOthers
        self.hasReviewAge = hasReviewAge
        self.query = query
    }

    /// Whether it is one of the table, changed or not.
    public var isBuiltIn: Bool { !id.hasPrefix(SmartList.savedPrefix) }

    /// Whether its count comes from the search in memory, and not from the values of single items.
    public var isCountedBySearch: Bool { hasOwnQuery || concernsOthers }

    // MARK: The search

    /// The search, read at a moment.
    ///
    /// - Complexity: O(length).
    public func filter(_ context: DateContext) -> ItemFilter {
        ItemFilter(search(context), reading: hasOwnQuery ? QueryNames(names) : .none, context)
    }

    /// The text of the search with the age of the settings, where it has one.
    public func search(_ context: DateContext) -> String {
        hasOwnQuery || !hasReviewAge
            ? query : query.dropLast(2) + "\(context.settings.reviewWeeks)w"
    }

    /// Why the search cannot be used, one sentence; `nil` if it can.
    public func problem(_ context: DateContext) -> String? {
        guard hasOwnQuery else { return nil }
        return filter(context).refusal
    }

    /// Why it is empty, one sentence.
    public func emptyText(_ context: DateContext) -> String {
        guard hasOwnQuery else {
            let weeks = context.settings.reviewWeeks
            let age = weeks == 1 ? localized("last week") : localized("last \(weeks) weeks")
            return hasReviewAge ? localized("\(emptyText) in the \(age).") : emptyText.text
        }
        let filter = filter(context)
        if let problem = filter.refusal { return problem }
        return localized("Nothing fits the search: \(filter.inWords(context)).")
    }

    /// The search as a condition; one that cannot be used finds nothing.
    public func rule(_ context: DateContext) -> Condition<Item> {
        let filter = filter(context)
        if hasOwnQuery, filter.refusal != nil { return .always(false) }
        return filter.compiled.condition(QueryNames(names))
    }

    /// Which items the list shows.
    public func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        (saidStates(context) ?? completion.condition(showsDone: showsDone, context))
            && rule(context)
    }

    /// Which items it counts: the open ones, or those that it is about.
    public func countedCondition(_ context: DateContext) -> Condition<Item> {
        countedStates(context) && rule(context)
    }

    /// The states of the items that it counts.
    public func countedStates(_ context: DateContext) -> Condition<Item> {
        saidStates(context) ?? completion.counted
    }

    /// The states of items that the user's search speaks of; `nil` where it does not, and for the
    /// trash.
    private func saidStates(_ context: DateContext) -> Condition<Item>? {
        guard hasOwnQuery, completion != .trashed else { return nil }
        let filter = filter(context)
        let isSaid =
            filter.saysWhetherDone || (filter.saysWhetherTrashed && completion != .done)
        return isSaid ? filter.usualCondition : nil
    }

    /// The built-in list of a name that people write: its ID or its title, in any letter case.
    public static func named(_ name: String) -> SmartList? {
        let wanted = plain(name)
        return table.first { wanted == plain($0.id) || wanted == plain($0.title) }
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The IDs of all built-in lists, for messages.
    public static var names: String { table.map(\.id).joined(separator: ", ") }
}

/// Two values of one list are equal, also if it was changed between them; see ``isSame(as:)``.
extension SmartList: Hashable {
    public static func == (left: SmartList, right: SmartList) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Whether another value of the list shows the same in the same order.
    public func isSame(as other: SmartList) -> Bool {
        id == other.id && title == other.title && order == other.order
            && isReversed == other.isReversed && grouping == other.grouping
            && query == other.query && hasOwnQuery == other.hasOwnQuery && row == other.row
            && isHidden == other.isHidden && names == other.names
    }
}

extension SmartList.Completion {
    /// The items of these states.
    func condition(showsDone: Bool, _ context: DateContext) -> Condition<Item> {
        switch self {
        case .open: Library.openItems
        case .openOrDone: Scope.shown(showsDone, context)
        case .done, .trashed: counted
        }
    }

    /// The items of these states that it counts.
    var counted: Condition<Item> {
        switch self {
        case .open, .openOrDone: Library.openItems
        case .done: Library.notTrashed && Library.isDone
        case .trashed: !Library.notTrashed
        }
    }
}
