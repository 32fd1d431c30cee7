/// A command as it was saved: the step that undo takes back next.
///
/// Only a verb of ``Library`` makes one, and only when its transaction was written. Who holds a step
/// may say what was done and offer undo; a verb that changed nothing returns none.
package struct SavedStep: Sendable {
    /// What undo calls it: "Complete 3 Tasks".
    package let name: String
    /// The number of its first transaction.
    package let transaction: Int64
    /// What it changed.
    package let subject: StepSubject
}

/// What a step is about: one thing by its name, or several of a kind by their number.
package struct StepSubject: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case task = "Task"
        case note = "Note"
        /// Tasks and notes.
        case item = "Item"
        case list = "List"

        /// The word inside a sentence.
        package var word: String { rawValue.lowercased() }
    }

    package let kind: Kind
    package let count: Int
    /// The title of the only one; `nil` for several.
    package let title: String?

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

    /// `3 tasks`, `1 note`.
    package var counted: String { "\(count) \(kind.word)\(count == 1 ? "" : "s")" }

    /// How a step on it is called: `Complete Task`, `Complete 3 Tasks`.
    func stepName(_ verb: String) -> String {
        count == 1 ? "\(verb) \(kind.rawValue)" : "\(verb) \(count) \(kind.rawValue)s"
    }
}
