import ObjectModel

// References to new objects that were removed before a save. Without an inverse nothing clears such
// a reference, so it reads as nil, and is saved as nil. Until the save it stays: undo of the
// deletion restores the object, and the reference leads to it again.

extension ManagedObjectContext {
    /// Whether an ID belongs to a new object that was removed.
    @inline(__always)
    func isGone(_ id: ManagedObjectID) -> Bool { id.isTemporaryID && hasLeft(id) }

    private func hasLeft(_ id: ManagedObjectID) -> Bool {
        let id = resolve(id)
        if !id.isTemporaryID || registry.get(id) != nil { return false }
        return parent?.hasLeft(id) ?? true
    }

    /// Whether a reference can lead to a removed object at all.
    var mayHaveGone: Bool { registry.hasGone || parent?.mayHaveGone ?? false }

    /// Clears references to removed objects in the objects of a save.
    ///
    /// - Returns: closures that restore them if the save fails.
    /// - Complexity: O(relationships of pending objects) once a new object was removed, else O(1).
    func takeOutGone() -> [() -> Void] {
        if !mayHaveGone { return [] }
        var putBack: [() -> Void] = []
        for object in pending.objects
        where object.isPending && !object.isDeleted && !object.isFault {
            for relationship in object.entity.relationships {
                let slot = relationship.slot
                switch object.slots[slot] {
                case .objectID(let id) where isGone(id):
                    object.slots[slot] = .null
                    putBack.append {
                        if !object.isFault { object.slots[slot] = .objectID(id) }
                    }
                case .opaque(let contents as ToManyContents):
                    if let undo = contents.takeOut(isGone) { putBack.append(undo) }
                default: break
                }
            }
        }
        return putBack
    }
}
