import DocketCore
import ObjectGraph
import TerminalUI

/// Between keys and commands: finds the command for input and runs it.
///
/// ```
/// input ─→ open modal: a key of its commands ─→ command
///     │                anything else ─────────→ the modal itself
///     └──→ no modal: keys, a sequence at a time ─→ key map ─→ command
///                    (the keys of the pane first, then those of all panes)
/// ```
struct Dispatcher {
    let workspace: Workspace

    /// Handles input: first the open modal, else the key map.
    func handle(_ event: InputEvent) {
        if let modal = workspace.modal { return handle(event, by: modal) }
        switch event {
        case .key(let key): handle(key)
        case .paste(let text): workspace.receive(pasted: text)
        case .mouse, .focus, .report: break
        }
    }

    private func handle(_ event: InputEvent, by modal: any Modal) {
        if case .key(let key) = event, let context = modal.keyContext,
            case .command(let id) = workspace.keyMap.meaning(of: [key], in: context)
        {
            CommandTable.command(id)?.perform(in: workspace)
            return
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
        switch meaning(of: workspace.prefix) {
        case .command(let id):
            workspace.prefix = []
            workspace.messages.clear()
            CommandTable.command(id)?.perform(in: workspace)
        case .prefix: break
        case .nothing:
            let keys = KeyLabel.of(workspace.prefix, ascii: isASCII)
            workspace.prefix = []
            let help = keyMap.label(of: "app.help", ascii: isASCII)
            workspace.tell("\(keys) does nothing here; \(help) lists the keys.")
        }
    }

    // MARK: Keys of the pane with the focus

    private var context: KeyContext { workspace.paneKind.keyContext }

    /// The meaning in the pane, else in the panes of items if the command works everywhere.
    private func meaning(of keys: [Key]) -> KeyMap.Meaning {
        let own = workspace.keyMap.meaning(of: keys, in: context)
        if context == .main { return own }
        if case .command = own { return own }
        switch workspace.keyMap.meaning(of: keys, in: .main) {
        case .command(let id) where !works(id): return own
        case .prefix(let branches):
            let working = branches.filter { $0.node.contains(where: works) }
            if case .prefix(let more) = own { return .prefix(more + working) }
            return working.isEmpty ? own : .prefix(working)
        case .nothing: return own
        case let other:
            if case .prefix = own { return own }
            return other
        }
    }

    private func works(_ id: String) -> Bool {
        CommandTable.command(id)?.works(in: context) ?? false
    }

    /// The keys that can follow those pressed so far; `nil` if none were pressed.
    var continuations: [(key: Key, node: KeyMap.Node)]? {
        guard !workspace.prefix.isEmpty,
            case .prefix(let branches) = meaning(of: workspace.prefix)
        else { return nil }
        return branches
    }

    /// The hints of the footer.
    var hints: [Hint] {
        guard let modal = workspace.modal else {
            let own = context == .main ? [] : hints { $0.context == context }
            return own + hints { $0.context == .main && $0.works(in: context) && !isHidden($0) }
        }
        let keys = modal.keyContext.map { context in hints { $0.context == context } } ?? []
        return keys + modal.hints(workspace.look)
    }

    /// Whether the pane has another command with the key that the footer would show.
    private func isHidden(_ command: Command) -> Bool {
        guard context != .main, let keys = workspace.keyMap.keys(of: command.id).first else {
            return false
        }
        if case .command(let id) = meaning(of: keys) { return id != command.id }
        return false
    }

    private func hints(where isWanted: (Command) -> Bool) -> [Hint] {
        CommandTable.all.compactMap { command in
            guard isWanted(command), !command.hint.isEmpty, command.disabled(workspace) == nil
            else { return nil }
            let key = workspace.keyMap.label(of: command.id, ascii: workspace.look.isASCII)
            return key.isEmpty ? nil : Hint(key, command.hint)
        }
    }
}

extension Command {
    /// Whether it can be run while a pane with some keys has the focus.
    func works(in context: KeyContext) -> Bool {
        if self.context == context { return true }
        guard self.context == .main else { return false }
        if category == .history, !context.showsLibrary { return false }
        return context == .main || category.isEverywhere
    }
}
