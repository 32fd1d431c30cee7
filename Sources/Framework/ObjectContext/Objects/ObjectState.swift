/// The state of a managed object, in one word that every access tests with one operation.
///
/// The bits are private: what an object goes through are the transitions below, and nothing else
/// changes them. docs/design/objects.md draws them.
struct ObjectState {
    private var flags: Flags

    private struct Flags: OptionSet {
        let rawValue: UInt32

        /// No values in memory; the slots are not allocated.
        static let fault = Flags(rawValue: 1)
        /// Pending insertion: the store has no row.
        static let inserted = Flags(rawValue: 1 << 1)
        /// Pending changes of a saved object.
        static let updated = Flags(rawValue: 1 << 2)
        /// Pending deletion.
        static let deleted = Flags(rawValue: 1 << 3)
        /// Single keys are observed.
        static let observed = Flags(rawValue: 1 << 4)
        /// In this event's list of changed objects.
        static let changedInEvent = Flags(rawValue: 1 << 5)
        /// Inserted in this event: its changes need no recording.
        static let insertedInEvent = Flags(rawValue: 1 << 6)
        /// Deleted; delete rules are still to be applied.
        static let deleteRulesDue = Flags(rawValue: 1 << 7)
        /// In the context's list of objects to save, so that it is not listed twice.
        static let listed = Flags(rawValue: 1 << 8)
        /// Being filled: writes are not changes.
        static let filling = Flags(rawValue: 1 << 9)
        /// The context was released or reset, or has saved the deletion.
        static let detached = Flags(rawValue: 1 << 10)
        /// The row was deleted, or could not be read: changes here are not saved.
        static let inaccessible = Flags(rawValue: 1 << 11)
        /// A program has announced by hand that a key changes.
        static let announced = Flags(rawValue: 1 << 12)
        /// Observation may track reads.
        static let tracked = Flags(rawValue: 1 << 13)
        /// Not an object of the graph, but the instance that its class is read off.
        static let probe = Flags(rawValue: 1 << 14)

        /// The entity has transformable attributes, whose values may have to be sealed.
        static let transforming = Flags(rawValue: 1 << 15)
        /// That the row was deleted was merged, so it was reported.
        static let rowLost = Flags(rawValue: 1 << 16)

        static let blocksRead: Flags = [.fault, .tracked, .probe]
        static let blocksWrite: Flags = [
            .fault, .observed, .filling, .detached, .inaccessible, .transforming,
        ]
        static let pending: Flags = [.inserted, .updated, .deleted]
        static let untracked: Flags = [.filling, .detached, .inaccessible]
    }

    // MARK: Beginnings

    private init(_ flags: Flags) { self.flags = flags }

    /// An object whose values were not read yet.
    static let fault = ObjectState(.fault)
    /// A new object in the event of its insertion.
    static let inserted = ObjectState([.inserted, .insertedInEvent])
    /// The instance that a class is read off.
    static let probe = ObjectState([.detached, .probe])
    /// An object that stands for its entity in the check of a request, and has no row.
    static let stand = ObjectState(.inaccessible)

    // MARK: Questions

    var isFault: Bool { flags.contains(.fault) }
    var isInserted: Bool { flags.contains(.inserted) }
    var isUpdated: Bool { flags.contains(.updated) }
    var isDeleted: Bool { flags.contains(.deleted) }
    var isObserved: Bool { flags.contains(.observed) }
    var isChangedInEvent: Bool { flags.contains(.changedInEvent) }
    var isInsertedInEvent: Bool { flags.contains(.insertedInEvent) }
    var areDeleteRulesDue: Bool { flags.contains(.deleteRulesDue) }
    /// Whether the object is in the context's list of objects to save.
    var isListed: Bool { flags.contains(.listed) }
    /// Whether the object has no context any more.
    var isDetached: Bool { flags.contains(.detached) }
    /// Whether the row was deleted or could not be read, so that changes are not saved.
    var isInaccessible: Bool { flags.contains(.inaccessible) }
    /// Whether a merge has reported that the row was deleted; a fault that finds no row is
    /// inaccessible before.
    var hasLostRow: Bool { flags.contains(.rowLost) }
    /// Whether the program has announced changes by hand.
    var isAnnounced: Bool { flags.contains(.announced) }
    var tracksReads: Bool { flags.contains(.tracked) }
    var isProbe: Bool { flags.contains(.probe) }
    /// Whether a value that is set may have to be sealed.
    var isTransforming: Bool { flags.contains(.transforming) }

    /// Whether anything of the object is not saved.
    var hasChanges: Bool { !flags.isDisjoint(with: .pending) }
    /// Whether the next save has work for the object; false if its row is gone already.
    var isPending: Bool { hasChanges && !isInaccessible }
    /// Whether all that is pending are changes of a saved object.
    var isOnlyUpdated: Bool { flags.intersection(.pending) == .updated }
    /// Whether a write does not count as a change.
    var isUntracked: Bool { !flags.isDisjoint(with: .untracked) }
    /// Whether a getter must not read its slot directly.
    var blocksRead: Bool { !flags.isDisjoint(with: .blocksRead) }
    /// Whether a setter must not write its slot directly.
    var blocksWrite: Bool { !flags.isDisjoint(with: .blocksWrite) }

    // MARK: Values

    /// The entity has transformable attributes.
    mutating func beginTransforming() { flags.insert(.transforming) }

    /// The values were read.
    mutating func fill() { flags.remove(.fault) }

    /// Code of the class sets values of an object that was just read; they are not changes.
    mutating func beginFilling() { flags.insert(.filling) }
    mutating func endFilling() { flags.remove(.filling) }

    mutating func fillWithoutRow() {
        flags.remove(.fault)
        flags.formUnion([.inaccessible, .deleted])
    }

    /// The store could not read the fault's row.
    mutating func fillAfterFailure() {
        flags.remove(.fault)
        flags.insert(.inaccessible)
    }

    /// The values are dropped, pending changes included.
    mutating func turnIntoFault() {
        if isInaccessible { flags.remove(.deleted) }
        flags.insert(.fault)
        flags.subtract([.updated, .changedInEvent, .inaccessible, .rowLost])
    }

    // MARK: Changes

    /// A value changes.
    ///
    /// - Returns: whether it is the first one of the event.
    mutating func change() -> Bool {
        if !isInserted { flags.insert(.updated) }
        return flags.insert(.changedInEvent).inserted
    }

    /// Pending changes were found outside of an event: by undo, a reload or a derivation.
    mutating func markUpdated() { flags.insert(.updated) }

    /// Every value is the stored one again.
    mutating func revertChanges() { flags.remove(.updated) }

    /// The pending changes and those of the event are dropped; others come in their place.
    mutating func dropChanges() { flags.subtract([.updated, .changedInEvent]) }

    // MARK: Deletion

    mutating func delete() { flags.formUnion([.deleted, .deleteRulesDue]) }

    /// A deleted object has got a new link.
    mutating func makeDeleteRulesDue() { flags.insert(.deleteRulesDue) }

    /// - Returns: whether the delete rules were due; they are not any more.
    mutating func takeDeleteRules() -> Bool { flags.remove(.deleteRulesDue) != nil }

    /// The pending deletion is taken back.
    mutating func undelete() { flags.subtract([.deleted, .deleteRulesDue]) }

    /// Others have deleted the row: there is nothing to save any more.
    mutating func loseRow() {
        flags.subtract([.updated, .deleteRulesDue])
        flags.formUnion([.deleted, .inaccessible, .rowLost])
    }

    // MARK: Events

    mutating func endEventOfInsertion() { flags.remove(.insertedInEvent) }
    mutating func endEventOfChanges() { flags.remove(.changedInEvent) }

    /// The event of a new object is dropped.
    mutating func dropEvent() { flags.subtract([.insertedInEvent, .changedInEvent]) }

    // MARK: Saving

    /// - Returns: whether the object was not in the list of those to save.
    mutating func enlist() -> Bool { flags.insert(.listed).inserted }
    mutating func delist() { flags.remove(.listed) }

    /// What is in memory is what is stored.
    mutating func becomeClean() { flags.subtract([.inserted, .updated]) }

    /// The row is gone, and the next save inserts it again.
    mutating func insertAgain() {
        flags.insert(.inserted)
        flags.remove(.updated)
    }

    // MARK: Leaving a context and returning to it

    /// The object is not in the context any more: its deletion was saved, or its insertion undone.
    mutating func leave() {
        flags.insert(.detached)
        flags.subtract([.inserted, .updated, .deleted, .deleteRulesDue])
    }

    mutating func loseContext() { flags.insert(.detached) }

    /// The context was reset.
    mutating func invalidate() { flags = [.fault, .detached] }

    /// Undo brings an object back that had left; the next save inserts it.
    mutating func comeBack() {
        flags.subtract([.detached, .deleted, .inaccessible])
        flags.insert(.inserted)
    }

    // MARK: Watching

    mutating func setObserved(_ isObserved: Bool) {
        if isObserved { flags.insert(.observed) } else { flags.remove(.observed) }
    }

    mutating func announce() { flags.insert(.announced) }

    mutating func setTracksReads(_ tracksReads: Bool) {
        if tracksReads { flags.insert(.tracked) } else { flags.remove(.tracked) }
    }
}
