public import ObjectModel
public import ObjectStore

// Undo and redo of saved commands. The store's history has the next command; its inverse is applied
// to a context and saved as a new transaction. So the history only grows, and other contexts and
// processes see an undo like any other change.

/// What to do where somebody has changed a value since the command that is to be undone.
public enum HistoryConflictPolicy: Sendable {
    /// Change nothing and report.
    case refuse
    /// Do not change those values, undo the rest.
    case skip
    /// Undo them too.
    case overwrite
}

/// A value that has changed since the command.
public struct HistoryConflict: Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The property has another value now.
        case changedSince
        /// The object was deleted.
        case deletedSince
        /// The object exists again.
        case existsAgain
        /// The values of the change were erased from the history.
        case erased
    }

    public let objectID: ManagedObjectID
    /// The property; empty for the whole object.
    public let key: String
    public let reason: Reason
}

/// The result of an undo or a redo.
public struct HistoryOutcome {
    /// The command.
    public let step: HistoryStep
    /// The objects that it changed and that still exist.
    public let objectIDs: [ManagedObjectID]
    /// Values that were not changed or, under ``HistoryConflictPolicy/refuse``, prevented the undo.
    public let conflicts: [HistoryConflict]
    /// Whether anything was changed.
    public let isDone: Bool

    public init(
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
    /// The commands that undo would revert, the next one first.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - ofEveryone: whether to list those of other authors too, although this context does not
    ///     undo them; see ``PersistentStoreCoordinator/undoesByAuthor``.
    /// - Returns: the commands.
    /// - Throws: the store's error, or `ObjectGraphError` for a negative limit.
    public func undoSteps(limit: Int = 50, ofEveryone: Bool = false) throws -> [HistoryStep] {
        try RequestCheck.refuseNegative(limit, "limit of the steps to undo")
        try coordinator.checkAnyStoreIsOpen()
        let author = ofEveryone ? nil : undoAuthor
        return try coordinator.withHistoryStore { try $0.undoSteps(limit: limit, by: author) } ?? []
    }

    /// Whose commands undo and redo take; `nil` for everybody's.
    private var undoAuthor: String? { coordinator.undoesByAuthor ? transactionAuthor : nil }

    /// The commands that redo would perform again, the next one first.
    ///
    /// - Throws: the store's error, or `ObjectGraphError` for a negative limit.
    public func redoSteps(limit: Int = 50) throws -> [HistoryStep] {
        try RequestCheck.refuseNegative(limit, "limit of the steps to redo")
        try coordinator.checkAnyStoreIsOpen()
        return try coordinator.withHistoryStore { try $0.redoSteps(limit: limit, by: undoAuthor) }
            ?? []
    }

    /// Undoes the last saved command, by any program, or by any program of its author where undo is
    /// by author (``PersistentStoreCoordinator/undoesByAuthor``).
    ///
    /// Returns `nil` if there is none.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the context
    ///   has unsaved changes, or the store's error; nothing is changed then.
    /// - Complexity: O(changes in the command).
    public func undoLastCommand(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        try inverting(.undo, policy) { try undoSteps(limit: 1).first }
    }

    /// Inverts a step; once more, if others have saved what the choice of the step did not know.
    private func inverting(
        _ kind: TransactionInfo.Kind,
        _ policy: HistoryConflictPolicy,
        _ step: () throws -> HistoryStep?
    ) throws -> HistoryOutcome? {
        guard let chosen = try step() else { return nil }
        do { return try invert(chosen, as: kind, policy) } catch is OldKnowledge {
            let changes = try chosen.transactions.flatMap {
                try coordinator.historyTransaction($0)?.changes ?? []
            }
            coordinator.forgetRows(changes.map(\.objectID))
            for change in changes {
                if let object = registeredObject(for: change.objectID) {
                    refresh(object, mergeChanges: false)
                }
            }
        }
        return try step().map { try invert($0, as: kind, policy) }
    }

    /// Undoes the last saved command if that has the effect of a preview.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the store has
    ///   changed since, so that the effect would be another one; nothing is changed then.
    public func undoLastCommand(
        expecting preview: HistoryPreview,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = preview.steps.first else { return nil }
        return try expecting(preview, try previewUndo(onConflict: policy)) {
            try invert(step, as: .undo, policy)
        }
    }

    /// Redoes the command that was undone last.
    ///
    /// Returns `nil` if there is none.
    ///
    /// - Throws: as ``undoLastCommand(onConflict:)``.
    public func redoLastCommand(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        try inverting(.redo, policy) { try redoSteps(limit: 1).first }
    }

    /// Redoes the command that was undone last if that has the effect of a preview.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the store has
    ///   changed since.
    public func redoLastCommand(
        expecting preview: HistoryPreview,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        guard let step = preview.steps.first else { return nil }
        return try expecting(preview, try previewRedo(onConflict: policy)) {
            try invert(step, as: .redo, policy)
        }
    }

    /// Performs a command if a new preview equals the given one.
    ///
    /// A write between this check and the save is a conflict of the save, which no merge policy may
    /// resolve.
    private func expecting(
        _ preview: HistoryPreview,
        _ now: HistoryPreview?,
        _ body: () throws -> HistoryOutcome
    ) throws -> HistoryOutcome {
        if preview.steps.count > 1 {
            throw ObjectGraphError(
                .invalidRequest,
                "The preview is of \(preview.steps.count) commands; undo and redo take one command.",
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
        } catch is OldKnowledge {
            throw changedSince(preview, nil)
        }
    }

    private func changedSince(
        _ preview: HistoryPreview,
        _ error: ObjectGraphError?
    ) -> ObjectGraphError {
        ObjectGraphError(
            .undoState,
            "The store has changed since the preview of \"\(preview.steps.first?.name ?? "a change")\""
                + "; nothing was undone or redone.",
            recovery: "Make a new preview.",
            underlying: error.map { [$0] } ?? []
        )
    }

    private func invert(
        _ step: HistoryStep,
        as kind: TransactionInfo.Kind,
        _ policy: HistoryConflictPolicy
    ) throws -> HistoryOutcome {
        var info = TransactionInfo()
        info.kind = kind
        info.target = step.command
        let whole = try invert(step.transactions, of: step, info, policy)
        // It is done; what cannot be asked now may be there.
        var present = (try? coordinator.existing(whole.touched)) ?? Set(whole.touched)
        return HistoryOutcome(
            step: step,
            objectIDs: whole.touched.filter { present.remove($0) != nil },
            conflicts: whole.conflicts,
            isDone: whole.transaction != nil
        )
    }
}

/// The result of inverting some transactions of a step.
public struct HistoryPart {
    /// The number of the new transaction; `nil` if there was nothing to change.
    public let transaction: Int64?
    /// The objects that were changed; one may be there several times.
    public let touched: [ManagedObjectID]
    public let conflicts: [HistoryConflict]
}

extension ManagedObjectContext {
    /// Inverts one transaction of a step and saves that as part of an undo or a redo; `info` says
    /// which one, and which part it continues.
    ///
    /// A step that is too large for one save is inverted in parts by this.
    ///
    /// - Returns: the result. With conflicts under ``HistoryConflictPolicy/refuse`` nothing is
    ///   changed.
    public func invert(
        _ number: Int64,
        of step: HistoryStep,
        _ info: TransactionInfo,
        _ policy: HistoryConflictPolicy
    ) throws -> HistoryPart {
        try invert([number], of: step, info, policy)
    }

    /// Inverts transactions of a step, newest first, in one save.
    private func invert(
        _ numbers: [Int64],
        of step: HistoryStep,
        _ info: TransactionInfo,
        _ policy: HistoryConflictPolicy
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
        // An object that undo restores must not be merged into another one.
        constraintPolicy = .error
        isInverting = true
        defer {
            isInverting = false
            undoManager = undo
            constraintPolicy = usual
        }
        var inversion = HistoryInversion(context: self, policy: policy)
        var info = info
        info.groupName = step.name
        do {
            for number in numbers {
                inversion.apply(try coordinator.historyTransaction(number, of: step))
            }
            if policy == .refuse, !inversion.conflicts.isEmpty {
                rollback()
                return HistoryPart(transaction: nil, touched: [], conflicts: inversion.conflicts)
            }
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
            // Who may only read a shared store sees what others have done.
            let store =
                openStores.first { !$0.isReadOnly } ?? openStores.first { $0.missingRight != nil }
            return try store.map(body)
        }
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        try withHistoryStore { try $0.historyTransaction(number) } ?? nil
    }
}
