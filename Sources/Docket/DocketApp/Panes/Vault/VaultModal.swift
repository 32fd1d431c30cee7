import Phrases

/// A modal with plain text of the vault, which is removed when the vault is locked.
protocol VaultModal: Modal {
    /// What was typed and not saved; `nil` for nothing.
    var unsaved: UnsavedForm? { get }
}

extension VaultModal {
    var unsaved: UnsavedForm? { nil }
}

/// The text of a form of the vault, and how it is opened again.
struct UnsavedForm {
    var texts: [String]
    /// Opens the form with these texts; keeps none of them.
    let reopen: (Workspace, [String]) throws -> Void

    static var remark: String { localized("This is what was typed before the vault was locked.") }
}
