public import CivilTime
import DocketFormats
import FoundationEssentials
public import ObjectGraph

// Statistics are a few statements that count groups; no task is read. Moments are grouped by
// quarters of an hour, which no day and no hour of a zone begins within, and a quarter's day and
// hour are those of the zone: so a day with a change of the clock counts like any other.

extension Library {
    /// The statistics of all tasks, or of a list and those below it, from the store.
    ///
    /// - Parameter name: the path of the list, such as `Home/Garden`.
    /// - Returns: the numbers at this moment.
    /// - Throws: `InputError` if the list does not exist, or the store's error.
    /// - Complexity: one pass over the tasks, and what was done, trashed or timed in eight weeks.
    public func statistics(ofList name: String? = nil) throws -> TaskStatistics {
        try refresh()
        var list: List?
        if let name {
            _ = try condition(inList: name)
            list = try existingList(path: ListPath.parse(name))
        }
        return try TaskStatistics(in: context, of: list?.objectID, clock())
    }
}

extension TaskStatistics {
    /// Reads the numbers from a context, such as one of a snapshot.
    ///
    /// - Parameters:
    ///   - context: where to read; its saved state counts.
    ///   - list: the list, with those below it; `nil` for all tasks. One that was deleted has none.
    ///   - clock: the moment, the zone and the first day of a week.
    /// - Throws: the store's error.
    public init(
        in context: ManagedObjectContext,
        of list: ManagedObjectID?,
        _ clock: DateContext
    ) throws {
        let lists = try ListTree(in: context)
        let reading = StatisticsReading(context, clock)
        let ids = list.map { lists.below($0) }
        self.init(of: list.flatMap { lists.path(of: $0) }, clock)
        try reading.read(into: &self, ids, lists)
    }
}

/// The lists by their identity, with their paths.
private struct ListTree {
    private var lists: [ManagedObjectID: List] = [:]

    init(in context: ManagedObjectContext) throws {
        for list in try List.all(in: context) { lists[list.objectID] = list }
    }

    func path(of id: ManagedObjectID) -> String? {
        lists[id].map { ListPath.string($0.path) }
    }

    /// A list and those below it.
    func below(_ id: ManagedObjectID) -> [ManagedObjectID] {
        var (ids, open) = ([id], [id])
        while let next = open.popLast() {
            let children = lists[next]?.children.map(\.objectID) ?? []
            ids += children
            open += children
        }
        return ids
    }
}

/// How many tasks came and went on each day, and how many were open at its end.
struct TaskFlow {
    var added: [Int]
    /// Done, or put in the trash.
    var gone: [Int]
    /// How many are open now.
    var now = 0

    /// How many were open at the end of each day.
    var open: [Int] {
        var open = Array(repeating: now, count: added.count)
        for day in stride(from: open.count - 2, through: 0, by: -1) {
            open[day] = open[day + 1] - added[day + 1] + gone[day + 1]
        }
        return open
    }
}

/// The statements of statistics, in one context at one moment.
private struct StatisticsReading {
    private typealias Row = [String: GraphValue]

    private let context: ManagedObjectContext
    private let clock: DateContext
    private let first: Day
    private let start: Date

    private static let quarter = 900

    init(_ context: ManagedObjectContext, _ clock: DateContext) {
        (self.context, self.clock) = (context, clock)
        first = TaskStatistics(of: nil, clock).days.lowerBound
        start = clock.zone.moment(first)
    }

    func read(
        into statistics: inout TaskStatistics,
        _ ids: [ManagedObjectID]?,
        _ lists: ListTree
    ) throws {
        try readAges(into: &statistics, ids)
        let now = statistics.ages.reduce(0) { $0 + $1.count }
        let flow = try flow(in: ids, count: statistics.done.count, now: now) { day, hour, row in
            let kept = Self.number(row["kept"])
            statistics.done[day] += kept
            let weekday = clock.weekStart.days(until: first.adding(days: day).weekday)
            statistics.hours[weekday][hour] += kept
        }
        statistics.open = flow.open
        try readTimes(into: &statistics, ids, lists)
        if ids != nil {
            statistics.burndown = Burndown(statistics.list, flow)
        } else if let busiest = try busiestList() {
            let flow = try self.flow(in: lists.below(busiest), count: statistics.done.count)
            statistics.burndown = Burndown(lists.path(of: busiest), flow)
        }
    }

    // MARK: What came and went

    /// The condition that a task is in one of some lists.
    private func condition(in ids: [ManagedObjectID]?) -> Condition<Task>? {
        ids.map { ids in Condition { $0.list.in(ids) } }
    }

    /// A predicate as a condition, on the tasks of some lists.
    private func tasks(_ format: String, in ids: [ManagedObjectID]?) throws -> Condition<Task> {
        let predicate = try FetchPredicate(format: format)
            .withSubstitutionVariables(["start": .date(start)])
        let condition = Condition<Task>(predicate)
        return self.condition(in: ids).map { condition && $0 } ?? condition
    }

    /// Counts the tasks that came and went; a task that ended before it was added was never open.
    ///
    /// - Parameters:
    ///   - ids: the lists; `nil` for all.
    ///   - count: the number of days.
    ///   - now: how many are open now, if that is known.
    ///   - whenDone: is told of the tasks that were done in a quarter of an hour, by its day and
    ///   hour.
    /// - Returns: the numbers by day.
    /// - Throws: the store's error.
    private func flow(
        in ids: [ManagedObjectID]?,
        count: Int,
        now: Int? = nil,
        whenDone: (Int, Int, Row) -> Void = { _, _, _ in }
    ) throws -> TaskFlow {
        let zeros = Array(repeating: 0, count: count)
        var flow = TaskFlow(added: zeros, gone: zeros)
        func place(_ row: Row) -> (day: Int, hour: Int)? {
            guard case .double(let span)? = row["span"] else { return nil }
            let moment = start.addingTimeInterval(span * Double(Self.quarter))
            let (day, second) = clock.zone.local(moment)
            return (min(max(0, day.number - first.number), count - 1), min(second / 3600, 23))
        }
        // Without a condition on the entity the index of the date is used; notes are left out.
        func rows(
            _ date: SortKeyPath<Task>,
            _ columns: [Column<Task>],
            _ format: String
        ) throws -> [Row] {
            let span = Column<Task>.spans(of: Self.quarter, since: start, to: date).column
            let entity = FetchDescription.Column("entity")
            var request = FetchRequest<Row>(
                entityName: Item.entityName,
                predicate: try tasks(format, in: ids).predicate
            )
            request.propertiesToFetch = [span, entity] + columns.map(\.column)
            request.propertiesToGroupBy = [span, entity]
            return try context.fetch(request)
                .filter { $0["entity"] != .string(Note.entityName) }
        }
        let isAfter =
            "(completed == nil OR completed >= created)"
            + " AND (trashed == nil OR trashed >= created)"
        for row in try rows(\.created, [.count(\.created)], "created >= $start AND \(isAfter)") {
            if let (day, _) = place(row) { flow.added[day] += Self.number(row["count"]) }
        }
        let ended: [Column<Task>] = [
            .count(where: Condition(try FetchPredicate(format: isLast)), as: "ended"),
            .count(where: \.trashed == nil, as: "kept"),
        ]
        for row in try rows(\.completed, ended, "completed != nil AND completed >= $start") {
            guard let (day, hour) = place(row) else { continue }
            flow.gone[day] += Self.number(row["ended"])
            whenDone(day, hour, row)
        }
        let thrown =
            "trashed != nil AND trashed >= $start AND trashed >= created"
            + " AND (completed == nil OR completed > trashed)"
        for row in try rows(\.trashed, [.count(\.trashed)], thrown) {
            if let (day, _) = place(row) { flow.gone[day] += Self.number(row["count"]) }
        }
        if let now {
            flow.now = now
        } else {
            let open = try tasks("completed == nil AND trashed == nil", in: ids)
            flow.now = try context.count(for: FetchRequest<Task>(where: open))
        }
        return flow
    }

    /// Whether its completion ended a task: it was open until then.
    private var isLast: String {
        "completed >= created AND (trashed == nil OR trashed >= completed)"
    }

    /// The list with the most done tasks; of several the one that was made first.
    private func busiestList() throws -> ManagedObjectID? {
        let rows = try context.fetch(
            FetchRequest<Row>(
                of: Item.self,
                columns: [.property(\.list, as: "list"), .count(\.shortID)],
                groupedBy: \.list,
                where: Condition(
                    tasks(
                        "completed != nil AND completed >= $start AND trashed == nil"
                            + " AND list != nil",
                        in: nil
                    ).predicate
                )
            )
        )
        let counts = rows.compactMap { row -> (id: ManagedObjectID, count: Int)? in
            guard case .objectID(let id)? = row["list"] else { return nil }
            return (id, Self.number(row["count"]))
        }
        return counts.max { ($0.count, $1.id.raw) < ($1.count, $0.id.raw) }?.id
    }

    // MARK: Ages

    private func readAges(into statistics: inout TaskStatistics, _ ids: [ManagedObjectID]?) throws {
        let limits = TaskStatistics.ageLimits
        // Older than so many days: added before the day that is so many days back.
        let columns: [Column<Task>] = limits.dropFirst().map { limit in
            let end = clock.zone.moment(clock.today.adding(days: 1 - limit))
            return .count(where: \.created < end, as: "\(limit)")
        }
        let request = FetchRequest<Row>(
            of: Task.self,
            columns: columns + [.count(\.created), .min(\.created, as: "oldest")],
            where: try tasks("completed == nil AND trashed == nil", in: ids)
        )
        guard let row = try context.fetch(request).first else { return }
        if case .date(let date)? = row["oldest"] { statistics.oldest = date }
        let older =
            [Self.number(row["count"])] + limits.dropFirst().map { Self.number(row["\($0)"]) }
        statistics.ages = limits.indices.map { index in
            let next = index + 1 < older.count ? older[index + 1] : 0
            return TaskStatistics.Age(days: limits[index], count: older[index] - next)
        }
    }

    // MARK: Time

    private func readTimes(
        into statistics: inout TaskStatistics,
        _ ids: [ManagedObjectID]?,
        _ lists: ListTree
    ) throws {
        let seconds = try FetchPredicate(format: "start < $start")
            .withSubstitutionVariables(["start": .date(start)])
        let isRunning = try FetchPredicate(format: "end == nil")
        let from = FetchExpression.conditional(
            seconds,
            .constant(.date(start)),
            .keyPath(TimeEntry.Keys.start)
        )
        let to = FetchExpression.conditional(
            isRunning,
            .constant(.date(clock.now)),
            .keyPath(TimeEntry.Keys.end)
        )
        let sum = FetchExpression.function("sum:", [.function("from:subtract:", [to, from])])
        var condition = Condition<TimeEntry>(
            try FetchPredicate(
                format: "(end == nil AND start < $now) OR (end > $start AND end > start)"
            )
            .withSubstitutionVariables(["start": .date(start), "now": .date(clock.now)])
        )
        if let ids { condition = condition && Condition { $0.task.list.in(ids) } }
        let rows = try context.fetch(
            FetchRequest<Row>(
                of: TimeEntry.self,
                columns: [
                    .property(\.task.list, as: "list"), Column<TimeEntry>(.init("seconds", sum)),
                ],
                groupedBy: \.task.list,
                where: condition
            )
        )
        statistics.times = rows.compactMap { row in
            guard case .double(let seconds)? = row["seconds"], seconds >= 1 else { return nil }
            var path: String?
            if case .objectID(let id)? = row["list"] { path = lists.path(of: id) }
            return TaskStatistics.ListTime(list: path, seconds: Int(seconds))
        }.sorted { ($1.seconds, $0.list ?? "") < ($0.seconds, $1.list ?? "") }
    }

    private static func number(_ value: GraphValue?) -> Int {
        if case .int(let number)? = value { Int(number) } else { 0 }
    }
}
