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
        let right = max(left, width - (columns.priority > 0 ? columns.priority + 1 : 0))
        let fit = fit(right - left)
        canvas.put(
            titleRuns,
            at: Position(row: 0, column: left),
            width: fit.title,
            fill: look[.text]
        )
        var column = left + fit.title
        for extra in fit.extras {
            column += 1
            column += canvas.put(
                extra.text,
                at: Position(row: 0, column: column),
                style: look[extra.role]
            )
        }
        if let due = row.due {
            let start = right - DisplayWidth.of(fit.due)
            canvas.put(fit.due, at: Position(row: 0, column: start), style: look[due.role])
        }
        let bangs = String(repeating: "!", count: row.priority)
        canvas.put(
            (row.isFlagged ? look.signs.flag : "") + bangs,
            at: Position(row: 0, column: right + 1),
            width: columns.priority,
            style: look[priorityRole]
        )
    }

    /// The parts of a row that fit.
    private struct Fit {
        /// The columns of the title and of the text after it.
        var title: Int
        var extras: [(text: String, role: Role)] = []
        var due = ""
    }

    private static let leastTitle = 4

    /// Divides the columns between sign and priority: the title comes first, the rest is shown as
    /// far as the whole title leaves columns.
    ///
    /// Parts disappear in this order: tags, list, count of subtasks; then the date in words becomes
    /// its shortest form; only then the title is cut.
    private func fit(_ room: Int) -> Fit {
        let title = DisplayWidth.of(shownTitle)
        let column = columns.due > 0 ? columns.due + 1 : 0
        let spare = room - column - title - wantedBehindTitle
        if spare >= 0 {
            let extras = extras(spare: spare, room: room - column)
            let used = extras.reduce(0) { $0 + 1 + DisplayWidth.of($1.text) }
            return Fit(title: room - column - used, extras: extras, due: row.due?.text ?? "")
        }
        guard let due = row.due else { return Fit(title: room) }
        let words = DisplayWidth.of(due.text) + 1
        if title + words <= room { return Fit(title: room - words, due: due.text) }
        let short = due.short.isEmpty ? 0 : DisplayWidth.of(due.short) + 1
        if room - short < ItemRowView.leastTitle { return Fit(title: max(0, room)) }
        return Fit(title: room - short, due: due.short)
    }

    /// The columns that should be left after the title for its blockers, or for the field of a
    /// match.
    private var wantedBehindTitle: Int {
        let waits = row.waitsFor.map { min(24, DisplayWidth.of($0) + 13) } ?? 0
        let finding = row.finding.map {
            min(32, DisplayWidth.of($0.field + $0.excerpt) + 4)
        }
        return waits + (finding ?? 0)
    }

    /// Count of subtasks, list and tags, as far as they fit; the last ones disappear first.
    private func extras(spare: Int, room: Int) -> [(text: String, role: Role)] {
        let wanted: [(text: String, role: Role, limit: Int)] = [
            (row.progress, .dim, 9), (row.list, .list, max(8, room / 4)),
            (row.tags, .tag, max(8, room / 3)),
        ]
        var left = spare
        var extras: [(text: String, role: Role)] = []
        for (text, role, limit) in wanted where !text.isEmpty {
            let shown = DisplayWidth.truncate(text, to: limit, symbols: look.symbols)
            let width = DisplayWidth.of(shown) + 1
            guard width <= left else { break }
            extras.append((shown, role))
            left -= width
        }
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

    private var shownTitle: String { row.title.isEmpty ? "(no title)" : row.title }

    private var titleRuns: [TextRun] {
        let title = shownTitle
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

    private var priorityRole: Role {
        switch row.priority {
        case 3: .priorityHigh
        case 2: .priorityMedium
        case 1: .priorityLow
        default: .marked
        }
    }
}

/// Texts with highlighted parts.
enum Highlight {
    /// The pieces of a text; ranges are bytes of UTF-8, ascending and without overlap.
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
