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
        if isTooMuch(items.count), !isChanging { return try performInParts(change, on: items) }
        return try self.change { try apply(change, to: existing(items)) }
    }

    /// Changes items; part of a verb.
    ///
    /// - Returns: the name for a step that does only this.
    func apply(_ change: ItemChange, to items: [Item]) throws -> StepName {
        if items.isEmpty { return StepName(.edited, StepSubject(items)) }
        if case .list(.path(let path)) = change { try checkNewList(path) }
        var prepared = try change.prepared(in: context, at: clock())
        for item in items { try prepared.apply(to: item) }
        let next = try continueSeries(of: prepared.completedOccurrences)
        try takeBackNext(of: prepared.reopenedOccurrences)
        if case .complete = change, next.count == 1, changed(items).count == 1 {
            let phrase = nextPhrase(next[0].next, of: [next[0].former])
            return StepName(.completed, changed(items), phrase)
        }
        if case .complete = change, next.isEmpty, changed(items).count == 1,
            let task = prepared.completedOccurrences.first, try isLastOccurrence(task)
        {
            let clock = clock()
            let missed =
                task.taskSeries(in: clock)?.missed(after: task.repeatedDate, in: clock) ?? 0
            return StepName(.completed, changed(items), ", the last one\(missedPhrase(missed))")
        }
        return try name(of: prepared.effect, on: changed(items))
    }

    private func performInParts(_ change: ItemChange, on items: [Item]) throws -> SavedStep? {
        let affected = try affected(by: change, among: .many(items.map(\.objectID)))
        let command = try longCommand(change, on: affected)
        defer { takeOverLongCommand() }
        try command.run()
        return command.step
    }
}
