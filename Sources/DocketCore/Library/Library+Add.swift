import FoundationEssentials
import ObjectGraph

extension Library {
    /// Adds a task from one line of quick capture, at the end of the display order.
    ///
    /// - Parameters:
    ///   - text: the line; see ``CaptureParser``.
    ///   - list: the list for an item that names none.
    /// - Returns: the new task, saved.
    /// - Throws: `InputError` for an empty title.
    package func addTask(capturing text: String, list: List? = nil) throws -> Task {
        let captured = try CaptureParser(context: clock()).capture(text)
        return try change {
            let task = context.insert(Task.self)
            try fill(task, captured, list)
            try commit("Add Task", about: StepSubject([task]))
            return task
        }
    }

    /// Adds a note; its first line is the title.
    package func addNote(capturing text: String, list: List? = nil) throws -> Note {
        let captured = try CaptureParser(context: clock()).capture(text)
        return try change {
            let note = context.insert(Note.self)
            try fill(note, captured, list)
            note.body = captured.notes
            note.notes = nil
            try commit("Add Note", about: StepSubject([note]))
            return note
        }
    }

    private func fill(_ item: Item, _ captured: CapturedItem, _ list: List?) throws {
        item.title = captured.title
        item.notes = captured.notes
        item.list = captured.list.isEmpty ? list : try self.list(path: captured.list)
        for name in captured.tags { item.addToTags(try tag(name)) }
        try number([item])
        if let task = item as? Task {
            task.priority = Int16(captured.priority)
            task.setDue(captured.due)
            task.setStart(captured.start)
            task.recurrence = captured.recurrence
        }
    }

    /// Gives new items the next short IDs and a place at the end of the display order.
    func number(_ items: [Item]) throws {
        var nextID = try largest("shortID") + 1
        var rank = try largest("displayOrder")
        for item in items {
            item.shortID = nextID
            nextID += 1
            rank += Ranks.spacing
            item.displayOrder = rank
        }
    }

    /// Gives the items that are not saved yet new short IDs, after a collision, and new places if
    /// somebody else took theirs as well.
    func renumberNewItems() throws {
        let new = context.insertedObjects.compactMap { $0 as? Item }
            .sorted { $0.shortID < $1.shortID }
        let last = try largest("displayOrder")
        if let first = new.map(\.displayOrder).min(), first <= last,
            new.contains(where: { $0.displayOrder == last })
        {
            for item in new { item.displayOrder += last - first + Ranks.spacing }
        }
        var nextID = try largest("shortID") + 1
        for item in new {
            item.shortID = nextID
            nextID += 1
        }
    }

    /// The largest saved value of a number that every item has; 0 without items.
    ///
    /// Cost: one step in the index.
    private func largest(_ key: String) throws -> Int64 {
        // Asked of the store, not of objects, so that what another process saved counts.
        var request = FetchRequest<[String: Value]>(
            entityName: "Item",
            sortDescriptors: [FetchSortDescriptor(key, ascending: false)]
        )
        request.limit = 1
        request.propertiesToFetch = [.init(key)]
        return try context.fetch(request).first?[key]?.integerValue ?? 0
    }
}
