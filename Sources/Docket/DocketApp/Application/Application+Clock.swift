import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph

// Without input nothing wakes the program, except the moments at which lists change because of the
// time: midnight, the next due time of a task, and the next reminder.

extension Application {
    /// Fetches lists that depend on the time, and computes when that is necessary next.
    func refreshClock() {
        guard let next = nextChange, next <= .now else { return }
        isStale = true
        do {
            try workspace.items.refetch()
        } catch {
            workspace.tell(error)
        }
        workspace.counts.moveClock()
        scheduleClock()
    }

    /// Reminds of what has come, and finds the next moment at which a list changes because of the
    /// time.
    func scheduleClock() {
        let reminder = announceReminders()
        let context = workspace.library.clock()
        let midnight = context.zone.moment(context.today.adding(days: 1))
        let next = MembershipRules.keysComparedWithNow.compactMap { key in
            try? nextDate(of: key, after: context.now, before: midnight)
        }
        let seconds =
            (next + [midnight, reminder ?? midnight]).min().map {
                $0.timeIntervalSince(context.now)
            } ?? 0
        nextChange = .now + .seconds(max(1, seconds + 0.5))
    }

    /// The next date of an open task in a property that a list compares with the moment.
    private func nextDate(of key: String, after now: Date, before end: Date) throws -> Date? {
        let value = FetchExpression.keyPath(key)
        let isNext = FetchPredicate.and([
            .comparison(.init(value, .greater, .constant(.date(now)))),
            .comparison(.init(value, .less, .constant(.date(end)))),
        ])
        var request = FetchRequest<Task>(
            where: try Condition(isNext) && Condition(inherited: Library.openItems)
        )
        request.order = [SortKey<Task>(FetchSortDescriptor(key))]
        request.limit = 1
        let task = try workspace.library.context.fetch(request).first
        guard case .date(let date)? = try task?.value(forKey: key) else { return nil }
        return date
    }
}
