import ObjectGraph

extension Library {
    /// Copies items, each directly below its original in the display order; one step.
    ///
    /// A copy has the original's texts, list, tags, flag, dates, priority and estimate, and its
    /// parent. It is open, is not in the trash, does not repeat and has no subtasks.
    ///
    /// - Returns: the copies, in the order of the originals, and the step; no step without items.
    package func duplicate(_ items: [Item]) throws -> (copies: [Item], step: SavedStep?) {
        try changeAndReturn {
            let originals = existing(items)
            let copies = originals.map(copy)
            try assignNumbers(to: copies)
            for (original, copy) in zip(originals, copies) {
                try setRanks(of: [copy], .after(original))
            }
            return (copies, StepName(.duplicated, StepSubject(copies)))
        }
    }

    /// A new item with the values of another one; it has no number and no place yet.
    private func copy(_ original: Item) -> Item {
        let copy: Item
        if let task = original as? Task {
            let made = context.insert(Task.self)
            made.setDue(task.dueDate)
            made.setStart(task.startDate)
            made.priority = task.priority
            made.estimate = task.estimate
            made.parent = task.parent
            copy = made
        } else {
            let made = context.insert(Note.self)
            made.body = (original as? Note)?.body
            copy = made
        }
        copy.title = original.title
        copy.notes = original.notes
        copy.list = original.list
        copy.tags = original.tags
        copy.flagged = original.flagged
        return copy
    }
}
