import Phrases
import TerminalUI

/// Draws one row of the items pane: what it is at the left, the title, a dim run, the date.
///
/// ```
/// ▌▾◑ Plan the garden  3/5                Garden #out  Fri 27 Nov
/// ```
struct ItemRowView {
    let row: ItemRow
    let columns: ItemColumns
    let look: Look

    func render(into canvas: inout Canvas) {
        let width = canvas.columns
        let mark = row.isMarked ? String(Character(canvas.symbols.mark)) : " "
        canvas.put(mark, at: Position(row: 0, column: 0), style: look[.marked])
        let signs = columns.signs(depth: row.depth, width: width)
        if !row.rails.isEmpty {
            canvas.put(
                rails(columns: signs.fold - 1),
                at: Position(row: 0, column: 1),
                style: look[.border]
            )
        }
        if columns.fold > 0 {
            canvas.put(foldSign, at: Position(row: 0, column: signs.fold), style: look[.dim])
        }
        canvas.put(sign, at: Position(row: 0, column: signs.state), style: look[signRole])
        let left = signs.state + 2
        let fit = fit(max(0, width - left))
        let place = Position(row: 0, column: left)
        canvas.put(titleRuns(columns: fit.title), at: place, width: fit.title)
        if !fit.run.isEmpty {
            let run = fit.run.reduce(0) { $0 + DisplayWidth.of($1.text) }
            let place = Position(row: 0, column: width - fit.dueColumn - run)
            canvas.put(fit.run.map { TextRun($0.text, look[$0.role]) }, at: place)
        }
        if let due {
            let start = width - DisplayWidth.of(fit.due)
            canvas.put(fit.due, at: Position(row: 0, column: start), style: look[due.role])
        }
    }

    /// The date, unless the settings leave it out.
    private var due: ItemRow.Due? { columns.parts.contains(.due) ? row.due : nil }

    /// The parts of a row that fit.
    private struct Fit {
        /// The columns of the title and of what follows it directly.
        var title: Int
        /// The dim run before the date: list and tags.
        var run: [(text: String, role: Role)] = []
        /// The columns at the right that belong to the date.
        var dueColumn = 0
        var due = ""
    }

    private static let leastTitle = 4
    /// Behind the title of a task that is drawn somewhere above.
    private static var reference: String { localized("  see above") }

    /// Divides the columns right of the sign: the title comes first, the rest is shown as far as the
    /// whole title leaves columns.
    ///
    /// Parts disappear from the end of the order of the settings; then the date in words becomes its
    /// shortest form; only then the title is cut.
    private func fit(_ room: Int) -> Fit {
        let title = DisplayWidth.of(shownTitle) + wantedBehindTitle
        let column = columns.due > 0 ? columns.due + 2 : 0
        let spare = room - column - title
        if spare >= 0 {
            let run = run(spare: spare, room: room - column)
            let used = run.isEmpty ? 0 : run.reduce(2) { $0 + DisplayWidth.of($1.text) }
            return Fit(
                title: room - column - used,
                run: run,
                dueColumn: column,
                due: due?.text ?? ""
            )
        }
        guard let due else { return Fit(title: room) }
        let words = DisplayWidth.of(due.text) + 1
        if title + words <= room { return Fit(title: room - words, due: due.text) }
        let short = due.short.isEmpty ? 0 : DisplayWidth.of(due.short) + 1
        if room - short < ItemRowView.leastTitle { return Fit(title: max(0, room)) }
        return Fit(title: room - short, due: due.short)
    }

    /// The columns that should be left after the title for its flag, its count of subtasks, its
    /// blockers, or the field of a match.
    private var wantedBehindTitle: Int {
        let signs = (row.isFlagged ? 2 : 0) + (row.isInConflict ? 2 : 0)
        let flag = signs + (row.isReference ? ItemRowView.reference.count : 0)
        let waits = row.waitsFor.map { min(24, DisplayWidth.of($0) + 13) } ?? 0
        let finding = row.finding.map {
            min(32, DisplayWidth.of($0.field + $0.excerpt) + 4)
        }
        return flag + waits + (finding ?? 0)
    }

    /// What a part says; the date is computed with what fits.
    private func content(of part: ItemPart) -> (text: String, role: Role) {
        switch part {
        case .due: ("", .dim)
        case .subtasks: (row.progress, .dim)
        case .missed: (row.missed, .overdue)
        case .list: (row.list, .list)
        case .tags: (row.tags, .tag)
        case .estimate: (row.estimate, .dim)
        }
    }

    /// The counts behind the title: of done subtasks, and of missed occurrences.
    private var counts: [(text: String, role: Role)] {
        columns.parts.filter(\.isBehindTitle).map(content).filter { !$0.text.isEmpty }
            .map { ("  \($0.text)", $0.role) }
    }

    /// What stands before the date, as far as it fits; the last ones disappear first.
    private func run(spare: Int, room: Int) -> [(text: String, role: Role)] {
        var left = spare - 2
        var run: [(text: String, role: Role)] = []
        for part in columns.parts {
            let (text, role) = content(of: part)
            if text.isEmpty { continue }
            if part.isBehindTitle {
                left -= DisplayWidth.of(text) + 2
                continue
            }
            let limit = max(8, part == .tags ? room / 3 : room / 4)
            let shown = DisplayWidth.truncate(text, to: limit, symbols: look.symbols)
            let lead = run.isEmpty ? "" : " "
            let width = DisplayWidth.of(shown) + lead.count
            guard width <= left else { break }
            run.append((lead + shown, role))
            left -= width
        }
        return run
    }

    /// The lines of a tree left of the sign, those of the inner levels if not all fit.
    private func rails(columns: Int) -> String {
        let symbols = look.symbols
        var text = ""
        for (level, continues) in row.rails.enumerated().suffix(columns / 2) {
            let isOwn = level == row.rails.count - 1
            let sign = isOwn ? (continues ? symbols.branch : symbols.lastBranch) : symbols.vertical
            text += isOwn || continues ? String(Character(sign)) : " "
            text += isOwn ? String(Character(symbols.horizontal)) : " "
        }
        return text
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
        case .open: look.signs.priorities[min(max(0, row.priority), 3)]
        case .blocked: look.signs.blocked
        case .done: look.signs.done
        case .note: look.signs.note
        case .folder: " "
        }
    }

    private var signRole: Role {
        switch row.state {
        case .done: .success
        case .blocked, .note, .folder: .dim
        case .open:
            [.text, .priorityLow, .priorityMedium, .priorityHigh][min(max(0, row.priority), 3)]
        }
    }

    private var titleRole: Role {
        switch row.state {
        case .done: .done
        case .blocked: .dim
        case .open, .note, .folder: row.isReference ? .dim : .text
        }
    }

    private var shownTitle: String { row.title.isEmpty ? localized("(no title)") : row.title }

    /// The title with what follows it, of which the counts are there if they fit.
    private func titleRuns(columns: Int) -> [TextRun] {
        let title = shownTitle
        let role: Role = row.title.isEmpty ? .dim : titleRole
        var runs = Highlight.runs(
            title,
            row.titleMatches,
            plain: look[role],
            match: look[.match]
        )
        if row.isFlagged { runs.append(TextRun(" \(look.signs.flag)", look[.marked])) }
        if row.isInConflict { runs.append(TextRun(" \(look.signs.conflict)", look[.warning])) }
        var left = columns - DisplayWidth.of(title) - wantedBehindTitle
        for (text, role) in counts {
            left -= DisplayWidth.of(text)
            if left < 0 { break }
            runs.append(TextRun(text, look[role]))
        }
        if row.isReference { runs.append(TextRun(ItemRowView.reference, look[.dim])) }
        if let waits = row.waitsFor {
            runs.append(TextRun(localized("  waits for \(waits)"), look[.dim]))
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
