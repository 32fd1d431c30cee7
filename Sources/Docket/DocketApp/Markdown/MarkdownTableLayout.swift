import Markdown
import TerminalUI

/// A table in some columns: its cells wrapped, the widest columns narrowed first; where not even that
/// fits, each row as lines of `head: cell`.
struct MarkdownTableLayout {
    let rows: [MarkdownRow]

    init(_ table: MarkdownTable, _ layout: MarkdownLayout, room: Int) {
        let cells = table.rows.enumerated().map { number, row in
            row.cells.map { cell -> [RichLine.Run] in
                layout.runs(cell, number == 0 ? .heading : .text)
            }
        }
        let count = table.alignments.count
        let natural = (0..<count).map { column in
            max(1, cells.map { $0[column].reduce(0) { $0 + DisplayWidth.of($1.text) } }.max() ?? 1)
        }
        // A line and a blank before each cell, a blank behind it, and the last line.
        let frame = 3 * count + 1
        let least = 2
        guard count > 0, room - frame >= count * least else {
            rows = MarkdownTableLayout.stacked(table, cells, room)
            return
        }
        let widths = MarkdownTableLayout.narrowed(natural, to: room - frame, least)
        var rows: [MarkdownRow] = []
        let symbols = layout.symbols
        let lines = TableLines(symbols)
        func border(_ line: TableLines.Border, _ source: Int) {
            let parts = widths.map {
                String(repeating: Character(symbols.horizontal), count: $0 + 2)
            }
            let text = line.left + parts.joined(separator: line.cross) + line.right
            rows.append(MarkdownRow(line: .plain(text, .border), source: source))
        }
        border(lines.top, table.rows.first?.line ?? 0)
        for (number, row) in table.rows.enumerated() {
            let wrapped = zip(cells[number], widths).map { RichWrap.wrap($0, columns: $1) }
            for place in 0..<max(1, wrapped.map(\.count).max() ?? 1) {
                var runs: [RichLine.Run] = []
                for (column, cell) in wrapped.enumerated() {
                    let runsOfCell = place < cell.count ? cell[place].runs : []
                    let width = runsOfCell.reduce(0) { $0 + DisplayWidth.of($1.text) }
                    let missing = max(0, widths[column] - width)
                    let before =
                        switch table.alignments[column] {
                        case .leading: 0
                        case .center: missing / 2
                        case .trailing: missing
                        }
                    runs.append(.init(text: lines.vertical, role: .border))
                    runs.append(blank(before + 1))
                    runs += runsOfCell
                    runs.append(blank(missing - before + 1))
                }
                runs.append(.init(text: lines.vertical, role: .border))
                rows.append(MarkdownRow(line: RichLine(runs: runs), source: row.line))
            }
            if number == 0, table.rows.count > 1 { border(lines.middle, row.line) }
        }
        border(lines.bottom, table.rows.last?.line ?? 0)
        self.rows = rows
    }

    /// Widths whose sum is no more than a number of columns.
    private static func narrowed(_ natural: [Int], to columns: Int, _ least: Int) -> [Int] {
        if natural.reduce(0, +) <= columns { return natural }
        // The greatest width that all columns which want more can have.
        var (low, high) = (least, columns)
        while low < high {
            let middle = (low + high + 1) / 2
            if natural.reduce(0, { $0 + min($1, middle) }) <= columns {
                low = middle
            } else {
                high = middle - 1
            }
        }
        var widths = natural.map { min($0, low) }
        var left = columns - widths.reduce(0, +)
        for place in widths.indices where left > 0 && natural[place] > low {
            widths[place] += 1
            left -= 1
        }
        return widths
    }

    private static func stacked(
        _ table: MarkdownTable,
        _ cells: [[[RichLine.Run]]],
        _ room: Int
    ) -> [MarkdownRow] {
        guard let head = cells.first else { return [] }
        var rows: [MarkdownRow] = []
        // A table that has only a head is its own row.
        for number in cells.count == 1 ? 0..<1 : 1..<cells.count {
            if number > 1 {
                rows.append(MarkdownRow(line: RichLine(), source: table.rows[number].line))
            }
            for (column, cell) in cells[number].enumerated() {
                let label = number == 0 ? [] : head[column] + [.init(text: ": ", role: .dim)]
                rows += RichWrap.wrap(label + cell, columns: room).map {
                    MarkdownRow(line: $0, source: table.rows[number].line)
                }
            }
        }
        return rows
    }
}

private func blank(_ count: Int) -> RichLine.Run {
    .init(text: String(repeating: " ", count: count), role: .text)
}

/// The signs of a table's frame.
private struct TableLines {
    struct Border {
        let left: String
        let cross: String
        let right: String
    }

    let vertical: String
    let top: Border
    let middle: Border
    let bottom: Border

    init(_ symbols: Symbols) {
        vertical = String(Character(symbols.vertical))
        let isASCII = symbols.vertical.isASCII
        func border(_ left: String, _ cross: String, _ right: String) -> Border {
            isASCII
                ? Border(left: "+", cross: "+", right: "+")
                : Border(left: left, cross: cross, right: right)
        }
        top = border("┌", "┬", "┐")
        middle = border("├", "┼", "┤")
        bottom = border("└", "┴", "┘")
    }
}
