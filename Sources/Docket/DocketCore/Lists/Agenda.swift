public import CivilTime
import DocketFormats
import FoundationEssentials
public import ObjectGraph

/// What is due, starts or comes again on some days, day by day; days without anything are one section.
public struct Agenda: Sendable {
    /// A line of a day; a task that starts and is due on different days has two.
    public struct Entry: Hashable, Sendable {
        public enum Kind: Int, Sendable {
            case due
            case start
            /// A later occurrence of a repeating task, which is not there yet.
            case later
        }

        public let id: ManagedObjectID
        public let kind: Kind
        /// The date that puts it there; of a stretch of hours its start.
        public let date: DueDate
        /// The end of a stretch of hours.
        public var end: DueDate?
        fileprivate var order: Int64 = 0
        fileprivate var estimate = 0
    }

    /// A day with its entries, or some days without any.
    public struct Section: Hashable, Sendable {
        public let days: ClosedRange<Day>
        /// Whether it has what was due before the first day.
        public var isOverdue = false
        public fileprivate(set) var entries: [Entry] = []
        /// The seconds that open entries are expected to take.
        public var estimate: Int { entries.reduce(0) { $0 + $1.estimate } }

        /// Whether they are more than a day has for tasks, if that was said.
        public func exceeds(hours: Int?) -> Bool {
            !isOverdue && hours.map { estimate > $0 * 3600 } ?? false
        }
    }

    public private(set) var sections: [Section] = []
    /// The open tasks that are due on the days.
    public private(set) var dueCount = 0
    /// Those of them whose date has passed; a count of all overdue tasks has them too.
    public private(set) var overdueCount = 0
    /// The seconds that everything on the days is expected to take.
    public var estimate: Int { sections.reduce(0) { $0 + ($1.isOverdue ? 0 : $1.estimate) } }

    public init() {}

    /// - Parameters:
    ///   - tasks: those of the span's condition; others are left out.
    ///   - later: repeating tasks with their later occurrences.
    ///   - span: the days.
    ///   - context: the time.
    /// - Complexity: O(n log n) for n tasks, without a statement if their rows were read.
    public init(
        _ tasks: [Task],
        later: [(task: Task, dates: [DueDate])],
        _ span: AgendaSpan,
        _ context: DateContext
    ) {
        let days = span.days(context)
        let zone = context.zone
        var entries: [Day: [Entry]] = [:]
        var overdue: [Entry] = []
        func add(_ kind: Entry.Kind, _ task: Task, _ date: DueDate, end: DueDate? = nil) {
            var entry = Entry(id: task.objectID, kind: kind, date: date, end: end)
            entry.order = task.displayOrder
            let isSeparateStart = kind == .start && task.due != nil
            entry.estimate = task.isDone || isSeparateStart ? 0 : Int(task.estimate ?? 0)
            entries[date.day(in: zone), default: []].append(entry)
        }
        for task in tasks where task.trashed == nil {
            let (start, due) = (task.startDate, task.dueDate)
            if let due {
                let day = due.day(in: zone)
                let stretch = start.flatMap { start in
                    DateFormat(context: context).isStretch(from: start, to: due)
                        && start.day(in: zone) == day ? start : nil
                }
                if days.contains(day) {
                    add(.due, task, stretch ?? due, end: stretch == nil ? nil : due)
                    if !task.isDone {
                        dueCount += 1
                        if due.isOverdue(in: context) { overdueCount += 1 }
                    }
                } else if span.showsOverdue, day < days.lowerBound, !task.isDone,
                    due.isOverdue(in: context)
                {
                    overdue.append(Entry(id: task.objectID, kind: .due, date: due))
                }
            }
            if let start, !task.isDone, days.contains(start.day(in: zone)),
                start.day(in: zone) != due?.day(in: zone)
            {
                add(.start, task, start)
            }
        }
        for (task, dates) in later {
            for date in dates
            where days.contains(date.day(in: zone)) && !date.isOverdue(in: context) {
                add(.later, task, date)
            }
        }
        if !overdue.isEmpty {
            let before = days.lowerBound.adding(days: -1)
            overdue.sort { $0.date.date < $1.date.date }
            sections = [Section(days: before...before, isOverdue: true, entries: overdue)]
        }
        for number in days.lowerBound.number...days.upperBound.number {
            let day = Day(number: number)
            if let found = entries[day] {
                sections.append(
                    Section(days: day...day, entries: found.sorted(by: Agenda.precedes))
                )
            } else if let last = sections.last, last.entries.isEmpty, day != context.today,
                last.days.upperBound != context.today
            {
                sections[sections.count - 1] = Section(days: last.days.lowerBound...day)
            } else {
                sections.append(Section(days: day...day))
            }
        }
    }

    /// Times before whole days, these in the order by hand.
    private static func precedes(_ one: Entry, _ other: Entry) -> Bool {
        func key(_ entry: Entry) -> (Int, Double, Int, Int64) {
            let isDay = entry.date.isDateOnly
            return (
                isDay ? 1 : 0, isDay ? 0 : entry.date.date.timeIntervalSince1970,
                entry.kind.rawValue, entry.order
            )
        }
        return key(one) < key(other)
    }
}

/// The later occurrences of repeating tasks, which are worked out once for the same rule and days.
public struct LaterOccurrences {
    private struct Basis: Hashable {
        let rule: String
        let anchor: Int16
        let date: DueDate?
        let days: ClosedRange<Day>
    }

    private var known: [ManagedObjectID: (basis: Basis, dates: [DueDate])] = [:]
    /// Rules that were read today: many tasks have the same.
    private var read: (today: Day, series: [String: TaskSeries?]) = (.first, [:])

    /// The most series whose occurrences are shown.
    public static let most = 1000

    public init() {}

    /// The open repeating tasks of a library with their later occurrences on some days.
    ///
    /// Those that are counted from completion have none: nobody knows when that is.
    ///
    /// - Throws: the store's error.
    /// - Complexity: one statement by an index; O(occurrences on the days) for tasks that are new or
    ///   have changed.
    public mutating func find(
        on days: ClosedRange<Day>,
        in library: Library
    ) throws -> [(task: Task, dates: [DueDate])] {
        let clock = library.clock()
        var request = FetchRequest<Task>(
            where: try \.rule > "" && Condition(inherited: Library.openItems)
        )
        request.limit = LaterOccurrences.most
        let tasks = try library.context.fetch(request)
        if read.today != clock.today { read = (clock.today, [:]) }
        func series(_ task: Task) -> TaskSeries? {
            let key = "\(task.anchor)\(task.rule ?? "")"
            if let known = read.series[key] { return known }
            let series = task.taskSeries(in: clock)
            read.series[key] = .some(series)
            return series
        }
        var found: [ManagedObjectID: (basis: Basis, dates: [DueDate])] = [:]
        let all = tasks.map { task in
            let basis = Basis(
                rule: task.rule ?? "",
                anchor: task.anchor,
                date: task.repeatedDate,
                days: days
            )
            let old = known[task.objectID].flatMap { $0.basis == basis ? $0.dates : nil }
            let dates =
                old ?? series(task)?.dates(after: basis.date, on: days, in: clock)
                ?? []
            found[task.objectID] = (basis, dates)
            return (task: task, dates: dates)
        }
        known = found
        return all
    }
}

extension Library {
    /// The agenda of some days, read at once.
    ///
    /// - Throws: the store's error.
    /// - Complexity: two statements by indexes.
    public func agenda(_ span: AgendaSpan) throws -> Agenda {
        try refresh()
        let clock = clock()
        let found = try context.fetch(
            FetchRequest<Item>(where: span.condition(clock, showsDone: false))
        )
        var later = LaterOccurrences()
        return Agenda(
            found.compactMap { $0 as? Task },
            later: try later.find(on: span.days(clock), in: self),
            span,
            clock
        )
    }
}
