import DocketCore
import DocketFormats

/// The line that reports the effect of a command.
enum Confirmation {
    /// Prints what happened, `Completed "Pay rent"`, or why nothing has changed.
    ///
    /// - Parameters:
    ///   - step: only a step that was saved is reported as done.
    ///   - items: the items that the user named.
    ///   - state: the state in which they need no change: `done already`.
    ///   - rest: the end of the message about a step.
    /// - Throws: an error of the output.
    static func print(
        _ step: SavedStep?,
        _ items: [Item],
        _ state: String,
        rest: String = ""
    ) throws {
        try Console.print(step.map { Console.shown($0.name) + rest } ?? nothing(items, state))
    }

    /// The same for a smart list, which is as it was if there is no step.
    static func print(_ step: SavedStep?, _ list: SmartList) throws {
        let nothing = "Nothing changed: the smart list \(list.title) is like that already."
        try Console.print(Console.shown(step?.name ?? nothing))
    }

    /// `; 3 is done already`: the end of a message about named items that were left out; empty for
    /// none.
    static func left(_ items: [Item], _ state: String) -> String {
        if items.isEmpty { return "" }
        let most = 5
        let numbers = items.prefix(most).map { ShortID.string($0.shortID) }
        let others = items.count > most ? " and \(items.count - most) more" : ""
        return "; \(numbers.joined(separator: ", "))\(others)"
            + " \(items.count == 1 ? "is" : "are") \(state)"
    }

    /// `Nothing changed: 3 is done already.`, as a sentence.
    private static func nothing(_ items: [Item], _ state: String) -> String {
        let subject =
            items.count == 1 ? items.first.map { ShortID.string($0.shortID) } ?? "" : "all of them"
        return "Nothing changed: \(subject) \(items.count == 1 ? "is" : "are") \(state)."
    }
}
