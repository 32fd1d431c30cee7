package import CivilTime
package import ObjectGraph

/// A list that a search fills: a row of ``table``, as it is or as the user has changed it, or one that
/// the user has saved.
///
/// It has everything that panes, keys, counts, settings and the shell need; ``SmartLists`` has all of
/// them.
package struct SmartList: Sendable {
    /// The parts of the lists pane, from top to bottom.
    package enum Section: Int, CaseIterable, Sendable {
        /// What to look at: chosen by date, flag or priority.
        case focus
        /// Above the user's own lists.
        case places
        /// Below everything else.
        case archive
    }

    /// What the list shows of items by their state.
    package enum Completion: Sendable {
        case open
        /// Open ones, and those that are done where the user wants to see them.
        case openOrDone
        case done
        case trashed
    }

    /// The stable name: `today`, which settings and the shell use; of a saved list something that
    /// nobody writes.
    package let id: String
    package internal(set) var title: String
    /// The default keys of the command that shows it.
    package let keys: [String]
    package let section: Section
    /// The order where the user chose none.
    package internal(set) var order: ItemOrder
    package internal(set) var isReversed = false
    /// The groups where the user chose none; `nil` for those of the pane.
    package internal(set) var grouping: ItemGrouping?
    package let completion: Completion
    /// Whether it shows tasks below their parents; the others show each item separately.
    package let isTree: Bool
    /// Whether the lists pane shows how many items are in it.
    package let isCounted: Bool
    /// Whether its count asks for attention.
    package let isUrgent: Bool
    /// Whether rows name the list of their item.
    package let showsList: Bool
    private let emptyText: String
    /// Which items belong to it, whatever their state: a search for values of the item itself.
    package internal(set) var query: String
    /// Whether the user has written the search; one of the table names no list and no tag.
    package internal(set) var hasOwnQuery = false
    /// Whether the search asks for other items too, so that it cannot be decided by the values of an
    /// item alone.
    package let concernsOthers: Bool
    /// The row that has or changes it; `nil` for a built-in list as it is.
    package internal(set) var row: ManagedObjectID?
    /// Whether the lists pane leaves it out.
    package internal(set) var isHidden = false
    /// The place in its part of the lists pane.
    package internal(set) var rank: Int64 = 0
    /// The lists and tags that the search may name.
    var names = QueryNames.Table()

    init(
        _ id: String,
        _ title: String,
        keys: [String],
        _ section: Section = .focus,
        order: ItemOrder = .byHand,
        shows completion: Completion = .open,
        isTree: Bool = false,
        isCounted: Bool = true,
        isUrgent: Bool = false,
        showsList: Bool = true,
        empty emptyText: String,
        concernsOthers: Bool = false,
        query: String = ""
    ) {
        self.id = id
        self.title = title
        self.keys = keys
        self.section = section
        self.order = order
        self.completion = completion
        self.isTree = isTree
        self.isCounted = isCounted
        self.isUrgent = isUrgent
        self.showsList = showsList
        self.emptyText = emptyText
        self.concernsOthers = concernsOthers
        self.query = query
    }

    /// Whether it is one of the table, changed or not.
    package var isBuiltIn: Bool { !id.hasPrefix(SmartList.savedPrefix) }

    /// Whether its count comes from the search in memory, and not from the values of single items.
    package var isCountedBySearch: Bool { hasOwnQuery || concernsOthers }

    // MARK: The search

    /// The search, read at a moment.
    ///
    /// - Complexity: O(length).
    package func filter(_ context: DateContext) -> ItemFilter {
        ItemFilter(query, reading: hasOwnQuery ? QueryNames(names) : .none, context)
    }

    /// Why the search cannot be used, one sentence; `nil` if it can.
    package func problem(_ context: DateContext) -> String? {
        guard hasOwnQuery else { return nil }
        return filter(context).refusal
    }

    /// Why it is empty, one sentence.
    package func emptyText(_ context: DateContext) -> String {
        guard hasOwnQuery else { return emptyText }
        let filter = filter(context)
        if let problem = filter.refusal { return problem }
        return "Nothing fits the search: \(filter.inWords(context))."
    }

    /// The search as a condition; one that cannot be used finds nothing.
    package func rule(_ context: DateContext) -> Condition<Item> {
        let filter = filter(context)
        if hasOwnQuery, filter.refusal != nil { return .always(false) }
        return filter.compiled.condition(QueryNames(names))
    }

    /// Which items the list shows.
    package func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        (saidStates(context) ?? completion.condition(showsDone: showsDone)) && rule(context)
    }

    /// Which items it counts: the open ones, or those that it is about.
    package func countedCondition(_ context: DateContext) -> Condition<Item> {
        countedStates(context) && rule(context)
    }

    /// The states of the items that it counts.
    package func countedStates(_ context: DateContext) -> Condition<Item> {
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
    package static func named(_ name: String) -> SmartList? {
        let wanted = plain(name)
        return table.first { wanted == plain($0.id) || wanted == plain($0.title) }
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The IDs of all built-in lists, for messages.
    package static var names: String { table.map(\.id).joined(separator: ", ") }
}

/// Two values of one list are equal, also if it was changed between them; see ``isSame(as:)``.
extension SmartList: Hashable {
    package static func == (left: SmartList, right: SmartList) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Whether another value of the list shows the same in the same order.
    package func isSame(as other: SmartList) -> Bool {
        id == other.id && title == other.title && order == other.order
            && isReversed == other.isReversed && grouping == other.grouping
            && query == other.query && hasOwnQuery == other.hasOwnQuery && row == other.row
            && isHidden == other.isHidden && names == other.names
    }
}

extension SmartList.Completion {
    /// The items of these states.
    func condition(showsDone: Bool) -> Condition<Item> {
        switch self {
        case .open: Library.openItems
        case .openOrDone: Scope.shown(showsDone)
        case .done: Library.notTrashed && Library.isDone
        case .trashed: !Library.notTrashed
        }
    }

    var counted: Condition<Item> {
        self == .openOrDone ? Library.openItems : condition(showsDone: false)
    }
}
