import TerminalUI

/// Draws one row of the items pane.
struct ItemRowView {
    let row: ItemRow
    let isMarked: Bool
    let columns: ItemColumns
    let look: Look

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        let mark = isMarked ? String(Character(canvas.symbols.mark)) : " "
        canvas.put(mark, at: Position(row: 0, column: 0), style: look[.marked])
        let indent = min(row.depth * 2, max(0, width / 3))
        var left = 1 + indent
        if columns.fold > 0 {
            canvas.put(foldSign, at: Position(row: 0, column: left), style: look[.dim])
            left += 2
        }
        canvas.put(sign, at: Position(row: 0, column: left), style: look[signRole])
        left += 2
        let right = max(left, width - columns.total)
        let extras = self.extras(room: right - left)
        let extrasWidth = extras.reduce(0) { $0 + 1 + DisplayWidth.of($1.text) }
        let titleWidth = max(0, right - left - extrasWidth)
        canvas.put(
            titleRuns,
            at: Position(row: 0, column: left),
            width: titleWidth,
            fill: look[.text]
        )
        var column = left + titleWidth
        for extra in extras {
            column += 1
            column += canvas.put(
                extra.text,
                at: Position(row: 0, column: column),
                style: look[extra.role]
            )
        }
        renderRight(into: &canvas, from: right)
    }

    /// Progress, tags and list, as far as the title can spare the room.
    private func extras(room: Int) -> [(text: String, role: Role)] {
        var wanted = min(DisplayWidth.of(row.title), ItemColumns.titleMinimum)
        if let finding = row.finding {
            wanted += min(32, DisplayWidth.of(finding.field + finding.excerpt) + 4)
        }
        var left = room - wanted
        var extras: [(text: String, role: Role)] = []
        func add(_ text: String, _ role: Role, limit: Int) {
            let shown = DisplayWidth.truncate(text, to: limit, symbols: look.symbols)
            let width = DisplayWidth.of(shown) + 1
            guard width > 1, width <= left else { return }
            extras.append((shown, role))
            left -= width
        }
        add(row.progress, .dim, limit: 9)
        add(row.tags, .tag, limit: max(8, room / 3))
        add(row.list, .list, limit: max(8, room / 4))
        return extras
    }

    private var foldSign: String {
        switch row.fold {
        case .folded: look.signs.folded
        case .unfolded: look.signs.unfolded
        case nil: " "
        }
    }

    private var sign: String {
        switch row.state {
        case .open: look.signs.open
        case .started: look.signs.started
        case .blocked: look.signs.blocked
        case .done: look.signs.done
        case .note: look.signs.note
        }
    }

    private var signRole: Role {
        switch row.state {
        case .done: .success
        case .blocked, .note: .dim
        case .open, .started: row.priority == 3 ? .priorityHigh : .text
        }
    }

    private var titleRole: Role { row.state == .done ? .done : .text }

    private var titleRuns: [TextRun] {
        let title = row.title.isEmpty ? "(no title)" : row.title
        let role: Role = row.title.isEmpty ? .dim : titleRole
        var runs = Highlight.runs(
            title,
            row.titleMatches,
            plain: look[role],
            match: look[.match]
        )
        if let waits = row.waitsFor {
            runs.append(TextRun("  waits for: \(waits)", look[.dim]))
        }
        if let finding = row.finding {
            runs.append(TextRun("  \(finding.field): ", look[.dim]))
            runs += Highlight.runs(
                finding.excerpt,
                finding.matches,
                plain: look[.dim],
                match: look[.match]
            )
        }
        return runs
    }

    private func renderRight(into canvas: inout Canvas, from start: Int) {
        var column = start
        func put(_ text: String, _ width: Int, _ role: Role, trailing: Bool = false) {
            guard width > 0 else { return }
            let shown =
                trailing
                ? DisplayWidth.pad(
                    text,
                    to: width,
                    alignment: .trailing,
                    symbols: canvas.symbols
                ) : text
            canvas.put(
                shown,
                at: Position(row: 0, column: column + 1),
                width: width,
                style: look[role]
            )
            column += width + 1
        }
        put(row.due?.text ?? "", columns.due, row.due?.role ?? .dim, trailing: true)
        let bangs = String(repeating: "!", count: row.priority)
        put((row.isFlagged ? look.signs.flag : "") + bangs, columns.priority, priorityRole)
    }

    private var priorityRole: Role {
        switch row.priority {
        case 3: .priorityHigh
        case 2: .priorityMedium
        case 1: .priorityLow
        default: .marked
        }
    }
}

/// Texts with parts set off.
enum Highlight {
    /// The pieces of a text; ranges are bytes of UTF-8, ascending and apart.
    static func runs(
        _ text: String,
        _ ranges: [Range<Int>],
        plain: Style,
        match: Style
    ) -> [TextRun] {
        guard !ranges.isEmpty else { return [TextRun(text, plain)] }
        let utf8 = text.utf8
        func index(_ offset: Int) -> String.Index {
            utf8.index(utf8.startIndex, offsetBy: min(max(0, offset), utf8.count))
        }
        var runs: [TextRun] = []
        var place = 0
        for range in ranges {
            if range.lowerBound > place {
                runs.append(TextRun(text[index(place)..<index(range.lowerBound)], plain))
            }
            runs.append(
                TextRun(
                    text[index(range.lowerBound)..<index(range.upperBound)],
                    plain.overlaid(by: match)
                )
            )
            place = range.upperBound
        }
        if place < utf8.count { runs.append(TextRun(text[index(place)...], plain)) }
        return runs
    }
}
