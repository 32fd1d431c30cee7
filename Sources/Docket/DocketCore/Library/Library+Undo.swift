import DocketFormats
public import ObjectGraph

extension Library {
    /// Undoes the last command, by the interface, a script or another window; in a library on a
    /// server the last one of this user.
    ///
    /// - Returns: the undone step, or `nil` if there is none.
    /// - Throws: `InputError` if a value has been changed since by something that cannot be undone.
    public func undo(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        requireOutsideChange()
        try refresh()
        if policy == .refuse, let outcome = try runLong(.undo) {
            return try checked(outcome, localized("undone"))
        }
        let outcome = try inverting(in: context) { try context.undoLastCommand(onConflict: policy) }
        return try checked(outcome, localized("undone"))
    }

    /// Redoes the command that was undone last.
    public func redo(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        requireOutsideChange()
        try refresh()
        if policy == .refuse, let outcome = try runLong(.redo) {
            return try checked(outcome, localized("redone"))
        }
        let outcome = try inverting(in: context) { try context.redoLastCommand(onConflict: policy) }
        return try checked(outcome, localized("redone"))
    }

    /// The effect of undoing the last commands; `nil` if there is nothing to undo.
    public func previewUndo(
        steps: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try refresh()
        return try context.previewUndo(steps: steps, onConflict: policy)
    }

    /// The effect of redoing the last undone commands; `nil` if there is nothing to redo.
    public func previewRedo(
        steps: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try refresh()
        return try context.previewRedo(steps: steps, onConflict: policy)
    }

    /// Undoes or redoes a step of several transactions, part by part, to the end.
    private func runLong(_ kind: TransactionInfo.Kind) throws -> HistoryOutcome? {
        let steps = kind == .undo ? try undoSteps(limit: 1) : try redoSteps(limit: 1)
        guard let step = steps.first, let command = try longInversion(kind) else { return nil }
        defer { takeOverLongCommand() }
        try advisingRepair { try command.run() }
        return HistoryOutcome(
            step: step,
            objectIDs: [],
            conflicts: command.conflict.map { [$0] } ?? [],
            isDone: command.state == .finished
        )
    }

    private func checked(_ outcome: HistoryOutcome?, _ verb: String) throws -> HistoryOutcome? {
        guard let outcome, !outcome.isDone, let conflict = outcome.conflicts.telling else {
            return outcome
        }
        throw InputError(
            .conflict,
            "\(sentence(of: conflict)), so this was not \(verb): \(outcome.step.phrase). "
                + "Nothing was changed."
        )
    }

    /// The reason against an undo, without a full stop: `"Pay rent" was changed since (due)`.
    public func sentence(of conflict: HistoryConflict) -> String {
        let item = (try? context.existingObject(with: conflict.objectID) as? Item)?.title
        let what = item.map { "\"\($0)\"" } ?? localized("An item")
        return switch conflict.reason {
        case .changedSince: localized("\(what) was changed since (\(conflict.key))")
        case .deletedSince: localized("\(what) was deleted since")
        case .existsAgain: localized("\(what) exists again")
        case .erased:
            localized(
                "The values of \(item.map { "\"\($0)\"" } ?? localized("an item")) were erased"
            )
        }
    }

    /// The commands that can be undone, the next one first.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - ofEveryone: whether to list those of others on a server too, which only they undo.
    /// - Returns: the commands.
    /// - Throws: the store's error.
    public func undoSteps(limit: Int, ofEveryone: Bool = false) throws -> [HistoryStep] {
        try context.undoSteps(limit: limit, ofEveryone: ofEveryone)
    }

    /// Whether undo and redo take a command here: on a server only those of this user.
    public func canUndo(_ step: HistoryStep) -> Bool {
        !isOnServer || step.author == context.transactionAuthor
    }

    /// The commands that can be redone, the next one first.
    public func redoSteps(limit: Int) throws -> [HistoryStep] {
        try context.redoSteps(limit: limit)
    }
}

extension [HistoryConflict] {
    /// The conflict to report: the first one of a content field, not of a time.
    var telling: HistoryConflict? {
        guard let first else { return nil }
        return filter { $0.objectID == first.objectID && $0.key != "modified" }
            .min { $0.key < $1.key } ?? first
    }
}
