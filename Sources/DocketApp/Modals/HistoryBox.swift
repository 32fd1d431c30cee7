import DocketCore
import ObjectGraph
import TerminalUI

/// Lists the commands that can be undone and redone, and shows the effect of going to the selected
/// one; Enter undoes, or redoes, up to it.
final class HistoryBox: MenuBox {
    private static let limit = 200
    /// A preview costs as much as the undo; for more objects than this only their number is shown.
    private static let largest = 1000

    private let library: Library
    private let undoSteps: [HistoryStep]
    private let redoSteps: [HistoryStep]
    private var note: [String] = []
    private var noted: Int?

    init(workspace: Workspace) throws {
        library = workspace.library
        undoSteps = try library.undoSteps(limit: HistoryBox.limit)
        redoSteps = try library.redoSteps(limit: HistoryBox.limit)
        let format = DateFormat(context: library.clock())
        func item(_ step: HistoryStep, _ detail: String) -> MenuItem {
            let author = step.author.map { " by \($0)" } ?? ""
            return MenuItem(
                step.title,
                detail: detail + format.ago(step.date) + author,
                hint: "\(step.command)"
            )
        }
        let items =
            redoSteps.reversed().map { item($0, "undone, ") } + undoSteps.map { item($0, "") }
        super.init(
            "History",
            items: items,
            placeholder: "Enter undoes the chosen step and those after it"
        )
        for _ in redoSteps { _ = menu.handle(.key(.down)) }
        describeSelection()
    }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "undo, or redo, up to here"),
            Hint("Esc", "close"),
        ]
    }

    /// The number of steps to an item, and whether they are redone.
    private func way(to index: Int) -> (count: Int, isRedo: Bool) {
        index < redoSteps.count
            ? (redoSteps.count - index, true) : (index - redoSteps.count + 1, false)
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        let (wanted, isRedo) = way(to: index)
        var count = 0
        while count < wanted {
            let outcome = isRedo ? try library.redo() : try library.undo()
            guard outcome != nil else { break }
            count += 1
        }
        if count == 0 { return workspace.tell("There is nothing to \(isRedo ? "redo" : "undo").") }
        let steps = "\(count) step\(count == 1 ? "" : "s")"
        workspace.tell(isRedo ? "Redid \(steps)" : "Undid \(steps)", .success)
    }

    // MARK: What would change

    override var noteRows: Int { 7 }

    override func queryDidChange() { describeSelection() }

    private func describeSelection() {
        guard menu.selected != noted else { return }
        noted = menu.selected
        note = noted.map(describe) ?? []
    }

    private func describe(_ index: Int) -> [String] {
        let (count, isRedo) = way(to: index)
        let steps = (isRedo ? redoSteps : undoSteps).prefix(count)
        let verb = isRedo ? "Redoing" : "Undoing"
        let head = "\(verb) \(count) step\(count == 1 ? "" : "s")"
        do {
            let size = try library.context.historySize(of: Array(steps))
            if size > HistoryBox.largest { return ["\(head) changes up to \(size) things."] }
            let preview =
                isRedo
                ? try library.previewRedo(steps: count) : try library.previewUndo(steps: count)
            guard let preview else { return [] }
            if let conflict = preview.conflicts.first {
                return ["\(head) is not possible:", "\(library.sentence(of: conflict))."]
            }
            let lines = library.lines(of: preview).map(\.text)
            return lines.isEmpty ? ["\(head) changes nothing visible."] : ["\(head):"] + lines
        } catch {
            return ["\(error)"]
        }
    }

    override func renderNote(into canvas: inout Canvas, look: Look) {
        let columns = canvas.columns
        let rows = canvas.rows - 1
        var lines = note
        if lines.count > rows {
            let left = lines.count - rows + 1
            lines = Array(lines.prefix(rows - 1)) + ["… and \(left) more"]
        }
        for (row, line) in lines.enumerated() {
            canvas.put(
                DisplayWidth.singleLine(line),
                at: Position(row: row + 1, column: 0),
                width: columns,
                style: look[row == 0 ? .dim : .text]
            )
        }
    }
}
