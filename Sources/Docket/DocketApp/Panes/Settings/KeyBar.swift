import Phrases
import TerminalUI

/// Waits for the new keys of a command: one key, or several one after the other, then Enter.
///
/// Keys that another command has are said before Enter, and then exchanged or taken.
final class KeyBar: Modal {
    private let command: Command
    private var keys: [Key] = []
    /// The commands that lose keys by it.
    private var others: [Command] = []
    private static let mostKeys = 3

    init(_ command: Command) { self.command = command }

    var mode: String { localized("Keys") }
    func barRows(columns: Int) -> Int { 2 }

    func hints(_ look: Look) -> [Hint] {
        if keys.isEmpty { return [Hint("Esc", "keep the keys")] }
        return [
            Hint(look.isASCII ? "Enter" : "⏎", "use"), Hint("Esc", "keep the keys"),
            Hint(look.isASCII ? "BkSp" : "⌫", "one key less"),
        ]
    }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        guard case .key(let key) = event else { return }
        switch key {
        case .escape: workspace.close(self)
        case .enter where !keys.isEmpty: try accept(in: workspace)
        case .backspace where !keys.isEmpty: keys.removeLast()
        default:
            if keys.count < Self.mostKeys { keys.append(key) }
        }
        others = owners(in: workspace)
    }

    /// The other commands of the same place whose keys are these, begin these, or begin with these.
    private func owners(in workspace: Workspace) -> [Command] {
        if keys.isEmpty { return [] }
        return CommandTable.all.filter { other in
            other.context == command.context && other.id != command.id
                && workspace.keyMap.keys(of: other.id).contains(where: overlaps)
        }
    }

    private func overlaps(_ other: [Key]) -> Bool {
        other.starts(with: keys) || keys.starts(with: other)
    }

    /// Uses the keys, after a question if another command has them.
    private func accept(in workspace: Workspace) throws {
        let label = KeyLabel.of(keys, ascii: workspace.look.isASCII)
        guard let other = others.first else {
            workspace.close(self)
            return try use(keys, in: workspace)
        }
        if others.count > 1 {
            return workspace.tell(
                "\(label) begins the keys of \(others.count) commands; choose another key.",
                .warning
            )
        }
        workspace.close(self)
        let (chosen, command) = (keys, command)
        let former = workspace.keyMap.keys(of: command.id).first
        var answers: [QuestionBox.Answer] = []
        if let former {
            let its = KeyLabel.of(former, ascii: workspace.look.isASCII)
            answers.append(
                .init(key: "s", title: localized("Swap: \"\(other.title)\" gets \(its)")) {
                    [self] in
                    try use(chosen, swapping: (other, former), in: $0)
                }
            )
        }
        answers.append(
            .init(key: "t", title: localized("Take \(label); \"\(other.title)\" loses it")) {
                [self] in
                try use(chosen, swapping: (other, nil), in: $0)
            }
        )
        workspace.open(
            QuestionBox(
                "Keys of \(command.title)",
                "\(label) belongs to \"\(other.title)\".",
                answers
            )
        )
    }

    /// Writes the keys in place of the first ones of the command, and what another one keeps.
    private func use(
        _ keys: [Key],
        swapping other: (command: Command, key: [Key]?)? = nil,
        in workspace: Workspace
    ) throws {
        var changes = [change(command, [keys] + workspace.keyMap.keys(of: command.id).dropFirst())]
        if let other {
            let kept = workspace.keyMap.keys(of: other.command.id).filter { !overlaps($0) }
            changes.append(change(other.command, (other.key.map { [$0] } ?? []) + kept))
        }
        let label = KeyLabel.of(keys, ascii: workspace.look.isASCII)
        let isChanged = try workspace.change(changes, "\(command.title): \(label)")
        if !isChanged { workspace.tell("\(command.title) has the key \(label) already.") }
    }

    /// The setting that gives a command its keys, each once.
    private func change(_ command: Command, _ sequences: [[Key]]) -> SettingChange {
        var spellings: [String] = []
        for keys in sequences {
            let spelling = keys.map(\.description).joined(separator: " ")
            if !spellings.contains(spelling) { spellings.append(spelling) }
        }
        return SettingChange(.keys(command), .strings(spellings))
    }

    func render(into canvas: inout Canvas, look: Look) {
        canvas.fill(canvas.bounds, style: look[.text])
        let label = localized(" Keys of \(command.title)  ")
        let column = canvas.put(
            label,
            at: Position(row: 0, column: 0),
            width: max(0, canvas.columns - 8),
            style: look[.hintKey]
        )
        let typed = KeyLabel.of(keys, ascii: look.isASCII)
        canvas.put(
            typed.isEmpty ? localized("press a key, or several one after the other") : typed,
            at: Position(row: 0, column: column),
            style: look[typed.isEmpty ? .placeholder : .inputFocused]
        )
        let end = min(column + DisplayWidth.of(typed), canvas.columns - 1)
        canvas.cursor = Position(row: 0, column: max(0, end))
        guard canvas.rows > 1 else { return }
        let (text, role): (String, Role) =
            switch others.count {
            case 0: (typed.isEmpty ? command.help : localized("free"), .dim)
            case 1: (localized("\(typed) belongs to \"\(others[0].title)\""), .warning)
            default: (localized("\(typed) begins the keys of \(others.count) commands"), .warning)
            }
        canvas.put(
            text,
            at: Position(row: 1, column: 1),
            width: max(0, canvas.columns - 1),
            style: look[role]
        )
    }
}
