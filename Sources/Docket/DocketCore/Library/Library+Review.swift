import CivilTime
import FoundationEssentials
public import ObjectGraph

/// What is to be looked at in a review: open tasks that nobody has touched for some weeks, and lists
/// that nobody has gone through; and what was seen this week.
public struct ReviewQueue {
    public enum Entry: Hashable, Sendable {
        case item(ManagedObjectID)
        case list(ManagedObjectID)
    }

    /// First what is left, the longest untouched one first, lists behind tasks; then what was seen.
    public fileprivate(set) var entries: [Entry] = []
    /// How many entries at the beginning are left; further tasks may wait behind them.
    public fileprivate(set) var shownLeft = 0
    /// How many are left in all.
    public fileprivate(set) var left = 0
    fileprivate var tasks: ReviewTasks?

    /// How many tasks are listed at a time.
    fileprivate static let most = 500

    /// Nothing is to be reviewed.
    public init() {}
}

/// The tasks of a review, which follow every change.
private struct ReviewTasks {
    struct Basis: Equatable {
        let today: Day
        let weeks: Int
        let query: String
    }

    let basis: Basis
    let waiting: FetchedResultsController<Item>
    let seen: FetchedResultsController<Item>
}

extension Library {
    /// What is to be reviewed, by the list Review and the weeks of the settings.
    ///
    /// - Parameter former: the queue of a moment before.
    /// - Returns: the queue now.
    /// - Throws: the store's error.
    /// - Complexity: O(tasks) for the first one of a day, then O(lists + changes).
    public func reviewQueue(after former: ReviewQueue = ReviewQueue()) throws -> ReviewQueue {
        let clock = clock()
        let week = clock.zone.moment(clock.today.startOfWeek(clock.weekStart))
        let tasks = try reviewTasks(after: former.tasks, clock, since: week)
        var queue = ReviewQueue()
        queue.tasks = tasks
        queue.entries = tasks.waiting.ids.prefix(ReviewQueue.most).map { .item($0) }
        queue.left = tasks.waiting.count
        let limit = clock.now.addingTimeInterval(-Double(clock.settings.reviewWeeks) * 604_800)
        let lists = try List.all(in: context, sortedBy: \.displayOrder)
        let waiting = lists.filter { $0.lastReviewed.map { $0 < limit } ?? true }
        queue.entries += waiting.map { .list($0.objectID) }
        queue.left += waiting.count
        queue.shownLeft = queue.entries.count
        let known = Set(queue.entries)
        queue.entries += tasks.seen.ids.prefix(ReviewQueue.most).map { .item($0) }
            .filter { !known.contains($0) }
        queue.entries += lists.filter { $0.lastReviewed.map { $0 >= week } ?? false }
            .map { .list($0.objectID) }
        return queue
    }

    private func reviewTasks(
        after former: ReviewTasks?,
        _ clock: DateContext,
        since week: Date
    ) throws -> ReviewTasks {
        let review = try smartLists().current(.review) ?? .review
        let basis = ReviewTasks.Basis(
            today: clock.today,
            weeks: clock.settings.reviewWeeks,
            query: review.query
        )
        // A change of one item can concern others then.
        if let former, former.basis == basis, !review.concernsOthers { return former }
        func tasks(
            _ condition: Condition<Item>,
            _ order: SortKeyPath<Item>
        ) throws -> FetchedResultsController<Item> {
            let results = try FetchedResultsController(
                request: FetchRequest<Item>(where: condition, sortedBy: order),
                context: context
            )
            // It follows changes while somebody hears of them.
            results.didChange = { _ in }
            try results.performFetch()
            return results
        }
        return ReviewTasks(
            basis: basis,
            waiting: try tasks(review.condition(clock, showsDone: false), \.modified),
            seen: try tasks(Library.openItems && \.lastReviewed >= week, \.lastReviewed)
        )
    }

    /// The number of open tasks of a list; notes are no tasks.
    ///
    /// - Throws: the store's error.
    /// - Complexity: one statement.
    public func openTaskCount(in list: List) throws -> Int {
        let id = list.objectID
        return try Task.count(
            in: context,
            where: Condition { $0.list == id } && Condition(inherited: Library.openItems)
        )
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
