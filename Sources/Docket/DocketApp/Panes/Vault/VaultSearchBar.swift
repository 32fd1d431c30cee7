import TerminalUI

/// The search in the vault: in memory, over everything but passwords; its text is kept nowhere.
final class VaultSearchBar: InputBar, VaultModal {
    init(_ workspace: Workspace) {
        super.init("/", text: workspace.vault.query, placeholder: "words of a credential")
        field.offer()
    }

    override var purpose: String? { nil }
    override var mode: String { "Search" }
    override func barRows(columns: Int) -> Int { 1 }

    override func textDidChange(in workspace: Workspace) throws {
        workspace.vault.query = field.text
    }

    override func accept(in workspace: Workspace) throws { workspace.close(self) }

    override func cancel(in workspace: Workspace) throws { workspace.vault.query = "" }

    override func other(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .up, .ctrl("p"): workspace.pane.move(by: -1)
        case .down, .ctrl("n"): workspace.pane.move(by: 1)
        default: break
        }
    }
}
