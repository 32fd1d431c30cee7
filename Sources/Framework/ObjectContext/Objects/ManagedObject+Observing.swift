public import ObjectModel

// Key-value observing. Accessors notify by themselves while the flag `observed` is set; see
// `write` and the relationships' setters.

extension ManagedObject: KeyValueObserving {
    /// The object's observers, kept by its context.
    ///
    /// An object without a context has none, and its observers are not notified.
    public final var keyObservers: KeyObservers? {
        get {
            if observerNumber == 0 { return nil }
            return context?.observed[observerNumber]
        }
        set {
            guard let owner = context else { return }
            if observerNumber != 0 { owner.observed.forget(observerNumber) }
            guard newValue != nil else {
                observerNumber = 0
                state.setObserved(false)
                return
            }
            let made = KeyObservers(batch: owner.observed.batch)
            observerNumber = owner.observed.add(made)
            state.setObserved(true)
        }
    }

    /// The observers, if there are any; otherwise clears the flag.
    final var liveObservers: KeyObservers? {
        guard state.isObserved else { return nil }
        if let observers = keyObservers, !observers.isEmpty { return observers }
        keyObservers = nil
        return nil
    }

    /// Announces by hand that a key is about to change: for accessors over primitive values.
    ///
    /// A property of the model counts as changed from this point, for undo and for the save.
    public final func willChangeValue(forKey key: String) { say(key, .setting) }

    public final func didChangeValue(forKey key: String) { owner?.observed.batch.done(self, key) }

    public final func willChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    ) {
        say(key, .places(kind, indexes))
    }

    public final func didChange(
        _ kind: KeyValueChange.Kind,
        valuesAt indexes: RangeSet<Int>,
        forKey key: String
    ) {
        didChangeValue(forKey: key)
    }

    public final func willChangeMembers(forKey key: String) { say(key, .members) }

    public final func didChangeMembers(forKey key: String) { didChangeValue(forKey: key) }

    /// The record is in the context, so that its end is found even if the observers change in
    /// between.
    private final func say(_ key: String, _ touch: KeyTouch) {
        if isFault { fireFault() }
        state.announce()
        if let observers = liveObservers {
            observers.say(self, key, touch)
        } else {
            owner?.observed.batch.say(self, key, isHeard: false)
        }
        guard let slot = entity.slotByName[key], isTracked, !isFault else { return }
        if let relationship = entity.slots[slot] as? RelationshipDescription,
            relationship.isToMany
        {
            noteChangeOfContents(slot)
        } else {
            for slot in entity.slots(readBy: key) ?? [] { noteChange(slot) }
        }
    }

    /// The members of a relationship are about to change, within a batch.
    @inline(__always)
    final func touchMembers(_ slot: Int) {
        if state.isObserved { touchObservers(slot, .members) }
    }

    @inline(never)
    final func touchObservers(_ slot: Int, _ touch: KeyTouch) {
        let key = entity.slots[slot].declared.name
        guard state.isObserved, isTracked, let observers = liveObservers,
            type(of: self).automaticallyNotifiesObservers(forKey: key)
        else { return }
        observers.touch(key, touch)
    }

    /// Everything may change, within a batch.
    final func touchAllObservers() {
        if state.isObserved { liveObservers?.touchAll() }
    }

    /// Adds a member to a to-many relationship by key.
    ///
    /// - Throws: `ObjectGraphError` if the key is not a to-many relationship, or if the member is
    ///   not an object of its destination in this context.
    public final func insertMember(_ member: GraphValue, forKey key: String, at index: Int?) throws
    {
        let relationship = try toManyRelationship(key)
        insert(
            try destination(member, relationship),
            intoRelationshipAt: relationship.slot,
            at: index
        )
    }

    /// Removes a member from a to-many relationship by key.
    ///
    /// - Throws: `ObjectGraphError` if the key is not a to-many relationship.
    public final func removeMember(_ member: GraphValue, forKey key: String) throws {
        let relationship = try toManyRelationship(key)
        remove(try destination(member, relationship), fromRelationshipAt: relationship.slot)
    }

    private final func toManyRelationship(_ key: String) throws -> RelationshipDescription {
        guard let slot = entity.slotByName[key] else {
            throw ManagedObject.undefinedKey(key, entity)
        }
        if let relationship = entity.slots[slot] as? RelationshipDescription,
            relationship.isToMany
        {
            return relationship
        }
        throw ObjectGraphError(
            .wrongValueKind,
            "\(entity.name).\(key) is not a to-many relationship.",
            recovery: "Set its value instead.",
            key: key
        )
    }
}
