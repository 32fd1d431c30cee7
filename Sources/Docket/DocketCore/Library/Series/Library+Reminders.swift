public import CivilTime
import DocketFormats
public import FoundationEssentials
public import ObjectGraph

/// A reminder whose moment has come.
public struct DueReminder: Sendable {
    public let id: ManagedObjectID
    public let shortID: Int64
    public let title: String
    public let moment: Date
    public let due: DueDate?

    /// When it is due, or when it was to be remembered: `due tomorrow 9:00`.
    public func words(_ context: DateContext) -> String {
        let format = DateFormat(context: context)
        if let due { return localized("due \(format.words(due))") }
        return format.words(DueDate(moment: moment))
    }
}

extension Library {
    /// The reminders of open tasks after one moment and up to another, by their moments; of a task
    /// the last.
    ///
    /// Cost: the tasks whose next reminder was between the moments, and those with several
    /// reminders of which one has come, by the index of next reminders.
    public func reminders(after start: Date, until end: Date) throws -> [DueReminder] {
        let zone = clock().zone
        let isNew: Condition<Task> = \.nextReminder > start && \.nextReminder <= end
        let tasks = try [
            Library.request(where: isNew), Library.requestOfSeveral(besides: isNew, before: end),
        ].flatMap { try context.fetch($0) }
        return tasks.compactMap { task in
            let last = ReminderTimes.moments(task.storedReminders, due: task.dueDate, in: zone)
                .filter { $0 > start && $0 <= end }.max()
            return last.map {
                DueReminder(
                    id: task.objectID,
                    shortID: task.shortID,
                    title: task.title,
                    moment: $0,
                    due: task.dueDate
                )
            }
        }.sorted { ($0.moment, $0.shortID) < ($1.moment, $1.shortID) }
    }

    /// Reminds of tasks once more.
    ///
    /// Reminders that count from the due date stay, and so do moments that are later than this one;
    /// earlier moments move there.
    ///
    /// - Parameters:
    ///   - tasks: open tasks.
    ///   - minutes: after how many minutes from now.
    /// - Returns: the step; `nil` if there is no task.
    /// - Throws: the store's error.
    @discardableResult
    public func remindAgain(of tasks: [Task], inMinutes minutes: Int) throws -> SavedStep? {
        if tasks.isEmpty { return nil }
        return try change {
            let clock = clock()
            let moment = clock.now.addingTimeInterval(Double(minutes) * 60)
            for task in tasks {
                let kept = ReminderTimes.texts(task.storedReminders).filter { text in
                    guard case .moment(let date) = ReminderTime(text[...]) else { return true }
                    return date > moment
                }
                task.remindTimes = ReminderTimes.stored(kept + [ReminderTime.moment(moment).text])
                task.setNextReminder(clock)
            }
            let time = DateFormat.clock(clock.zone.local(moment).second)
            return StepName(.set, part: "reminder of", StepSubject(tasks), " to \(time)")
        }
    }

    /// The first moment after another at which a reminder of an open task comes.
    public func nextReminder(after moment: Date) throws -> Date? {
        let zone = clock().zone
        let requests = try Library.reminderRequests(after: moment)
        let first = try context.fetch(requests[0]).first?.nextReminder
        let others = try context.fetch(requests[1]).flatMap { task in
            ReminderTimes.moments(task.remindTimes, due: task.dueDate, in: zone)
        }
        return (others.filter { $0 > moment } + [first].compactMap { $0 }).min()
    }

    /// The requests of ``nextReminder(after:)``: the first one that comes later, and the tasks of which
    /// one has come that have several.
    public static func reminderRequests(after moment: Date) throws -> [FetchRequest<Task>] {
        let isLater: Condition<Task> = \.nextReminder > moment
        return [
            try request(where: isLater, limit: 1),
            try requestOfSeveral(besides: isLater, before: moment),
        ]
    }

    /// Tasks with several reminders, of which the first has come; without those of a condition.
    private static func requestOfSeveral(
        besides known: Condition<Task>,
        before end: Date
    ) throws -> FetchRequest<Task> {
        let hasSeveral = Condition<Task> { $0.remindTimes.contains(" ") }
        return try request(where: \.nextReminder <= end && hasSeveral && !known)
    }

    /// Open tasks by their next reminder.
    private static func request(
        where condition: Condition<Task>,
        limit: Int = 0
    ) throws -> FetchRequest<Task> {
        var request = FetchRequest<Task>(
            where: try condition && Condition(inherited: Library.openItems),
            sortedBy: \.nextReminder
        )
        request.limit = limit
        return request
    }
}
