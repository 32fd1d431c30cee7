import DocketCore
import TerminalUI

/// The line that says what a command did.
enum Confirmation {
    /// `Completed 1 task: Pay rent`, `Trashed 3 items`.
    static func of(_ verb: String, _ items: [Item]) -> String {
        if items.count == 1, let item = items.first {
            return "\(verb) 1 \(kind(items)): \(title(item))"
        }
        return "\(verb) \(items.count) \(kind(items))s"
    }

    /// Says why nothing changed, such as `Nothing changed: 3 is done already`, as a sentence.
    static func nothing(_ items: [Item], _ state: String) -> String {
        let subject =
            items.count == 1 ? items.first.map { ShortID.string($0.shortID) } ?? "" : "all of them"
        return "Nothing changed: \(subject) \(items.count == 1 ? "is" : "are") \(state)."
    }

    private static func kind(_ items: [Item]) -> String {
        if items.allSatisfy({ $0 is Task }) { return "task" }
        return items.allSatisfy { $0 is Note } ? "note" : "item"
    }

    private static func title(_ item: Item) -> String { Console.shown(item.title) }
}
