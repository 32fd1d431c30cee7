import CivilTime
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
        let lists = MembershipRules.lists
        let columns: [Column<Item>] = lists.map {
            .count(where: $0.countedCondition(clock), as: $0.id)
        }
        let request = FetchRequest<[String: GraphValue]>(
            of: Item.self,
            columns: [
                .property(\.list, as: "list"), .count(where: Library.openItems, as: "open"),
            ] + columns,
            groupedBy: \.list
        )
        for row in try context.fetch(request) {
            if let list = CountTally.id(row["list"]) {
                add(CountTally.number(row["open"]), to: .list(list))
            }
            for list in lists { add(CountTally.number(row[list.id]), to: .smart(list)) }
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
