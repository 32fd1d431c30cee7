package import ObjectGraph

// What the interface asks for beyond the verbs: the items of a screenful at once, counts, and the
// history after a token.

extension Library {
    /// Items by identity, with all that a row on the screen shows, in a constant number of
    /// statements; those that are gone are left out.
    package func items(withIDs ids: [ManagedObjectID]) throws -> [ManagedObjectID: Item] {
        var found: [ManagedObjectID: Item] = [:]
        for item in try context.objects(
            Item.self,
            with: ids,
            prefetching: [\.list, \.tags]
        ) {
            found[item.objectID] = item
        }
        let tasks = found.values.filter { $0 is Task }.map(\.objectID)
        _ = try context.objects(
            Task.self,
            with: tasks,
            prefetching: [\.subtasks, \.blockedBy]
        )
        return found
    }

    /// How many items match.
    package func count(_ condition: Condition<Item>?) throws -> Int {
        try Item.count(in: context, where: condition)
    }
}

extension Library {
    /// Whether the store was opened for reading only.
    package var isReadOnly: Bool {
        context.coordinator.openStores.first?.isReadOnly ?? true
    }
}
