import Phrases
import TerminalUI

/// A lesson in the keys: one instruction after the other, each until it was followed.
struct Tour {
    /// An instruction.
    private struct Step {
        /// The instruction; `{item.add}` stands for the key of that command.
        ///
        /// It is followed when one of these commands was run, and nothing is open any more.
        let text: Phrase
        /// Whether something must have changed too.
        var changes = false
    }

    private static let steps = [
        Step(text: "{move.down} and {move.up}, or the arrows, go down and up. Try it."),
        Step(text: "{item.done} marks a task as done.", changes: true),
        Step(text: "{history.undo} takes it back: any change, also tomorrow.", changes: true),
        Step(
            text: "{item.add} adds a task. Type: Pay rent tomorrow 9am #bank, read below it what"
                + " that means, then press Enter.",
            changes: true
        ),
        Step(text: "{item.later} moves its date by a day.", changes: true),
        Step(text: "{item.moveDown} and {item.moveUp} give the tasks your order.", changes: true),
        Step(text: "{item.edit} opens a form with all fields; ctrl+s saves it, Esc leaves it."),
        Step(
            text: "{search.open} searches everything. Type a few letters of two words, then Enter;"
                + " Esc ends the search."
        ),
        Step(text: "{agenda.show} shows the days ahead; the same keys work there."),
        Step(text: "{go.all} shows all items again."),
        Step(text: "{history.show} shows what has happened; Esc goes back."),
        Step(text: "{app.palette} finds every command by a few letters of its name."),
        Step(text: "{app.help} lists all keys."),
        Step(text: "That is enough for a day. {app.quit} ends the tour; docket opens your items."),
    ]

    private var current = 0
    /// Whether one of the commands of the instruction was run.
    private var isTried = false
    /// The newest step of undo when the instruction was shown.
    private var newest: Int64?
    private var isNew = true

    /// Remembers that a command was run.
    mutating func note(_ command: String) {
        if ids(of: Tour.steps[current]).contains(command) { isTried = true }
    }

    /// Shows the next instruction.
    mutating func skip() {
        current = min(current + 1, Tour.steps.count - 1)
        (isTried, isNew) = (false, true)
    }

    /// Goes on when the instruction was followed; called before each frame in which nothing is open.
    ///
    /// - Parameter step: the newest step of undo.
    mutating func follow(_ step: Int64?) {
        if isNew { (newest, isNew) = (step, false) }
        guard isTried else { return }
        if Tour.steps[current].changes, step == newest {
            isTried = false
        } else {
            skip()
            (newest, isNew) = (step, false)
        }
    }

    /// The instruction with its number, wrapped.
    func rows(columns: Int, key: (String) -> String) -> [String] {
        var text = Tour.steps[current].text.text
        for id in ids(of: Tour.steps[current]) {
            let key = key(id)
            text = text.replacing("{\(id)}", with: key.isEmpty ? localized("(no key)") : key)
        }
        let line = "\(current + 1)/\(Tour.steps.count)  \(text)"
        return DisplayWidth.wrapped(line, columns: max(10, columns - 2)).prefix(3).map(String.init)
    }

    /// The commands that an instruction names.
    private func ids(of step: Step) -> [String] {
        step.text.text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.prefix { $0 != "}" }) }
    }
}
