import ObjectModel

// Deleting, in two steps: `delete` marks the object; the end of the event applies delete rules to
// its relationships, which may delete more objects, until none is left.

extension ManagedObjectContext {
    /// Marks an object for deletion; the next save deletes its row.
    ///
    /// Relationships follow their delete rules at the end of the event. The object stays
    /// readable until the save. Deleting it again does nothing.
    public func delete(_ object: ManagedObject) {
        Misuse.trap(
            unless: object.context === self || object.context == nil,
            "\(object) belongs to \(object.home), so \(label) cannot delete it. Pass its objectID."
        )
        guard object.context === self, !object.isDeleted else { return }
        let use = beginUse()
        defer { endUse(use) }
        object.prepareForDeletion()
        // History, undo and readers need the values until the save.
        if object.isFault { object.fireFault() }
        if object.state.isInaccessible { return }
        pending.delete(object)
    }

    /// Applies delete rules to the objects that were deleted in this event, also to those that the
    /// rules delete; and first to some that were deleted in earlier events.
    func propagateDeletes(_ late: [ManagedObject] = []) {
        if late.isEmpty, pending.event.deleted.isEmpty { return }
        observed.together { applyDeleteRules(late) }
    }

    private func applyDeleteRules(_ late: [ManagedObject]) {
        for object in late { applyDeleteRules(of: object) }
        var index = 0
        var batched = 0
        while index < pending.event.deleted.count {
            if index == batched {
                batch(pending.event.deleted[index...])
                batched = pending.event.deleted.count
            }
            applyDeleteRules(of: pending.event.deleted[index])
            index += 1
        }
        leaveOneWay(late + pending.event.deleted)
    }

    /// Objects that are deleted together read their relationships together, even if they come from
    /// different fetches.
    private func batch(_ objects: ArraySlice<ManagedObject>) {
        // What cannot be read now is reported where it is needed.
        try? source.learn(objects.map(\.objectID))
        if objects.count < 2 { return }
        let single = objects.filter { $0.batch == nil && !$0.objectID.isTemporaryID }
        for (_, members) in Dictionary(grouping: single, by: { $0.objectID.entityNumber }) {
            makeBatches(of: members)
        }
    }

    private func applyDeleteRules(of object: ManagedObject) {
        guard object.state.takeDeleteRules() else { return }
        for relationship in object.entity.relationships where !relationship.isTransient {
            propagate(object, relationship)
        }
    }

    private func propagate(_ object: ManagedObject, _ relationship: RelationshipDescription) {
        if relationship.deleteRule == .noAction || relationship.deleteRule == .deny {
            // An object that was to be inserted again leaves nothing: somebody may have its row back.
            if !object.isInserted || object.objectID.isTemporaryID { return }
        }
        let inverse = relationship.inverse
        for destination in object.destinationObjects(relationship) {
            // When undo restores an object, others may have left it before.
            if let inverse, !destination.refers(to: object, by: inverse) { continue }
            if relationship.deleteRule == .cascade { delete(destination) }
            if let inverse, !destination.isDeleted {
                destination.forget(object, inverse)
            }
        }
    }
}

extension ManagedObject {
    /// The destinations of a relationship as objects, whether to-one or to-many.
    final func destinationObjects(_ relationship: RelationshipDescription) -> [ManagedObject] {
        if relationship.isToMany {
            return orderedToMany(ManagedObject.self, at: relationship.slot)
        }
        return toOne(ManagedObject.self, at: relationship.slot).map { [$0] } ?? []
    }

    /// Whether a relationship of this object leads to another one, as far as is known without
    /// reading.
    fileprivate final func refers(
        to object: ManagedObject,
        by relationship: RelationshipDescription
    ) -> Bool {
        relationship.isToMany
            ? contents(relationship).contains(object.objectID) != false
            : reference(relationship.slot) == object.objectID
    }
}
