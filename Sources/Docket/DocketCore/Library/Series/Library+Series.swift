import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph

// A repeating task is one occurrence of its series. Completing it adds the next one, in the same
// step: another task with the same texts, open subtasks and a later due date. All have the same
// `series`; the last one repeats, the others keep their rule only as a record.
//
//   open ── complete ──▶ done  +  the next one, open
//     ▲                   │
//     └───── reopen ──────┘       the next one is taken back if nobody has changed it,
//                                 else the reopened one does not repeat any more
//
// Occurrences of a fixed series that have passed are left out: one is open at a time.

extension Library {
    /// An occurrence that was added after another one.
    struct NextOccurrence {
        var former: Task
        var task: Task
        var next: TaskSeries.Next
    }

    /// Adds the next occurrences of repeating tasks that were just completed; part of a verb.
    ///
    /// A repeating subtask that was completed together with its repeating parent comes with the
    /// parent. The last occurrence of a series has no next one.
    ///
    /// - Parameters:
    ///   - completed: the tasks, of the library's context or of a scratch context.
    ///   - scratch: that context.
    /// - Returns: what was added.
    /// - Throws: the store's error.
    @discardableResult
    func continueSeries(
        of completed: [Task],
        in scratch: ManagedObjectContext? = nil
    ) throws -> [NextOccurrence] {
        guard !completed.isEmpty else { return [] }
        let ids = Set(completed.map(\.objectID))
        let clock = clock()
        var made: [NextOccurrence] = []
        var added: [Task] = []
        let last = try lastOccurrences(completed)
        for task in completed where !task.hasAncestor(in: ids) {
            if let series = task.series, last[series] !== task { continue }
            guard let next = task.taskSeries(in: clock)?.next(after: task.repeatedDate, in: clock)
            else { continue }
            let shift = TaskShift(from: task.repeatedDate, to: next.due, in: clock)
            let series = task.series ?? TaskSeries.id(begunBy: task.uuid)
            let copy = add(
                occurrenceAfter: task,
                as: task.nextName,
                below: task.parent,
                shift,
                to: &added
            )
            shift.moveDates(of: task, to: copy, repeatingOn: next.due)
            copy.rule = next.rule
            copy.anchor = task.anchor
            if task.series == nil { task.series = series }
            copy.series = task.series
            movedOn.append(task)
            made.append(NextOccurrence(former: task, task: copy, next: next))
        }
        try makeNamesUnique(of: added)
        try assignNumbers(to: added, in: scratch)
        if scratch == nil { try setRanks(of: made.map(\.task), below: made.map(\.former)) }
        return made
    }

    /// Whether no other occurrence follows a task whose rule is understood.
    func isLastOccurrence(_ task: Task) throws -> Bool {
        guard task.taskSeries(in: clock()) != nil else { return false }
        guard let series = task.series else { return true }
        return try lastOccurrences([task])[series] === task
    }

    /// The one of each series that goes on: the latest of those completed, unless a later one is
    /// open; a file may bring several.
    ///
    /// Cost: one statement.
    private func lastOccurrences(_ completed: [Task]) throws -> [UUID: Task] {
        var last: [UUID: Task] = [:]
        for task in completed {
            guard let series = task.series else { continue }
            if let other = last[series], task.precedes(other) { continue }
            last[series] = task
        }
        guard let context = completed.first?.context, !last.isEmpty else { return last }
        let series = Set(last.keys.map(Optional.some))
        let open = try Task.all(
            in: context,
            where: { $0.series.in(series) && $0.completed == nil && $0.rule != nil }
        )
        for task in open where task.completed == nil && task.rule != nil && task.trashed == nil {
            guard let series = task.series, let known = last[series], known !== task else {
                continue
            }
            if known.precedes(task) { last[series] = task }
        }
        return last
    }

    /// Gives new occurrences whose names others have already other names.
    ///
    /// Cost: one statement.
    private func makeNamesUnique(of added: [Task]) throws {
        guard let context = added.first?.context else { return }
        let new = Set(added.map(\.objectID))
        let names = Set(added.map(\.uuid))
        let others = try Item.all(in: context, where: { $0.uuid.in(names) })
            .filter { !new.contains($0.objectID) }.map(\.uuid)
        for task in added where others.contains(task.uuid) {
            task.uuid = UUIDText.random()
            task.extra =
                ICalendarRules.ofNext(ForeignFields(stored: task.extra), as: task.uuid).text
        }
    }

    /// Inserts a copy of a task with its subtasks: done ones open again, open ones themselves.
    ///
    /// What the task is comes with it: texts, list, tags, flag, priority, estimate, place, links,
    /// attachments (their bytes are stored again), what a calendar says of the series. What has
    /// happened to this occurrence does not: time entries, the tasks that it waited for and those
    /// that waited for it.
    ///
    /// Its name is made of what it is, so that it is one task if several machines add it.
    private func add(
        occurrenceAfter task: Task,
        as name: UUID,
        below parent: Task?,
        _ shift: TaskShift,
        to added: inout [Task]
    ) -> Task {
        guard let context = task.context else { return task }
        let copy = context.insert(Task.self)
        added.append(copy)
        copy.uuid = name
        Library.copyValues(of: task, to: copy)
        let fields = ICalendarRules.ofNext(ForeignFields(stored: task.extra), as: copy.uuid)
        copy.extra = fields.text
        copy.parent = parent
        copy.links = task.links
        for attachment in task.attachments {
            let same = context.insert(Attachment.self)
            same.data = attachment.data
            same.fileName = attachment.fileName
            same.mediaType = attachment.mediaType
            same.thumbnail = attachment.thumbnail
            same.item = copy
        }
        copy.setDue(task.dueDate.map(shift.date))
        shift.moveReminders(of: task, to: copy)
        let subtasks = task.latestSubtasks.filter { $0.task !== copy }
        for (subtask, isAhead) in subtasks {
            if subtask.completed == nil {
                if !isAhead { subtask.move(by: shift) }
                subtask.parent = copy
            } else {
                let below = add(
                    occurrenceAfter: subtask,
                    as: UUIDText.made(from: "\(name)\n\(subtask.uuid)"),
                    below: copy,
                    shift,
                    to: &added
                )
                below.rule = subtask.rule
                below.anchor = subtask.anchor
            }
        }
        return copy
    }

    /// Makes occurrences that were just reopened agree with their series; part of a verb.
    ///
    /// The next occurrence is deleted if it is as it was made; else the reopened one does not repeat
    /// any more, so that a series has one that repeats.
    ///
    /// - Throws: the store's error.
    func takeBackNext(of reopened: [Task]) throws {
        let repeating = reopened.filter { $0.series != nil && $0.rule != nil }
        guard let context = repeating.first?.context else { return }
        let series = Set(repeating.compactMap(\.series))
        // One fetch for all: each would look at everything that is changed already.
        let found = try Task.all(
            in: context,
            where: { $0.series.in(series) },
            prefetching: \.subtasks,
            \.timeEntries
        )
        let members: [UUID?: [Task]] = Dictionary(grouping: found) { $0.series }
        for task in repeating.sorted(by: { $0.shortID > $1.shortID }) {
            guard let series = task.series else { continue }
            let later = (members[series] ?? []).filter {
                $0.shortID > task.shortID && !$0.isDeleted
            }
            guard !later.isEmpty else { continue }
            if later.count == 1, let next = later.first, next.isAsMade(from: task) {
                delete(next, givingBackTo: task, in: context)
            } else {
                task.rule = nil
            }
        }
    }

    /// Deletes an occurrence that was added by mistake; open subtasks return to the former one.
    private func delete(_ next: Task, givingBackTo former: Task, in context: ManagedObjectContext) {
        let shift = next.repeatedDate.flatMap { new in
            former.repeatedDate.map { TaskShift(from: new, to: $0, in: clock()) }
        }
        for subtask in next.subtasks {
            if subtask.shortID < next.shortID {
                if let shift, !subtask.isAhead(among: former.subtasks) { subtask.move(by: shift) }
                subtask.parent = former
            } else {
                context.delete(subtask)
            }
        }
        context.delete(next)
    }

    // MARK: Verbs

    /// Changes several fields of one occurrence alone: it becomes a task of its own, and the series
    /// goes on with the next occurrence.
    ///
    /// One step.
    ///
    /// - Returns: the step; `nil` if nothing has changed.
    /// - Throws: `InputError` for a value that the field does not take.
    @discardableResult
    public func editOnlyThis(_ item: Item, _ changes: [FieldChange]) throws -> SavedStep? {
        try change {
            if let task = item as? Task { try separate(task) }
            try edit(item, changes)
            return StepName(edited: item)
        }
    }

    /// Moves repeating tasks on to their next occurrence without completing this one; their subtasks
    /// are open again.
    ///
    /// One step.
    ///
    /// - Returns: the step; `nil` if none of them is open and repeats.
    /// - Throws: `InputError` for the last occurrence of a series.
    @discardableResult
    public func skip(_ items: [Item]) throws -> SavedStep? {
        try change {
            let clock = clock()
            var last: TaskSeries.Next?
            let tasks = existing(items).compactMap { $0 as? Task }.filter {
                $0.completed == nil && $0.rule != nil
            }
            try Library.requireOutsideTrash(tasks)
            for task in tasks {
                guard let series = task.taskSeries(in: clock) else { continue }
                guard let next = series.next(after: task.repeatedDate, in: clock) else {
                    throw InputError(
                        .badReference,
                        "\(StepName.quoted(task.title)) is the last one of its series; complete it "
                            + "or put it into the trash."
                    )
                }
                let shift = TaskShift(from: task.repeatedDate, to: next.due, in: clock)
                task.openSubtasks(by: shift)
                shift.moveDates(of: task, to: task, repeatingOn: next.due)
                if task.rule != next.rule { task.rule = next.rule }
                movedOn.append(task)
                last = next
            }
            return StepName(.skipped, changed(tasks), nextPhrase(last, of: tasks))
        }
    }

    /// Ends the series of tasks: they stay as they are, and do not repeat any more.
    ///
    /// One step.
    ///
    /// - Returns: the step; `nil` if none of them repeats.
    @discardableResult
    public func endSeries(of items: [Item]) throws -> SavedStep? {
        try change {
            let tasks = existing(items).compactMap { $0 as? Task }
            try Library.requireOutsideTrash(tasks)
            for task in tasks where task.rule != nil { task.rule = nil }
            return StepName(.ended, part: "the series of", changed(tasks))
        }
    }

    /// Makes an occurrence a task of its own, which can be changed without changing the series; the
    /// series goes on with the next occurrence, which is added.
    ///
    /// One step.
    ///
    /// - Returns: the next occurrence, `nil` after the last, and the step; no step if the task does
    ///   not repeat.
    @discardableResult
    public func separate(_ task: Task) throws -> (next: Task?, step: SavedStep?) {
        try changeAndReturn {
            try Library.requireOutsideTrash([task])
            let subject = StepSubject([task])
            guard !task.isDeleted, task.completed == nil, task.rule != nil else {
                return (nil, StepName(.separated, subject))
            }
            // The subtasks of this occurrence stay with it.
            let next = try continueSeries(of: [task]).first
            if let next { try giveBack(subtasksOf: next, to: task) }
            task.rule = nil
            return (
                next?.task,
                StepName(
                    .separated,
                    subject,
                    " from its series\(nextPhrase(next?.next, of: [task]))"
                )
            )
        }
    }

    /// Moves open subtasks back to the former occurrence, and adds copies of them to the next one.
    private func giveBack(subtasksOf made: NextOccurrence, to former: Task) throws {
        let clock = clock()
        let date = former.repeatedDate ?? made.next.due
        let back = TaskShift(from: made.next.due, to: date, in: clock)
        let forth = TaskShift(from: former.repeatedDate, to: made.next.due, in: clock)
        var added: [Task] = []
        for subtask in made.task.subtasks where subtask.shortID < made.task.shortID {
            if !subtask.isAhead(among: former.subtasks) { subtask.move(by: back) }
            subtask.parent = former
            let name = UUIDText.made(from: "\(made.task.uuid)\n\(subtask.uuid)")
            _ = add(occurrenceAfter: subtask, as: name, below: made.task, forth, to: &added)
        }
        try makeNamesUnique(of: added)
        try assignNumbers(to: added)
    }

    /// `, next Tue 24 Nov (2 missed)`, for one task.
    func nextPhrase(_ next: TaskSeries.Next?, of tasks: [Task]) -> String {
        guard tasks.count == 1, let next else { return "" }
        let date = DateFormat(context: clock()).absolute(next.due)
        return ", next \(date)\(missedPhrase(next.missed))"
    }

    /// ` (2 missed)`; empty for none.
    func missedPhrase(_ count: Int) -> String { count > 0 ? " (\(count) missed)" : "" }
}

extension Task {
    /// Gives a repeating task that has neither a due date nor a start the due date of the first
    /// occurrence; part of a verb.
    func setFirstDue(at clock: DateContext) {
        guard repeatedDate == nil, let due = taskSeries(in: clock)?.first(in: clock) else { return }
        setDue(due, at: clock)
    }

    /// The name of the occurrence after it: one on whatever machine and day it is completed.
    var nextName: UUID { UUIDText.made(from: "occurrence after\n\(uuid)") }

    func hasAncestor(in ids: Set<ManagedObjectID>) -> Bool {
        var above = parent
        while let task = above {
            if ids.contains(task.objectID) { return true }
            above = task.parent
        }
        return false
    }

    /// Whether the task is an earlier occurrence than another one of its series.
    fileprivate func precedes(_ other: Task) -> Bool {
        let (one, two) = (due ?? .distantPast, other.due ?? .distantPast)
        return one == two ? shortID < other.shortID : one < two
    }

    /// The subtasks that are not in the trash, in their order, without the former occurrences of
    /// those that repeat; and whether each has moved on by itself.
    ///
    /// A repeating subtask that was completed is there twice: done, and as its next occurrence. What
    /// goes on with the parent is the latter, on its own date.
    fileprivate var latestSubtasks: [(task: Task, isAhead: Bool)] {
        let present = subtasks.filter { $0.trashed == nil }
        return present.filter { task in
            !present.contains { $0 !== task && $0.isSameSeries(as: task) && task.precedes($0) }
        }.sorted { $0.displayOrder < $1.displayOrder }
            .map { ($0, $0.isAhead(among: subtasks)) }
    }

    /// Whether a former occurrence is among some tasks.
    fileprivate func isAhead(among tasks: Set<Task>) -> Bool {
        tasks.contains {
            $0 !== self && $0.completed != nil && $0.isSameSeries(as: self) && $0.precedes(self)
        }
    }

    private func isSameSeries(as other: Task) -> Bool { series != nil && series == other.series }

    /// Moves its dates along with those of its parent.
    fileprivate func move(by shift: TaskShift) {
        setDue(dueDate.map(shift.date))
        shift.moveReminders(of: self, to: self)
    }

    /// Reopens the subtasks at any depth for the next occurrence, and moves their dates along.
    fileprivate func openSubtasks(by shift: TaskShift) {
        for (subtask, isAhead) in latestSubtasks {
            subtask.openSubtasks(by: shift)
            if isAhead, subtask.completed == nil { continue }
            if subtask.completed != nil { subtask.completed = nil }
            subtask.move(by: shift)
        }
    }

    /// Whether nobody has changed the task since it was made as the occurrence after another one.
    fileprivate func isAsMade(from former: Task) -> Bool {
        completed == nil && trashed == nil && modified == created && timeEntries.isEmpty
            && subtasks.allSatisfy { subtask in
                // One that was open has moved here; the others were made with this one.
                subtask.shortID < shortID || subtask.isAsMade(from: former)
            }
    }
}
