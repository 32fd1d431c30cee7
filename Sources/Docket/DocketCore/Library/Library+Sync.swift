import DocketFormats
import FoundationEssentials
public import ObjectGraph

extension Library {
    /// Gives what another program has brought into a context what Docket's own items have: numbers,
    /// places, and the moment of the next reminder.
    ///
    /// - Parameter context: a context over the library's store, before it is saved.
    /// - Throws: the store's error.
    public func finishPull(in context: ManagedObjectContext) throws {
        let new = context.insertedObjects.compactMap { $0 as? Item }
            .sorted { ($0.displayOrder, $0.title) < ($1.displayOrder, $1.title) }
        let ranks = new.map(\.displayOrder)
        if !new.isEmpty { try assignNumbers(to: new, in: context) }
        for (item, rank) in zip(new, ranks) where rank != 0 { item.displayOrder = rank }
        let changed = context.insertedObjects.union(context.updatedObjects)
            .filter { !$0.isDeleted }
        for case let note as Note in changed where note.isEncrypted && note.body != nil {
            // The encrypted text stays the note's; what came is not lost.
            note.notes = [note.notes, note.body].compactMap(\.self).joined(separator: "\n\n")
            note.body = nil
        }
        try passOn(changed)
        let clock = clock()
        for case let task as Task in changed { task.setNextReminder(clock) }
    }

    /// Gives what was changed elsewhere of an occurrence that is completed here to the next one,
    /// as far as that is as it was made.
    private func passOn(_ changed: Set<ManagedObject>) throws {
        var edited: [UUID: Task] = [:]
        for case let task as Task in changed where task.completed != nil && task.series != nil {
            if !task.isInserted { edited[task.nextName] = task }
        }
        guard !edited.isEmpty, let context = changed.first?.context else { return }
        let names = Set(edited.keys)
        for next in try Task.all(in: context, where: { $0.uuid.in(names) })
        where next.completed == nil {
            guard let task = edited[next.uuid] else { continue }
            let keys = [
                "title", "notes", "list", "tags", "flagged", "priority", "estimate", "location",
            ]
            let former = task.committedValues(forKeys: keys)
            for (key, value) in task.changedValues() where former[key] != nil {
                if try next.value(forKey: key) == former[key] {
                    try next.setValue(value, forKey: key)
                }
            }
        }
    }
}
