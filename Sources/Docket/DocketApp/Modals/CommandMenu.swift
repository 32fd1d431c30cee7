import Phrases
import TerminalUI

/// The commands that act on what was clicked, by name and with their keys.
final class CommandMenu: MenuBox {
    private let commands: [Command]

    /// - Returns: `nil` if no command acts there now.
    init?(_ workspace: Workspace) {
        let pane = workspace.paneKind
        let isOfItems = pane.takes.contains(.items)
        commands = CommandTable.all.filter { command in
            let isUsable = command.works(in: pane) && command.reason(in: workspace) == nil
            if !isUsable { return false }
            if command.context != .main { return true }
            if isOfItems {
                // Opening is for rows of other panes too, so it is no command on items.
                return [.items, .marks].contains(command.subject) || command.id == "item.edit"
            }
            return pane.takes.contains(.list) && command.category == .list
        }
        if commands.isEmpty { return nil }
        let items = commands.map {
            MenuItem($0.title, hint: workspace.key($0.id), synonyms: $0.synonyms)
        }
        super.init("\(pane.title)", items: items, placeholder: "what to do here")
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        commands[index].perform(in: workspace)
    }
}
