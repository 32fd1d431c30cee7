import TerminalUI

/// What the keys of all forms do, as the user has set them.
enum FormAction: String {
    case accept
    case cancel
    case next
    case previous
    case undo
    case redo
    /// Restores a draft; a form without drafts does something else.
    case draft
}

extension Workspace {
    /// What a key does in a form; `nil` for one that goes to the field.
    func formAction(of key: Key) -> FormAction? {
        guard case .command(let id) = keyMap.meaning(of: [key], in: .form),
            id.hasPrefix("form.")
        else { return nil }
        return FormAction(rawValue: String(id.dropFirst("form.".count)))
    }
}
