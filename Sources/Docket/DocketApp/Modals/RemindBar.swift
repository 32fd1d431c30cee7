import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Asks when to remind of tasks, in words, and shows the moments during typing.
final class RemindBar: ItemsBar {
    private let context: DateContext
    private let due: DueDate?

    init(_ workspace: Workspace) throws {
        context = workspace.library.clock()
        let targets = try workspace.items.targets().tasks
        let only = targets.onlyTask
        due = only?.dueDate
        super.init(
            "Remind",
            targets,
            text: only?.remindersInWords(in: context) ?? "",
            placeholder: "1 week before, 2 h before, tomorrow 9:00; empty for never"
        )
        show()
    }

    override func accept(in workspace: Workspace) throws {
        let stored = try ReminderTimes.typed(field.text, in: context)
        let unchanged: Phrase = "It reminds like that already"
        try perform(.remind(stored), unchanged: unchanged, in: workspace)
    }

    override func show() {
        let input = ReminderInput(field.text, context)
        let words =
            ids.count == 1
            ? input.words(due: due, context)
            : localized("\(ids.count) items: \(input.text(DateFormat(context: context).full))")
        preview = .plain(
            input.problem ?? (input.stored == nil ? localized("no reminder") : words),
            input.problem == nil ? .dueSoon : .warning
        )
    }
}

/// The meaning of a text in a field for reminders.
struct ReminderInput {
    private(set) var stored: String?
    private(set) var problem: String?

    init(_ text: String, _ context: DateContext) {
        do { stored = try ReminderTimes.typed(text, in: context) } catch {
            problem = error.message
        }
    }

    /// The reminders in words: `1 day before`.
    func text(_ date: (DueDate) -> String) -> String {
        stored.map { ReminderTimes.words($0, date) } ?? ""
    }

    /// The moments that it means: `Thu 25 Mar 2027, 9:00`; empty for none.
    func words(due: DueDate?, _ context: DateContext) -> String {
        guard let stored else { return "" }
        let moments = ReminderTimes.moments(stored, due: due, in: context.zone)
        if moments.isEmpty { return localized("counts from the due date, once it has one") }
        let format = DateFormat(context: context)
        return moments.prefix(3).map {
            format.full(DueDate(moment: $0))
                + ($0 <= context.now ? localized(", which has passed") : "")
        }.joined(separator: "; ")
    }
}
