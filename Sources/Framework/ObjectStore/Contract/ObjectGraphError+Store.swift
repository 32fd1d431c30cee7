import FoundationEssentials
package import ObjectModel

// Errors that every store throws with the same words.

extension ObjectGraphError {
    /// What was saved after a number is not known; -1 is a place in a store that is no more.
    package static func historyExpired(after number: Int64) -> ObjectGraphError {
        ObjectGraphError(
            .historyExpired,
            number < 0
                ? "A migration has made a new store, whose objects have other IDs, since that place in"
                    + " the history."
                : "The history after number \(number) was deleted, or is not that of this store.",
            recovery: "Read all objects again, and continue from the newest number."
        )
    }

    /// A store that is open for reading only is to be changed.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - purpose: what it would have to be opened for.
    ///   - objectIDs: the objects concerned.
    /// - Returns: the error.
    package static func readOnly(
        _ store: any PersistentStore,
        purpose: String = "to save",
        _ objectIDs: [ManagedObjectID] = []
    ) -> ObjectGraphError {
        if let right = store.missingRight {
            return ObjectGraphError(
                .cannotWrite,
                "You may read this store and not change it: \(right) is missing.",
                recovery: "Nothing was changed; ask the owner of the store for the right.",
                objectIDs: objectIDs
            )
        }
        return ObjectGraphError(
            .cannotWrite,
            "The store \(store.url?.path ?? store.identifier.uuidString) is open for reading only.",
            recovery: store.canBeWritten
                ? "Open it for writing \(purpose)."
                : "Stores of the type \(store.type.rawValue) cannot be written.",
            objectIDs: objectIDs
        )
    }

    /// A store whose numbers for new objects are used up.
    package static func noKeysLeft(_ entity: EntityDescription) -> ObjectGraphError {
        ObjectGraphError(
            .saveFailed,
            "The store has no keys left for \"\(entity.root.name)\".",
            recovery: "Copy its objects to a new store."
        )
    }

    /// The store's type has nothing that could be inspected.
    static var notInspected: ObjectGraphError {
        ObjectGraphError(
            .unsupported,
            "Only SQLite stores can be inspected and repaired.",
            recovery: "A store of another type is checked as a whole when it is opened."
        )
    }

    /// A step of the history is not in a state for undo or redo.
    package static func cannotInvert(_ kind: TransactionInfo.Kind) -> ObjectGraphError {
        ObjectGraphError(
            .undoState,
            kind == .undo
                ? "The step has been already undone, perhaps by another program."
                : "The step cannot be redone: another change came after it.",
            recovery: "Look at the list of steps again."
        )
    }

    /// Objects have the same values under a uniqueness constraint of their entity.
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
            recovery: "Change the values of one of them.",
            objectIDs: ids,
            key: list,
            underlying: underlying
        )
    }
}
