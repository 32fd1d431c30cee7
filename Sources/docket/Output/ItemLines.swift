import DocketCore
import TerminalUI

/// Items as lines for people: number, state, title, date, list and tags.
struct ItemLines {
    private let dates: DateFormat
    private let today: DateContext

    init(_ context: DateContext) {
        dates = DateFormat(context: context)
        today = context
    }

    func line(_ item: Item, numberWidth: Int) -> String {
        let number = ShortID.string(item.shortID)
        let padding = String(repeating: " ", count: max(0, numberWidth - number.count))
        var head = "\(padding)\(number) \(sign(item)) "
        var title = Console.shown(item.title)
        let tail = details(item).joined(separator: "  ")
        if let columns = Console.columns {
            let room =
                columns - DisplayWidth.of(head) - (tail.isEmpty ? 0 : DisplayWidth.of(tail) + 2)
            title = DisplayWidth.truncate(title, to: max(10, room))
        }
        if Console.isStyled, (item as? Task)?.isDone == true {
            title = "\u{1b}[2m\(title)\u{1b}[0m"
        }
        head += title
        return tail.isEmpty ? head : "\(head)  \(styledTail(item, tail))"
    }

    private func sign(_ item: Item) -> String {
        if item.trashed != nil { return "×" }
        guard let task = item as? Task else { return "✎" }
        return task.isDone ? "✓" : "○"
    }

    private func details(_ item: Item) -> [String] {
        var parts: [String] = []
        if let task = item as? Task {
            if task.priority > 0 {
                parts.append(String(repeating: "!", count: Int(task.priority)))
            }
            if let due = task.dueDate { parts.append(dates.relative(due)) }
        }
        if let list = item.list { parts.append("+" + Console.shown(ListPath.string(list.path))) }
        parts += item.tags.map { "#" + Console.shown($0.name) }.sorted()
        return parts
    }

    private func styledTail(_ item: Item, _ tail: String) -> String {
        guard Console.isStyled else { return tail }
        let isLate =
            (item as? Task).map { task in
                !task.isDone && task.dueDate?.isOverdue(in: today) == true
            } ?? false
        return isLate ? "\u{1b}[1m\(tail)\u{1b}[0m" : "\u{1b}[2m\(tail)\u{1b}[0m"
    }
}
