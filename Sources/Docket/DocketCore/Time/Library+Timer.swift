import CivilTime
import DocketFormats
public import FoundationEssentials
public import ObjectGraph

// A timer is a time entry without an end. It is in the store, so every window and the shell see it,
// and it goes on while no program runs. One runs at a time: starting another one stops it.

/// The timer that runs.
public struct RunningTimer: Hashable, Sendable {
    public let entry: ManagedObjectID
    public let task: ManagedObjectID
    /// The title of the task.
    public let title: String
    public let start: Date
}

extension Library {
    /// The timer that runs; the one that was started last, if there are several.
    ///
    /// Cost: one statement by an index.
    public func runningTimer() throws -> RunningTimer? {
        guard let entry = try Library.runningEntries(in: context).last, let task = entry.task else {
            return nil
        }
        return RunningTimer(
            entry: entry.objectID,
            task: task.objectID,
            title: task.title,
            start: entry.start
        )
    }

    /// The running entries of tasks, the oldest first.
    private static func runningEntries(in context: ManagedObjectContext) throws -> [TimeEntry] {
        var request = FetchRequest<TimeEntry>(where: \.end == nil, sortedBy: \.start)
        request.prefetch(\.task)
        return try context.fetch(request).filter { $0.task != nil }
    }

    /// Starts the timer of a task; that of another one stops.
    ///
    /// - Returns: `nil` if it runs already.
    @discardableResult
    public func startTimer(of task: Task) throws -> SavedStep? {
        try change {
            try Library.requireOutsideTrash([task])
            let now = clock().now
            let running = try Library.runningEntries(in: context)
            let subject = StepSubject([task])
            guard !task.isDeleted, !running.contains(where: { $0.task === task }) else {
                return StepName(.started, part: "the timer of", subject)
            }
            Library.end(running, at: now)
            let entry = context.insert(TimeEntry.self)
            (entry.start, entry.task) = (now, task)
            let others = running.compactMap(\.task)
            let rest =
                others.isEmpty ? "" : ", stopped that of \(StepSubject(unique(others)).phrase)"
            return StepName(.started, part: "the timer of", subject, rest)
        }
    }

    /// Stops the timer.
    ///
    /// - Parameter end: when the work stopped, if that was before now.
    /// - Returns: `nil` if none runs.
    /// - Throws: the store's error.
    @discardableResult
    public func stopTimer(at end: Date? = nil) throws -> SavedStep? {
        try change {
            let now = clock().now
            let running = try Library.runningEntries(in: context)
            let end = min(end ?? now, now)
            Library.end(running, at: end)
            let seconds = running.map { max(0, end.timeIntervalSince($0.start)) }.reduce(0, +)
            let subject = StepSubject(unique(running.compactMap(\.task)))
            let length = Estimate.text(spent: Int(seconds))
            return StepName(.stopped, part: "the timer of", subject, ", \(length)")
        }
    }

    /// Removes the time that runs, as if the timer had not been started.
    ///
    /// - Returns: `nil` if none runs.
    @discardableResult
    public func discardTimer() throws -> SavedStep? {
        try change {
            let running = try Library.runningEntries(in: context)
            let subject = StepSubject(unique(running.compactMap(\.task)))
            for entry in running { context.delete(entry) }
            return StepName(.removed, part: "the running time of", subject)
        }
    }

    /// Stops the timers of tasks that were done or thrown away; part of a change of items.
    static func endTimers(of items: [Item], at now: Date, in context: ManagedObjectContext) throws {
        let running = try runningEntries(in: context)
        if running.isEmpty { return }
        let ended = Set(
            items.filter { $0.trashed != nil || ($0 as? Task)?.completed != nil }.map(\.objectID)
        )
        end(running.filter { $0.task.map { ended.contains($0.objectID) } ?? false }, at: now)
    }

    private static func end(_ entries: [TimeEntry], at end: Date) {
        for entry in entries { entry.end = max(end, entry.start) }
    }

    private func unique(_ tasks: [Task]) -> [Task] {
        var seen: Set<ManagedObjectID> = []
        return tasks.filter { seen.insert($0.objectID).inserted }
    }

    /// The time that was spent on a task until now, in seconds.
    ///
    /// Cost: one statement.
    public func timeSpent(on task: Task) throws -> TimeInterval {
        let entries = try context.fetch(
            FetchRequest<TimeEntry>(where: Condition { $0.task == task })
        )
        let now = clock().now
        return entries.reduce(0) { $0 + max(0, ($1.end ?? now).timeIntervalSince($1.start)) }
    }

    /// When the last change was made, here or elsewhere.
    public func lastChange() throws -> Date? { try undoSteps(limit: 1).first?.date }
}

extension Estimate {
    /// A time that has passed: `45 min`, `under a minute`; an estimate has at least one minute.
    public static func text(spent seconds: Int) -> String {
        seconds < 60 ? localized("under a minute") : text(seconds: seconds)
    }

    /// Spent time beside the expected effort: `25 min of 1 h, 35 min left`.
    ///
    /// - Parameters:
    ///   - spent: seconds.
    ///   - estimate: seconds; `nil` without an estimate.
    /// - Returns: the words, without a full stop.
    public static func words(spent: TimeInterval, of estimate: Int32?) -> String {
        let seconds = Int(spent)
        let text = Estimate.text(spent: seconds)
        guard let estimate, estimate > 0 else { return localized("\(text), no estimate") }
        let expected = Estimate.text(seconds: Int(estimate))
        let left = Int(estimate) - seconds
        if left < 0 {
            let over = Estimate.text(spent: -left)
            return localized("\(text), \(over) over the estimate of \(expected)")
        }
        let rest = Estimate.text(spent: left)
        return localized("\(text) of \(expected) estimated, \(rest) left")
    }
}
