import ObjectModel

// References to new objects that left before they were saved. Without an inverse nothing takes such
// a reference out, so it is read as nil, and saved as nil. It stays until then: undo of the deletion
// brings the object back, and the reference leads to it again.

extension ManagedObjectContext {
    /// Whether an ID is that of a new object that has left.
    @inline(__always)
    func isGone(_ id: ManagedObjectID) -> Bool { id.isTemporaryID && hasLeft(id) }

    private func hasLeft(_ id: ManagedObjectID) -> Bool {
        let id = resolve(id)
        if !id.isTemporaryID || identity.get(id) != nil { return false }
        return parent?.hasLeft(id) ?? true
    }

    /// Those of some IDs that are not gone.
    func present(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
        mayHaveGone ? ids.filter { !isGone($0) } : ids
    }

    /// Whether any reference can be to an object that is gone.
    var mayHaveGone: Bool { hasGone || parent?.mayHaveGone ?? false }

    /// Takes references to what is gone out of the objects to save.
    ///
    /// - Returns: what puts them back, should the save fail.
    /// - Complexity: O(relationships of pending objects) once a new object has left, else O(1).
    func takeOutGone() -> [() -> Void] {
        if !mayHaveGone { return [] }
        var putBack: [() -> Void] = []
        for object in pending
        where object.isPending && object.flags & (ObjectFlags.deleted | ObjectFlags.fault) == 0 {
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
