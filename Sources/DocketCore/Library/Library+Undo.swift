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
        if policy == .refuse, let outcome = try runLong(.undo) {
            return try checked(outcome, "undone")
        }
        return try checked(try context.undoLastCommand(onConflict: policy), "undone")
    }

    /// Does the last undone command again.
    package func redo(
        onConflict policy: HistoryConflictPolicy = .refuse
    ) throws -> HistoryOutcome? {
        try refresh()
        if policy == .refuse, let outcome = try runLong(.redo) {
            return try checked(outcome, "redone")
        }
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

    /// Undoes or does again what has several transactions, part by part, to the end.
    private func runLong(_ kind: TransactionInfo.Kind) throws -> HistoryOutcome? {
        let steps = kind == .undo ? try undoSteps(limit: 1) : try redoSteps(limit: 1)
        guard let step = steps.first, let command = try longInversion(kind) else { return nil }
        defer { takeOverLongCommand() }
        try command.run()
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

extension [HistoryConflict] {
    /// The one to tell a person: of the first object, what was changed rather than when.
    var telling: HistoryConflict? {
        guard let first else { return nil }
        return filter { $0.objectID == first.objectID && $0.key != "modified" }
            .min { $0.key < $1.key } ?? first
    }
}
