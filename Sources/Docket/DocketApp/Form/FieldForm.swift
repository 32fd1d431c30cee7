import TerminalUI

/// A form that does by itself what the keys of all forms mean.
protocol FieldForm: Modal {
    func accept(in workspace: Workspace) throws
    func cancel(in workspace: Workspace)
    func move(by steps: Int)
    /// Undoes the last edit of a field, or does it again.
    func step(back: Bool, in workspace: Workspace)
    /// What the key of drafts does.
    func useDraftKey(in workspace: Workspace)
}

extension FieldForm {
    /// Does what a key means in all forms, as the user has set it.
    ///
    /// - Returns: whether it means something; else it is for the field.
    func perform(_ key: Key, in workspace: Workspace) throws -> Bool {
        guard case .command(let id) = workspace.keyMap.meaning(of: [key], in: .form) else {
            return false
        }
        switch id {
        case "form.accept": try accept(in: workspace)
        case "form.cancel": cancel(in: workspace)
        case "form.next": move(by: 1)
        case "form.previous": move(by: -1)
        case "form.undo": step(back: true, in: workspace)
        case "form.redo": step(back: false, in: workspace)
        case "form.draft": useDraftKey(in: workspace)
        default: return false
        }
        return true
    }
}
