import ObjectModel
import ObjectStore

// After a merge, the to-many relationships that were read have the members that the store has.
//
// Who is a member of a one-to-many relationship is in the member's row, and who it was before is
// nowhere. So every list in memory is compared with the rows of the changed objects, which costs
// nothing for each member that has not changed; pending changes stay on top. Where a changed object is
// realised, its own side decides (`takeStoreValues` has read it again before).

extension ManagedObjectContext {
    /// More changed objects than this are not looked up one by one: the lists are read again.
    private static let lookupLimit = 1000

    /// A to-many relationship of an object that is in memory.
    private struct List {
        let owner: ManagedObject
        let contents: ToManyContents
    }

    /// Compares the lists in memory with the changes of others, within a batch of observers.
    ///
    /// - Complexity: O(registered objects + changes); the statements of
    ///   ``mergeChanges(_:)-(ObjectIDChanges)``.
    func freshenLists(after changes: ObjectIDChanges, unasked: Bool) {
        let changed = changes.inserted.union(changes.updated).union(changes.deleted)
        if changed.isEmpty { return }
        let entities = Set(changed.lazy.map(\.entityNumber))
        for (relationship, lists) in lists(ofMembersIn: entities) {
            do {
                try freshen(lists, relationship, changed, changes)
            } catch {
                // What cannot be read now is read at the next access, or reports its error there.
                for list in lists { readAgain(list) }
            }
        }
        if unasked { return }
        // The program has decided: its own order goes on top of the merged one.
        for id in changed {
            guard let object = registry.get(id), !object.isFault else { continue }
            for relationship in object.entity.relationships where relationship.isOrdered {
                if case .opaque(let contents as ToManyContents) = object.slots[relationship.slot] {
                    contents.unload()
                }
            }
        }
    }

    /// The lists in memory whose members may be of some entities.
    private func lists(
        ofMembersIn entities: Set<UInt16>
    ) -> [(relationship: RelationshipDescription, lists: [List])] {
        var places: [ObjectIdentifier: Int] = [:]
        var result: [(relationship: RelationshipDescription, lists: [List])] = []
        var concerned: [UInt16: [RelationshipDescription]] = [:]
        for object in registry.objects {
            let number = object.objectID.entityNumber
            if concerned[number] == nil {
                concerned[number] = object.entity.relationships.filter { $0.mayHold(entities) }
            }
            guard let relationships = concerned[number], !relationships.isEmpty, !object.isFault,
                !object.isInserted, !object.state.isInaccessible
            else { continue }
            for relationship in relationships {
                guard
                    case .opaque(let contents as ToManyContents) = object.slots[relationship.slot],
                    contents.isLoaded
                else { continue }
                let list = List(owner: object, contents: contents)
                if let place = places[ObjectIdentifier(relationship)] {
                    result[place].lists.append(list)
                } else {
                    places[ObjectIdentifier(relationship)] = result.count
                    result.append((relationship, [list]))
                }
            }
        }
        return result
    }

    private func freshen(
        _ lists: [List],
        _ relationship: RelationshipDescription,
        _ changed: Set<ManagedObjectID>,
        _ changes: ObjectIDChanges
    ) throws {
        guard let inverse = relationship.inverse, let destination = relationship.destination,
            parent == nil, changed.count <= Self.lookupLimit
        else { return try compare(lists, relationship) }
        let ids = changed.filter { id in
            guard destination.number <= id.entityNumber, id.entityNumber <= destination.lastNumber
            else { return false }
            // A deletion may be postponed, because of pending changes of the object.
            guard changes.deleted.contains(id), let object = registry.get(id) else { return true }
            return object.isFault || object.state.hasLostRow
        }
        if ids.isEmpty { return }
        let present = Array(ids.subtracting(changes.deleted)).sorted()
        var owners: [ManagedObjectID: Set<ManagedObjectID>] = [:]
        if inverse.isToMany {
            for (id, found) in zip(present, try readDestinations(of: inverse, owners: present)) {
                for owner in found { owners[owner, default: []].insert(id) }
            }
        } else {
            source.loadRows(present)
            for id in present {
                let owner =
                    if let object = realised(id) { object.savedReference(inverse.slot) } else {
                        source.reference(inverse.slot, of: id)
                    }
                guard let owner else { continue }
                owners[owner, default: []].insert(id)
            }
        }
        for list in lists { update(list, ids, owners[list.owner.objectID] ?? []) }
    }

    /// Updates a list by those of the changed objects that are its members in the store now.
    private func update(
        _ list: List,
        _ ids: Set<ManagedObjectID>,
        _ members: Set<ManagedObjectID>
    ) {
        let contents = list.contents
        let joined = members.filter { !contents.isStored($0) }
        let known = contents.members.count + contents.removed.count
        let left =
            known < ids.count
            ? contents.members.union(contents.removed).filter {
                ids.contains($0) && !members.contains($0) && contents.isStored($0)
            }
            : ids.filter { !members.contains($0) && contents.isStored($0) }
        if joined.isEmpty, left.isEmpty { return }
        if contents.isOrdered { return readAgain(list) }
        list.owner.touchObservers(contents.relationship.slot, .reload)
        for (ids, isStored) in [(joined, true), (left, false)] {
            for id in ids {
                let isMember =
                    isMember(id, of: list) ?? (isStored && !contents.removed.contains(id))
                contents.reconcile(id, isMember: isMember, isStored: isStored)
            }
        }
        noteFreshened(list)
    }

    /// What a realised object's own to-one side says; `nil` if there is none.
    private func isMember(_ id: ManagedObjectID, of list: List) -> Bool? {
        guard let inverse = list.contents.relationship.inverse, !inverse.isToMany else {
            return nil
        }
        return realised(id).map { $0.reference(inverse.slot) == list.owner.objectID }
    }

    private func realised(_ id: ManagedObjectID) -> ManagedObject? {
        guard let object = registry.get(id), !object.isFault, !object.state.isInaccessible else {
            return nil
        }
        return object
    }

    /// Reads the members of some lists from the level below, in one query, and compares.
    private func compare(_ lists: [List], _ relationship: RelationshipDescription) throws {
        let found = try readDestinations(of: relationship, owners: lists.map(\.owner.objectID))
        for (list, stored) in zip(lists, found) {
            let known = list.contents.storedMembers
            let isSame = relationship.isOrdered ? known == stored : Set(known) == Set(stored)
            if !isSame { readAgain(list) }
        }
    }

    private func readAgain(_ list: List) {
        list.owner.touchObservers(list.contents.relationship.slot, .reload)
        list.contents.unload(keepingBasis: true)
        noteFreshened(list)
    }

    private func noteFreshened(_ list: List) {
        let owner = list.owner
        owner.dropChangesIfClean()
        // The delete rules have not seen the members that joined.
        if owner.isDeleted { owner.state.makeDeleteRulesDue() }
        var slots = SlotSet()
        slots.insert(list.contents.relationship.slot)
        pending.refresh(owner, changing: slots)
    }
}

extension RelationshipDescription {
    /// Whether this is a to-many relationship whose members may change with objects of some entities.
    fileprivate func mayHold(_ entities: Set<UInt16>) -> Bool {
        guard isToMany, !isTransient, let destination else { return false }
        // Without an inverse, a list takes members from others, which only its owner knows.
        let owner = inverse == nil ? entity : nil
        return entities.contains { number in
            (destination.number <= number && number <= destination.lastNumber)
                || (owner.map { $0.number <= number && number <= $0.lastNumber } ?? false)
        }
    }
}

extension PersistentStoreCoordinator {
    /// The destination of a to-one relationship in a cached row.
    func reference(_ slot: Int, of id: ManagedObjectID) -> ManagedObjectID? {
        references(slot, of: [id]).first
    }
}
