public import ObjectGraph

/// All lists that searches fill, built-in ones as the user has changed them, at a moment.
public struct SmartLists: Sendable {
    /// In the order of the lists pane, hidden ones too.
    public let all: [SmartList]
    private let places: [String: Int]

    /// The built-in lists as they are.
    public static let unchanged = SmartLists(rows: [], names: QueryNames.Table())

    /// - Parameters:
    ///   - rows: the saved searches.
    ///   - names: the lists and tags that they may name.
    /// - Complexity: O(rows); no search is read.
    init(rows: [SavedSearch], names: QueryNames.Table) {
        var changes: [String: SavedSearch] = [:]
        var saved: [SmartList] = []
        for row in rows {
            if let id = row.builtIn {
                changes[id] = row
            } else {
                saved.append(SmartList(row, names))
            }
        }
        let ranks = Ranks.initial(count: SmartList.table.count)
        let builtIn = zip(SmartList.table, ranks).map { list, rank in
            changes[list.id].map { list.changed(by: $0, names, rank) } ?? list.placed(at: rank)
        }
        let lists = builtIn + saved
        all = lists.enumerated().sorted { one, other in
            let (left, right) = (one.element, other.element)
            return (left.section.rawValue, left.rank, one.offset)
                < (right.section.rawValue, right.rank, other.offset)
        }.map(\.element)
        places = Dictionary(
            all.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The shown lists of a part of the lists pane.
    public func shown(in section: SmartList.Section) -> [SmartList] {
        all.filter { $0.section == section && !$0.isHidden }
    }

    /// The list as it is now; `nil` if it does not exist any more.
    public func current(_ list: SmartList) -> SmartList? { places[list.id].map { all[$0] } }

    /// The list of a row.
    public func list(of row: ManagedObjectID) -> SmartList? { all.first { $0.row == row } }

    /// The list of a name that people write: a built-in one's ID or title, or the name of a saved
    /// one, in any letter case.
    public func named(_ name: String) -> SmartList? {
        if let list = SmartList.named(name) { return current(list) }
        let wanted = QueryNames.folded(name)
        return all.first { !$0.isBuiltIn && QueryNames.folded($0.title) == wanted }
    }
}

extension SmartList {
    /// The beginning of the IDs of saved lists.
    static let savedPrefix = "saved/"

    /// A list that the user has saved.
    init(_ row: SavedSearch, _ names: QueryNames.Table) {
        self.init(
            "\(SmartList.savedPrefix)\(row.objectID.raw)",
            "\(row.name)",
            keys: [],
            empty: "",
            query: row.query
        )
        take(row, names)
        hasOwnQuery = true
        rank = row.displayOrder
    }

    fileprivate func placed(at rank: Int64) -> SmartList {
        var list = self
        list.rank = rank
        return list
    }

    fileprivate func changed(
        by row: SavedSearch,
        _ names: QueryNames.Table,
        _ rank: Int64
    ) -> SmartList {
        var list = self
        list.take(row, names)
        list.rank = row.displayOrder == 0 ? rank : row.displayOrder
        if !row.query.isEmpty {
            list.query = row.query
            list.hasOwnQuery = true
        }
        return list
    }

    private mutating func take(_ row: SavedSearch, _ names: QueryNames.Table) {
        self.row = row.objectID
        self.names = names
        isHidden = row.hidden
        if let sort = SortWord(row.sort) { (order, isReversed) = (sort.order, sort.isReversed) }
        grouping = row.grouping.flatMap(ItemGrouping.init)
    }
}

/// An order as rows and the shell write it: `due`, `-created`.
public struct SortWord: Hashable, Sendable {
    public var order: ItemOrder
    public var isReversed: Bool

    public init(_ order: ItemOrder, isReversed: Bool) {
        self.order = order
        self.isReversed = isReversed
    }

    /// `nil` for a word that is no order.
    public init?(_ text: String?) {
        guard let text else { return nil }
        isReversed = text.hasPrefix("-")
        guard let order = ItemOrder(rawValue: isReversed ? String(text.dropFirst()) : text) else {
            return nil
        }
        self.order = order
    }

    public var text: String { (isReversed ? "-" : "") + order.rawValue }
}
