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
        let library = workspace.library
        let context = library.clock()
        let midnight = context.zone.moment(context.today.adding(days: 1))
        // The lists may be counted for an earlier moment.
        let start = min(workspace.counts.clock?.now ?? context.now, context.now)
        let requests =
            (try? MembershipRules.keysComparedWithNow.map {
                (key: $0, request: try request($0, after: start, before: midnight))
            }) ?? []
        let reminded = reminders.map { $0.last ?? context.now }
        let others = (try? reminded.map { try Library.reminderRequests(after: $0) }) ?? []
        try? library.context.readAhead(
            answering: (requests.map(\.request) + others).map(\.description)
        )
        let reminder = announceReminders()
        let next =
            try? requests.compactMap { key, request -> Date? in
                let task = try library.context.fetch(request).first
                guard case .date(let date)? = try task?.value(forKey: key) else { return nil }
                return date
            }.min() ?? midnight
        workspace.nextReminder = reminder ?? .distantFuture
        workspace.counts.quietTime = next.map { start..<max(start, $0) }
        let seconds = min(next ?? midnight, reminder ?? midnight).timeIntervalSince(context.now)
        nextChange = .now + .seconds(max(1, seconds + 0.5))
    }

    /// The open task with the next date in a property that a list compares with the moment.
    private func request(
        _ key: String,
        after now: Date,
        before end: Date
    ) throws -> FetchRequest<Task> {
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
        return request
    }
}

extension ObjectsDidChange {
    /// Whether a list may change at an earlier moment than the next one that is known.
    ///
    /// - Parameters:
    ///   - quiet: a time without dates that are compared with the moment; `nil` if that is not known.
    ///   - reminder: the next reminder; `nil` if that is not known.
    /// - Returns: true if a task has such a date, or an earlier reminder, or may have.
    func concernsTime(besides quiet: Range<Date>?, _ reminder: Date?) -> Bool {
        if invalidatedAll { return true }
        let tasks = inserted.union(updated).union(refreshed).compactMap { $0 as? Task }
        let faults = tasks.filter(\.isFault).map(\.objectID)
        if faults.count > 100 { return true }
        // What others have saved is read together.
        if !faults.isEmpty { _ = try? context.objects(Task.self, with: faults, prefetching: []) }
        return tasks.contains { task in
            if let next = task.nextReminder, next < reminder ?? .distantFuture { return true }
            return task.isOpen
                && MembershipRules.keysComparedWithNow.contains { key in
                    switch try? task.value(forKey: key) {
                    case .null?: false
                    case .date(let date)?: quiet?.contains(date) ?? true
                    default: true
                    }
                }
        }
    }
}
