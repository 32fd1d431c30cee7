import ObjectModel
import ObjectStore

// Relationships: reading, and writing with both sides kept in step at once.
//
// A typed setter cannot throw. So it traps for a destination of another context or of a wrong
// entity, because this is a programmer's mistake. Setting by key throws instead. An object without
// a context ignores the change, as with attributes, and reports it.

extension ManagedObject {
    /// The destination of a to-one relationship; a fault, or `nil` for none.
    package final func toOne<T: ManagedObject>(_ type: T.Type, at slot: Int) -> T? {
        guard case .objectID(let id) = read(slot) else {
            return isProbe ? ClassDeclaration.of(type).probe as? T : nil
        }
        guard let owner, !owner.isGone(id) else { return nil }
        return owner.object(with: id, near: self, slot) as? T
    }

    /// Sets a to-one relationship and the other side of it.
    ///
    /// Traps if the object belongs to another context, or is not of the destination entity.
    package final func setToOne(_ object: ManagedObject?, at slot: Int) {
        observingTogether { replace(with: object, at: slot) }
    }

    /// Observers are notified when both sides have changed.
    @inline(__always)
    final func observingTogether(_ body: () -> Void) {
        guard let owner else { return body() }
        let use = beginUse()
        defer { endUse(use) }
        owner.observed.together(body)
    }

    private final func replace(with object: ManagedObject?, at slot: Int) {
        guard !isProbe, let relationship = entity.slots[slot] as? RelationshipDescription else {
            return
        }
        if reportsUseWithoutContext(relationship) { return }
        let old = reference(slot)
        if old == object?.objectID {
            // A reference to a new object that was removed reads as nil, and would come back with
            // that object.
            if object == nil, !slots[slot].isNull { write(.null, slot) }
            return
        }
        if let object { checkDestination(object, relationship) }
        if let inverse = relationship.inverse, inverse.isOrdered {
            // While this object still has its former owner: what is read later includes the
            // change already, so neither the change nor the position would be recorded.
            if let old { _ = owner?.object(with: old).loadedContents(inverse.slot) }
            _ = object?.loadedContents(inverse.slot)
        }
        write(object.map { .objectID($0.objectID) } ?? .null, slot)
        if let object { noteLink(with: object) }
        guard let inverse = relationship.inverse, let owner, isTracked else { return }
        if let old { owner.object(with: old).forget(self, inverse) }
        guard let object else { return }
        if inverse.isToMany {
            object.contents(inverse).addTracked(objectID, to: object)
        } else {
            if let partner = object.reference(inverse.slot), partner != objectID {
                owner.object(with: partner).forget(object, relationship)
            }
            object.write(.objectID(objectID), inverse.slot)
        }
    }

    /// The destinations of an unordered to-many relationship.
    ///
    /// Cost: one query at first access, shared with the objects fetched together with this one.
    package final func toMany<T: ManagedObject>(_ type: T.Type, at slot: Int) -> Set<T> {
        guard let contents = loadedContents(slot), let owner else { return [] }
        if let known = membersAsSet(contents), known.type == type {
            // Safety: as below.
            return unsafeBitCast(known.objects, to: Set<T>.self)
        }
        var result = Set<ManagedObject>(minimumCapacity: contents.members.count)
        var leftOut = 0
        owner.visit(contents.members, near: self, slot) { object in
            if object is T { result.insert(object) } else { leftOut += 1 }
        }
        reportLeftOut(leftOut, T.self, slot)
        // Safety: all members are of the class; this changes the type of a counted set and nothing
        // else. The compiler has made the code of this set, but not of one of a class it sees later.
        return unsafeBitCast(result, to: Set<T>.self)
    }

    /// The destinations of a to-many relationship, in order if it is ordered.
    package final func orderedToMany<T: ManagedObject>(_ type: T.Type, at slot: Int) -> [T] {
        guard let contents = loadedContents(slot), let owner else { return [] }
        var result: [T] = []
        var leftOut = 0
        let ids = contents.isOrdered ? contents.order : Array(contents.members)
        owner.visit(ids, near: self, slot) { object in
            if let object = object as? T { result.append(object) } else { leftOut += 1 }
        }
        reportLeftOut(leftOut, T.self, slot)
        return result
    }

    /// How many destinations a to-many relationship has; loads IDs, but no objects.
    package final func toManyCount(at slot: Int) -> Int {
        guard let members = loadedContents(slot)?.members else { return 0 }
        guard let owner, owner.mayHaveGone else { return members.count }
        return members.count { !owner.isGone($0) }
    }

    /// The members of a relationship as they were set as a whole, if nothing has changed since.
    private final func membersAsSet(_ contents: ToManyContents) -> WholeSet<ManagedObject>? {
        guard let owner, let known = owner.pending.members(of: contents),
            known.departures == owner.registry.departures
        else { return nil }
        return known
    }

    /// Replaces the destinations of an unordered to-many relationship.
    ///
    /// Traps as ``setToOne(_:at:)`` does.
    ///
    /// - Parameters:
    ///   - objects: the destinations.
    ///   - type: the class that all of them are of.
    ///   - slot: the relationship's slot.
    package final func setToMany(
        _ objects: Set<ManagedObject>,
        of type: ManagedObject.Type = ManagedObject.self,
        at slot: Int
    ) {
        observingTogether {
            guard let contents = loadedContents(slot) else { return }
            if let known = membersAsSet(contents) {
                let (joining, leaving) = known.difference(to: objects)
                for object in leaving { remove(object, fromRelationshipAt: slot) }
                for object in joining { insert(object, intoRelationshipAt: slot) }
            } else {
                replace(contents, with: objects, at: slot)
            }
            guard let owner, contents.members.count == objects.count else { return }
            let departures = owner.registry.departures
            owner.pending.keep(
                WholeSet(objects: objects, type: type, departures: departures),
                of: contents
            )
        }
    }

    private final func replace(
        _ contents: ToManyContents,
        with objects: Set<ManagedObject>,
        at slot: Int
    ) {
        let joining = objects.filter { contents.contains($0.objectID) != true }
        // Most edits of a set add or remove one member: so the present ones are compared only until
        // all that leave are found.
        var rest = contents.members.count - (objects.count - joining.count)
        var leaving: [ManagedObjectID] = []
        for id in contents.members {
            if rest == 0 { break }
            if let known = owner?.registry.get(id), objects.contains(known) { continue }
            leaving.append(id)
            rest -= 1
        }
        for id in leaving {
            if let object = owner?.object(with: id) { remove(object, fromRelationshipAt: slot) }
        }
        for object in joining { insert(object, intoRelationshipAt: slot) }
    }

    /// Replaces the destinations of an ordered to-many relationship, and their order.
    ///
    /// An object that is given twice keeps its first position. Traps as ``setToOne(_:at:)`` does.
    package final func setOrderedToMany(_ objects: [ManagedObject], at slot: Int) {
        observingTogether { replace(with: objects, at: slot) }
    }

    private final func replace(with objects: [ManagedObject], at slot: Int) {
        var seen: Set<ManagedObject> = []
        let objects = objects.filter { seen.insert($0).inserted }
        setToMany(seen, at: slot)
        guard let contents = loadedContents(slot) else { return }
        reorder(contents, objects.map(\.objectID), slot)
    }

    /// Changes the order of the members of an ordered relationship, as a change.
    final func reorder(_ contents: ToManyContents, _ order: [ManagedObjectID], _ slot: Int) {
        if contents.order == order { return }
        touchMembers(slot)
        noteChangeOfContents(slot)
        contents.reorder(order)
    }

    /// Adds a destination to a to-many relationship, and this object to the other side.
    ///
    /// Traps as ``setToOne(_:at:)`` does.
    ///
    /// - Parameters:
    ///   - object: the destination; a present one stays where it is.
    ///   - slot: the relationship's slot.
    ///   - index: the position in an ordered relationship; the end by default.
    package final func insert(
        _ object: ManagedObject,
        intoRelationshipAt slot: Int,
        at index: Int? = nil
    ) {
        observingTogether { join(object, slot, index) }
    }

    private final func join(_ object: ManagedObject, _ slot: Int, _ index: Int?) {
        guard let relationship = entity.slots[slot] as? RelationshipDescription,
            !reportsUseWithoutContext(relationship)
        else { return }
        checkDestination(object, relationship)
        let contents = contents(relationship)
        if relationship.isOrdered { _ = loadedContents(slot) }
        if contents.contains(object.objectID) == true { return }
        guard let inverse = relationship.inverse else {
            contents.addTracked(object.objectID, to: self, at: index)
            return
        }
        if !inverse.isToMany {
            if let id = object.reference(inverse.slot), let owner {
                // Contents that are not loaded do not know their members; the other side does.
                if id == objectID { return }
                let former = owner.object(with: id)
                former.contents(relationship).removeTracked(object.objectID, from: former)
            }
            object.write(.objectID(objectID), inverse.slot)
        } else {
            if object === self, inverse === relationship {
                contents.addTracked(objectID, to: self, at: index)
                return
            }
            let back = object.contents(inverse)
            if inverse.isOrdered { _ = object.loadedContents(inverse.slot) }
            if back.contains(objectID) == true {
                // The other side knows of the link: it is there, although this side was not read.
                guard contents.isLoaded else { return }
                // One of them was read before somebody else changed the link.
                back.reconcile(objectID, isMember: false, isStored: false)
            }
            back.addTracked(objectID, to: object)
        }
        contents.addTracked(object.objectID, to: self, at: index)
        noteLink(with: object)
    }

    /// If a new link to a deleted object is made, the save applies its delete rules again: no
    /// reference may lead to a deleted row.
    final func noteLink(with other: ManagedObject) {
        if isDeleted { state.makeDeleteRulesDue() }
        if other.isDeleted { other.state.makeDeleteRulesDue() }
    }

    /// Removes a destination from a to-many relationship, and this object from the other side.
    ///
    /// Loads the membership only where the other side does not have the answer.
    package final func remove(_ object: ManagedObject, fromRelationshipAt slot: Int) {
        observingTogether { leave(object, slot) }
    }

    private final func leave(_ object: ManagedObject, _ slot: Int) {
        guard let relationship = entity.slots[slot] as? RelationshipDescription else { return }
        let inverse = relationship.inverse
        if let inverse, !inverse.isToMany {
            guard object.reference(inverse.slot) == objectID else { return }
        } else {
            guard loadedContents(slot)?.contains(object.objectID) == true else { return }
        }
        contents(relationship).removeTracked(object.objectID, from: self)
        guard let inverse else { return }
        if inverse.isToMany, case let back = object.contents(inverse),
            back !== self.contents(relationship),
            back.contains(objectID) == false
        {
            // The other side was read before somebody else made the link.
            back.reconcile(objectID, isMember: true, isStored: true)
        }
        object.forget(self, inverse)
    }

    /// Whether a relationship has not been read from the store yet.
    ///
    /// Fires no fault.
    public final func hasFault(forRelationshipNamed name: String) -> Bool {
        guard let slot = entity.slotByName[name] else { return false }
        if isFault { return true }
        switch slots[slot] {
        case .opaque(let contents as ToManyContents): return !contents.isLoaded
        case .objectID(let id): return owner?.registeredObject(for: id)?.isFault ?? true
        default: return (entity.slots[slot] as? RelationshipDescription)?.isToMany ?? false
        }
    }

    // MARK: Inside

    /// The destination of a to-one relationship, by its present ID.
    ///
    /// Fires the object's own fault.
    final func reference(_ slot: Int) -> ManagedObjectID? {
        guard case .objectID(let id) = read(slot) else { return nil }
        guard id.isTemporaryID, let owner else { return id }
        return owner.isGone(id) ? nil : owner.resolve(id)
    }

    /// The destination of a to-one relationship as it was read or saved; of a new object `nil`.
    final func savedReference(_ slot: Int) -> ManagedObjectID? {
        if isInserted { return nil }
        let values = changes?.snapshot ?? slots
        guard case .objectID(let id) = values[slot] else { return nil }
        return owner?.resolve(id) ?? id
    }

    /// The contents of a to-many relationship, loaded or not.
    ///
    /// Fires the object's own fault.
    final func contents(_ relationship: RelationshipDescription) -> ToManyContents {
        if case .opaque(let contents as ToManyContents) = read(relationship.slot) {
            return contents
        }
        let isNew = isInserted && version == 0
        let made = ToManyContents(relationship, isLoaded: isNew)
        slots[relationship.slot] = .opaque(made)
        return made
    }

    /// What is in memory of a to-many relationship; `nil` if nothing is, or if the object does not have it.
    final func contentsInMemory(_ relationship: RelationshipDescription) -> ToManyContents? {
        guard !isFault, let entity = relationship.entity, self.entity.isKind(of: entity),
            case .opaque(let contents as ToManyContents) = slots[relationship.slot]
        else { return nil }
        return contents
    }

    /// The contents of a to-many relationship, loaded from the store if needed.
    final func loadedContents(_ slot: Int) -> ToManyContents? {
        if isProbe {
            _ = read(slot)
            return nil
        }
        guard let relationship = entity.slots[slot] as? RelationshipDescription,
            relationship.isToMany
        else { return nil }
        let contents = contents(relationship)
        if contents.isLoaded { return contents }
        guard let owner, !state.isInaccessible else {
            contents.load([])
            return contents
        }
        do {
            let stored = try owner.storedDestinations(of: relationship, for: self)
            owner.load(contents, of: self, stored)
        } catch {
            owner.noteUnread(error)
        }
        return contents
    }

    /// Removes another object from one side of a relationship; the caller has changed the other
    /// side.
    final func forget(_ object: ManagedObject, _ relationship: RelationshipDescription) {
        if relationship.isToMany {
            contents(relationship).removeTracked(object.objectID, from: self)
        } else if reference(relationship.slot) == object.objectID {
            write(.null, relationship.slot)
        }
    }

    /// Whether writes count as changes.
    final var isTracked: Bool { !state.isUntracked }

    /// Lists the object as changed because of a to-many relationship.
    final func noteChangeOfContents(_ slot: Int) {
        owner?.family.noteLinkEdit()
        // A prior observer may have turned the object into a fault.
        if isFault { fireFault() }
        guard let owner, isTracked, !state.isInsertedInEvent else { return }
        let changes = trackChanges()
        changes.event.insert(slot)
        if !isInserted { changes.sinceSave.insert(slot) }
        markChanged(in: owner)
    }

    /// Whether the object has left its context, so that nothing is set; a debug build reports it.
    private final func reportsUseWithoutContext(_ relationship: RelationshipDescription) -> Bool {
        if context != nil { return false }
        reportUseWithoutContext(relationship.name)
        return true
    }

    private final func checkDestination(
        _ object: ManagedObject,
        _ relationship: RelationshipDescription
    ) {
        Misuse.trap(unless: object.context === owner, foreignDestination(object, relationship))
        Misuse.trap(
            unless: relationship.destination.map { object.entity.isKind(of: $0) } ?? false,
            "\(entity.name).\(relationship.name): \(object.entity.name) is not a "
                + relationship.destinationName
        )
    }
}

extension ToManyContents {
    /// Adds a member and lists the owner as changed.
    func addTracked(_ id: ManagedObjectID, to owner: ManagedObject, at index: Int? = nil) {
        if isOrdered { _ = owner.loadedContents(relationship.slot) }
        if contains(id) == true { return }
        owner.touchMembers(relationship.slot)
        owner.noteChangeOfContents(relationship.slot)
        add(id, at: index)
    }

    /// Removes a member and lists the owner as changed.
    func removeTracked(_ id: ManagedObjectID, from owner: ManagedObject) {
        if isOrdered { _ = owner.loadedContents(relationship.slot) }
        if contains(id) == false { return }
        owner.touchMembers(relationship.slot)
        owner.noteChangeOfContents(relationship.slot)
        remove(id)
    }
}
