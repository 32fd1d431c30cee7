import TerminalUI

/// Chooses a theme; what is selected is shown at once, Esc returns to what was there.
final class ThemeBox: MenuBox {
    private static let names = ["dark", "light", "16", "mono"]
    private static let details = [
        "for a dark background", "for a light background", "the colours of the terminal",
        "no colours",
    ]

    init(workspace: Workspace) {
        let items = zip(ThemeBox.names, ThemeBox.details).map { MenuItem($0, detail: $1) }
        super.init("Colours", items: items, placeholder: "a theme")
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        let name = ThemeBox.names[index]
        guard let theme = Theme.named(name) else { return }
        workspace.look.theme = theme
        workspace.tell(
            "Colours \"\(name)\" until you quit; docket config set theme \(name) keeps them"
        )
    }
}
