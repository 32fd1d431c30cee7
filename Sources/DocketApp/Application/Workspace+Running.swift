import DocketCore
import ObjectGraph
import TerminalUI

extension Workspace {
    /// Runs a command by name, or tells why it cannot be run.
    func run(_ id: String) {
        guard let command = CommandTable.command(id) else { return }
        if let reason = command.disabled(self) {
            tell(reason, .warning)
            return
        }
        do {
            try command.run(self)
        } catch {
            tell(error)
        }
        library.context.processPendingChanges()
    }

    /// Acts on input: the open modal first, else the key map.
    func handle(_ event: InputEvent) {
        if let modal {
            do {
                try modal.handle(event, in: self)
            } catch {
                tell(error)
            }
            library.context.processPendingChanges()
            return
        }
        switch event {
        case .key(let key): handle(key)
        case .paste: tell("Pasted text is taken in text fields only; press a to add a task.")
        case .mouse, .focus, .report: break
        }
    }

    private func handle(_ key: Key) {
        if key == .escape, !prefix.isEmpty {
            prefix = []
            return
        }
        prefix.append(key)
        switch keyMap.meaning(of: prefix, in: .main) {
        case .command(let id):
            prefix = []
            messages.clear()
            run(id)
        case .prefix: break
        case .nothing:
            let keys = KeyLabel.of(prefix, ascii: look.isASCII)
            prefix = []
            let help = keyMap.label(of: "app.help", ascii: look.isASCII)
            tell("\(keys) does nothing here; \(help) lists the keys.")
        }
    }

    /// What the footer offers now.
    var hints: [Hint] {
        if let modal { return modal.hints(look, keyMap) }
        return CommandTable.all.compactMap { command in
            guard !command.hint.isEmpty, command.context == .main, command.disabled(self) == nil
            else { return nil }
            let key = keyMap.label(of: command.id, ascii: look.isASCII)
            return key.isEmpty ? nil : Hint(key, command.hint)
        }
    }
}
