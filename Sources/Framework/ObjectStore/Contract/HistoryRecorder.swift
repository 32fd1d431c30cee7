package import ObjectModel

/// Turns a save plan into history changes: the values of each object before and after.
package struct HistoryRecorder {
    package private(set) var changes: [HistoryChange] = []
    private var indexByID: [ManagedObjectID: Int] = [:]
    private let resolve: (ManagedObjectID) -> ManagedObjectID

    package init(resolve: @escaping (ManagedObjectID) -> ManagedObjectID) {
        self.resolve = resolve
    }

    package mutating func insert(_ id: ManagedObjectID) {
        add(HistoryChange(objectID: id, kind: .insert))
    }

    /// Logs an insert under an old key, with the values that are not `nil`.
    package mutating func insert(_ change: ObjectChange) {
        var new: [String: GraphValue] = [:]
        for (property, value) in change.columns(of: change.slots) where !value.isNull {
            new[property.name] = stored(value)
        }
        add(HistoryChange(objectID: change.id, kind: .insert, newValues: new))
    }

    package mutating func update(_ change: ObjectChange) {
        guard let snapshot = change.snapshot else { return }
        var old: [String: GraphValue] = [:]
        var new: [String: GraphValue] = [:]
        for slot in change.changed {
            let name = change.entity.slots[slot].name
            old[name] = stored(snapshot[slot])
            new[name] = stored(change.slots[slot])
        }
        add(HistoryChange(objectID: change.id, kind: .update, oldValues: old, newValues: new))
    }

    /// Logs a deleted row: all its values, its links and its ordered members.
    package mutating func delete(
        _ change: ObjectChange,
        row: [GraphValue],
        links: [(RelationshipDescription, [ManagedObjectID])],
        orders: [(RelationshipDescription, [ManagedObjectID])]
    ) {
        var old: [String: GraphValue] = [:]
        row.withUnsafeBufferPointer { row in
            guard let row = row.baseAddress else { return }
            for (property, value) in change.columns(of: row) { old[property.name] = stored(value) }
        }
        var removed: [String: [ManagedObjectID]] = [:]
        for (relationship, ids) in links { removed[relationship.name] = ids }
        var oldOrders: [String: [ManagedObjectID]] = [:]
        for (relationship, ids) in orders { oldOrders[relationship.name] = ids }
        add(
            HistoryChange(
                objectID: change.id,
                kind: .delete,
                oldValues: old,
                removedMembers: removed,
                oldOrders: oldOrders
            )
        )
    }

    /// Adds a to-many change to the change of its owner, or makes a new one.
    package mutating func link(_ link: LinkChange) {
        let owner = resolve(link.owner)
        let name = link.relationship.name
        let index: Int
        if let known = indexByID[owner] {
            index = known
        } else {
            add(HistoryChange(objectID: owner, kind: .update))
            index = changes.count - 1
        }
        let change = changes[index]
        var (added, removed) = (change.addedMembers, change.removedMembers)
        var (oldOrders, newOrders) = (change.oldOrders, change.newOrders)
        added[name] = link.added.map(resolve)
        removed[name] = link.removed.map(resolve)
        if let order = link.order {
            newOrders[name] = order.map(resolve)
            oldOrders[name] = link.oldOrder?.map(resolve)
        }
        changes[index] = HistoryChange(
            objectID: change.objectID,
            kind: change.kind,
            oldValues: change.oldValues,
            newValues: change.newValues,
            addedMembers: added,
            removedMembers: removed,
            oldOrders: oldOrders,
            newOrders: newOrders
        )
    }

    private mutating func add(_ change: HistoryChange) {
        indexByID[change.objectID] = changes.count
        changes.append(change)
    }

    private func stored(_ value: GraphValue) -> GraphValue {
        if case .objectID(let id) = value { return .objectID(resolve(id)) }
        return value
    }
}

extension ObjectChange {
    /// The properties that have a column, each with its value among some slots.
    fileprivate func columns(
        of slots: UnsafePointer<GraphValue>
    ) -> [(property: PropertyDescription, value: GraphValue)] {
        entity.slots.compactMap { property in
            if property.isTransient || property is FetchedPropertyDescription { return nil }
            if let relationship = property as? RelationshipDescription, relationship.isToMany {
                return nil
            }
            if (property as? AttributeDescription)?.isStored == false { return nil }
            return (property, slots[property.slot])
        }
    }
}
