package import ObjectGraph

extension Library {
    /// Takes the last command back, whoever made it: the interface, a script, another window.
    ///
    /// - Returns: what was undone, or `nil` if there is nothing.
    /// - Throws: `InputError` if a value was changed since by something that cannot be undone.
    package func undo(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        try refresh()
        return try checked(try context.undoLastCommand(onConflict: policy), "undone")
    }

    /// Does the last undone command again.
    package func redo(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        try refresh()
        return try checked(try context.redoLastCommand(onConflict: policy), "redone")
    }

    /// What undo of the last commands would do; `nil` if there is nothing to undo.
    package func previewUndo(
        steps: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try refresh()
        return try context.previewUndo(steps: steps, onConflict: policy)
    }

    /// What redo of the last undone commands would do; `nil` if there is nothing to redo.
    package func previewRedo(
        steps: Int = 1,
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryPreview? {
        try refresh()
        return try context.previewRedo(steps: steps, onConflict: policy)
    }

    private func checked(_ outcome: HistoryOutcome?, _ verb: String) throws -> HistoryOutcome? {
        guard let outcome, !outcome.isDone, let conflict = outcome.conflicts.first else {
            return outcome
        }
        throw InputError(
            .conflict,
            "\(sentence(of: conflict)), so \"\(outcome.step.name ?? "the command")\" was not "
                + "\(verb); nothing was changed."
        )
    }

    /// What stands in the way of an undo, without a full stop: `"Pay rent" was changed since (due)`.
    package func sentence(of conflict: HistoryConflict) -> String {
        let item = (try? context.existingObject(with: conflict.objectID) as? Item)?.title
        let what = item.map { "\"\($0)\"" } ?? "An item"
        return switch conflict.reason {
        case .changedSince: "\(what) was changed since (\(conflict.key))"
        case .deletedSince: "\(what) was deleted since"
        case .existsAgain: "\(what) is there again"
        case .erased: "What \(item.map { "\"\($0)\"" } ?? "it") held was erased for good"
        }
    }

    /// The commands that can be undone, the next one first.
    package func undoSteps(limit: Int) throws -> [HistoryStep] {
        try context.undoSteps(limit: limit)
    }

    /// How many commands can be undone, counted no further than a limit.
    package func undoStepCount(limit: Int) throws -> Int {
        try context.undoStepCount(limit: limit)
    }

    /// The commands that can be redone, the next one first.
    package func redoSteps(limit: Int) throws -> [HistoryStep] {
        try context.redoSteps(limit: limit)
    }
}
