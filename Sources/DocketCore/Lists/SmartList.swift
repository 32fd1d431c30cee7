package import CivilTime
package import ObjectGraph

/// A built-in list: a row of ``table``, which is everything that panes, keys, counts, settings and
/// the shell need for it.
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

    /// The stable name, which settings and the shell use: `today`.
    package let id: String
    package let title: String
    /// The default keys of the command that shows it.
    package let keys: [String]
    package let section: Section
    /// The order where the user chose none.
    package let order: ItemOrder
    package let completion: Completion
    /// Whether it shows tasks below their parents; the others show each item separately.
    package let isTree: Bool
    /// Whether the lists pane shows how many items are in it.
    package let isCounted: Bool
    /// Whether its count asks for attention.
    package let isUrgent: Bool
    /// Whether rows name the list of their item.
    package let showsList: Bool
    /// Why it is empty, one sentence.
    package let emptyText: String
    /// Which items belong to it, whatever their state: a search for values of the item itself.
    package let query: String
    /// Gives a new item what makes it belong to the list.
    package let prepare: @Sendable (inout ItemDefaults, DateContext) -> Void

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
        prepare: @escaping @Sendable (inout ItemDefaults, DateContext) -> Void = { _, _ in },
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
        self.prepare = prepare
        self.query = query
    }

    /// The search as a condition; it names no list and no tag.
    package func rule(_ context: DateContext) -> Condition<Item> {
        ItemFilter(query, context).compiled.condition(.none)
    }

    /// Which items the list shows.
    package func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        completion.condition(showsDone: showsDone) && rule(context)
    }

    /// Which items it counts: the open ones, or those that it is about.
    package func countedCondition(_ context: DateContext) -> Condition<Item> {
        completion.counted && rule(context)
    }

    /// The list of a name that people write: its ID or its title, in any letter case.
    package static func named(_ name: String) -> SmartList? {
        let plain = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
        return table.first { plain(name) == plain($0.id) || plain(name) == plain($0.title) }
    }

    /// The IDs of all lists, for messages.
    package static var names: String { table.map(\.id).joined(separator: ", ") }
}

extension SmartList: Hashable {
    package static func == (left: SmartList, right: SmartList) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
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
