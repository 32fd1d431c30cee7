import DocketCore
import ObjectGraph
import TerminalUI

extension CommandTable {
    static let history: [Command] = [
        Command(
            "history.undo",
            "Undo",
            keys: ["u"],
            .history,
            help: "Undoes the last command, also one of a script or an earlier session.",
            hint: "undo",
            disabled: { $0.readOnly },
            run: { try $0.undo() }
        ),
        Command(
            "history.redo",
            "Redo",
            keys: ["ctrl+r"],
            .history,
            help: "Redoes the command that was undone last.",
            disabled: { $0.readOnly },
            run: { try $0.redo() }
        ),
    ]
}

extension Workspace {
    func undo() throws {
        subtaskAnswers = [:]
        if let command = try library.longInversion(.undo, from: followed) {
            return try start(command) { $0.tell("\($1.sentence)", .success) }
        }
        guard let outcome = try library.undo() else { return tell("There is nothing to undo.") }
        show(outcome)
        tell("\(outcome.step.sentence(undone: true))", .success)
    }

    func redo() throws {
        if let command = try library.longInversion(.redo, from: followed) {
            return try start(command) { $0.tell("\($1.sentence)", .success) }
        }
        guard let outcome = try library.redo() else { return tell("There is nothing to redo.") }
        show(outcome)
        tell("\(outcome.step.sentence(undone: false))", .success)
    }

    /// Selects the item that an undo restored, where it is shown.
    private func show(_ outcome: HistoryOutcome) {
        library.context.processPendingChanges()
        items.prepare()
        _ = outcome.objectIDs.first { items.select($0) }
    }
}
