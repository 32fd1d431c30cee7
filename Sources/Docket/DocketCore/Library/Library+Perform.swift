import CivilTime
import DocketFormats
import ObjectGraph

extension Library {
    /// Changes some items as one step; in parts if they are too many for one transaction.
    ///
    /// Inside another verb it is always one transaction. Do not use the items after a call with
    /// more than ``largestChange`` of them: all objects are read again.
    ///
    /// - Returns: the step, about the changed items; `nil` if none has changed.
    @discardableResult
    public func perform(_ change: ItemChange, on items: [Item]) throws -> SavedStep? {
        if isTooMuch(items.count), !isChanging {
            let affected = try affected(by: change, among: .many(items.map(\.objectID)))
            return try run(longCommand(change, on: affected))
        }
        return try self.change {
            let items = existing(items)
            if items.isEmpty { return StepName(.edited, StepSubject(items)) }
            let outcome = try carryOut([change], on: items, at: clock())
            return try name(of: outcome, on: changed(items), items)
        }
    }

    /// What changes have done.
    struct Outcome {
        /// The last change, without what has had no effect.
        var effect: ItemChange
        /// The repeating tasks that it has completed, and the occurrences that were added for them.
        var completed: [Task] = []
        var next: [NextOccurrence] = []
        /// The subtasks that have moved to another list with their parents.
        var companions: Set<Item> = []
    }

    /// Carries changes out, one after the other, with what follows from them; part of a verb, or of a
    /// part of a long command, whose items are those of a scratch context.
    @discardableResult
    func carryOut(
        _ changes: [ItemChange],
        on items: [Item],
        in scratch: ManagedObjectContext? = nil,
        at clock: DateContext
    ) throws -> Outcome {
        // Who starts a long command was asked.
        if scratch == nil, changes.contains(where: { !$0.isAboutTrash }) {
            try Library.requireOutsideTrash(items)
        }
        var outcome = Outcome(effect: changes[0])
        for change in changes {
            if case .list(.path(let path)) = change, scratch == nil { try checkNewList(path) }
            var prepared = try change.prepared(in: scratch ?? context, at: clock)
            for item in items { try prepared.apply(to: item) }
            if change.endsTimers {
                try Library.endTimers(of: items, at: clock.now, in: scratch ?? context)
            }
            if case .repeats(let text) = change, !text.isEmpty {
                for case let task as Task in items {
                    try TaskSeries.check(text, due: task.repeatedDate, in: clock)
                    task.setFirstDue(at: clock)
                }
            }
            outcome.effect = prepared.effect
            outcome.companions = prepared.companions
            outcome.completed = prepared.completedOccurrences
            outcome.next = try continueSeries(of: outcome.completed, in: scratch)
            try takeBackNext(of: prepared.reopenedOccurrences)
        }
        return outcome
    }

    /// Runs all parts of a command at once.
    func run(_ command: LongCommand) throws -> SavedStep? {
        defer { takeOverLongCommand() }
        try command.run()
        return command.step
    }
}
