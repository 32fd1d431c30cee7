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
    private let clock: DateContext
    /// The due date from which the preview counts.
    private var shownDue: DueDate?

    init(_ task: Task, _ label: Phrase, _ clock: DateContext) {
        self.clock = clock
        super.init(task, Task.Keys.rule, label, placeholder: "never; like every month")
    }

    private var task: Task? { item as? Task }
    /// The stored rule in words.
    private var words: String { task?.ruleInWords(in: clock) ?? "" }

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

    override var change: ItemChange? {
        // The words may say less than the rule: its single dates.
        problem == nil && field.text != words ? .repeats(TaskSeries.clean(field.text)) : nil
    }

    override func apply(at clock: DateContext) throws {
        guard change != nil else { return }
        try super.apply(at: clock)
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
            guard let known = task.taskSeries(in: clock) else { return }
            series = known
        } else {
            do { try TaskSeries.check(text, due: task.repeatedDate, in: clock) } catch {
                problem = "\(error)"
                return
            }
            guard let typed = TaskSeries(text, isFromCompletion: task.anchor == 1, in: clock)
            else { return }
            series = typed
        }
        if series.words != text {
            preview = .plain(series.words, .dim)
            return
        }
        let format = DateFormat(context: clock)
        let dates = series.upcoming(after: task.repeatedDate, count: 3, in: clock)
        guard let first = dates.first else {
            preview = .plain(localized("this is the last one"), .dim)
            return
        }
        // Days are enough, unless there are several on one.
        let isByDay = series.repetition.rule.parts.frequency <= .daily
        func shown(_ date: DueDate) -> String {
            isByDay ? format.relative(date.day(in: clock.zone)) : format.relative(date)
        }
        let isFromCompletion = series.repetition.isFromCompletion && task.repeatedDate != nil
        let told =
            isFromCompletion
            ? localized("done now, next \(shown(first))")
            : localized("next \(dates.map(shown).joined(separator: ", "))")
        preview = .plain(told, .dim)
    }
}
