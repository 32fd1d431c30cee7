import ObjectModel

/// The destinations of one to-many relationship of one object.
///
/// It may be *unloaded*: then it knows only the additions and removals since the save, so that
/// putting a task into a list of a hundred thousand loads none of them.
///
/// Invariants:
/// 1. Loaded: `members` is the current membership; `order` its order if the relationship is
///    ordered, with the same elements.
/// 2. `added` and `removed` are disjoint, and relative to the last save; `eventAdded` and
///    `eventRemoved` likewise, relative to the event's start.
final class ToManyContents {
    let relationship: RelationshipDescription
    @exclusivity(unchecked) private(set) var isLoaded: Bool
    /// The members before the last ``unload()``.
    @exclusivity(unchecked) private(set) var remembered: Set<ManagedObjectID> = []
    @exclusivity(unchecked) private(set) var members: Set<ManagedObjectID> = [] {
        didSet { isAsSet = false }
    }
    /// Whether the members are those that were set as a whole last; see ``PendingChanges/keep(_:of:)``.
    @exclusivity(unchecked) var isAsSet = false
    @exclusivity(unchecked) private(set) var order: [ManagedObjectID] = []
    @exclusivity(unchecked) private(set) var added: Set<ManagedObjectID> = []
    @exclusivity(unchecked) private(set) var removed: Set<ManagedObjectID> = []
    /// The saved order; `nil` unless the order has been changed since.
    @exclusivity(unchecked) private(set) var savedOrder: [ManagedObjectID]?
    /// The order that was read before others' order was merged below a pending one without a request;
    /// `nil` if none was.
    @exclusivity(unchecked) private var readOrder: [ManagedObjectID]?
    @exclusivity(unchecked) private(set) var eventAdded: Set<ManagedObjectID> = []
    @exclusivity(unchecked) private(set) var eventRemoved: Set<ManagedObjectID> = []
    @exclusivity(unchecked) private(set) var eventOrder: [ManagedObjectID]?

    /// `isLoaded` is true for a new object, because it has no stored members.
    init(_ relationship: RelationshipDescription, isLoaded: Bool) {
        self.relationship = relationship
        self.isLoaded = isLoaded
    }

    var isOrdered: Bool { relationship.isOrdered }
    /// The order that the next save compares with the store's.
    var comparedOrder: [ManagedObjectID]? { readOrder ?? savedOrder }
    var isChangedSinceSave: Bool {
        !added.isEmpty || !removed.isEmpty || savedOrder.map { $0 != order } ?? false
    }

    /// Loads the stored members, and applies the changes that were made before.
    ///
    /// - Parameters:
    ///   - stored: the members that the store holds.
    ///   - others: what the members' own sides say about those that are in memory.
    func load(_ stored: [ManagedObjectID], _ others: MembersInMemory = MembersInMemory()) {
        guard !isLoaded else { return }
        isLoaded = true
        remembered = []
        removed.formUnion(others.leaving)
        added.formUnion(others.joining)
        let base = Set(stored)
        if isOrdered {
            loadOrder(stored, base, others)
            members = Set(order)
        } else {
            members = base
            members.subtract(removed)
            members.subtract(others.hidden)
            members.formUnion(added)
            members.formUnion(others.kept)
        }
        if !added.isEmpty { added.subtract(base) }
        if !removed.isEmpty { removed.formIntersection(base) }
    }

    private func loadOrder(
        _ stored: [ManagedObjectID],
        _ base: Set<ManagedObjectID>,
        _ others: MembersInMemory
    ) {
        var list = stored
        if savedOrder != nil {
            // Somebody else has changed the order too: theirs is the base, ours is applied to it.
            list = order.filter {
                base.contains($0) || added.contains($0) || others.kept.contains($0)
            }
            let present = Set(list)
            list += stored.filter { !present.contains($0) }
        }
        if savedOrder != nil || !added.isEmpty || !removed.isEmpty { savedOrder = stored }
        list.removeAll { removed.contains($0) || others.hidden.contains($0) }
        if !added.isEmpty || !others.kept.isEmpty {
            let present = Set(list)
            list += added.union(others.kept).subtracting(present).sorted()
        }
        order = list
    }

    /// Whether an object is a member in the store, as far as is known here.
    func isStored(_ id: ManagedObjectID) -> Bool {
        removed.contains(id) || (members.contains(id) && !added.contains(id))
    }

    /// The members in the store, as far as is known here; in order if the relationship is ordered.
    var storedMembers: [ManagedObjectID] {
        if isOrdered { return savedOrder ?? order }
        return Array(members.subtracting(added).union(removed))
    }

    /// Drops the loaded membership; the changes since the save stay.
    ///
    /// With `keepingBasis`, the next save still compares the order that a pending one was made from.
    func unload(keepingBasis: Bool = false) {
        if !isChangedSinceSave { savedOrder = nil }
        readOrder = keepingBasis ? comparedOrder : nil
        if isLoaded { remembered = members }
        isLoaded = false
        members = []
        if savedOrder == nil { order = [] }
    }

    /// Drops a pending order; members that were added stay, at the end.
    func dropOrder() {
        savedOrder = nil
        unload()
    }

    /// Updates one member from its own side of a one-to-many relationship.
    func reconcile(_ id: ManagedObjectID, isMember: Bool, isStored: Bool) {
        if isMember, !isStored { added.insert(id) } else { added.remove(id) }
        if !isMember, isStored { removed.insert(id) } else { removed.remove(id) }
        // What is not loaded is read, with its order, before it is used.
        guard isLoaded else { return }
        if isOrdered, isMember != isStored, savedOrder == nil { savedOrder = order }
        if var saved = savedOrder {
            if isStored, !saved.contains(id) { saved.append(id) }
            if !isStored { saved.removeAll { $0 == id } }
            savedOrder = saved
        }
        if isMember, members.insert(id).inserted {
            if isOrdered { order.append(id) }
        } else if !isMember, members.remove(id) != nil, isOrdered {
            order.removeAll { $0 == id }
        }
    }

    func contains(_ id: ManagedObjectID) -> Bool? {
        if isLoaded { return members.contains(id) }
        if added.contains(id) { return true }
        return removed.contains(id) ? false : nil
    }

    /// Adds a member; returns whether that changed anything.
    ///
    /// An ordered relationship must be loaded first; the member is inserted at `index`, or at the
    /// end.
    @discardableResult
    func add(_ id: ManagedObjectID, at index: Int? = nil) -> Bool {
        if contains(id) == true { return false }
        if isOrdered { noteOrder() }
        if removed.remove(id) == nil { added.insert(id) }
        if eventRemoved.remove(id) == nil { eventAdded.insert(id) }
        if isLoaded {
            members.insert(id)
            if isOrdered { order.insert(id, at: index ?? order.count) }
        }
        return true
    }

    @discardableResult
    func remove(_ id: ManagedObjectID) -> Bool {
        if contains(id) == false { return false }
        if isOrdered { noteOrder() }
        if added.remove(id) == nil { removed.insert(id) }
        if eventAdded.remove(id) == nil { eventRemoved.insert(id) }
        if isLoaded {
            members.remove(id)
            if isOrdered, let index = order.firstIndex(of: id) { order.remove(at: index) }
        }
        return true
    }

    /// Removes added members that meet a condition, below the change tracking.
    ///
    /// - Returns: a closure that restores them; `nil` if there were none.
    func takeOut(_ isGone: (ManagedObjectID) -> Bool) -> (() -> Void)? {
        let gone = added.filter(isGone)
        if gone.isEmpty { return nil }
        let before = (members, order, added)
        members.subtract(gone)
        order.removeAll { gone.contains($0) }
        added.subtract(gone)
        return { (self.members, self.order, self.added) = before }
    }

    /// Changes the order of the members.
    func reorder(_ ids: [ManagedObjectID]) {
        guard isOrdered, isLoaded, ids != order else { return }
        noteOrder()
        order = ids
    }

    private func noteOrder() {
        if savedOrder == nil { savedOrder = order }
        if eventOrder == nil { eventOrder = order }
    }

    /// The changes of this event; they are cleared.
    func endEvent() -> ToManyDelta? {
        defer {
            eventAdded = []
            eventRemoved = []
            eventOrder = nil
        }
        if eventAdded.isEmpty, eventRemoved.isEmpty, eventOrder == nil || eventOrder == order {
            return nil
        }
        return ToManyDelta(
            slot: relationship.slot,
            added: eventAdded,
            removed: eventRemoved,
            oldOrder: eventOrder
        )
    }

    /// Marks the current membership as stored; temporary IDs become permanent.
    func didSave(_ permanent: (ManagedObjectID) -> ManagedObjectID) {
        if isLoaded, !added.isEmpty {
            var hasTemporary = false
            for id in added where id.isTemporaryID {
                hasTemporary = true
                members.remove(id)
                members.insert(permanent(id))
            }
            if hasTemporary, isOrdered { order = order.map(permanent) }
        }
        added = []
        removed = []
        savedOrder = nil
        readOrder = nil
    }

    /// Replaces temporary IDs that have become permanent.
    func adoptPermanentIDs(_ permanent: (ManagedObjectID) -> ManagedObjectID) {
        for id in added where id.isTemporaryID {
            let known = permanent(id)
            if known == id { continue }
            added.remove(id)
            added.insert(known)
            if members.remove(id) != nil { members.insert(known) }
            if eventAdded.remove(id) != nil { eventAdded.insert(known) }
            if let index = order.firstIndex(of: id) { order[index] = known }
        }
    }

    /// Replaces temporary IDs that have become permanent, also of members that are not new here.
    func replaceTemporaryIDs(_ permanent: (ManagedObjectID) -> ManagedObjectID) {
        let all = [members, added, removed, eventAdded, eventRemoved, remembered]
        guard all.contains(where: { $0.contains(where: \.isTemporaryID) }) else { return }
        members = Set(members.map(permanent))
        added = Set(added.map(permanent))
        removed = Set(removed.map(permanent))
        eventAdded = Set(eventAdded.map(permanent))
        eventRemoved = Set(eventRemoved.map(permanent))
        remembered = Set(remembered.map(permanent))
        order = order.map(permanent)
        savedOrder = savedOrder?.map(permanent)
        readOrder = readOrder?.map(permanent)
        eventOrder = eventOrder?.map(permanent)
    }

    /// The owner's row was deleted and will be inserted again: every member counts as added.
    func becomeUnsaved(_ permanent: (ManagedObjectID) -> ManagedObjectID) {
        members = Set(members.map(permanent))
        order = order.map(permanent)
        added = isLoaded ? members : Set(added.map(permanent))
        removed = []
        savedOrder = isOrdered && isLoaded ? [] : nil
        readOrder = nil
    }

    /// Restores the membership of the last save.
    func rollback() {
        for id in added { members.remove(id) }
        if isLoaded { members.formUnion(removed) }
        if let savedOrder {
            // What was merged since may have left other members here than the store has.
            order = savedOrder.filter { members.contains($0) }
            order += members.subtracting(order).sorted()
        }
        added = []
        removed = []
        savedOrder = nil
        readOrder = nil
        _ = endEvent()
    }
}

/// What the members in memory say about a one-to-many relationship that is loaded, where the store
/// says something else.
struct MembersInMemory {
    /// Members that pending changes take out.
    var leaving: Set<ManagedObjectID> = []
    /// Objects that pending changes bring in.
    var joining: Set<ManagedObjectID> = []
    /// Stored members that belonged to another owner when they were read.
    var hidden: Set<ManagedObjectID> = []
    /// Objects that are stored elsewhere, and belonged here when they were read.
    var kept: Set<ManagedObjectID> = []

    /// Whether there are pending changes among them.
    var hasChanges: Bool { !leaving.isEmpty || !joining.isEmpty }
}

/// The changes of one event in a to-many relationship.
struct ToManyDelta {
    let slot: Int
    let added: Set<ManagedObjectID>
    let removed: Set<ManagedObjectID>
    /// The order before the event, for an ordered relationship.
    let oldOrder: [ManagedObjectID]?
}
