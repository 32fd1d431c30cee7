import DocketCore
import TerminalUI

/// Shows the progress of a long command, at the foot of the screen; Esc reverts the command.
///
/// Keys that only move are passed to the panes.
final class ProgressBar: Modal {
    private let command: LongCommand

    init(_ command: LongCommand) { self.command = command }

    var mode: String { isTakingBack ? localized("Undoing") : localized("Working") }
    func barRows(columns: Int) -> Int { 1 }
    private var isTakingBack: Bool { command.state == .takingBack }

    func hints(_ look: Look) -> [Hint] {
        isTakingBack ? [] : [Hint("Esc", "stop and undo it")]
    }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        guard case .key(let key) = event else { return }
        if key == .escape { return command.cancel() }
        guard case .command(let id) = workspace.keyMap.meaning(of: [key], in: .main),
            let asked = CommandTable.command(id)
        else { return }
        if asked.category == .move, id != "back" { return asked.perform(in: workspace) }
        workspace.tell(
            isTakingBack
                ? "\(command.title) is being undone; wait a moment."
                : "\(command.title) is running; Esc stops and undoes it."
        )
    }

    func render(into canvas: inout Canvas, look: Look) {
        let columns = canvas.columns
        canvas.fill(canvas.bounds, style: look[.text])
        let share = command.total == 0 ? 1 : Double(command.done) / Double(command.total)
        let percent = "\(Int(share * 100)) %"
        let name = (isTakingBack ? localized("Undoing: ") : "") + command.title
        let label = DisplayWidth.truncate(name, to: max(8, columns / 2), symbols: look.symbols)
        canvas.put(" \(label)", at: Position(row: 0, column: 0), style: look[.hintKey])
        let start = DisplayWidth.of(label) + 3
        let width = columns - start - percent.count - 3
        if width >= 4 {
            let full = min(width, Int(share * Double(width)))
            let (done, left) = look.isASCII ? ("#", ".") : ("█", "░")
            canvas.put(
                String(repeating: done, count: full)
                    + String(repeating: left, count: width - full),
                at: Position(row: 0, column: start),
                style: look[.info]
            )
        }
        canvas.put(
            percent,
            at: Position(row: 0, column: max(0, columns - percent.count - 1)),
            style: look[.text]
        )
    }
}
