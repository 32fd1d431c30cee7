import DocketCore
import ObjectGraph
import TerminalUI

/// Lists the commands that can be undone and redone; Enter goes back, or forward, to one.
final class HistoryBox: MenuBox {
    private static let limit = 200

    private let undoCount: Int
    private let redoCount: Int

    init(workspace: Workspace) throws {
        let undo = try workspace.library.undoSteps(limit: HistoryBox.limit)
        let redo = try workspace.library.redoSteps(limit: HistoryBox.limit)
        undoCount = undo.count
        redoCount = redo.count
        let format = DateFormat(context: workspace.library.clock())
        func item(_ step: HistoryStep, _ detail: String) -> MenuItem {
            let author = step.author.map { " by \($0)" } ?? ""
            return MenuItem(
                step.name ?? "Change",
                detail: detail + format.ago(step.date) + author,
                hint: "\(step.command)"
            )
        }
        let items =
            redo.reversed().map { item($0, "undone, ") } + undo.map { item($0, "") }
        super.init("History", items: items, placeholder: "goes back to before the chosen one")
        if redoCount > 0 {
            for _ in 0..<redoCount { _ = menu.handle(.key(.down)) }
        }
    }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "undo, or redo, up to here"),
            Hint("Esc", "close"),
        ]
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        var count = 0
        if index < redoCount {
            for _ in 0..<redoCount - index {
                guard try workspace.library.redo() != nil else { break }
                count += 1
            }
            workspace.tell("Did \(count) step\(count == 1 ? "" : "s") again", .success)
        } else {
            for _ in 0...index - redoCount {
                guard try workspace.library.undo() != nil else { break }
                count += 1
            }
            workspace.tell("Undid \(count) step\(count == 1 ? "" : "s")", .success)
        }
    }
}
