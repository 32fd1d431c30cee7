import TerminalUI

/// The content of the title line.
struct TitleLine: Hashable {
    var mode = ""
    var undoSteps = 0
    var undoIsCut = false
    var date = ""
    var isReadOnly = false

    func render(into canvas: inout Canvas, look: Look) {
        let style = look[.statusLine]
        canvas.fill(canvas.bounds, style: style)
        canvas.put(" Docket", at: Position(row: 0, column: 0), style: style.with(.bold))
        let left = 9
        if !mode.isEmpty {
            canvas.put(
                "\(look.signs.crumb) \(mode)",
                at: Position(row: 0, column: left),
                style: style
            )
        }
        var parts: [String] = []
        if undoSteps > 0 {
            let plus = undoIsCut ? "+" : ""
            let noun = undoSteps == 1 ? "step" : "steps"
            parts.append("\(look.signs.undo) \(undoSteps)\(plus) \(noun)")
        }
        parts.append(isReadOnly ? "read only" : "\(look.signs.saved) saved")
        parts.append(date)
        var text = parts.joined(separator: "   ") + " "
        var width = DisplayWidth.of(text)
        let used = left + DisplayWidth.of(mode) + 4
        while used + width > canvas.columns, parts.count > 1 {
            parts.removeFirst()
            text = parts.joined(separator: "   ") + " "
            width = DisplayWidth.of(text)
        }
        guard used + width <= canvas.columns else { return }
        canvas.put(text, at: Position(row: 0, column: canvas.columns - width), style: style)
    }
}

/// A key and what it does, for footers.
struct Hint: Hashable {
    var key: String
    var text: String

    init(_ key: String, _ text: String) {
        self.key = key
        self.text = text
    }
}

/// The last line: the effects of keys, and the last message.
struct FooterView {
    let hints: [Hint]
    let message: MessageBar
    let look: Look

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        // A message that does not fit is shown by ``MessageView``.
        let messageWidth = message.fits(width - 1) ? message.columns : 0
        let room = width - (messageWidth > 0 ? messageWidth + 2 : 0)
        var column = 1
        for hint in hints {
            let needed = DisplayWidth.of(hint.key) + 1 + DisplayWidth.of(hint.text)
            // A hint is shown completely or not at all.
            if column + needed > room { continue }
            canvas.put(hint.key, at: Position(row: 0, column: column), style: look[.hintKey])
            column += DisplayWidth.of(hint.key) + 1
            canvas.put(hint.text, at: Position(row: 0, column: column), style: look[.hintText])
            column += DisplayWidth.of(hint.text) + 2
        }
        guard messageWidth > 0 else { return }
        let area = Rect(
            row: 0,
            column: max(0, width - messageWidth - 1),
            rows: 1,
            columns: min(width, messageWidth + 1)
        )
        canvas.draw(in: area) { message.render(into: &$0, theme: look.theme) }
    }
}

/// A message that is too long for the last line, in rows above it; nothing is cut.
struct MessageView {
    let message: MessageBar
    let look: Look

    /// Draws it in the last rows above a row.
    func render(into canvas: inout Canvas, above row: Int) {
        guard !message.fits(canvas.columns - 1) else { return }
        let columns = max(1, canvas.columns - 2)
        let count = min(message.rows(columns: columns).count, max(1, row - 1))
        let area = Rect(row: row - count, column: 0, rows: count, columns: canvas.columns)
        canvas.fill(area, style: look[.text])
        canvas.fill(
            Rect(row: area.row - 1, column: 0, rows: 1, columns: canvas.columns),
            with: canvas.symbols.horizontal,
            style: look[.border]
        )
        canvas.draw(in: area.inset(left: 1, right: 1)) { canvas in
            message.renderWrapped(into: &canvas, theme: look.theme)
        }
    }
}

/// The current place, for small terminals that show one pane.
struct CrumbsView {
    let parts: [String]
    let look: Look

    func render(into canvas: inout Canvas) {
        var runs: [TextRun] = [TextRun(" ", look[.dim])]
        for (index, part) in parts.enumerated() {
            if index > 0 { runs.append(TextRun(" \(look.signs.crumb) ", look[.dim])) }
            runs.append(TextRun(part, look[index == parts.count - 1 ? .title : .dim]))
        }
        canvas.put(runs, at: Position(row: 0, column: 0), width: canvas.columns)
    }
}
