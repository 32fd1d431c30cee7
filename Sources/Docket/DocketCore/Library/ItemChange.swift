public import CivilTime
import DocketFormats
import FoundationEssentials
public import ObjectGraph

/// A change of each of some items, independent of the others: what keys, forms, quick capture, smart
/// lists and the shell ask for.
///
/// An item that already has the wanted state is not changed: it counts as unchanged, is not in the
/// history and keeps its time of modification. One that has no such field stays as it is.
public enum ItemChange: Sendable {
    case complete
    case reopen
    case trash
    case restore
    /// Deletes what is in the trash, with its subtasks there; others lose their parent.
    case purge
    case due(DueDate?)
    case start(DueDate?)
    /// Each from its own date.
    case shiftDue(DateShift, DateContext)
    case shiftStart(DateShift, DateContext)
    /// Start and due date of each open task together, from where they are.
    case postpone(Postponement, DateContext)
    /// 0 none, 1 low, 2 medium, 3 high.
    case priority(Int)
    case flag(Bool)
    /// Somebody has looked at it and lets it be.
    case review
    /// With the subtasks that are in the list of their parent.
    case list(ListTarget)
    case tags(adding: [String], removing: [String])
    /// These tags and no others.
    case onlyTags([String])
    case title(String)
    case notes(String?)
    case body(String?)
    /// Words or a rule of RFC 5545; empty for none.
    case repeats(String)
    /// Seconds.
    case estimate(Int?)
    case parent(ManagedObjectID?)
    /// The numbers of the tasks for which it waits, and of those that wait for it.
    case waits([Int64])
    case blocks([Int64])
    /// Others for which it waits too, or no longer.
    case blockers(adding: [Int64], removing: [Int64])
    /// A name, with or without its sign; empty for none.
    case location(String)
    /// As the store has reminders.
    case remind(String?)

    /// The list to which items move.
    public enum ListTarget: Sendable {
        case inbox
        case list(ManagedObjectID)
        /// A list that is created if it is missing.
        case path([String])
    }

    /// Whether other tasks need not wait any more for the tasks that it changes.
    public var endsTasks: Bool {
        switch self {
        case .complete, .trash: true
        default: false
        }
    }

    /// Whether an item is not yet what the change makes of it; true where only the change itself
    /// can tell.
    public func affects(_ item: Item) -> Bool {
        switch self {
        case .complete: (item as? Task)?.isDone == false
        case .reopen: (item as? Task)?.isDone == true
        case .trash: item.trashed == nil
        case .restore, .purge: item.trashed != nil
        case .flag(let flag): item.flagged != flag
        case .postpone(let move, let clock): (item as? Task).map { move.moves($0, clock) } ?? false
        default: true
        }
    }

    /// Whether the timer of a task stops with it.
    var endsTimers: Bool {
        switch self {
        case .complete, .trash: true
        default: false
        }
    }

    /// The values that are looked up once for all items of a context, and what came of the change.
    struct Prepared {
        fileprivate let change: ItemChange
        fileprivate let clock: DateContext
        fileprivate var list: List?
        fileprivate var added: [Tag] = []
        fileprivate var removed: Set<String> = []
        fileprivate var location: Location?
        /// The parent, or the tasks that wait or for which it waits.
        fileprivate var others: [Task] = []
        /// The tasks that are not in the trash, by their ancestors that are.
        fileprivate var keptBelow: [ManagedObjectID: [Task]] = [:]
        /// The tasks for which items no longer wait.
        fileprivate var formerBlockers: [Task] = []
        /// The subtasks that have moved to another list with their parents.
        fileprivate(set) var companions: Set<Item> = []
        /// The tags that some item did not have before, and those that one has lost.
        fileprivate var effectivelyAdded: Set<String> = []
        fileprivate var effectivelyRemoved: Set<String> = []
        /// The repeating tasks that it has completed, and the occurrences that it has reopened:
        /// their series go on from there (`Series/Library+Series.swift`).
        fileprivate(set) var completedOccurrences: [Task] = []
        fileprivate(set) var reopenedOccurrences: [Task] = []

        /// The change without tags that no item has got or lost; for the name of the step.
        var effect: ItemChange {
            guard case .tags = change else { return change }
            return .tags(
                adding: added.map(\.name).filter(effectivelyAdded.contains),
                removing: effectivelyRemoved.sorted()
            )
        }
    }

    /// Changes one item, of any context; part of a verb or of a form.
    ///
    /// - Throws: `InputError` for a value that the item cannot have.
    public func apply(to item: Item, at clock: DateContext) throws {
        guard let context = item.context else { return }
        var prepared = try prepared(in: context, at: clock)
        try prepared.apply(to: item)
    }

    /// Looks up lists and tags, and creates missing ones.
    func prepared(in context: ManagedObjectContext, at clock: DateContext) throws -> Prepared {
        var prepared = Prepared(change: self, clock: clock)
        switch self {
        case .list(.list(let id)): prepared.list = try context.existingObject(with: id) as? List
        case .list(.path(let path)): prepared.list = try Library.list(path: path, in: context)
        case .tags(let added, let removed):
            prepared.added = try Library.tags(named: added, in: context)
            prepared.removed = Set(removed.map { $0.lowercased() })
        case .onlyTags(let names): prepared.added = try Library.tags(named: names, in: context)
        case .location(let name):
            prepared.location = try Library.location(typed: name, in: context)
        case .parent(let id?):
            prepared.others = [try context.existingObject(with: id) as? Task].compactMap { $0 }
        case .waits(let numbers), .blocks(let numbers):
            prepared.others = try Library.tasks(numbered: numbers, in: context)
        case .blockers(let added, let removed):
            prepared.others = try Library.tasks(numbered: added, in: context)
            prepared.formerBlockers = try Library.tasks(numbered: removed, in: context)
        case .notes(let text), .body(let text): try Limits.check(text: text)
        case .title(let text): try Limits.check(text: text)
        case .purge: prepared.keptBelow = try Library.tasksBelowTrash(in: context)
        default: break
        }
        return prepared
    }
}

extension ItemChange.Prepared {
    /// Changes one item, unless it already has that state, or has no such field.
    ///
    /// - Throws: `InputError` for a value that the item cannot have, such as too many tags.
    mutating func apply(to item: Item) throws {
        switch change {
        case .title(let title): if item.title != title { item.title = title }
        case .notes(let notes): if item.notes != notes { item.notes = notes }
        case .body(let text):
            guard let note = item as? Note, note.body != text else { return }
            try Library.requirePlain(note)
            note.body = text
        case .trash: if item.trashed == nil { item.trashed = clock.now }
        case .restore: if item.trashed != nil { item.trashed = nil }
        case .purge:
            if item.trashed == nil { return }
            for task in keptBelow[item.objectID] ?? [] where task.parent != nil {
                task.parent = nil
            }
            item.context?.delete(item)
        case .flag(let flag): if item.flagged != flag { item.flagged = flag }
        case .review: item.lastReviewed = clock.now
        case .list: move(item)
        case .tags, .onlyTags:
            let keepsOthers = if case .tags = change { true } else { false }
            for tag in item.tags
            where keepsOthers ? removed.contains(tag.name.lowercased()) : !added.contains(tag) {
                item.$tags.remove(tag)
                effectivelyRemoved.insert(tag.name)
            }
            for tag in added where !item.$tags.contains(tag) {
                item.$tags.insert(tag)
                effectivelyAdded.insert(tag.name)
            }
            try Limits.check(tags: item.$tags.count)
        default: if let task = item as? Task { try apply(to: task) }
        }
    }

    /// Moves an item to the list, and with it the subtasks that are where their parent was.
    private mutating func move(_ item: Item) {
        let former = item.list
        if former === list { return }
        item.list = list
        var parents = [item as? Task].compactMap { $0 }
        while let parent = parents.popLast() {
            for subtask in parent.subtasks where subtask.trashed == nil && subtask.list === former {
                subtask.list = list
                companions.insert(subtask)
                parents.append(subtask)
            }
        }
    }

    private mutating func apply(to task: Task) throws {
        switch change {
        case .complete:
            guard task.completed == nil else { return }
            task.completed = clock.now
            if task.rule != nil { completedOccurrences.append(task) }
        case .reopen:
            guard task.completed != nil else { return }
            task.completed = nil
            if task.series != nil { reopenedOccurrences.append(task) }
        case .due(let due): if task.dueDate != due { task.setDue(due, at: clock) }
        case .start(let start): if task.startDate != start { task.setStart(start) }
        case .shiftDue(let shift, let clock):
            if let due = shift.applied(to: task.dueDate, in: clock) { task.setDue(due, at: clock) }
        case .shiftStart(let shift, let clock):
            if let start = shift.applied(to: task.startDate, in: clock) { task.setStart(start) }
        case .postpone(let move, let clock): move.apply(to: task, clock)
        case .priority(let value):
            let priority = Int16(min(max(value, 0), 3))
            if task.priority != priority { task.priority = priority }
        case .repeats(let text):
            let rule = text.isEmpty ? nil : text
            if task.rule != rule { task.rule = rule }
        case .estimate(let seconds):
            let estimate = seconds.map { Int32(clamping: $0) }
            if task.estimate != estimate { task.estimate = estimate }
        case .parent: try Library.setParent(of: task, to: others.first)
        case .waits: try Library.setBlockers(others, of: task)
        case .blocks: try Library.setBlocked(others, by: task)
        case .blockers:
            try Library.addBlockers(others, to: task)
            for former in formerBlockers where task.$blockedBy.contains(former) {
                task.$blockedBy.remove(former)
            }
        case .location: if task.location !== location { task.location = location }
        case .remind(let stored):
            if task.remindTimes != stored { task.remindTimes = stored }
            task.setNextReminder(clock)
            // That of another program has no text.
            if stored == nil, task.nextReminder != nil { task.nextReminder = nil }
        default: break
        }
    }
}
