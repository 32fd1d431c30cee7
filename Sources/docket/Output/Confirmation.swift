import DocketCore

/// The line that reports the effect of a command.
enum Confirmation {
    /// `Completed 1 task: Pay rent`, `Trashed 3 items`; only for a step that was saved.
    static func of(_ verb: String, _ step: SavedStep) -> String {
        let title = step.subject.title.map { ": \(Console.shown($0))" } ?? ""
        return "\(verb) \(step.subject.counted)\(title)"
    }

    /// The reason why nothing changed, as a sentence.
    ///
    /// Example: `Nothing changed: 3 is done already.`
    static func nothing(_ items: [Item], _ state: String) -> String {
        let subject =
            items.count == 1 ? items.first.map { ShortID.string($0.shortID) } ?? "" : "all of them"
        return "Nothing changed: \(subject) \(items.count == 1 ? "is" : "are") \(state)."
    }
}
