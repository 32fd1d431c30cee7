import DocketFormats
import ObjectGraph

extension Library {
    /// Makes tasks subtasks of another one, or top-level tasks, and gives them a place in the order if
    /// one is given; one step.
    ///
    /// - Returns: the step; `nil` if they are there already.
    /// - Throws: `InputError` if a task would become a subtask of itself.
    @discardableResult
    public func setParent(
        _ parent: Task?,
        of tasks: [Task],
        placing placement: Placement? = nil
    ) throws -> SavedStep? {
        try change {
            let tasks = existing(tasks)
            try Library.requireOutsideTrash(tasks)
            let former = Set(tasks.compactMap(\.parent))
            let isOther = tasks.contains { $0.parent !== parent }
            for task in tasks { try Library.setParent(of: task, to: parent) }
            if let placement { try place(tasks, placement) }
            guard let placement, !isOther else {
                return name(ofMoving: tasks, from: former, to: parent)
            }
            return StepName(.moved, changed(tasks), placement.phrase)
        }
    }

    /// Moves subtasks to the level of their parents, each right after its parent; one step.
    ///
    /// - Returns: the step; `nil` if none of them has a parent.
    @discardableResult
    public func lift(_ tasks: [Task]) throws -> SavedStep? {
        try change {
            let tasks = existing(tasks).filter { $0.parent != nil }
            try Library.requireOutsideTrash(tasks)
            var parents: [Task] = []
            var below: [Task: [Task]] = [:]
            for task in tasks {
                guard let parent = task.parent else { continue }
                if below[parent] == nil { parents.append(parent) }
                below[parent, default: []].append(task)
            }
            // The levels are those from before: a parent may be lifted, too.
            let targets = parents.map(\.parent)
            for (parent, target) in zip(parents, targets) {
                let lifted = below[parent] ?? []
                for task in lifted { try Library.setParent(of: task, to: target) }
                try setRanks(of: lifted, .after(parent))
            }
            let rest =
                parents.count == 1
                ? " out of \(StepName.quoted(parents[0].title))" : " by one level"
            return StepName(.lifted, changed(tasks), rest)
        }
    }

    /// The last subtask of a task in the order by hand, besides some; one statement.
    public func lastSubtask(of task: Task, besides others: [Task]) throws -> Task? {
        var request = FetchRequest<Task>(where: Condition { $0.parent == task })
        request.sort(by: \.displayOrder.descending)
        request.limit = others.count + 1
        return try context.fetch(request).first { !others.contains($0) }
    }

    /// Makes a task a subtask of another one, or a top-level task; part of a verb.
    static func setParent(of task: Task, to parent: Task?) throws {
        if task.parent === parent { return }
        if let parent {
            if parent.isDeleted {
                throw InputError(.badReference, "The parent was deleted; give another one.")
            }
            try requireOutsideTrash([parent])
            if task.isSelfOrAncestor(of: parent) {
                throw InputError(
                    .badReference,
                    "\(StepName.quoted(task.title)) cannot be a subtask of itself; give another "
                        + "parent."
                )
            }
        }
        task.parent = parent
    }

    private func name(
        ofMoving tasks: [Task],
        from former: Set<Task>,
        to parent: Task?
    ) -> StepName {
        let subject = changed(tasks)
        if let parent {
            return StepName(.put, subject, " under \(StepName.quoted(parent.title))")
        }
        guard former.count == 1, let only = former.first else {
            return StepName(.moved, subject, " to the top level")
        }
        return StepName(.lifted, subject, " out of \(StepName.quoted(only.title))")
    }
}

extension Task {
    /// Whether the task is another one, or one of its ancestors: it cannot become its subtask.
    func isSelfOrAncestor(of other: Task) -> Bool {
        if self === other { return true }
        // Most have no subtasks, so nothing needs to be read.
        if $subtasks.count == 0 { return false }
        var seen: Set<ManagedObjectID> = []
        var current = other.parent
        while let ancestor = current, seen.insert(ancestor.objectID).inserted {
            if ancestor === self { return true }
            current = ancestor.parent
        }
        return false
    }
}
