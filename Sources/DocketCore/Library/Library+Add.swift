import FoundationEssentials
import ObjectGraph

extension Library {
    /// Adds a task from one line of quick capture, at the end of the display order.
    ///
    /// - Parameters:
    ///   - text: the line; see ``CaptureParser``.
    ///   - list: the list for an item without one in the text.
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
        for tag in try tags(named: captured.tags) { item.$tags.insert(tag) }
        try number([item])
        if let task = item as? Task {
            task.priority = Int16(captured.priority)
            task.setDue(captured.due)
            task.setStart(captured.start)
            task.recurrence = captured.recurrence
        }
    }
}
