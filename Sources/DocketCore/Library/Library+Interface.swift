package import ObjectGraph

// What the interface asks for beyond the verbs: the items of a screenful at once, counts, and the
// history after a token.

extension Library {
    /// Items by identity, with all that a row on the screen shows, in a constant number of
    /// statements; those that are gone are left out.
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

    /// How many items match.
    package func count(_ predicate: FetchPredicate?) throws -> Int {
        try context.count(for: FetchRequest<Item>(entityName: "Item", predicate: predicate))
    }

    /// How many open items each list holds, by the list's identity; one grouped query.
    package func openCountsByList() throws -> [ManagedObjectID: Int] {
        try openCounts(by: "list", Library.openItems)
    }

    /// How many open items each tag has.
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

    /// The number of the newest transaction.
    package func latestTransaction() throws -> Int64 {
        try context.coordinator.persistentStores.first?.latestTransaction() ?? 0
    }

    /// Takes over what other processes saved after a token; `own` are the numbers of those
    /// transactions that are known already.
    ///
    /// - Returns: the token for the next time, and the names of what others did.
    package func mergeChanges(
        after token: Int64,
        except own: Set<Int64>
    ) throws -> (token: Int64, steps: [String], changed: Int) {
        guard let store = context.coordinator.persistentStores.first else { return (token, [], 0) }
        var token = token
        // Our own need not be read.
        while own.contains(token + 1) { token += 1 }
        var steps: [String] = []
        var changes = ObjectIDChanges()
        while true {
            let transactions = try store.history(after: token, limit: 500)
            guard let last = transactions.last else { break }
            for transaction in transactions where !own.contains(transaction.number) {
                if let name = transaction.groupName { steps.append(name) }
                for change in transaction.changes { changes.add(change) }
            }
            token = last.number
        }
        guard !changes.isEmpty else { return (token, steps, 0) }
        try store.load(Array(changes.updated.union(changes.inserted)))
        context.mergeChanges(changes)
        return (
            token, steps, changes.inserted.count + changes.updated.count + changes.deleted.count
        )
    }
}

extension ObjectIDChanges {
    /// Adds a change that came after those that are in it.
    fileprivate mutating func add(_ change: HistoryChange) {
        let id = change.objectID
        switch change.kind {
        case .insert:
            if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
        case .update:
            if !inserted.contains(id) { updated.insert(id) }
        case .delete:
            inserted.remove(id)
            updated.remove(id)
            deleted.insert(id)
        }
    }
}

extension Library {
    /// Items by identity with what search looks at: their texts, lists and tags.
    package func searchableItems(withIDs ids: [ManagedObjectID]) throws -> [Item] {
        try context.objects(Item.self, of: "Item", with: ids, prefetching: ["list", "tags"])
    }
}

extension Library {
    /// Whether the store was opened for reading only.
    package var isReadOnly: Bool {
        context.coordinator.persistentStores.first?.isReadOnly ?? true
    }
}
