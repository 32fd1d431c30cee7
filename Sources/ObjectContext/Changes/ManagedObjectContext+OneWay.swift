import ObjectModel
import ObjectStore

// To-many relationships without inverse. Nothing of a member leads to the lists that hold it, so the
// end of an event looks for them before an object goes. The membership then is a change of the list's
// owner like any other: undo, the history and other contexts know it.

extension ManagedObjectContext {
    /// Takes deleted objects out of the to-many relationships without inverse that hold them.
    ///
    /// New objects stay in them until the save; see ``takeOutGone()``.
    ///
    /// - Complexity: one fetch for each such relationship to an entity of the objects; none in a model
    ///   without one.
    func leaveOneWayLists(_ deleted: [ManagedObject]) {
        let saved = deleted.filter { !$0.objectID.isTemporaryID && !$0.state.isInaccessible }
        if saved.isEmpty { return }
        for relationship in model.entities.flatMap(\.oneWayLists) {
            guard let destination = relationship.destination else { continue }
            let members = saved.filter { $0.entity.isKind(of: destination) }
            if members.isEmpty { continue }
            for owner in owners(of: members, in: relationship) where !owner.isDeleted {
                for member in members {
                    owner.remove(member, fromRelationshipAt: relationship.slot)
                }
            }
        }
    }

    /// The objects whose list may hold one of some objects.
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
            guard !object.state.isDetached,
                case .opaque(let contents as ToManyContents) = object.slots[relationship.slot],
                !contents.added.isDisjoint(with: ids)
            else { continue }
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
                    modifier: .any
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

extension EntityDescription {
    /// The stored to-many relationships without inverse that this entity declares.
    fileprivate var oneWayLists: [RelationshipDescription] {
        ownProperties.compactMap { property in
            guard let relationship = property as? RelationshipDescription, relationship.isToMany,
                relationship.inverse == nil, !relationship.isTransient
            else { return nil }
            return relationship
        }
    }
}
