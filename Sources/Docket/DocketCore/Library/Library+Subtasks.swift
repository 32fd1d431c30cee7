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
    public func openSubtasks(of targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed == nil && $0.completed == nil }
    }

    /// All subtasks of some items, at any depth, that are not among them and not in the trash.
    public func subtasks(of targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed == nil }
    }

    /// The subtasks of some items, at any depth, that are not among them and are in the trash.
    public func trashedSubtasks(of targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed != nil }
    }

    /// The subtasks of some tasks, at any depth, that are in the list of their parent: they move to
    /// another list with it.
    func subtasksInSameList(as targets: Targets) throws -> Targets {
        try subtasks(of: targets) { $0.trashed == nil && $0.list === $0.parent?.list }
    }

    /// How many subtasks outside the trash some tasks have, and how many of them are done.
    ///
    /// Cost: one statement. Tasks without any are left out.
    public func subtaskCounts(
        of ids: [ManagedObjectID]
    ) throws -> [ManagedObjectID: (done: Int, all: Int)] {
        if isOnServer, let counts = try subtaskCountsInMemory(of: ids) { return counts }
        let request = FetchRequest<[String: GraphValue]>(
            of: Task.self,
            columns: [.property(\.parent), .count(\.shortID), .count(\.completed, as: "done")],
            groupedBy: \.parent,
            where: Condition { $0.parent.in(ids) && $0.trashed == nil }
        )
        var counts: [ManagedObjectID: (done: Int, all: Int)] = [:]
        for row in try context.fetch(request) {
            guard case .objectID(let id)? = row[Task.Keys.parent],
                case (.int(let done)?, .int(let all)?) = (row["done"], row["count"])
            else { continue }
            counts[id] = (Int(done), Int(all))
        }
        return counts
    }

    /// The same from the subtasks themselves, which a command on their parents needs too; `nil` if
    /// they are many.
    private func subtaskCountsInMemory(
        of ids: [ManagedObjectID]
    ) throws -> [ManagedObjectID: (done: Int, all: Int)]? {
        try context.readAhead(Library.relationshipsOfCommands, of: ids)
        let below = try context.savedDestinations(of: \.subtasks, in: Task.self, for: ids)
        let all = below.flatMap(\.self)
        if all.count > 500 { return nil }
        try context.readAhead(Library.relationshipsOfCommands, of: all)
        var counts: [ManagedObjectID: (done: Int, all: Int)] = [:]
        for task in try context.objects(Task.self, with: all, prefetching: [])
        where task.trashed == nil {
            guard let parent = task.parent?.objectID else { continue }
            counts[parent, default: (0, 0)].all += 1
            if task.completed != nil { counts[parent]?.done += 1 }
        }
        return counts
    }

    /// The first subtasks of a task outside the trash, in the order by hand; one statement.
    public func firstSubtasks(of task: Task, limit: Int) throws -> [Task] {
        var request = FetchRequest<Task>(
            where: Condition { $0.parent == task && $0.trashed == nil },
            sortedBy: \.displayOrder
        )
        (request.limit, request.batchSize) = (limit, 64)
        return try context.fetch(request)
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
            try context.readAhead(Library.relationshipsOfCommands, of: few.map(\.objectID))
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
        while !open.isEmpty {
            let level = open.filter { seen.insert($0.objectID).inserted }
            // From a server a level is one round trip.
            if few != nil {
                try context.readAhead(Library.relationshipsOfCommands, of: level.map(\.objectID))
            }
            found += level.filter(isWanted)
            open = level.flatMap(below)
        }
        found.sort { $0.displayOrder < $1.displayOrder }
        return few == nil ? try self.targets(found.map(\.objectID)) : .items(found)
    }
}
