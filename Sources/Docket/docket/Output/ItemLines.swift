import CivilTime
import DocketCore
import DocketFormats
import TerminalUI

/// Items as lines for people: number, state, title, date, what it waits for, list, tags
/// and location.
struct ItemLines {
    private let dates: DateFormat
    private let today: DateContext

    init(_ context: DateContext) {
        dates = DateFormat(context: context)
        today = context
    }

    func line(_ item: ItemRecord, numberWidth: Int) -> String {
        let number = ShortID.string(item.shortID ?? 0)
        var head = ""
        head.reserveCapacity(120)
        for _ in 0..<max(0, numberWidth - number.utf8.count) { head += " " }
        head += number
        head += sign(item)
        var title = Console.shown(item.title)
        let tail = details(item)
        if let columns = Console.columns {
            let room =
                columns - DisplayWidth.of(head) - (tail.isEmpty ? 0 : DisplayWidth.of(tail) + 2)
            title = DisplayWidth.truncate(title, to: max(10, room))
        }
        if Console.isStyled, item.kind == .task, item.completed != nil {
            title = "\u{1b}[2m\(title)\u{1b}[0m"
        }
        head += title
        if tail.isEmpty { return head }
        head += "  "
        head += styledTail(item, tail)
        return head
    }

    /// The state, with a blank before and after it.
    private func sign(_ item: ItemRecord) -> String {
        if item.trashed { return " × " }
        if item.kind == .note { return " ✎ " }
        return item.completed == nil ? " ○ " : " ✓ "
    }

    private func details(_ item: ItemRecord) -> String {
        var text = ""
        func add(_ part: String) {
            if !text.isEmpty { text += "  " }
            text += part
        }
        if item.kind == .task {
            if item.priority > 0 { add(String(repeating: "!", count: item.priority)) }
            if let due = item.due { add(dates.relative(from: item.start, to: due)) }
            if !item.waits.isEmpty {
                add("waits for ")
                text += item.waits.map(ShortID.string).joined(separator: ", ")
            }
        }
        if !item.list.isEmpty {
            add("+")
            text += Console.shown(ListPath.string(item.list))
        }
        for tag in item.tags {
            add("#")
            text += Console.shown(tag)
        }
        if let location = item.location {
            add("@")
            text += Console.shown(location)
        }
        return text
    }

    private func styledTail(_ item: ItemRecord, _ tail: String) -> String {
        guard Console.isStyled else { return tail }
        let isLate =
            item.kind == .task && item.completed == nil && item.due?.isOverdue(in: today) == true
        return isLate ? "\u{1b}[1m\(tail)\u{1b}[0m" : "\u{1b}[2m\(tail)\u{1b}[0m"
    }
}
