public import CivilTime
public import FoundationEssentials
public import ObjectGraph

/// The time that was spent on tasks, day by day in the zone of the settings; an entry over midnight
/// counts on both days.
public struct TimeReport: Sendable {
    /// The time of a task on a day.
    public struct Line: Sendable {
        public let day: Day
        public let task: ManagedObjectID
        public internal(set) var seconds: TimeInterval
    }

    public let days: ClosedRange<Day>
    /// By day, and on a day the most first.
    public internal(set) var lines: [Line]
}

extension Library {
    /// The time of the last days, today included.
    ///
    /// - Parameters:
    ///   - count: how many days, at least one.
    ///   - task: the task; `nil` for all.
    /// - Returns: a line for each task of a day.
    /// - Throws: the store's error.
    /// - Complexity: one statement; O(entries of the days).
    public func timeReport(days count: Int, of task: Task? = nil) throws -> TimeReport {
        try refresh()
        let clock = clock()
        let days = clock.today.adding(days: 1 - max(1, count))...clock.today
        let start = clock.zone.moment(days.lowerBound)
        var condition: Condition<TimeEntry> =
            \.start < clock.now && (\.end == nil || \.end > start)
        if let task { condition = condition && Condition { $0.task == task } }
        var seconds: [Day: [ManagedObjectID: TimeInterval]] = [:]
        for entry in try context.fetch(FetchRequest<TimeEntry>(where: condition)) {
            guard let task = entry.task?.objectID else { continue }
            let end = min(entry.end ?? clock.now, clock.now)
            var from = max(entry.start, start)
            while from < end {
                let day = clock.zone.day(of: from)
                // A day may begin after its midnight, which the clock skips.
                let next = clock.zone.moment(day.adding(days: 1))
                let to = next > from ? min(end, next) : end
                seconds[day, default: [:]][task, default: 0] += to.timeIntervalSince(from)
                from = to
            }
        }
        let lines = seconds.flatMap { day, tasks in
            tasks.map { TimeReport.Line(day: day, task: $0.key, seconds: $0.value) }
        }
        return TimeReport(
            days: days,
            lines: lines.sorted {
                ($0.day, $1.seconds, $0.task.raw) < ($1.day, $0.seconds, $1.task.raw)
            }
        )
    }
}
