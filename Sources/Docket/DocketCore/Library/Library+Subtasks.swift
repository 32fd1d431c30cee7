public import ObjectGraph

// A task that is completed or put into the trash may have subtasks that are still open. They do not
// change automatically: the command says whether they are included. Others keep their parent.

extension Library {
    /// For more tasks than this, all subtasks of the store are read in one fetch.
    private static let walked = 64

    /// The open subtasks of some items, at any depth, that are not among them: a command that
    /// completes or trashes the items would leave them open.
    ///
    /// - Complexity: a few statements for a few items, else one fetch of all subtasks.
    public func openSubtasks(of ids: [ManagedObjectID]) throws -> [ManagedObjectID] {
        try subtasks(of: ids) { $0.trashed == nil && $0.completed == nil }
    }

    /// All subtasks of some items, at any depth, that are not among them and not in the trash.
    public func subtasks(of ids: [ManagedObjectID]) throws -> [ManagedObjectID] {
        try subtasks(of: ids) { $0.trashed == nil }
    }

    private func subtasks(
        of ids: [ManagedObjectID],
        where isWanted: (Task) -> Bool
    ) throws -> [ManagedObjectID] {
        try refresh()
        let below: (ManagedObjectID) throws -> [Task]
        // For many, the objects are not retained.
        let scratch = makeScratch()
        if ids.count <= Library.walked {
            below = { [context] id in
                guard let task = try? context.existingObject(with: id) as? Task else { return [] }
                return Array(task.subtasks)
            }
        } else {
            var children: [ManagedObjectID: [Task]] = [:]
            for task in try Task.all(in: scratch, where: \.parent != nil) {
                if let parent = task.parent?.objectID { children[parent, default: []].append(task) }
            }
            if children.isEmpty { return [] }
            below = { children[$0] ?? [] }
        }
        var seen = Set(ids)
        var found: [Task] = []
        var open = ids
        while let id = open.popLast() {
            for subtask in try below(id) where seen.insert(subtask.objectID).inserted {
                if isWanted(subtask) { found.append(subtask) }
                open.append(subtask.objectID)
            }
        }
        return found.sorted { $0.displayOrder < $1.displayOrder }.map(\.objectID)
    }
}
