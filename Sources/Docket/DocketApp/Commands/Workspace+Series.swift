import DocketCore
import ObjectGraph
import TerminalUI

// Commands on repeating tasks.
extension Workspace {
    /// Why a command on repeating tasks cannot run.
    var noRepeatingTask: String? {
        if let noTask { return noTask }
        if !items.targetMarks.isEmpty { return nil }
        guard let task = items.selected as? Task, task.rule != nil, task.completed == nil else {
            return localized("The task does not repeat; e edits how it repeats.")
        }
        return nil
    }

    /// Moves repeating tasks on to their next occurrence.
    func skipOccurrence() throws {
        tell(
            try library.skip(items.targets(localized("for one step"))),
            unchanged: "None of them repeats"
        )
    }

    /// Makes the selected occurrence a task of its own.
    func separateOccurrence() throws {
        guard let task = items.selected as? Task else { return }
        tell(try library.separate(task).step, unchanged: "The task does not repeat")
    }

    func endSeries() throws {
        let targets = try items.targets(localized("for one step"))
        tell(try library.endSeries(of: targets), unchanged: "None of them repeats")
    }
}
