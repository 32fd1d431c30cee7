public import CivilTime
import FoundationEssentials
import ObjectGraph

/// The days of an agenda.
public struct AgendaSpan: Hashable, Sendable {
    /// The first day; `nil` for today, whatever day that is.
    public var first: Day?
    /// The number of days, at least one.
    public var count: Int
    /// Whether open tasks that were due before the days are shown, and not only counted.
    public var showsOverdue = false
    /// Whether it is the day under the cursor of a calendar.
    public var isOfMonth: Bool

    /// The most days at a time.
    public static let most = 366

    public init(from first: Day? = nil, count: Int = 7, isOfMonth: Bool = false) {
        self.first = first
        self.count = min(max(1, count), AgendaSpan.most)
        self.isOfMonth = isOfMonth
    }

    public func days(_ context: DateContext) -> ClosedRange<Day> {
        let first = first ?? context.today
        return first...first.adding(days: count - 1)
    }

    /// The tasks that are due or start on the days, and those that only their zone puts there.
    ///
    /// Indexes answer it. Whole days are stored as noon in UTC, which may be the day before or after
    /// in another zone: ``Agenda`` decides.
    func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        let days = days(context)
        let low = context.zone.moment(days.lowerBound.adding(days: -1))
        let high = context.zone.moment(days.upperBound.adding(days: 2))
        let shown = showsDone ? Library.notTrashed : Library.openItems
        let first = showsOverdue ? Date.distantPast : low
        return shown
            && Condition.task { task in
                task.due >= first && task.due < high || task.start >= low && task.start < high
            }
    }
}

extension Library {
    /// How many open tasks are due on each of some days.
    ///
    /// - Throws: the store's error.
    /// - Complexity: one statement by an index; O(tasks that are due on the days).
    public func dueCounts(on days: ClosedRange<Day>) throws -> [Day: Int] {
        try refresh()
        let clock = clock()
        let low = clock.zone.moment(days.lowerBound.adding(days: -1))
        let high = clock.zone.moment(days.upperBound.adding(days: 2))
        let request = FetchRequest<[String: GraphValue]>(
            of: Task.self,
            columns: [
                .property(\.due, as: "due"), .property(\.dueDateOnly, as: "day"), .count(\.due),
            ],
            groupedBy: \.due,
            \.dueDateOnly,
            where: try \.due >= low && \.due < high && Condition(inherited: Library.openItems)
        )
        var counts: [Day: Int] = [:]
        for row in try context.fetch(request) {
            guard case .date(let date)? = row["due"], case .int(let count)? = row["count"] else {
                continue
            }
            let due = DueDate(date: date, isDateOnly: row["day"] == .bool(true))
            counts[due.day(in: clock.zone), default: 0] += Int(count)
        }
        return counts
    }
}
