import DocketCore
import ObjectGraph
import TerminalUI

/// Between keys and commands: finds the command for input and runs it.
///
/// ```
/// input ─→ open modal: a key of its commands ─→ command
///     │                anything else ─────────→ the modal itself
///     └──→ no modal: keys, a sequence at a time ─→ key map ─→ command
/// ```
struct Dispatcher {
    let workspace: Workspace

    /// Runs a command by name, or reports why it cannot be run.
    func run(_ id: String) { CommandTable.command(id)?.perform(in: workspace) }

    /// Handles input: first the open modal, else the key map.
    func handle(_ event: InputEvent) {
        if let modal = workspace.modal { return handle(event, by: modal) }
        switch event {
        case .key(let key): handle(key)
        case .paste:
            workspace.tell("Pasted text is taken in text fields only; press a to add a task.")
        case .mouse, .focus, .report: break
        }
    }

    private func handle(_ event: InputEvent, by modal: any Modal) {
        if case .key(let key) = event, let context = modal.keyContext,
            case .command(let id) = workspace.keyMap.meaning(of: [key], in: context)
        {
            return run(id)
        }
        do {
            try modal.handle(event, in: workspace)
        } catch {
            workspace.tell(error)
        }
        workspace.library.context.processPendingChanges()
    }

    private func handle(_ key: Key) {
        if key == .escape, !workspace.prefix.isEmpty {
            workspace.prefix = []
            return
        }
        workspace.prefix.append(key)
        let (keyMap, isASCII) = (workspace.keyMap, workspace.look.isASCII)
        switch keyMap.meaning(of: workspace.prefix, in: .main) {
        case .command(let id):
            workspace.prefix = []
            workspace.messages.clear()
            run(id)
        case .prefix: break
        case .nothing:
            let keys = KeyLabel.of(workspace.prefix, ascii: isASCII)
            workspace.prefix = []
            let help = keyMap.label(of: "app.help", ascii: isASCII)
            workspace.tell("\(keys) does nothing here; \(help) lists the keys.")
        }
    }

    /// The hints of the footer.
    var hints: [Hint] {
        guard let modal = workspace.modal else { return hints(in: .main) }
        return (modal.keyContext.map(hints) ?? []) + modal.hints(workspace.look)
    }

    private func hints(in context: KeyContext) -> [Hint] {
        CommandTable.all.compactMap { command in
            guard command.context == context, !command.hint.isEmpty,
                command.disabled(workspace) == nil
            else { return nil }
            let key = workspace.keyMap.label(of: command.id, ascii: workspace.look.isASCII)
            return key.isEmpty ? nil : Hint(key, command.hint)
        }
    }
}
