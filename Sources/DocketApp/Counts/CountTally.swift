import DocketCore
import FoundationEssentials
import ObjectGraph

/// The number of open items of each scope, at one transaction and one moment.
struct CountTally: Sendable {
    /// The newest transaction in the counts.
    var transaction: Int64
    /// The moment for lists with dates.
    var clock: DateContext
    private(set) var counts: [Scope: Int] = [:]

    /// The smart lists with a count.
    static let lists: [SmartList] = [
        .today, .overdue, .dueSoon, .highPriority, .flagged, .all, .inbox, .trash,
    ]

    mutating func add(_ number: Int, to scope: Scope) {
        let sum = (counts[scope] ?? 0) + number
        counts[scope] = sum == 0 ? nil : sum
    }

    /// Removes a list or a tag that was deleted.
    mutating func remove(_ scope: Scope) { counts[scope] = nil }

    // MARK: Counting all

    /// Counts everything, in a context that reads one state of the store.
    ///
    /// Cost: one grouped statement over the items and one over the tags: half a second each for
    /// a million items.
    init(in context: ManagedObjectContext, _ clock: DateContext) throws {
        self.clock = clock
        transaction = try context.visibleTransaction
        try countLists(in: context)
        try countTags(in: context)
    }

    /// One row for each list, with a column for each smart list.
    private mutating func countLists(in context: ManagedObjectContext) throws {
        let grouped = CountTally.lists.filter { $0 != .all && $0 != .inbox }
        let columns: [Column<Item>] = grouped.map {
            .count(where: $0.condition(clock, showsDone: false), as: $0.rawValue)
        }
        let request = FetchRequest<[String: GraphValue]>(
            of: Item.self,
            columns: [
                .property(\.list, as: "list"), .count(where: Library.openItems, as: "open"),
            ] + columns,
            groupedBy: \.list
        )
        for row in try context.fetch(request) {
            let open = CountTally.number(row["open"])
            add(open, to: .smart(.all))
            add(open, to: CountTally.id(row["list"]).map { .list($0) } ?? .smart(.inbox))
            for list in grouped { add(CountTally.number(row[list.rawValue]), to: .smart(list)) }
        }
    }

    private mutating func countTags(in context: ManagedObjectContext) throws {
        let open = Library.openItems
        let request = FetchRequest<[String: GraphValue]>(
            of: Tag.self,
            columns: [
                .object(as: "tag"), .count(of: { $0.items.filter(open) }, as: "open"),
            ]
        )
        for row in try context.fetch(request) {
            guard let tag = CountTally.id(row["tag"]) else { continue }
            add(CountTally.number(row["open"]), to: .tag(tag))
        }
    }

    private static func number(_ value: GraphValue?) -> Int {
        if case .int(let number)? = value { return Int(number) }
        return 0
    }

    private static func id(_ value: GraphValue?) -> ManagedObjectID? {
        switch value {
        case .objectID(let id)?: id
        case .object(let object)?: object.managedObjectID
        default: nil
        }
    }
}
