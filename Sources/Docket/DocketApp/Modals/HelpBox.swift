import Phrases
import TerminalUI

/// All commands by category, with their keys, from the one table; a text filters them.
final class HelpBox: Modal {
    private let card: KeyCard
    private var filter = TextField(placeholder: localized("words of a command or its key"))
    /// Whether keys go to the filter.
    private var isFiltering = false
    private var lines: [RichLine] = []
    /// What the lines were made for.
    private var made: (columns: Int, filter: String)?
    private var first = 0
    private var rows = 1

    private static let columns = 92
    private static let label = 16

    init(_ card: KeyCard) { self.card = card }

    var mode: String { localized("Help") }

    func hints(_ look: Look) -> [Hint] {
        if isFiltering {
            return [Hint(look.isASCII ? "Enter" : "⏎", "keep"), Hint("Esc", "show all")]
        }
        return [
            Hint(look.isASCII ? "Up/Down" : "↑↓", "scroll"), Hint("/", "filter"),
            Hint("Esc", filter.isEmpty ? "close" : "show all"),
        ]
    }

    // MARK: Lines

    private func makeLines(columns: Int) {
        if let made, made == (columns, filter.text) { return }
        made = (columns, filter.text)
        lines = []
        let words = filter.text.lowercased().split(separator: " ")
        for group in card.groups {
            let rows = group.rows.filter { row in
                let command = row.command
                let texts =
                    [row.keys, command.title, command.help, group.title] + command.synonyms
                let all = texts.joined(separator: " ").lowercased()
                return words.allSatisfy(all.contains)
            }
            if rows.isEmpty { continue }
            if !lines.isEmpty { lines.append(RichLine()) }
            lines.append(.plain(group.title, .heading))
            for row in rows { addLines(row.keys, row.command, columns) }
        }
        if lines.isEmpty { lines = [.plain(localized("No command has \"\(filter.text)\"."), .dim)] }
    }

    /// The keys, and beside them the title and the help in as many rows as they need.
    private func addLines(_ keys: String, _ command: Command, _ columns: Int) {
        let lead = min(Self.label, columns / 3)
        let text = RichWrap.wrap(
            [
                .init(text: command.title, role: .text),
                .init(text: "  \(command.help)", role: .dim),
            ],
            columns: columns - lead
        )
        let labels = RichWrap.wrap([.init(text: keys, role: .hintKey)], columns: lead - 1)
        for row in 0..<max(text.count, labels.count) {
            let label = row < labels.count ? labels[row].runs : []
            let width = label.reduce(0) { $0 + DisplayWidth.of($1.text) }
            let gap = RichLine.Run(
                text: String(repeating: " ", count: max(1, lead - width)),
                role: .text
            )
            lines.append(RichLine(runs: label + [gap] + (row < text.count ? text[row].runs : [])))
        }
    }

    // MARK: Input

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if isFiltering, case .key(let key) = event {
            switch key {
            case .enter, .down, .up, .pageDown, .pageUp: isFiltering = false
            case .escape:
                isFiltering = false
                filter.text = ""
            default: _ = filter.handle(event)
            }
            if key == .enter || key == .escape { return }
            if isFiltering {
                first = 0
                return
            }
        }
        switch event {
        case .key(Key("/")): isFiltering = true
        case .key(.down), .key(Key("j")): scroll(by: 1)
        case .key(.up), .key(Key("k")): scroll(by: -1)
        case .key(.pageDown), .key(.space): scroll(by: rows - 1)
        case .key(.pageUp): scroll(by: 1 - rows)
        case .key(.home): scroll(by: -lines.count)
        case .key(.end): scroll(by: lines.count)
        case .key(.escape) where !filter.isEmpty: filter.text = ""
        case .key(.escape), .key(Key("q")), .key(Key("?")), .key(.enter), .key(.ctrl("c")):
            workspace.close(self)
        case .paste where isFiltering: _ = filter.handle(event)
        case .mouse(let mouse) where mouse.kind == .wheelDown: scroll(by: 3)
        case .mouse(let mouse) where mouse.kind == .wheelUp: scroll(by: -3)
        default: break
        }
    }

    private func scroll(by count: Int) {
        first = min(max(0, first + count), max(0, lines.count - rows))
    }

    // MARK: Drawing

    private var dialog: Dialog { Dialog(title: localized("Keys")) }
    private var filterRows: Int { isFiltering || !filter.isEmpty ? 1 : 0 }
    private var size: Size { Size(rows: lines.count + filterRows, columns: Self.columns) }

    func layout(in bounds: Rect) {
        var columns: Int { dialog.inside(dialog.area(content: size, in: bounds)).columns }
        makeLines(columns: max(1, columns - 1))
        // The width depends on the number of lines.
        makeLines(columns: max(1, columns - 1))
        rows = max(1, dialog.inside(dialog.area(content: size, in: bounds)).rows - filterRows)
        filter.layout(columns: max(1, columns - 2))
        scroll(by: 0)
    }

    func render(into canvas: inout Canvas, look: Look) {
        dialog.render(into: &canvas, theme: look.theme, content: size) { canvas in
            if filterRows > 0 {
                canvas.put("/", at: Position(row: 0, column: 0), style: look[.hintKey])
                let area = Rect(row: 0, column: 2, rows: 1, columns: max(1, canvas.columns - 2))
                canvas.draw(in: area) {
                    filter.render(into: &$0, theme: look.theme, isFocused: isFiltering)
                }
            }
            canvas.draw(in: canvas.bounds.inset(top: filterRows)) { canvas in
                // A screen reader reads from the first row on.
                if !isFiltering { canvas.cursor = Position(row: 0, column: 0) }
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
}
