import ObjectModel
import ObjectStore

// Relationships without inverse. Nothing of an object leads to those that refer to it, so the end of an
// event looks for them before the object goes. What they lose then is a change like any other: undo, the
// history and other contexts know it.

extension ManagedObjectContext {
    /// Takes deleted objects out of the relationships without inverse that lead to them.
    ///
    /// References to new objects stay until the save; see ``takeOutGone()``.
    ///
    /// - Complexity: one fetch for each such relationship to an entity of the objects; none in a model
    ///   without one.
    func leaveOneWay(_ deleted: [ManagedObject]) {
        let saved = deleted.filter { !$0.objectID.isTemporaryID && !$0.state.isInaccessible }
        if saved.isEmpty { return }
        for relationship in model.entities.flatMap(\.oneWayRelationships) {
            guard let destination = relationship.destination else { continue }
            let members = saved.filter { $0.entity.isKind(of: destination) }
            if members.isEmpty { continue }
            for owner in owners(of: members, in: relationship) where !owner.isDeleted {
                for member in members {
                    if relationship.isToMany {
                        owner.remove(member, fromRelationshipAt: relationship.slot)
                    } else {
                        owner.forget(member, relationship)
                    }
                }
            }
        }
    }

    /// Takes objects whose deletion was saved out of the lists without inverse that were read after
    /// their deletion, and so had them as members that somebody else has added.
    ///
    /// - Complexity: O(registered objects) in a model with such a list of the objects, else O(1).
    func leaveLists(_ deleted: [ManagedObject]) {
        if deleted.isEmpty { return }
        let relationships = model.entities.flatMap(\.oneWayRelationships).filter { relationship in
            guard relationship.isToMany, let destination = relationship.destination else {
                return false
            }
            return deleted.contains { $0.entity.isKind(of: destination) }
        }
        if relationships.isEmpty { return }
        observed.together { leave(relationships, deleted) }
    }

    private func leave(_ relationships: [RelationshipDescription], _ deleted: [ManagedObject]) {
        for owner in registry.objects where !owner.isFault {
            for relationship in relationships {
                guard let entity = relationship.entity, owner.entity.isKind(of: entity),
                    case .opaque(let contents as ToManyContents) = owner.slots[relationship.slot]
                else { continue }
                for member in deleted where contents.isStored(member.objectID) {
                    owner.touchObservers(relationship.slot, .reload)
                    contents.reconcile(member.objectID, isMember: false, isStored: false)
                }
                owner.dropChangesIfClean()
            }
        }
    }

    /// The objects that may lead to one of some objects.
    private func owners(
        of members: [ManagedObject],
        in relationship: RelationshipDescription
    ) -> Set<ManagedObject> {
        guard let entity = relationship.entity else { return [] }
        let ids = members.map(\.objectID)
        var result: Set<ManagedObject> = []
        // Members that were added since the last save are not in the store. What undo took out of the
        // context keeps its members, so that redo brings them back with it.
        for object in pending.objects where !object.isFault && object.entity.isKind(of: entity) {
            guard !object.state.isDetached, object.hasNew(ids, in: relationship) else { continue }
            result.insert(object)
        }
        for start in stride(from: 0, to: ids.count, by: 500) {
            var request = FetchDescription(entityName: entity.name)
            request.includesPendingChanges = false
            request.predicate = .comparison(
                FetchComparison(
                    .keyPath(relationship.name),
                    .in,
                    .constant(
                        .array(ids[start..<min(start + 500, ids.count)].map { .objectID($0) })
                    ),
                    modifier: relationship.isToMany ? .any : .direct
                )
            )
            do {
                result.formUnion(instances(try fetchIDs(request)))
            } catch {
                noteUnread(error)
            }
        }
        return result
    }
}

extension ManagedObject {
    /// Whether a relationship leads to one of some objects since the last save.
    fileprivate final func hasNew(
        _ ids: [ManagedObjectID],
        in relationship: RelationshipDescription
    ) -> Bool {
        switch slots[relationship.slot] {
        case .objectID(let id): ids.contains(id)
        case .opaque(let contents as ToManyContents): !contents.added.isDisjoint(with: ids)
        default: false
        }
    }
}

extension EntityDescription {
    /// The stored relationships without inverse that this entity declares.
    fileprivate var oneWayRelationships: [RelationshipDescription] {
        ownProperties.compactMap { property in
            guard let relationship = property as? RelationshipDescription,
                relationship.inverse == nil, !relationship.isTransient
            else { return nil }
            return relationship
        }
    }
}
