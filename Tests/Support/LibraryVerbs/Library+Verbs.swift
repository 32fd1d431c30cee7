package import DocketCore
import DocketFormats
import ObjectGraph

/// The verbs of the library by their names, as tests use them.
extension Library {
    /// Runs a change of any items; that those in the trash are not changed is no failure.
    package static func unlessTrashed(_ change: () throws -> Void) throws {
        do {
            try change()
        } catch let error as InputError where error.kind == .conflict {
            guard error.message.contains("in the trash") else { throw error }
        }
    }

    /// Adds a task from one line of quick capture.
    @discardableResult
    package func addTask(capturing text: String, list: List? = nil) throws -> Task {
        var defaults = ItemDefaults()
        defaults.list = list
        return try addTask(capture(text), defaults).task
    }

    /// Adds a note; its first line is the title.
    @discardableResult
    package func addNote(capturing text: String) throws -> Note {
        try addNote(capture(text)).note
    }

    /// Marks tasks as done.
    ///
    /// Notes among the items stay as they are.
    @discardableResult
    package func complete(_ items: [Item]) throws -> SavedStep? {
        try perform(.complete, on: items)
    }

    /// Opens done tasks again.
    @discardableResult
    package func reopen(_ items: [Item]) throws -> SavedStep? {
        try perform(.reopen, on: items)
    }

    /// Sets or clears the flag.
    @discardableResult
    package func setFlagged(_ flagged: Bool, of items: [Item]) throws -> SavedStep? {
        try perform(.flag(flagged), on: items)
    }

    /// Moves items to a list, or out of any.
    @discardableResult
    package func move(_ items: [Item], to list: List?) throws -> SavedStep? {
        try perform(.list(list.map { .list($0.objectID) } ?? .inbox), on: items)
    }

    /// Adds and removes tags by name.
    @discardableResult
    package func changeTags(
        of items: [Item],
        adding: [String] = [],
        removing: [String] = []
    ) throws -> SavedStep? {
        try perform(.tags(adding: adding, removing: removing), on: items)
    }

    /// Puts items into the trash; nothing is deleted.
    @discardableResult
    package func trash(_ items: [Item]) throws -> SavedStep? {
        try perform(.trash, on: items)
    }

    /// Takes items out of the trash.
    @discardableResult
    package func restore(_ items: [Item]) throws -> SavedStep? {
        try perform(.restore, on: items)
    }

    /// Makes tasks wait for some others and for nothing else.
    @discardableResult
    package func setBlockers(_ blockers: [Task], of tasks: [Task]) throws -> SavedStep? {
        try perform(.waits(blockers.map(\.shortID)), on: tasks)
    }
}
