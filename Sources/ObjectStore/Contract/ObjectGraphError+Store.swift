package import ObjectModel

// What every store says in the same words.

extension ObjectGraphError {
    /// Transactions after a number were deleted.
    package static func historyExpired(after number: Int64) -> ObjectGraphError {
        ObjectGraphError(
            .historyExpired,
            "The history after number \(number) is not kept any more.",
            recovery: "Read the objects anew, and go on from the newest number."
        )
    }

    /// A step of the history is not in a state for undo or redo.
    package static func cannotInvert(_ kind: TransactionInfo.Kind) -> ObjectGraphError {
        ObjectGraphError(
            .undoState,
            kind == .undo
                ? "The step has been undone already, perhaps by another program."
                : "The step cannot be redone any more: another change came after it.",
            recovery: "Look at the list of steps again."
        )
    }

    /// Objects share values that a constraint of their entity wants to be unique.
    package static func notUnique(
        _ names: [String],
        of entity: EntityDescription,
        _ ids: [ManagedObjectID],
        underlying: [any Error] = []
    ) -> ObjectGraphError {
        let list = names.joined(separator: ", ")
        return ObjectGraphError(
            .constraintConflict,
            names.count == 1
                ? "There is another \(entity.name) with the same \(list)."
                : "There is another \(entity.name) with the same values for \(list).",
            recovery: "Change one of them.",
            objectIDs: ids,
            key: list,
            underlying: underlying
        )
    }
}
