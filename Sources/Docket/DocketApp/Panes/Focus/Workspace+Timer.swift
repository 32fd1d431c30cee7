import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

extension Workspace {
    /// The running timer in the title line: `> 0:25 Pay rent`; `nil` if none runs.
    var timerWords: String? {
        guard let running = timer.running else { return nil }
        let passed = TimerText.minutes(library.clock().now.timeIntervalSince(running.start))
        let title = DisplayWidth.singleLine(running.title)
        let short = DisplayWidth.truncate(title, to: 20, symbols: look.symbols)
        return "\(look.isASCII ? ">" : "▶") \(passed) \(short)"
    }

    /// Starts the timer of a task, or stops it if it runs.
    func toggleTimer(of task: Task) throws {
        try library.refresh()
        let step =
            try library.runningTimer()?.task == task.objectID
            ? library.stopTimer() : library.startTimer(of: task)
        tell(step, unchanged: "The timer runs already")
    }

    /// Stops the timer.
    func stopTimer() throws { tell(try library.stopTimer(), unchanged: "No timer runs") }

    /// Goes to the focus on the selected task, or on the one whose timer runs.
    func goToFocus() {
        let selected = items.selected as? Task
        guard let id = selected?.objectID ?? timer.running?.task else { return }
        go(to: FocusPane.kind.id)
        (pane as? FocusPane)?.show(id)
    }

    var noTimer: String? {
        readOnly ?? (timer.running == nil ? localized("No timer runs.") : nil)
    }

    /// Asks about a timer that runs since long before the last key.
    func askAboutForgottenTimer() {
        let clock = library.clock()
        guard modal == nil, !library.isReadOnly, timer.running != nil,
            let running = timer.takeForgotten(clock.now, lastChange: { try? library.lastChange() })
        else { return }
        let format = DateFormat(context: clock)
        func words(_ date: Date) -> String { format.relative(DueDate(moment: date)) }
        let passed = Estimate.text(spent: Int(clock.now.timeIntervalSince(running.start)))
        var answers: [QuestionBox.Answer] = [
            .init(key: "k", title: localized("Keep it running")) { _ in },
            .init(key: "s", title: localized("Stop it now, \(passed)")) { try $0.stopTimer() },
        ]
        if let last = try? library.lastChange(), last <= clock.now,
            last.timeIntervalSince(running.start) >= 60
        {
            answers.append(
                .init(key: "c", title: localized("It ended with the last change, \(words(last))")) {
                    $0.tell(try $0.library.stopTimer(at: last), unchanged: "No timer runs")
                }
            )
        }
        answers += [
            .init(key: "e", title: localized("It ended at …")) { workspace in
                workspace.open(workspace.timerEndBar(running))
            },
            .init(key: "d", title: localized("Remove this time")) {
                $0.tell(try $0.library.discardTimer(), unchanged: "No timer runs")
            },
        ]
        open(
            QuestionBox(
                "Timer",
                "The timer of \(quoted(running.title)) runs since \(words(running.start)).",
                answers
            )
        )
    }

    /// Asks when the work of a timer ended.
    private func timerEndBar(_ running: RunningTimer) -> NameBar {
        let start = DateFormat(context: library.clock()).relative(DueDate(moment: running.start))
        return NameBar("Ended", text: start) { text, workspace in
            let clock = workspace.library.clock()
            let date = try DateParser(context: clock).parse(text)
            guard !date.isDateOnly, date.date > running.start, date.date <= clock.now else {
                throw InputError(
                    .impossibleDate,
                    "The work ended after \(start) and before now; write a day with a time."
                )
            }
            workspace.tell(
                try workspace.library.stopTimer(at: date.date),
                unchanged: "No timer runs"
            )
        }
    }
}
