package import ObjectGraph

extension Library {
    /// Takes the last command back, whoever made it: the interface, a script, another window.
    ///
    /// - Returns: what was undone, or `nil` if there is nothing.
    /// - Throws: `InputError` if a value was changed since by something that cannot be undone.
    package func undo() throws -> HistoryOutcome? {
        try refresh()
        return try checked(try context.undoLastCommand(), "undone")
    }

    /// Does the last undone command again.
    package func redo() throws -> HistoryOutcome? {
        try refresh()
        return try checked(try context.redoLastCommand(), "redone")
    }

    private func checked(_ outcome: HistoryOutcome?, _ verb: String) throws -> HistoryOutcome? {
        guard let outcome, !outcome.isDone, let conflict = outcome.conflicts.first else {
            return outcome
        }
        let item = (try? context.existingObject(with: conflict.objectID) as? Item)?.title
        let what = item.map { "\"\($0)\"" } ?? "An item"
        let key = conflict.key.isEmpty ? "" : " (\(conflict.key))"
        throw InputError(
            .conflict,
            "\(what) was changed since\(key), so \"\(outcome.step.name ?? "the command")\" was not "
                + "\(verb); nothing was changed."
        )
    }

    /// The commands that can be undone, the next one first.
    package func undoSteps(limit: Int) throws -> [HistoryStep] {
        try context.undoSteps(limit: limit)
    }

    /// The commands that can be redone, the next one first.
    package func redoSteps(limit: Int) throws -> [HistoryStep] {
        try context.redoSteps(limit: limit)
    }
}
