import CivilTime
import FoundationEssentials
public import ObjectGraph

/// What is to be looked at in a review: open tasks that nobody has touched for some weeks, and lists
/// that nobody has gone through; and what was seen this week.
public struct ReviewQueue: Sendable {
    public enum Entry: Hashable, Sendable {
        case item(ManagedObjectID)
        case list(ManagedObjectID)
    }

    /// First what is left, the longest untouched one first, lists behind tasks; then what was seen.
    public internal(set) var entries: [Entry] = []
    /// How many entries at the beginning are left; further tasks may wait behind them.
    public internal(set) var shownLeft = 0
    /// How many are left in all.
    public internal(set) var left = 0

    /// How many tasks are read at a time.
    static let most = 500

    /// Nothing is to be reviewed.
    public init() {}
}

extension Library {
    /// What is to be reviewed, by the list Review and the weeks of the settings.
    ///
    /// - Throws: the store's error.
    /// - Complexity: four statements; O(lists + tasks that are read).
    public func reviewQueue() throws -> ReviewQueue {
        let clock = clock()
        let review = try smartLists().current(.review) ?? .review
        var queue = ReviewQueue()
        let condition = review.condition(clock, showsDone: false)
        var request = FetchRequest<ManagedObjectID>(
            FetchRequest<Item>(where: condition, sortedBy: \.modified)
        )
        request.limit = ReviewQueue.most
        queue.entries = try context.fetch(request).map { .item($0) }
        queue.left = try count(condition)
        let limit = clock.now.addingTimeInterval(-Double(clock.settings.reviewWeeks) * 604_800)
        let week = clock.zone.moment(clock.today.startOfWeek(clock.weekStart))
        let lists = try List.all(in: context, sortedBy: \.displayOrder)
        let waiting = lists.filter { $0.lastReviewed.map { $0 < limit } ?? true }
        queue.entries += waiting.map { .list($0.objectID) }
        queue.left += waiting.count
        queue.shownLeft = queue.entries.count
        var seen = FetchRequest<ManagedObjectID>(
            FetchRequest<Item>(
                where: Library.openItems && \.lastReviewed >= week,
                sortedBy: \.lastReviewed
            )
        )
        seen.limit = ReviewQueue.most
        let known = Set(queue.entries)
        queue.entries += try context.fetch(seen).map { .item($0) }.filter { !known.contains($0) }
        queue.entries += lists.filter { $0.lastReviewed.map { $0 >= week } ?? false }
            .map { .list($0.objectID) }
        return queue
    }

    /// Notes that somebody has gone through a list.
    @discardableResult
    public func review(_ list: List) throws -> SavedStep? {
        try change {
            if !list.isDeleted { list.lastReviewed = clock().now }
            return StepName(.reviewed, StepSubject(list))
        }
    }
}
