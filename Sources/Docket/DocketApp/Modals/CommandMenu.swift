import Phrases
import TerminalUI

/// The commands that act on what was clicked, by name and with their keys.
final class CommandMenu: MenuBox {
    private let commands: [Command]

    /// `nil` if no command acts there now.
    ///
    /// - Parameters:
    ///   - isOnRow: whether the selected thing was clicked, and not the space below all.
    ///   - workspace: where they act.
    init?(isOnRow: Bool, _ workspace: Workspace) {
        let pane = workspace.paneKind
        let subjects = CommandMenu.subjects(of: pane, isOnRow: isOnRow)
        commands = CommandTable.all.filter { command in
            let isUsable = command.works(in: pane) && command.reason(in: workspace) == nil
            if !isUsable { return false }
            if command.context == .main {
                let isOfLists = command.category == .list || pane.takes.contains(.items)
                return isOfLists && subjects.contains(command.subject)
            }
            return isOnRow ? command.category != .move : command.subject != .items
        }
        if commands.isEmpty { return nil }
        let items = commands.map {
            MenuItem($0.title, hint: workspace.key($0.id), synonyms: $0.synonyms)
        }
        let name = isOnRow ? workspace.pane.selectedName : ""
        let title = name.isEmpty ? pane.title : "\(DisplayWidth.truncate(name, to: 40))"
        super.init(title, items: items, placeholder: "what to do here")
    }

    /// What the commands act on, besides those of the pane alone.
    private static func subjects(of pane: PaneKind, isOnRow: Bool) -> Set<Command.Subject> {
        if pane.takes.contains(.items) {
            return isOnRow ? [.items, .mark, .row] : [.list, .lists, .marks]
        }
        return isOnRow ? [.list] : [.lists]
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        commands[index].perform(in: workspace)
    }
}
