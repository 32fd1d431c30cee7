import DocketCore

/// The line that says what a command did.
enum Confirmation {
    /// `Completed 1 task: Pay rent`, `Trashed 3 items`; only for a step that was saved.
    static func of(_ verb: String, _ step: SavedStep) -> String {
        let title = step.subject.title.map { ": \(Console.shown($0))" } ?? ""
        return "\(verb) \(step.subject.counted)\(title)"
    }

    /// Says why nothing changed, such as `Nothing changed: 3 is done already`, as a sentence.
    static func nothing(_ items: [Item], _ state: String) -> String {
        let subject =
            items.count == 1 ? items.first.map { ShortID.string($0.shortID) } ?? "" : "all of them"
        return "Nothing changed: \(subject) \(items.count == 1 ? "is" : "are") \(state)."
    }
}
