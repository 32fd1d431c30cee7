import CivilTime
import ObjectGraph

// A verb is the work inside one `change { }`. The outermost one refreshes first, saves at the end
// as one named step, and reverts everything after an error. A `change` inside another one is part
// of it: so a verb may call other verbs, and all of it is one step of undo.
//
//   change { ── refresh ── work ── save as one step ── SavedStep
//               change { work }     no save, no step; an error fails the whole
//
// Functions that only do work (`setRanks`, `setParent(of:to:)`, `give`, `carryOut`) save nothing;
// they are called inside a `change`.

extension Library {
    /// Runs the work of a verb as one step.
    ///
    /// Inside another `change` it neither refreshes nor saves, and returns no step: the outermost
    /// one saves everything with its own name. An error of an inner one fails the outermost one,
    /// even if the work between catches it: a verb that failed must not be saved in part.
    ///
    /// - Parameter work: makes the changes, and returns the name of the step. The name is not used
    ///   if nothing has changed. It runs again if another program was faster with an occurrence
    ///   of a series, or with a place in the order.
    /// - Returns: `nil` if nothing has changed.
    /// - Throws: the error of the work or of the save; everything is reverted then.
    @discardableResult
    func change(_ work: () throws -> StepName) throws -> SavedStep? {
        try changeAndReturn { ((), try work()) }.1
    }

    /// Runs the work of a verb that has a result, as ``change(_:)`` does.
    func changeAndReturn<Result>(
        _ work: () throws -> (Result, StepName)
    ) throws -> (Result, SavedStep?) {
        // Names of steps are stored in English; errors are phrases, which their readers translate.
        try Language.$current.withValue(.english) { try changeInEnglish(work) }
    }

    private func changeInEnglish<Result>(
        _ work: () throws -> (Result, StepName)
    ) throws -> (Result, SavedStep?) {
        if isChanging {
            do {
                return (try work().0, nil)
            } catch {
                if innerError == nil { innerError = error }
                throw error
            }
        }
        var attempts = 0
        while true {
            // Behind one who was faster, what was merged in this event is too old.
            try attempts == 0 ? refresh() : merge()
            do {
                let (result, name) = try collecting(work)
                return (result, try saveStep(name, checksPlaces: attempts < 20))
            } catch let error
                where attempts < 20 && (error is OccurrenceMovedOn || error is PlaceTaken)
            {
                attempts += 1
                revertChanges()
            } catch {
                revertChanges()
                throw error
            }
        }
    }

    private func collecting<Result>(_ work: () throws -> Result) throws -> Result {
        isChanging = true
        defer {
            isChanging = false
            innerError = nil
        }
        let result = try work()
        if let innerError { throw innerError }
        return result
    }

    /// Saves the pending changes as one step.
    private func saveStep(_ name: StepName, checksPlaces: Bool) throws -> SavedStep? {
        guard context.hasChanges else { return nil }
        if let trial {
            defer { revertChanges() }
            try trial()
            return SavedStep(name: name.text, transaction: 0, subject: name.subject)
        }
        let named = try runHooks(in: context)
            .reduce(name.text) { text, title in
                text.replacing(StepName.quoted(title.old), with: StepName.quoted(title.new))
            }
        let text = try named + followLinks(in: context)
        var info = TransactionInfo()
        info.groupName = text
        let transaction = try save(context, info) { [unowned self] in
            if checksPlaces { try checkPlaces() }
        }
        guard transaction > 0 else { return nil }
        return SavedStep(name: text, transaction: transaction, subject: name.subject)
    }

    /// Runs a verb up to its save, and takes everything back; hooks do not run.
    ///
    /// - Parameters:
    ///   - verb: the verb; its step has no transaction, and new items are not valid afterwards.
    ///   - seeing: is called after its changes, before they are taken back.
    /// - Returns: the result of the verb.
    /// - Throws: the error of the verb.
    /// - Complexity: that of the verb as one transaction, however many items it changes.
    public func trying<Result>(
        _ verb: () throws -> Result,
        seeing: @escaping () throws -> Void
    ) rethrows -> Result {
        trial = seeing
        defer { trial = nil }
        return try verb()
    }

    /// Traps inside the work of a verb, for what saves by itself: undo, an import, a long command.
    func requireOutsideChange(_ caller: StaticString = #function) {
        precondition(!isChanging, "\(caller) saves by itself; it cannot be part of a verb.")
    }

    /// Reverts the pending changes of the library's context.
    func revertChanges() {
        context.rollback()
        forgetNumbers()
    }

    /// The subject of a step: those of some items that have changed.
    func changed(_ items: [Item]) -> StepSubject {
        StepSubject(items.filter { $0.hasPersistentChangedValues || $0.isDeleted })
    }
}
