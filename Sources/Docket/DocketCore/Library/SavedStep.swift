/// A saved command: the step that undo reverts next.
///
/// Only verbs of ``Library`` create it, after their transaction was written. With a step, a caller
/// may report the change and offer undo; a verb without a change returns none.
public struct SavedStep: Sendable {
    /// What happened to which thing, as a message says it: `Completed "Pay rent"`.
    public let name: String
    /// The number of its first transaction.
    public let transaction: Int64
    /// The changed things.
    public let subject: StepSubject
}

/// The subject of a step: one thing by its name, or several of a kind by their number.
public struct StepSubject: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case task = "Task"
        case note = "Note"
        /// Tasks and notes.
        case item = "Item"
        case list = "List"
        case smartList = "Smart list"

        /// The word inside a sentence.
        public var word: String { rawValue.lowercased() }
    }

    public let kind: Kind
    public let count: Int
    /// The title of the only thing; `nil` for several.
    public let title: String?

    init(_ kind: Kind, count: Int, title: String?) {
        self.kind = kind
        self.count = count
        self.title = count == 1 ? title : nil
    }

    init(_ items: [Item]) {
        let notes = items.count { $0 is Note }
        kind = notes == 0 ? .task : notes == items.count ? .note : .item
        count = items.count
        title = count == 1 ? items.first?.title : nil
    }

    init(_ list: List) { self.init(.list, count: 1, title: list.name) }

    init(_ list: SmartList) { self.init(.smartList, count: 1, title: list.title) }

    /// `3 tasks`, `1 note`.
    public var counted: String { "\(count) \(kind.word)\(count == 1 ? "" : "s")" }

    /// The subject inside the name of a step: `"Pay rent"`, `3 tasks`, `the list "Home"`.
    var phrase: String {
        guard let title else { return counted }
        let isItem = kind != .list && kind != .smartList
        return (isItem ? "" : "the \(kind.word) ") + StepName.quoted(title)
    }
}
