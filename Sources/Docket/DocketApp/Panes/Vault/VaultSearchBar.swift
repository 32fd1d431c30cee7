import Phrases
import TerminalUI

/// The search in the vault: in memory, over everything but passwords; its text is kept nowhere.
final class VaultSearchBar: RowsBar, VaultModal {
    init(_ workspace: Workspace) {
        super.init("/", text: workspace.vault.query, placeholder: "words of a credential")
        field.offer()
    }

    override var mode: String { localized("Search") }

    override func textDidChange(in workspace: Workspace) throws {
        workspace.vault.query = field.text
    }

    override func accept(in workspace: Workspace) throws { workspace.close(self) }

    override func cancel(in workspace: Workspace) throws { workspace.vault.query = "" }
}
