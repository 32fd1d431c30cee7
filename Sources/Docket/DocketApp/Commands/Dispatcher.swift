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
        workspace.respond { try modal.handle(event, in: workspace) }
    }

    private func handle(_ key: Key) {
        if key == .escape, !workspace.prefix.isEmpty || workspace.count != nil {
            workspace.prefix = []
            workspace.count = nil
            return
        }
        if takeDigit(key) { return }
        workspace.prefix.append(key)
        switch meaning(of: workspace.prefix) {
        case .command(let id):
            workspace.prefix = []
            workspace.messages.clear()
            if let command = CommandTable.command(id) { perform(command, key) }
            workspace.count = nil
        case .prefix: break
        case .nothing:
            let keys = KeyLabel.of(workspace.prefix, ascii: workspace.look.isASCII)
            workspace.prefix = []
            workspace.count = nil
            workspace.tell(
                "\(keys) does nothing here; \(workspace.key("app.help")) lists the keys."
            )
        }
    }

    // MARK: A number before a key

    /// The greatest number, so that a key held down does no harm.
    private static let mostCount = 9999

    /// Takes a digit that has no other meaning into the number before the next key.
    private func takeDigit(_ key: Key) -> Bool {
        guard workspace.prefix.isEmpty, let digit = key.typed?.wholeNumberValue,
            (0...9).contains(digit), digit > 0 || workspace.count != nil,
            case .nothing = meaning(of: [key])
        else { return false }
        workspace.messages.clear()
        workspace.count = min((workspace.count ?? 0) * 10 + digit, Self.mostCount)
        return true
    }

    private func perform(_ command: Command, _ key: Key) {
        if let count = workspace.count, !command.takesCount {
            let label = KeyLabel.of(key, ascii: workspace.look.isASCII)
            let title = command.title
            return workspace.tell(
                "\(label) (\(title)) takes no number; \(count) works with J, K and movements.",
                .warning
            )
        }
        command.perform(in: workspace)
    }

    // MARK: Keys of the pane with the focus

    private var pane: PaneKind { workspace.paneKind }
    private var context: KeyContext { pane.keyContext }

    /// The meaning in the pane, else in the panes of items if the command works everywhere.
    private func meaning(of keys: [Key]) -> KeyMap.Meaning {
        let own = workspace.keyMap.meaning(of: keys, in: context)
        if context == .main { return own }
        if case .command = own { return own }
        switch workspace.keyMap.meaning(of: keys, in: .main) {
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
        CommandTable.command(id)?.works(in: pane) ?? false
    }

    /// What can follow the keys pressed so far, for the user; `nil` if none were pressed.
    var continuations: WhichKey? {
        let look = workspace.look
        if workspace.prefix.isEmpty {
            guard let count = workspace.count else { return nil }
            let commands = CommandTable.all.filter { $0.takesCount && $0.works(in: pane) }
            let rows = commands.map { (workspace.key($0.id), $0.title) }
            return WhichKey(title: "\(count)", rows: rows.filter { !$0.0.isEmpty }, look: look)
        }
        guard case .prefix(let branches) = meaning(of: workspace.prefix) else { return nil }
        let title = KeyLabel.of(workspace.prefix, ascii: look.isASCII)
        return WhichKey(
            title: workspace.count.map { "\($0)\(title)" } ?? title,
            rows: branches.map { branch in
                let key = KeyLabel.of(branch.key, ascii: look.isASCII)
                guard let id = branch.node.command else { return (key, localized("more keys")) }
                return (key, CommandTable.command(id)?.title ?? id)
            },
            look: look
        )
    }

    /// The hints of the footer.
    var hints: [Hint] {
        guard let modal = workspace.modal else {
            let own = context == .main ? [] : hints { $0.context == context }
            return own + hints { $0.context == .main && $0.works(in: pane) && !isHidden($0) }
        }
        let keys = modal.keyContext.map { context in hints { $0.context == context } } ?? []
        let kept = (modal as? InputBar).flatMap(workspace.keptHint).map { [$0] } ?? []
        return keys + kept + modal.hints(workspace.look)
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
            guard isWanted(command), !command.hint.isEmpty, command.reason(in: workspace) == nil
            else { return nil }
            let key = workspace.key(command.id)
            let keys = workspace.keyMap.keys(of: command.id).first
            return key.isEmpty ? nil : Hint(key, "\(command.hint)", keys: keys)
        }
    }
}

extension Workspace {
    /// The number before the key that a command repeats, 1 without one.
    func takeCount() -> Int {
        defer { count = nil }
        return count ?? 1
    }
}
