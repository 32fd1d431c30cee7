import TerminalUI

/// Chooses a theme; what is selected is shown at once, Esc returns to what was there.
final class ThemeBox: MenuBox {
    init(workspace: Workspace) {
        let items = Theme.all.map { MenuItem($0.name, detail: $0.about) }
        super.init("Colours", items: items, placeholder: "a theme")
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        let theme = Theme.all[index]
        workspace.look.theme = theme
        let name = theme.name
        workspace.tell(
            "Colours \"\(name)\" until you quit; docket config set theme \(name) keeps them"
        )
    }
}
