import ObjectGraph

extension Library {
    /// Copies items, each directly below its original in the display order; one step.
    ///
    /// A copy has the original's texts, list, tags, flag, dates, priority and estimate, and its
    /// parent. It is open, is not in the trash and does not repeat.
    ///
    /// - Parameters:
    ///   - items: the originals.
    ///   - withSubtasks: whether copies get copies of the subtasks that are not in the trash, at any
    ///     depth; one of these waits for another one as the originals do. A subtask among the items
    ///     is then copied with its parent only.
    /// - Returns: the copies, in the order of the originals, without those of subtasks; and the step,
    ///   no step without items.
    /// - Throws: `InputError` for an encrypted note while the vault is locked.
    public func duplicate(
        _ items: [Item],
        withSubtasks: Bool = false
    ) throws -> (copies: [Item], step: SavedStep?) {
        try changeAndReturn {
            var originals = existing(items)
            if withSubtasks {
                let ids = Set(originals.map(\.objectID))
                originals.removeAll { ($0 as? Task)?.hasAncestor(in: ids) == true }
            }
            let copies = try originals.map(copy)
            var below = Copies()
            if withSubtasks {
                for case (let task as Task, let copy as Task) in zip(originals, copies) {
                    try add(copiesBelow: task, to: copy, &below)
                }
                for (task, copy) in zip(below.originals, below.copies) {
                    for blocker in task.blockedBy {
                        if let other = below.byOriginal[blocker] { copy.$blockedBy.insert(other) }
                    }
                }
            }
            let all: [Item] = copies + below.copies
            try assignNumbers(to: all)
            try setRanks(of: all, below: originals + below.originals)
            let count = below.copies.count
            let rest = count == 0 ? "" : " with \(count) subtask\(count == 1 ? "" : "s")"
            return (copies, StepName(.duplicated, StepSubject(copies), rest))
        }
    }

    /// The copies of subtasks.
    private struct Copies {
        var originals: [Task] = []
        var copies: [Task] = []
        var byOriginal: [Task: Task] = [:]
    }

    private func add(copiesBelow task: Task, to copy: Task, _ made: inout Copies) throws {
        var parents = [(task: task, copy: copy)]
        // Tasks may form a circle in a damaged store.
        var seen: Set = [task]
        while let (parent, parentCopy) = parents.popLast() {
            let subtasks = parent.subtasks.filter { $0.trashed == nil && seen.insert($0).inserted }
            for subtask in subtasks.sorted(by: { $0.displayOrder < $1.displayOrder }) {
                guard let copy = try self.copy(subtask) as? Task else { continue }
                copy.parent = parentCopy
                made.originals.append(subtask)
                made.copies.append(copy)
                made.byOriginal[subtask] = copy
                parents.append((subtask, copy))
            }
        }
    }

    /// Places each copy between its original and the next item; reads the order once.
    ///
    /// A copy of the last item stays at the end, where its number has put it.
    func setRanks(of copies: [Item], below originals: [Item]) throws {
        guard let first = originals.map(\.displayOrder).min() else { return }
        let ranks = try Item.values(
            of: \.displayOrder,
            in: context,
            where: \.displayOrder >= first,
            sortedBy: \.displayOrder
        )
        var used: Set<Int64> = []
        for (original, copy) in zip(originals, copies) {
            let rank = original.displayOrder
            var (low, high) = (0, ranks.count)
            while low < high {
                let middle = (low + high) / 2
                if ranks[middle] <= rank { low = middle + 1 } else { high = middle }
            }
            guard low < ranks.count else { continue }
            let isInside = rank >= -Ranks.limit && ranks[low] <= Ranks.limit
            let middle = isInside ? rank + (ranks[low] - rank) / 2 : rank
            if middle > rank, used.insert(middle).inserted {
                copy.displayOrder = middle
            } else {
                try setRanks(of: [copy], .after(original))
            }
        }
    }

    /// A new item with the values of another one; it has no number and no place yet.
    ///
    /// - Throws: `InputError` for an encrypted note while the vault is locked.
    private func copy(_ original: Item) throws -> Item {
        let copy: Item
        if let task = original as? Task {
            let made = context.insert(Task.self)
            made.setDue(task.dueDate)
            made.setStart(task.startDate)
            made.parent = task.parent
            copy = made
        } else {
            let made = context.insert(Note.self)
            if let note = original as? Note, note.isEncrypted {
                try made.setValue(.string(text(of: note)), forKey: Note.Keys.sealedBody)
            } else {
                made.body = (original as? Note)?.body
            }
            copy = made
        }
        Library.copyValues(of: original, to: copy)
        return copy
    }

    /// Gives an item what every copy has: texts, list, tags, flag, priority, estimate and place.
    static func copyValues(of original: Item, to copy: Item) {
        copy.title = original.title
        copy.notes = original.notes
        copy.list = original.list
        copy.tags = original.tags
        copy.flagged = original.flagged
        guard let task = original as? Task, let copy = copy as? Task else { return }
        copy.priority = task.priority
        copy.estimate = task.estimate
        copy.location = task.location
    }
}
