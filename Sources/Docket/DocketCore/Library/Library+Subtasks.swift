import ObjectGraph

// A task that is completed or put into the trash may have subtasks that are still open. They do not
// change automatically: the command says whether they are included. Others keep their parent.

extension Library {
    /// For more tasks than this, all subtasks of the store are read in one fetch.
    private static let walked = 64

    /// The open subtasks of some items, at any depth, that are not among them: a command that
    /// completes or trashes the items would leave them open.
    ///
    /// - Complexity: a few statements for a few items, else one fetch of all subtasks.
    public func openSubtasks(of targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed == nil && $0.completed == nil }
    }

    /// All subtasks of some items, at any depth, that are not among them and not in the trash.
    public func subtasks(of targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed == nil }
    }

    /// The subtasks that are not in the trash although their parent is, by each ancestor up to the
    /// first that is not.
    static func tasksBelowTrash(
        in context: ManagedObjectContext
    ) throws -> [ManagedObjectID: [Task]] {
        let kept = try Task.all(
            in: context,
            where: { $0.trashed == nil && $0.parent.trashed != nil }
        )
        var below: [ManagedObjectID: [Task]] = [:]
        for task in kept {
            var ancestor = task.parent
            while let next = ancestor, next.trashed != nil {
                below[next.objectID, default: []].append(task)
                ancestor = next.parent
            }
        }
        return below
    }

    private func subtasks(
        of targets: Targets,
        where isWanted: (Task) -> Bool
    ) throws -> Targets {
        try refresh()
        // Of many, the objects are not retained.
        let scratch = makeScratch()
        let few = targets.items.flatMap { $0.count <= Library.walked ? existing($0) : nil }
        var open: [Task]
        let below: (Task) -> [Task]
        if let few {
            below = { Array($0.subtasks) }
            open = few.compactMap { $0 as? Task }.flatMap(below)
        } else {
            let subtasks = try Task.all(in: scratch, where: \.parent != nil)
            let children = Dictionary(grouping: subtasks) { $0.parent?.objectID }
            below = { children[$0.objectID] ?? [] }
            open = targets.ids.flatMap { children[$0] ?? [] }
        }
        var seen = Set(targets.ids)
        var found: [Task] = []
        while let subtask = open.popLast() {
            guard seen.insert(subtask.objectID).inserted else { continue }
            if isWanted(subtask) { found.append(subtask) }
            open += below(subtask)
        }
        found.sort { $0.displayOrder < $1.displayOrder }
        return few == nil ? try self.targets(found.map(\.objectID)) : .items(found)
    }
}
