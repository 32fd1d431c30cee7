public import ObjectStore

// A save whose writing is done by another thread:
//
//   begin ──▶ written elsewhere ──▶ proceed ──▶ done
//               ▲                      │
//               └─── planned again ◀───┘  (a conflict that the merge policy has decided)
//
// Between `begin` and `proceed` the plans point into the pending objects of the context, so these
// must not change:
//   1. Only a root has a detached save, and only its children are used by others. What they may do
//      to their parent meanwhile is to fill faults, which no plan contains.
//   2. What changes pending objects of the parent first waits for the writing and ends the save
//      (`settle`): a save of a child, of the context itself, permanent IDs, a reset.
//   3. So does what asks the store for objects (`settleBelow`): after the commit, new rows have IDs
//      that their objects get only when the save ends. It would wait for the store anyway. Work
//      that puts off the commit (`puttingOffCommit`) reads the store as it was, without waiting.
//   4. The saves of others wait in the inbox (`Following.isHeld`).

/// A save of a root context whose writing is done by another thread.
///
/// Safety: two threads use it, one after the other: the context's makes the plans and takes the
/// outcome, another one calls ``write(after:)`` or ``give(to:)`` in between.
public final class DetachedSave: @unchecked Sendable {
    fileprivate let coordinator: PersistentStoreCoordinator
    fileprivate let info: TransactionInfo
    fileprivate let last: UndoGroup?
    fileprivate var plans = SavePlans()
    fileprivate var putBack: [() -> Void] = []
    fileprivate var rounds = SaveRounds()
    fileprivate var saved = SavedObjects()
    fileprivate var outcome: SaveOutcome?
    fileprivate var result: Result<Int64, any Error>?
    fileprivate var written = Completion()
    fileprivate let gate = CommitGate()

    fileprivate init(
        _ coordinator: PersistentStoreCoordinator,
        _ info: TransactionInfo,
        _ last: UndoGroup?
    ) {
        self.coordinator = coordinator
        self.info = info
        self.last = last
    }

    /// Writes the plans; called on another thread, once for each round.
    ///
    /// - Parameter preparation: runs first; its error is the save's, and nothing is written then.
    public func write(after preparation: () throws -> Void = {}) {
        finishWriting {
            try preparation()
            gate.pass()
            return coordinator.save(plans)
        }
    }

    /// Gives the plans to somebody else; the save then fails with the error of the body, so the
    /// pending changes stay.
    public func give(to body: ([(store: any PersistentStore, plan: SavePlan)]) throws -> Void) {
        finishWriting {
            try body(plans.plans)
            throw NothingSaved()
        }
    }

    /// The number of the transaction once the save has succeeded, 0 if there is none; else `nil`.
    public var transaction: Int64? { try? result?.get() }

    /// The plans went elsewhere: see ``give(to:)``.
    public struct NothingSaved: Error {}

    private func finishWriting(_ body: () throws -> SaveOutcome) {
        do {
            outcome = try body()
        } catch {
            var failed = SaveOutcome()
            failed.generation = coordinator.generation
            failed.fail(error, after: [SavePlan]())
            outcome = failed
        }
        written.signal()
    }
}

extension ManagedObjectContext {
    /// Begins a save whose plans another thread writes, while the children of this context are
    /// used.
    ///
    /// The context must be a root. Call ``DetachedSave/write(after:)`` on another thread, then
    /// ``proceed(_:)`` here, until that returns true.
    ///
    /// - Returns: `nil` if nothing is pending.
    /// - Throws: what ``save(as:)`` throws before it writes.
    public func beginDetachedSave(_ info: TransactionInfo) throws -> DetachedSave? {
        precondition(parent == nil, "a child is saved into its parent")
        let use = beginUse()
        defer { endUse(use) }
        settle()
        var info = info
        info.author = info.author ?? transactionAuthor
        info.keepsUndoneOfOthers = coordinator.undoesByAuthor
        info.contextName = info.contextName ?? name
        let save = DetachedSave(coordinator, info, undoManager?.undoStack.last)
        processPendingChanges()
        pending.compact()
        if pending.objects.isEmpty { return nil }
        saving.begin()
        do {
            try prepareToSave()
            save.putBack = takeOutGone()
            save.plans = try plansWithoutConflict(info, &save.rounds)
        } catch {
            end(save, throwing: error)
            throw error
        }
        saving.running = running(save)
        following.isHeld = true
        return save
    }

    /// Takes the outcome of the writing.
    ///
    /// - Returns: true if the save is over; false if it has to be written again.
    /// - Throws: what ``save(as:)`` throws. The save is over then, and everything stays pending.
    public func proceed(_ save: DetachedSave) throws -> Bool {
        defer { if save.result != nil { processPendingChanges() } }
        if let result = save.result {
            _ = try result.get()
            return true
        }
        return try takeOutcome(of: save)
    }

    /// Takes the outcome, without merging what others have saved meanwhile.
    private func takeOutcome(of save: DetachedSave) throws -> Bool {
        let use = beginUse()
        defer { endUse(use) }
        guard let outcome = save.outcome else { return false }
        save.outcome = nil
        save.written = Completion()
        // Nobody writes now: what decides a conflict reads the store without waiting.
        saving.running = nil
        do {
            guard try accept(outcome, &save.saved, &save.rounds) else {
                save.plans = try plansWithoutConflict(save.info, &save.rounds)
                saving.running = running(save)
                return false
            }
        } catch {
            end(save, throwing: error)
            if !save.saved.isEmpty { announce(save.saved) }
            throw error
        }
        end(save)
        saving.begin()
        save.result = .success(complete(save.saved, as: save.info.groupName, after: save.last))
        return true
    }

    private func end(_ save: DetachedSave, throwing error: (any Error)? = nil) {
        saving.running = nil
        following.isHeld = false
        saving.endGuarding()
        // The closures refer to objects.
        defer { save.putBack = [] }
        guard let error else { return }
        save.result = .failure(error)
        for reference in save.putBack { reference() }
        takeBackDerived()
    }

    /// Waits until a detached save is over, if there is one; its error is that of ``proceed(_:)``.
    func settle() { saving.running?.settle() }

    private func running(_ save: DetachedSave) -> RunningSave {
        RunningSave(gate: save.gate) { [unowned self] in
            save.gate.letGo()
            save.written.wait()
            while let isOver = try? takeOutcome(of: save), !isOver { save.write() }
        }
    }

    /// Ends the detached save of the root of this context, before rows are read from the store.
    func settleBelow() {
        if let parent { return parent.settleBelow() }
        if let running = saving.running, !running.gate.isHeld { running.settle() }
    }

    /// Runs work with the children of this context; if a detached save is still being prepared, its
    /// commit waits until the work is done.
    ///
    /// So the work reads and changes objects while files are written. Once the commit has begun,
    /// work that asks the store for objects waits for it.
    package func puttingOffCommit<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let gate = saving.running?.gate, gate.hold() else { return try body() }
        defer { gate.release() }
        return try body()
    }
}
