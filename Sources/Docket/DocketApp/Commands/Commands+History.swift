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
        let before = shownDays
        conflicts.markStale()
        guard let outcome = try library.undo() else { return tell("There is nothing to undo.") }
        show(outcome, since: before)
        tell("\(outcome.step.sentence(undone: true))", .success)
    }

    func redo() throws {
        if let command = try library.longInversion(.redo, from: followed) {
            return try start(command) { $0.tell("\($1.sentence)", .success) }
        }
        let before = shownDays
        conflicts.markStale()
        guard let outcome = try library.redo() else { return tell("There is nothing to redo.") }
        show(outcome, since: before)
        tell("\(outcome.step.sentence(undone: false))", .success)
    }

    /// The lines of an agenda; `nil` of another list.
    private var shownDays: [ItemsLine]? {
        items.span == nil || items.isSearching ? nil : Array(items.lines)
    }

    /// Selects the item or the occurrence that an undo restored, where it is shown.
    private func show(_ outcome: HistoryOutcome, since before: [ItemsLine]?) {
        library.context.processPendingChanges()
        items.prepare()
        if let before, items.selectChanged(outcome.objectIDs, since: before) { return }
        _ = outcome.objectIDs.first { items.select($0) }
    }
}
