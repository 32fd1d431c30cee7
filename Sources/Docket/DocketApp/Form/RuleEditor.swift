import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import Recurrence
import TerminalUI
import TimeLanguage

/// How a task repeats, in words, with the dates that follow; a typed rule of RFC 5545 is shown in
/// words.
final class RuleEditor: TextEditor {
    private let context: DateContext
    /// The due date from which the preview counts.
    private var shownDue: DueDate?

    init(_ task: Task, _ label: String, context: DateContext) {
        self.context = context
        super.init(task, Task.Keys.rule, label, placeholder: "never; like every month")
    }

    private var task: Task? { object as? Task }
    /// The stored rule in words.
    private var words: String { task?.ruleInWords(in: context) ?? "" }

    override func load() {
        field.text = words
        textDidChange()
    }

    override func layout(_ size: Size) {
        // The dates follow the due date, which is another field.
        if shownDue != task?.repeatedDate { textDidChange() }
        super.layout(size)
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override func apply() throws {
        // The words may say less than the rule: its single dates.
        guard problem == nil, field.text != words else { return }
        try set(field.isEmpty ? .null : .string(TaskSeries.clean(field.text)))
        load()
    }

    override func textDidChange() {
        let text = field.text
        shownDue = task?.repeatedDate
        (problem, preview) = (nil, nil)
        guard !text.isEmpty, let task else { return }
        let series: TaskSeries
        if text == words {
            // What another program has written is kept, even if it is not understood.
            guard let known = task.taskSeries(in: context) else { return }
            series = known
        } else {
            do { try TaskSeries.check(text, due: task.repeatedDate, in: context) } catch {
                problem = "\(error)"
                return
            }
            guard let typed = TaskSeries(text, isFromCompletion: task.anchor == 1, in: context)
            else { return }
            series = typed
        }
        if series.words != text {
            preview = .plain(series.words, .dim)
            return
        }
        let format = DateFormat(context: context)
        let dates = series.upcoming(after: task.repeatedDate, count: 3, in: context)
        guard let first = dates.first else {
            preview = .plain("this is the last one", .dim)
            return
        }
        // Days are enough, unless there are several on one.
        let isByDay = series.repetition.rule.parts.frequency <= .daily
        func shown(_ date: DueDate) -> String {
            isByDay ? format.relative(date.day(in: context.zone)) : format.relative(date)
        }
        let isFromCompletion = series.repetition.isFromCompletion && task.repeatedDate != nil
        let told =
            isFromCompletion
            ? "done now, next \(shown(first))"
            : "next \(dates.map(shown).joined(separator: ", "))"
        preview = .plain(told, .dim)
    }
}
