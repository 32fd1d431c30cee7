package import ObjectGraph

// Queries of the interface: the items of a screen at once, counts, and the history after a token.

extension Library {
    /// Items by identity, with everything that a row on the screen shows, in a constant number of
    /// statements; deleted ones are left out.
    package func items(withIDs ids: [ManagedObjectID]) throws -> [ManagedObjectID: Item] {
        var found: [ManagedObjectID: Item] = [:]
        let keyPaths = ["list", "tags"]
        for item in try context.objects(
            Item.self,
            of: "Item",
            with: ids,
            prefetching: keyPaths
        ) {
            found[item.objectID] = item
        }
        let tasks = found.values.filter { $0 is Task }.map(\.objectID)
        _ = try context.objects(
            Task.self,
            of: "Task",
            with: tasks,
            prefetching: ["subtasks", "blockedBy"]
        )
        return found
    }

    /// The number of items that match.
    package func count(_ predicate: FetchPredicate?) throws -> Int {
        try context.count(for: FetchRequest<Item>(entityName: "Item", predicate: predicate))
    }

    /// The number of open items of each list, by the list's identity; one grouped query.
    package func openCountsByList() throws -> [ManagedObjectID: Int] {
        try openCounts(by: "list", Library.openItems)
    }

    /// The number of open items of each tag.
    package func openCountsByTag() throws -> [ManagedObjectID: Int] {
        var counts: [ManagedObjectID: Int] = [:]
        for tag in try tags() {
            let predicate = FetchPredicate.and([
                Library.openItems,
                .comparison(
                    FetchComparison(
                        .keyPath("tags"),
                        .equal,
                        .constant(.objectID(tag.objectID)),
                        modifier: .any
                    )
                ),
            ])
            counts[tag.objectID] = try count(predicate)
        }
        return counts
    }

    private func openCounts(
        by key: String,
        _ predicate: FetchPredicate
    ) throws -> [ManagedObjectID: Int] {
        var request = FetchRequest<[String: Value]>(entityName: "Item", predicate: predicate)
        request.propertiesToGroupBy = [.init(key)]
        request.propertiesToFetch = [
            .init(key), .init("count", .function("count:", [.keyPath("uuid")]), type: .integer64),
        ]
        var counts: [ManagedObjectID: Int] = [:]
        for row in try context.fetch(request) {
            let id: ManagedObjectID? =
                switch row[key] {
                case .objectID(let id)?: id
                case .object(let object)?: object.managedObjectID
                default: nil
                }
            guard let id, case .int(let number)? = row["count"] else { continue }
            counts[id] = Int(number)
        }
        return counts
    }
}

extension Library {
    /// Whether the store was opened for reading only.
    package var isReadOnly: Bool {
        context.coordinator.openStores.first?.isReadOnly ?? true
    }
}
