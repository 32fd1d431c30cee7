public import ObjectModel
public import ObjectStore

// Undo and redo of saved commands. The store's history knows which command is next; its inverse
// is applied to a context and saved as a transaction of its own, so history only ever grows and
// other contexts and processes see an undo like any other change.

/// What to do where somebody changed a value since the command that is to be undone.
public enum HistoryConflictPolicy: Sendable {
    /// Change nothing and report.
    case refuse
    /// Leave those values alone, undo the rest.
    case skip
    /// Undo them too.
    case overwrite
}

/// A value that is no longer what the command made it.
public struct HistoryConflict: Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The property has another value now.
        case changedSince
        /// The object is gone.
        case deletedSince
        /// The object exists again.
        case existsAgain
        /// What the command changed was taken out of the history for good.
        case erased
    }

    public let objectID: ManagedObjectID
    /// The property; empty for the object as a whole.
    public let key: String
    public let reason: Reason
}

/// What an undo or a redo did.
public struct HistoryOutcome {
    /// The command concerned.
    public let step: HistoryStep
    /// The objects that it touched and that still exist.
    public let objectIDs: [ManagedObjectID]
    /// What was left alone or, under ``HistoryConflictPolicy/refuse``, kept it from happening.
    public let conflicts: [HistoryConflict]
    /// Whether anything was changed.
    public let isDone: Bool

    package init(
        step: HistoryStep,
        objectIDs: [ManagedObjectID],
        conflicts: [HistoryConflict],
        isDone: Bool
    ) {
        self.step = step
        self.objectIDs = objectIDs
        self.conflicts = conflicts
        self.isDone = isDone
    }
}

extension ManagedObjectContext {
    /// How many commands undo could take back, counted no further than a limit.
    package func undoStepCount(limit: Int) throws -> Int {
        try coordinator.withHistoryStore { try $0.undoStepCount(limit: limit) } ?? 0
    }

    /// The commands that undo would take back, the next one first.
    public func undoSteps(limit: Int = 50) throws -> [HistoryStep] {
        try coordinator.withHistoryStore { try $0.undoSteps(limit: limit) } ?? []
    }

    /// The commands that redo would do again, the next one first.
    public func redoSteps(limit: Int = 50) throws -> [HistoryStep] {
        try coordinator.withHistoryStore { try $0.redoSteps(limit: limit) } ?? []
    }

    /// Takes the last saved command back, whoever made it.
    ///
    /// Returns `nil` if there is none.
    ///
    /// - Throws: `ObjectGraphError` if the context has unsaved changes, or the store's error;
    ///   nothing is changed then.
    public func undoLastCommand(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = try undoSteps(limit: 1).first else { return nil }
        return try invert(step, as: .undo, policy)
    }

    /// Takes the last saved command back if that does what a preview said.
    ///
    /// - Throws: `ObjectGraphError` with code `undoState` if the store has changed since, so that
    ///   something else would happen; nothing is changed then.
    public func undoLastCommand(
        expecting preview: HistoryPreview,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = preview.steps.first else { return nil }
        return try expecting(preview, try previewUndo(onConflict: policy)) {
            try invert(step, as: .undo, policy)
        }
    }

    /// Does the last undone command again.
    ///
    /// Returns `nil` if there is none.
    public func redoLastCommand(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = try redoSteps(limit: 1).first else { return nil }
        return try invert(step, as: .redo, policy)
    }

    /// Does the last undone command again if that does what a preview said.
    ///
    /// - Throws: `ObjectGraphError` with code `undoState` if the store has changed since.
    public func redoLastCommand(
        expecting preview: HistoryPreview,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = preview.steps.first else { return nil }
        return try expecting(preview, try previewRedo(onConflict: policy)) {
            try invert(step, as: .redo, policy)
        }
    }

    /// Does what a preview said, unless another one is made now; what is written between this look
    /// and the save is a conflict of the save, which no merge policy may solve.
    private func expecting(
        _ preview: HistoryPreview,
        _ now: HistoryPreview?,
        _ body: () throws -> HistoryOutcome
    ) throws -> HistoryOutcome {
        if preview.steps.count > 1 {
            throw ObjectGraphError(
                .invalidRequest,
                "The preview is of \(preview.steps.count) commands; one at a time is undone or redone.",
                recovery: "Preview one command."
            )
        }
        let usual = mergePolicy
        mergePolicy = .error
        defer { mergePolicy = usual }
        guard now == preview else { throw changedSince(preview, nil) }
        do {
            return try body()
        } catch let error as ObjectGraphError where error.code == .mergeConflict {
            throw changedSince(preview, error)
        }
    }

    private func changedSince(
        _ preview: HistoryPreview,
        _ error: ObjectGraphError?
    ) -> ObjectGraphError {
        ObjectGraphError(
            .undoState,
            "Something was changed since the preview of \"\(preview.steps.first?.name ?? "a change")\""
                + " was made; nothing was undone or redone.",
            recovery: "Look at what would happen now.",
            underlying: error.map { [$0] } ?? []
        )
    }

    private func invert(
        _ step: HistoryStep,
        as kind: TransactionInfo.Kind,
        _ policy: HistoryConflictPolicy
    ) throws -> HistoryOutcome {
        if policy == .refuse, step.transactions.count > 1 {
            // Nothing is written before it is known that no part is refused.
            let conflicts = try conflicts(of: step)
            if !conflicts.isEmpty {
                return HistoryOutcome(
                    step: step,
                    objectIDs: [],
                    conflicts: conflicts,
                    isDone: false
                )
            }
        }
        var touched: [ManagedObjectID] = []
        var conflicts: [HistoryConflict] = []
        var written: [ManagedObjectID: [String: Value]] = [:]
        var first: Int64?
        for number in step.transactions {
            var info = TransactionInfo()
            info.kind = kind
            info.target = step.command
            info.continues = first
            let part = try invert(number, of: step, info, policy, written: written)
            conflicts += part.conflicts
            // Somebody else has written since the look at all parts.
            if policy == .refuse, !part.conflicts.isEmpty { break }
            touched += part.touched
            first = first ?? part.transaction
            if step.transactions.count > 1, let saved = part.transaction {
                try note(saved, in: &written)
            }
        }
        var seen: Set<ManagedObjectID> = []
        let remaining = touched.filter { identity.get($0) != nil && seen.insert($0).inserted }
        return HistoryOutcome(
            step: step,
            objectIDs: remaining,
            conflicts: conflicts,
            isDone: first != nil
        )
    }
}

extension ManagedObjectContext {
    /// What keeps a step from being taken back as a whole; found in a scratch context.
    private func conflicts(of step: HistoryStep) throws -> [HistoryConflict] {
        let scratch = ManagedObjectContext(coordinator: coordinator)
        var inversion = HistoryInversion(context: scratch, policy: .refuse)
        for number in step.transactions {
            inversion.apply(try coordinator.historyTransaction(number, of: step))
        }
        return inversion.conflicts
    }

    /// Adds what a transaction of our own has left.
    private func note(
        _ number: Int64,
        in written: inout [ManagedObjectID: [String: Value]]
    ) throws {
        for change in try coordinator.historyTransaction(number)?.changes ?? [] {
            written[change.objectID, default: [:]].merge(change.newValues) { $1 }
        }
    }
}

/// What the inversion of one transaction did.
package struct HistoryPart {
    /// The number of the new transaction; `nil` if there was nothing to change.
    package let transaction: Int64?
    package let touched: [ManagedObjectID]
    package let conflicts: [HistoryConflict]
}

extension ManagedObjectContext {
    /// Inverts one transaction of a step and saves that as part of an undo or a redo; `info` says
    /// which, and which part it continues.
    ///
    /// `written` are the values that earlier parts have left.
    ///
    /// - Returns: what it did. With conflicts under ``HistoryConflictPolicy/refuse`` nothing.
    package func invert(
        _ number: Int64,
        of step: HistoryStep,
        _ info: TransactionInfo,
        _ policy: HistoryConflictPolicy,
        written: [ManagedObjectID: [String: Value]] = [:]
    ) throws -> HistoryPart {
        guard !hasChanges else {
            throw ObjectGraphError(
                .undoState,
                "There are unsaved changes; a saved command cannot be undone now.",
                recovery: "Save or roll back first."
            )
        }
        let (undo, usual) = (undoManager, constraintPolicy)
        undoManager = nil
        // What undo brings back is an object of its own, not another one's new values.
        constraintPolicy = .error
        defer {
            undoManager = undo
            constraintPolicy = usual
        }
        var inversion = HistoryInversion(context: self, policy: policy)
        inversion.written = written
        inversion.apply(try coordinator.historyTransaction(number, of: step))
        if policy == .refuse, !inversion.conflicts.isEmpty {
            rollback()
            return HistoryPart(transaction: nil, touched: [], conflicts: inversion.conflicts)
        }
        var info = info
        info.groupName = step.name
        do {
            let saved = try save(info)
            return HistoryPart(
                transaction: saved > 0 ? saved : nil,
                touched: inversion.touched,
                conflicts: inversion.conflicts
            )
        } catch {
            rollback()
            throw error
        }
    }
}

extension PersistentStoreCoordinator {
    /// The store whose history is the application's: the first writable one.
    func withHistoryStore<Result>(
        _ body: (any PersistentStore) throws -> Result
    ) rethrows -> Result? {
        try lock.withLock {
            try openStores.first { !$0.isReadOnly }.map(body)
        }
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        try withHistoryStore { try $0.historyTransaction(number) } ?? nil
    }
}
