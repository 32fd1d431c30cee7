import ObjectModel
import ObjectStore

// Collisions under uniqueness constraints. A store's error names one collision. Then the context
// looks for all of them, with one query for each constraint, resolves them by the policy, and the
// save plans again. Merged objects may collide again, under another constraint, hence the loop in
// `write`. It ends because each round removes at least one object or reverts one change.
//
// Definitions: the *claimant* is a pending object that is to have certain values; the *holder* is
// the object that has them already, in the store or as an earlier claimant.

/// Two objects with the same values under a constraint.
struct UniquenessClash {
    let constraint: UniquenessConstraint
    let key: UniqueKey
    let holder: ManagedObject
    let claimant: ManagedObject
}

extension ManagedObjectContext {
    /// Applies the policy to every collision of pending objects.
    ///
    /// Throws code 133021 if the policy is ``MergePolicy/error``, if the collision cannot be
    /// resolved, or if `giveUp` is true.
    func resolve(notUnique error: ObjectGraphError, giveUp: Bool) throws {
        endOwnEvent()
        let policy = constraintPolicy ?? mergePolicy
        if policy != .error { movePin() }
        let clashes = try uniquenessClashes()
        if giveUp || policy == .error || clashes.isEmpty {
            throw describing(error, clashes)
        }
        for clash in clashes where !canResolve(clash, policy) { throw describing(error, clashes) }
        try observed.together {
            for clash in clashes { try bringUpToDate(clash.holder) }
            let due = clashes.map { ($0, $0.constraint.key(of: $0.holder)) }
            var redirected: [ManagedObjectID: ManagedObject] = [:]
            for (clash, held) in due {
                // A merge of this round may have resolved this collision already.
                let isLasting =
                    clash.constraint.key(of: clash.holder) == held
                    && clash.constraint.key(of: clash.claimant) == clash.key
                if isLasting { try resolve(clash, policy, &redirected) }
            }
            redirect(redirected)
        }
        endOwnEvent()
        pending.compact()
        try validateForSave()
        try computeDerived()
        pending.compact()
    }

    private func canResolve(_ clash: UniquenessClash, _ policy: MergePolicy) -> Bool {
        let (holder, claimant) = (clash.holder, clash.claimant)
        if policy == .rollback { return true }
        if claimant.isInserted {
            return holder.entity.isKind(of: claimant.entity)
        }
        if policy == .mergeByPropertyStoreTrump { return true }
        let (winner, loser) = winner(of: clash)
        return winner.entity.isKind(of: loser.entity)
    }

    /// The survivor of two saved objects, where changes here win.
    private func winner(
        of clash: UniquenessClash
    ) -> (winner: ManagedObject, loser: ManagedObject) {
        let names = clash.constraint.names
        let isChangedToo = clash.holder.hasChanged(names)
        return isChangedToo ? (clash.holder, clash.claimant) : (clash.claimant, clash.holder)
    }

    private func resolve(
        _ clash: UniquenessClash,
        _ policy: MergePolicy,
        _ redirected: inout [ManagedObjectID: ManagedObject]
    ) throws {
        let (holder, claimant) = (clash.holder, clash.claimant)
        // An earlier collision of this round may have removed or changed one of them.
        for object in [holder, claimant]
        where object.owner !== self || object.isDeleted {
            return
        }
        if claimant.isInserted {
            if policy == .rollback {
                drop(claimant)
            } else {
                holder.takeValues(of: claimant, policy)
                try moveRelationships(of: claimant, to: holder, policy)
                redirected[claimant.objectID] = holder
                holder.awakeFromSnapshotEvents(.mergePolicy)
            }
            if settings.isBatch { saving.absorb(claimant, into: holder) }
            takeBackInsertion(of: claimant)
            return
        }
        switch policy {
        case .mergeByPropertyStoreTrump:
            claimant.takeBackChanges(of: clash.constraint.names)
        case .rollback:
            try takeStoreValues(claimant, keeping: .nothing, membersToo: false)
        default:
            let (winner, loser) = winner(of: clash)
            try moveRelationships(of: loser, to: winner, .mergeByPropertyStoreTrump)
            redirected[loser.objectID] = winner
            delete(loser)
            winner.awakeFromSnapshotEvents(.mergePolicy)
            return
        }
        claimant.awakeFromSnapshotEvents(.mergePolicy)
    }

    /// As undo does with an insertion.
    private func takeBackInsertion(of object: ManagedObject) {
        if object.owner !== self { return }
        pending.remove(object)
        pending.unassign(object)
        unregister(object)
    }

    // MARK: Relationships

    /// Moves all relationships of an object to another one, whose entity has the same
    /// relationships.
    private func moveRelationships(
        of loser: ManagedObject,
        to winner: ManagedObject,
        _ policy: MergePolicy
    ) throws {
        for relationship in loser.entity.relationships where !relationship.isTransient {
            let slot = relationship.slot
            if relationship.isToMany {
                if loser.isInserted, loser.slots[slot].isNull { continue }
                for member in loser.destinationObjects(relationship) {
                    move(member, relationship, from: loser, to: winner)
                }
                continue
            }
            let destination = loser.toOne(ManagedObject.self, at: slot)
            // A destination that has another owner by now stays there.
            for partner in [destination, winner.toOne(ManagedObject.self, at: slot)] {
                if let partner, relationship.inverse?.isToMany == false {
                    try bringUpToDate(partner)
                }
            }
            if destination != nil { loser.setToOne(nil, at: slot) }
            let isKept =
                policy == .mergeByPropertyStoreTrump && winner.reference(slot) != nil
                || policy == .mergeByPropertyObjectTrump && destination == nil
                || destination === winner || destination === loser
            if !isKept { winner.setToOne(destination, at: slot) }
        }
    }

    private func move(
        _ member: ManagedObject,
        _ relationship: RelationshipDescription,
        from loser: ManagedObject,
        to winner: ManagedObject
    ) {
        loser.remove(member, fromRelationshipAt: relationship.slot)
        if member === winner || member === loser || member.isDeleted { return }
        // A link that is stored already must not be written twice.
        if relationship.inverse?.isToMany ?? true { _ = winner.loadedContents(relationship.slot) }
        winner.insert(member, intoRelationshipAt: relationship.slot)
    }

    /// Redirects relationships without an inverse to the survivors.
    ///
    /// Only pending objects can refer to new ones; saved objects that refer to a deleted one are
    /// redirected only if they are pending.
    private func redirect(_ survivors: [ManagedObjectID: ManagedObject]) {
        if survivors.isEmpty { return }
        func last(_ object: ManagedObject) -> ManagedObject {
            var object = object
            while let next = survivors[object.objectID] { object = next }
            return object
        }
        for object in pending.objects where object.isPending && !object.isDeleted {
            for relationship in object.entity.relationships
            where relationship.inverse == nil && !relationship.isTransient {
                let slot = relationship.slot
                if let id = object.slots[slot].objectID {
                    guard let survivor = survivors[resolve(id)] else { continue }
                    object.write(.objectID(last(survivor).objectID), slot)
                } else if case .opaque(let contents as ToManyContents) = object.slots[slot] {
                    let ids = contents.isOrdered ? contents.order : contents.added.sorted()
                    for (index, id) in ids.enumerated() {
                        guard let survivor = survivors[resolve(id)] else { continue }
                        contents.removeTracked(id, from: object)
                        contents.addTracked(
                            last(survivor).objectID,
                            to: object,
                            at: contents.isOrdered ? min(index, contents.order.count) : nil
                        )
                    }
                }
            }
        }
    }

    /// Removes a new object: new objects that it owns are removed too, saved objects return to
    /// their former owners.
    private func drop(_ object: ManagedObject) {
        var due = [object]
        var dropped: Set<ManagedObject> = [object]
        while let next = due.popLast() {
            for relationship in next.entity.relationships where !relationship.isTransient {
                for other in next.destinationObjects(relationship) {
                    let isNew = other.isInserted
                    if isNew, relationship.deleteRule == .cascade {
                        if dropped.insert(other).inserted { due.append(other) }
                    } else {
                        leave(other, next, relationship)
                    }
                }
            }
        }
        forget(dropped)
        for other in dropped where other !== object { takeBackInsertion(of: other) }
    }

    private func leave(
        _ other: ManagedObject,
        _ object: ManagedObject,
        _ relationship: RelationshipDescription
    ) {
        guard let inverse = relationship.inverse else { return }
        if !inverse.isToMany, let id = other.changes?.snapshot?[inverse.slot].objectID,
            let former = registry.get(resolve(id)), former !== object,
            !former.isDeleted
        {
            return other.setToOne(former, at: inverse.slot)
        }
        if relationship.isToMany {
            object.remove(other, fromRelationshipAt: relationship.slot)
        } else {
            object.setToOne(nil, at: relationship.slot)
        }
    }

    /// Clears relationships without an inverse that lead to dropped objects.
    private func forget(_ dropped: Set<ManagedObject>) {
        let ids = Set(dropped.map(\.objectID))
        for object in pending.objects where object.isPending && !dropped.contains(object) {
            for relationship in object.entity.relationships
            where relationship.inverse == nil && !relationship.isTransient {
                let slot = relationship.slot
                if let id = object.slots[slot].objectID {
                    if ids.contains(id) { object.write(.null, slot) }
                } else if case .opaque(let contents as ToManyContents) = object.slots[slot] {
                    for id in contents.added where ids.contains(id) {
                        contents.removeTracked(id, from: object)
                    }
                }
            }
        }
    }
}

extension UniquenessConstraint {
    /// The values of an object under the constraint.
    func key(of object: ManagedObject) -> UniqueKey? {
        UniqueKey(self) { name in object.entity.slotByName[name].map { object.read($0) } }
    }
}

extension ManagedObject {
    /// Whether a pending change concerns some of these attributes.
    final func hasChanged(_ names: [String]) -> Bool {
        if !isUpdated { return false }
        let changed = changedColumns()
        return names.contains { entity.slotByName[$0].map { changed.contains($0) } ?? false }
    }

    /// Takes over attributes of an object that is merged into this one, as far as the policy
    /// prefers them.
    fileprivate final func takeValues(of other: ManagedObject, _ policy: MergePolicy) {
        for property in other.entity.slots {
            guard let attribute = property as? AttributeDescription, !attribute.isDerived,
                attribute.type != .composite
            else { continue }
            let slot = attribute.slot
            let (mine, theirs) = (read(slot), other.read(slot))
            let wins =
                switch policy {
                case .mergeByPropertyObjectTrump: other.hasOwnValue(at: slot)
                case .mergeByPropertyStoreTrump: mine.isNull && !theirs.isNull
                case .overwrite: true
                case .error, .rollback: false
                }
            if wins, !mine.isIdentical(to: theirs) { write(theirs, slot) }
        }
    }

    /// Resets some attributes to the values that were read.
    fileprivate final func takeBackChanges(of names: [String]) {
        guard let snapshot = changes?.snapshot else { return }
        for name in names {
            if let slot = entity.slotByName[name], isChanged(slot, from: snapshot) {
                write(snapshot[slot], slot)
            }
        }
        dropChangesIfClean()
    }
}
