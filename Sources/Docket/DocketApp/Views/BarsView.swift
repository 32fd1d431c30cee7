import Phrases
import TerminalUI

/// The title line: where one is, and what is shown of it.
struct TitleLine: Hashable {
    var crumbs: [String] = []
    /// Words at the right, the first ones left out where they do not fit.
    var status: [String] = []

    private static let left = 9

    func render(into canvas: inout Canvas, look: Look) {
        canvas.put(" Docket", at: Position(row: 0, column: 0), style: look[.title])
        let separator = " \(look.signs.separator) "
        var parts = status.filter { !$0.isEmpty }
        let names = crumbs.reduce(0) { $0 + DisplayWidth.of($1) + 3 }
        let crumb = min(names, canvas.columns / 2)
        func width() -> Int { DisplayWidth.of(parts.joined(separator: separator)) + 1 }
        while parts.count > 1, Self.left + crumb + 2 + width() > canvas.columns {
            parts.removeLast()
        }
        if Self.left + crumb + 2 + width() > canvas.columns { parts = [] }
        let right = parts.isEmpty ? 0 : width()
        let room = max(0, canvas.columns - Self.left - right - 1)
        canvas.put(runs(look, room), at: Position(row: 0, column: Self.left), width: room)
        guard right > 0 else { return }
        canvas.put(
            parts.joined(separator: separator),
            at: Position(row: 0, column: canvas.columns - right),
            style: look[.dim]
        )
    }

    /// The way to the place; what is outermost is left out first.
    private func runs(_ look: Look, _ room: Int) -> [TextRun] {
        var crumbs = crumbs[...]
        while crumbs.count > 1, crumbs.reduce(-3, { $0 + DisplayWidth.of($1) + 3 }) > room {
            crumbs.removeFirst()
        }
        var runs: [TextRun] = []
        for (index, crumb) in zip(crumbs.indices, crumbs) {
            if index > crumbs.startIndex {
                runs.append(TextRun(" \(look.signs.crumb) ", look[.dim]))
            }
            let role: Role = index == crumbs.indices.last ? .text : .dim
            runs.append(TextRun(DisplayWidth.singleLine(crumb), look[role]))
        }
        return runs
    }
}

/// A key and what it does, for footers.
struct Hint: Hashable {
    var key: String
    var text: String
    /// The keys that a click presses; empty for a hint about several keys.
    let keys: [Key]

    init(_ key: String, _ text: Phrase, keys: [Key]? = nil) {
        self.key = key
        self.text = text.text
        self.keys = keys ?? KeyLabel.key(key).map { [$0] } ?? []
    }
}

/// The last line: the effects of keys, and the last message.
struct FooterView {
    let hints: [Hint]
    let message: MessageBar
    let look: Look

    /// The columns of the message; one that does not fit is shown by ``MessageView``.
    private func messageWidth(_ width: Int) -> Int { message.fits(width - 1) ? message.columns : 0 }

    /// The hints that fit beside the message, each completely, and their columns.
    func places(width: Int) -> [(hint: Hint, columns: Range<Int>)] {
        let messageWidth = messageWidth(width)
        let room = width - (messageWidth > 0 ? messageWidth + 2 : 0)
        var column = 1
        return hints.compactMap { hint in
            let needed = DisplayWidth.of(hint.key) + 1 + DisplayWidth.of(hint.text)
            if column + needed > room { return nil }
            defer { column += needed + 2 }
            return (hint, column..<column + needed)
        }
    }

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        for (hint, columns) in places(width: width) {
            let start = Position(row: 0, column: columns.lowerBound)
            canvas.put(hint.key, at: start, style: look[.hintKey])
            let text = start.offset(columns: DisplayWidth.of(hint.key) + 1)
            canvas.put(hint.text, at: text, style: look[.hintText])
        }
        let messageWidth = messageWidth(width)
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
            message.renderWrapped(into: &canvas, theme: look.theme) { localized("\($0) more rows") }
        }
    }
}
