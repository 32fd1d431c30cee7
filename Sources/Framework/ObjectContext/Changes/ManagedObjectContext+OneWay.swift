import ObjectModel

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

    /// What the lists without inverse of some objects have taken since the last save.
    ///
    /// - Complexity: O(objects) in a model with such a list, else O(1).
    func takings(of objects: [ManagedObject]) -> [OneWayTaking] {
        if parent != nil { return [] }
        var result: [OneWayTaking] = []
        for relationship in model.listsWithoutInverse {
            for owner in objects where !owner.isDeleted {
                guard let added = owner.contentsInMemory(relationship)?.added, !added.isEmpty else {
                    continue
                }
                result.append(
                    OneWayTaking(relationship: relationship, owner: owner, members: added)
                )
            }
        }
        return result
    }

    /// Takes objects out of the lists in memory that a save has taken them from: those whose deletion
    /// was saved, and those that are in another list without inverse now, because their row has place
    /// for one owner.
    ///
    /// - Complexity: O(registered objects) in a model with a list without inverse of the objects, else
    ///   O(deleted objects and their links in memory).
    func leaveLists(_ deleted: [ManagedObject], _ takings: [OneWayTaking]) {
        if deleted.isEmpty && takings.isEmpty { return }
        // A merge policy may have brought back on the other side what delete rules had taken away.
        observed.together { for object in deleted { leaveOthers(object) } }
        for relationship in model.listsWithoutInverse {
            let gone = deleted.filter { object in
                relationship.destination.map { object.entity.isKind(of: $0) } ?? false
            }
            var leaving = Dictionary(
                gone.map { ($0.objectID, ObjectIdentifier?.none) },
                uniquingKeysWith: { first, _ in first }
            )
            for taking in takings where taking.relationship === relationship {
                for id in taking.members { leaving[resolve(id)] = ObjectIdentifier(taking.owner) }
            }
            if !leaving.isEmpty { observed.together { leave(relationship, leaving) } }
        }
    }

    private func leaveOthers(_ object: ManagedObject) {
        for relationship in object.entity.relationships {
            guard let inverse = relationship.inverse, inverse.isToMany else { continue }
            for id in linked(object, by: relationship) {
                guard let other = registry.get(id), let list = other.contentsInMemory(inverse),
                    list.isStored(object.objectID)
                else { continue }
                other.touchObservers(inverse.slot, .reload)
                list.reconcile(object.objectID, isMember: false, isStored: false)
                other.dropChangesIfClean()
            }
        }
    }

    /// Takes members out of the lists of all owners but that of each.
    private func leave(
        _ relationship: RelationshipDescription,
        _ members: [ManagedObjectID: ObjectIdentifier?]
    ) {
        for owner in registry.objects {
            guard let contents = owner.contentsInMemory(relationship) else { continue }
            for (id, keeper) in members
            where keeper != ObjectIdentifier(owner) && contents.isStored(id) {
                owner.touchObservers(relationship.slot, .reload)
                contents.reconcile(id, isMember: false, isStored: false)
            }
            owner.dropChangesIfClean()
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

/// Members that were added to an owner's list without inverse.
struct OneWayTaking {
    let relationship: RelationshipDescription
    let owner: ManagedObject
    let members: Set<ManagedObjectID>
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

extension ManagedObjectModel {
    /// The stored to-many relationships without inverse.
    fileprivate var listsWithoutInverse: [RelationshipDescription] {
        entities.flatMap(\.oneWayRelationships).filter(\.isToMany)
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
