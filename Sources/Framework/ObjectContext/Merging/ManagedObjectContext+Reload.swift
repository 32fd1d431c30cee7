import ObjectModel
import ObjectStore

// Reading an object again under its pending changes: for a refresh, a merge and a merge policy.
//
// Definitions, for each slot: *base* is the value that was read before, *mine* the value here,
// *theirs* the store's value now. A pending change is a difference between mine and base. After a
// reload theirs is the base, and mine is either kept or replaced by theirs.
//
// A context that follows others reloads without a request of the program, so it must not decide:
// the old base and version stay beside the new ones as the object's `ReadBasis`, until a save has
// found the conflict and the merge policy has decided, or the program refreshes the object.

/// The values here that a reload keeps.
enum ReloadPolicy {
    case nothing
    /// Values that were changed here.
    case changedHere
    /// Values that were changed here and not in the store.
    case changedHereAlone
    case everything
}

extension ManagedObjectContext {
    /// Reads an object's row again and applies the values to keep, as pending changes.
    ///
    /// Does nothing for a fault, and for an object without a row. With `membersToo`, to-many
    /// relationships are read again as well. `unasked` keeps the old base for the next save to
    /// compare.
    ///
    /// - Returns: whether there was a row to read.
    @discardableResult
    func takeStoreValues(
        _ object: ManagedObject,
        keeping policy: ReloadPolicy,
        membersToo: Bool = true,
        unasked: Bool = false
    ) throws -> Bool {
        try observed.together {
            object.touchAllObservers()
            return try takeNewValues(object, policy, membersToo: membersToo, unasked: unasked)
        }
    }

    private func takeNewValues(
        _ object: ManagedObject,
        _ policy: ReloadPolicy,
        membersToo: Bool,
        unasked: Bool
    ) throws -> Bool {
        if object.isFault || object.isInserted { return false }
        guard let (theirs, version) = try freshSlots(of: object) else { return false }
        if policy == .nothing { dropLinkChanges(of: object) }
        let count = object.slotCount
        let mine = object.slots
        let base = object.changes?.snapshot
        let primitive = object.changes?.primitive ?? SlotSet()
        let read = object.changes?.basis
        let basis = ReadBasis(version: read?.version ?? object.version)
        var kept: [Int] = []
        var changed = SlotSet()
        var moved: [MovedReference] = []
        for property in object.entity.slots {
            let slot = property.slot
            let relationship = property as? RelationshipDescription
            // The result of a fetched property is dropped.
            if property is FetchedPropertyDescription { continue }
            if property.isTransient || relationship?.isToMany ?? false {
                theirs[slot] = mine[slot]
                if membersToo, case .opaque = mine[slot] { changed.insert(slot) }
                continue
            }
            let known = base.map { $0[slot] } ?? mine[slot]
            let old = read?.values[slot] ?? known
            let isMine = policy.keeps(mine: mine[slot], base: old, theirs: theirs[slot])
            if isMine {
                kept.append(slot)
                basis.values[slot] = old
            } else if !mine[slot].isIdentical(to: theirs[slot]) {
                changed.insert(slot)
            }
            if let relationship, relationship.inverse != nil {
                let move = MovedReference(
                    relationship: relationship,
                    base: reference(known),
                    mine: reference(mine[slot]),
                    theirs: reference(theirs[slot]),
                    result: reference(isMine ? mine[slot] : theirs[slot])
                )
                if !move.isNothing { moved.append(move) }
            }
        }
        let isNewer = read != nil || version != object.version || parent != nil
        let isDeleted = object.isDeleted
        object.changes = nil
        object.state.dropChanges()
        object.version = version
        object.slots = theirs
        for slot in kept {
            object.trackChanges().sinceSave.insert(slot)
            if primitive.contains(slot) { object.trackChanges().primitive.insert(slot) }
            object.slots[slot] = mine[slot]
        }
        SlotMemory.free(mine, count: count)
        refreshContents(of: object, unloading: membersToo, keepingBasis: unasked)
        if membersToo, object.isDeleted { object.state.makeDeleteRulesDue() }
        if object.changes != nil {
            pending.update(object)
        }
        if unasked, isNewer, isDeleted || !kept.isEmpty { object.trackChanges().basis = basis }
        for move in moved { reconcile(object, move) }
        pending.refresh(object, changing: changed)
        return true
    }

    private func freshSlots(
        of object: ManagedObject
    ) throws -> (slots: UnsafeMutablePointer<GraphValue>, version: Int64)? {
        let fresh = SlotMemory.make(object.slotCount)
        var version: Int64?
        defer { if version == nil { SlotMemory.free(fresh, count: 0) } }
        version = try readValues(
            object.objectID,
            object.entity,
            batch: nil,
            staleness: nil,
            into: fresh
        )
        return version.map { (fresh, $0) }
    }

    private func reference(_ value: GraphValue) -> ManagedObjectID? {
        guard case .objectID(let id) = value, !isGone(id) else { return nil }
        return resolve(id)
    }

    /// Lets to-many relationships be read again at the next access; pending changes stay.
    private func refreshContents(of object: ManagedObject, unloading: Bool, keepingBasis: Bool) {
        for relationship in object.entity.relationships where relationship.isToMany {
            guard case .opaque(let contents as ToManyContents) = object.slots[relationship.slot]
            else { continue }
            if unloading { contents.unload(keepingBasis: keepingBasis) }
            if contents.isChangedSinceSave {
                object.trackChanges().sinceSave.insert(relationship.slot)
            }
        }
    }

    /// Reverts the pending links of an object on their other sides, before it drops its own.
    ///
    /// Of a deleted object all references are restored, because its delete rules took them away on
    /// the other side only.
    func revertLinks(of object: ManagedObject) {
        if object.isFault || object.state.isInaccessible { return }
        if object.isDeleted { object.dropLostMembers() }
        dropLinkChanges(of: object)
        if object.isDeleted { restorePairs(of: object) }
        let snapshot = object.changes?.snapshot
        for relationship in object.entity.relationships
        where !relationship.isToMany && !relationship.isTransient && relationship.inverse != nil {
            let mine = reference(object.slots[relationship.slot])
            let base = snapshot.map { reference($0[relationship.slot]) } ?? mine
            if base == mine, !object.isDeleted { continue }
            // What is read next is compared with this side.
            if let snapshot { object.slots[relationship.slot] = snapshot[relationship.slot] }
            if relationship.inverse?.isToMany == false {
                revertOneToOne(object, relationship, from: mine, to: base)
                continue
            }
            let move = MovedReference(
                relationship: relationship,
                base: base,
                mine: mine,
                theirs: base,
                result: base
            )
            reconcile(object, move)
        }
    }

    /// Reverts the other side of a one-to-one relationship, below undo: what its row holds is what
    /// the next save compares.
    private func revertOneToOne(
        _ object: ManagedObject,
        _ relationship: RelationshipDescription,
        from mine: ManagedObjectID?,
        to base: ManagedObjectID?
    ) {
        guard let inverse = relationship.inverse else { return }
        func partner(_ id: ManagedObjectID?) -> ManagedObject? {
            let known = id.flatMap { registry.get($0) }
            return known?.isFault == false && known !== object ? known : nil
        }
        if mine != base, let former = partner(mine),
            former.reference(inverse.slot) == object.objectID
        {
            former.takeReference(nil, at: inverse.slot)
        }
        // A partner that was read again since may lead elsewhere.
        guard let partner = partner(base), !partner.isDeleted,
            partner.savedReference(inverse.slot) == object.objectID
        else { return }
        let other = partner.reference(inverse.slot)
        if other == object.objectID { return }
        if let other = other.flatMap({ registry.get($0) }), !other.isFault {
            other.takeReference(nil, at: relationship.slot)
        }
        partner.takeReference(object.objectID, at: inverse.slot)
    }

    /// Reverts the pending changes of relationships that the object's own row does not hold, on
    /// both sides.
    ///
    /// A one-to-many relationship follows its members' rows instead.
    private func dropLinkChanges(of object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany {
            guard case .opaque(let contents as ToManyContents) = object.slots[relationship.slot],
                relationship.inverse?.isToMany != false
            else { continue }
            let (added, removed) = (contents.added, contents.removed)
            let isLoaded = contents.isLoaded
            contents.rollback()
            guard let inverse = relationship.inverse else { continue }
            // A relationship may be its own inverse, and an object its own member.
            for id in added where id != object.objectID {
                reconcile(id, inverse, object, isMember: false)
            }
            for id in removed where id != object.objectID {
                // A list that is not loaded counts as removed what others may have removed since.
                if isLoaded {
                    reconcile(id, inverse, object, isMember: true)
                } else {
                    readAgain(id, inverse, object)
                }
            }
        }
    }

    /// Puts a deleted object back into the many-to-many relationships that its delete rules took it out
    /// of: its own side has kept their owners.
    private func restorePairs(of object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isToMany,
                case .opaque(let contents as ToManyContents) = object.slots[relationship.slot]
            else { continue }
            // A list that was unloaded since does not know them; they are pending.
            let others =
                contents.isLoaded
                ? contents.members.compactMap { registry.get(resolve($0)) } : pending.objects
            for other in others
            where other.contentsInMemory(inverse)?.removed.contains(object.objectID) == true {
                reconcile(other.objectID, inverse, object, isMember: true)
            }
        }
    }

    /// Lets the other side of a link be read again, without its pending change.
    private func readAgain(
        _ id: ManagedObjectID,
        _ inverse: RelationshipDescription,
        _ object: ManagedObject
    ) {
        reconcile(id, inverse, object, isMember: false)
        let contents = registry.get(resolve(id))?.contentsInMemory(inverse)
        contents?.unload(keepingBasis: true)
    }

    private func reconcile(
        _ id: ManagedObjectID,
        _ inverse: RelationshipDescription,
        _ object: ManagedObject,
        isMember: Bool
    ) {
        guard let other = registry.get(resolve(id)), !other.isFault,
            case .opaque(let contents as ToManyContents) = other.slots[inverse.slot]
        else { return }
        // What was added here, others may have stored since, and the other side has read it.
        let member = object.objectID
        if !isMember, contents.isStored(member), !contents.removed.contains(member) { return }
        other.touchObservers(inverse.slot, .reload)
        // An unloaded list counts as removed what may never have been stored; the other side knows.
        let isMember = isMember && !contents.added.contains(member)
        contents.reconcile(member, isMember: isMember, isStored: isMember)
        other.dropChangesIfClean()
    }
}

/// A to-one reference before and after a reload.
private struct MovedReference {
    let relationship: RelationshipDescription
    let base: ManagedObjectID?
    let mine: ManagedObjectID?
    let theirs: ManagedObjectID?
    /// The destination after the reload.
    let result: ManagedObjectID?

    var isNothing: Bool { base == theirs && mine == result }
}

extension ReloadPolicy {
    fileprivate func keeps(mine: GraphValue, base: GraphValue, theirs: GraphValue) -> Bool {
        let isChanged = !mine.isIdentical(to: base)
        switch self {
        case .nothing: return false
        case .changedHere: return isChanged
        case .changedHereAlone: return isChanged && theirs.isIdentical(to: base)
        case .everything: return !mine.isIdentical(to: theirs)
        }
    }
}

extension ManagedObjectContext {
    /// Updates the other side of a reference that a reload has changed.
    private func reconcile(_ object: ManagedObject, _ move: MovedReference) {
        guard let inverse = move.relationship.inverse else { return }
        if let id = move.result, let partner = registry.get(id) { object.noteLink(with: partner) }
        if !inverse.isToMany { return reconcileOneToOne(object, move, inverse) }
        let owners = Set([move.base, move.mine, move.theirs, move.result].compactMap { $0 })
        for id in owners {
            guard let owner = registry.get(id), !owner.isFault,
                case .opaque(let contents as ToManyContents) = owner.slots[inverse.slot]
            else { continue }
            owner.touchObservers(inverse.slot, .reload)
            // The member's place is in the store.
            if contents.isOrdered, move.base != move.theirs { contents.unload(keepingBasis: true) }
            contents.reconcile(
                object.objectID,
                isMember: move.result == id,
                isStored: move.theirs == id
            )
            if contents.isChangedSinceSave {
                owner.noteChangeOfContents(inverse.slot)
            } else {
                owner.dropChangesIfClean()
            }
        }
    }

    /// Gives an object that has its row again the other side of a pending link that leads to it.
    func takeLink(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        to other: ManagedObject
    ) {
        guard let inverse = relationship.inverse else { return }
        if relationship.isToMany, inverse.isToMany {
            let isStored = object.contents(relationship).isStored(other.objectID)
            other.touchObservers(inverse.slot, .reload)
            other.contents(inverse).reconcile(object.objectID, isMember: true, isStored: isStored)
            return other.noteChangeOfContents(inverse.slot)
        }
        let (member, owner) = relationship.isToMany ? (other, object) : (object, other)
        let toOne = relationship.isToMany ? inverse : relationship
        let saved = member.savedReference(toOne.slot)
        if member === other { other.takeReference(owner.objectID, at: toOne.slot) }
        if let list = toOne.inverse, list.isToMany { _ = owner.contents(list) }
        let move = MovedReference(
            relationship: toOne,
            base: saved,
            mine: owner.objectID,
            theirs: saved,
            result: owner.objectID
        )
        reconcile(member, move)
    }

    /// Both rows of a one-to-one relationship refer to each other, so the former partner must be
    /// written too.
    private func reconcileOneToOne(
        _ object: ManagedObject,
        _ move: MovedReference,
        _ inverse: RelationshipDescription
    ) {
        for id in Set([move.mine, move.theirs].compactMap { $0 }) where id != move.result {
            let partner = self.object(with: id)
            if partner === object { continue }
            if id == move.theirs, move.base != id, !partner.isKnown(to: object, inverse) {
                readAgain(partner)
            }
            partner.forget(object, inverse)
        }
        // What wins over the store's value is not stored on the other side any more.
        if let id = move.result, move.base == id, move.theirs != id, id != object.objectID {
            readAgain(self.object(with: id))
        }
        // A partner that was read again has taken the place.
        if object.reference(move.relationship.slot) != move.result {
            object.takeReference(move.result, at: move.relationship.slot)
        }
        guard let id = move.result, id != object.objectID else { return }
        pair(object, with: self.object(with: id), move.relationship, inverse)
    }

    /// Reads a partner whose row others have changed with that of its object.
    private func readAgain(_ partner: ManagedObject) {
        if partner.isInserted || partner.isDeleted { return }
        source.forgetRows([partner.objectID])
        _ = try? takeStoreValues(partner, keeping: .changedHere, membersToo: false)
    }

    /// Lets the partner that an object leads to lead back, and its former partner nowhere.
    func pair(
        _ object: ManagedObject,
        with partner: ManagedObject,
        _ relationship: RelationshipDescription,
        _ inverse: RelationshipDescription
    ) {
        guard let other = partner.reference(inverse.slot) else {
            return partner.write(.objectID(object.objectID), inverse.slot)
        }
        if other == object.objectID { return }
        self.object(with: other).forget(partner, relationship)
        partner.write(.objectID(object.objectID), inverse.slot)
    }
}

extension ManagedObject {
    /// Whether members join or leave a one-to-many relationship of the object by pending changes of
    /// their own.
    final var hasPendingMembers: Bool {
        if isFault || state.isInaccessible { return false }
        return entity.relationships.contains { relationship in
            guard relationship.isToMany, relationship.inverse?.isToMany == false,
                case .opaque(let contents as ToManyContents) = slots[relationship.slot]
            else { return false }
            return !contents.added.isEmpty || !contents.removed.isEmpty
        }
    }

    /// Takes the members out of one-to-many relationships that do not lead here any more: its own
    /// side of their links is what a deleted object keeps for its return.
    final func dropLostMembers() {
        dropGoneMembers()
        for (contents, inverse) in ownedLists {
            for id in contents.members.union(contents.added) {
                guard let member = owner?.registry.get(id) else { continue }
                if member.isFault {
                    // It has no pending change, so it is here only if its row says so.
                    guard contents.added.contains(id) else { continue }
                    contents.reconcile(id, isMember: false, isStored: false)
                    contents.unload(keepingBasis: true)
                    continue
                }
                if member.reference(inverse.slot) == objectID { continue }
                let isStored = member.savedReference(inverse.slot) == objectID
                contents.reconcile(id, isMember: false, isStored: isStored)
            }
        }
    }

    /// Takes members out that are gone because they were new and were deleted with this object.
    final func dropGoneMembers() {
        for (contents, _) in ownedLists {
            for id in contents.added where id.isTemporaryID && owner?.resolve(id) == id {
                if owner?.registry.get(id) != nil { continue }
                contents.reconcile(id, isMember: false, isStored: false)
            }
        }
    }

    /// The one-to-many relationships that are in memory, with their inverses.
    private var ownedLists: [(ToManyContents, RelationshipDescription)] {
        entity.relationships.compactMap { relationship in
            guard relationship.isToMany, let inverse = relationship.inverse, !inverse.isToMany,
                case .opaque(let contents as ToManyContents) = slots[relationship.slot]
            else { return nil }
            return (contents, inverse)
        }
    }

    /// Whether this partner was read when its row led to an object already.
    fileprivate final func isKnown(
        to object: ManagedObject,
        _ inverse: RelationshipDescription
    ) -> Bool {
        !isFault && savedReference(inverse.slot) == object.objectID
    }

    /// Sets a to-one reference without recording it for undo.
    fileprivate final func takeReference(_ id: ManagedObjectID?, at slot: Int) {
        guard let owner else { return }
        touchObservers(slot, .setting)
        trackChanges().sinceSave.insert(slot)
        slots[slot] = id.map { .objectID($0) } ?? .null
        owner.pending.update(self)
        dropChangesIfClean()
        owner.pending.refresh(self)
    }
}
