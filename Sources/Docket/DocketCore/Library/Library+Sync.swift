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
        let clock = clock()
        for case let task as Task in changed { task.setNextReminder(clock) }
    }
}
