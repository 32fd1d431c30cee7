import TerminalUI

/// All commands by category, with their keys, from the one table.
final class HelpBox: Modal {
    private var lines: [RichLine] = []
    private var first = 0
    private var rows = 1
    private let size: Size

    init(keyMap: KeyMap, look: Look) {
        for category in Command.Category.allCases {
            let commands = CommandTable.all.filter { $0.category == category }
            guard !commands.isEmpty else { continue }
            if !lines.isEmpty { lines.append(RichLine()) }
            lines.append(.plain(category.rawValue, .heading))
            for command in commands {
                let keys = keyMap.labels(of: command.id, ascii: look.isASCII)
                let label = DisplayWidth.pad(keys, to: 16, symbols: look.symbols)
                lines.append(
                    RichLine(runs: [
                        .init(text: label, role: .hintKey),
                        .init(text: command.title, role: .text),
                        .init(text: "  \(command.help)", role: .dim),
                    ])
                )
            }
        }
        size = Size(rows: lines.count, columns: 92)
    }

    var mode: String { "Help" }

    func hints(_ look: Look) -> [Hint] {
        [Hint(look.isASCII ? "Up/Down" : "↑↓", "scroll"), Hint("Esc", "close")]
    }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        switch event {
        case .key(.down), .key(Key("j")): scroll(by: 1)
        case .key(.up), .key(Key("k")): scroll(by: -1)
        case .key(.pageDown), .key(.space): scroll(by: rows - 1)
        case .key(.pageUp): scroll(by: 1 - rows)
        case .key(.home): scroll(by: -lines.count)
        case .key(.end): scroll(by: lines.count)
        case .key(.escape), .key(Key("q")), .key(Key("?")), .key(.enter): workspace.close(self)
        case .mouse(let mouse) where mouse.kind == .wheelDown: scroll(by: 3)
        case .mouse(let mouse) where mouse.kind == .wheelUp: scroll(by: -3)
        default: break
        }
    }

    private func scroll(by count: Int) {
        first = min(max(0, first + count), max(0, lines.count - rows))
    }

    func layout(in bounds: Rect) {
        let dialog = Dialog(title: "Help")
        rows = max(1, dialog.inside(dialog.area(content: size, in: bounds)).rows)
        scroll(by: 0)
    }

    func render(into canvas: inout Canvas, look: Look) {
        Dialog(title: "Keys").render(into: &canvas, theme: look.theme, content: size) { canvas in
            for row in 0..<canvas.rows where first + row < lines.count {
                canvas.put(
                    lines[first + row].textRuns(look),
                    at: Position(row: row, column: 0),
                    width: canvas.columns - 1
                )
            }
            Scrollbar.render(
                into: &canvas,
                total: lines.count,
                first: first,
                visible: canvas.rows,
                theme: look.theme
            )
        }
    }
}
