package import TerminalUI

/// Draws screens as SVG: one picture of one screen, or one that moves through several.
package struct ScreenPicture {
    private let ink: String
    private let paper: String
    private static let (columnWidth, rowHeight, margin) = (8.43, 18.0, 10.0)

    /// - Parameter isLight: whether the terminal's own colours are dark on light.
    package init(isLight: Bool = false) {
        (ink, paper) = isLight ? ("#1c1c1c", "#ffffff") : ("#d0d0d0", "#1c1c1c")
    }

    /// A picture of a screen; its cursor is a line below the cell.
    package func svg(_ canvas: Canvas) -> String {
        let rows = (0..<canvas.rows).map { drawing(of: canvas, row: $0) }
        return document(canvas.size, rows.joined() + cursor(of: canvas))
    }

    /// A picture that shows one screen after the other, each for some seconds, and begins again.
    ///
    /// What a row shows is drawn once for all screens in a row that have it, so that a screen costs
    /// only the rows that differ. It needs no script.
    package func svg(_ film: [(screen: Canvas, seconds: Double)]) -> String {
        guard let first = film.first else { return "" }
        let total = film.reduce(0) { $0 + $1.seconds }
        var starts = [0.0]
        for (_, seconds) in film { starts.append(starts[starts.count - 1] + seconds) }
        var (parts, rules) = ("", [String: String]())
        func add(_ drawing: String, _ range: Range<Int>) {
            if drawing.isEmpty { return }
            if range.count == film.count {
                parts += drawing
                return
            }
            let name = "s\(range.lowerBound)-\(range.upperBound)"
            let begin = number(100 * starts[range.lowerBound] / total)
            let end = number(100 * starts[range.upperBound] / total)
            let start = range.lowerBound == 0 ? "" : "0%{opacity:0}"
            rules[name] =
                "@keyframes \(name){\(start)\(begin)%{opacity:1}\(end)%{opacity:0}}"
                + ".\(name){opacity:0;animation:\(name) \(number(total))s step-end infinite}\n"
            parts += "<g class=\"\(name)\">\(drawing)</g>\n"
        }
        func add(_ drawings: [String]) {
            var start = 0
            for index in 1...drawings.count
            where index == drawings.count || drawings[index] != drawings[start] {
                add(drawings[start], start..<index)
                start = index
            }
        }
        for row in 0..<first.screen.rows {
            add(film.map { drawing(of: $0.screen, row: row) })
        }
        add(film.map { cursor(of: $0.screen) })
        let style = rules.sorted { $0.key < $1.key }.map(\.value).joined()
        return document(first.screen.size, "<style>\(style)</style>\n" + parts)
    }

    private func document(_ size: Size, _ content: String) -> String {
        let width = Int(Double(size.columns) * Self.columnWidth + 2 * Self.margin)
        let height = Int(Double(size.rows) * Self.rowHeight + 2 * Self.margin)
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
            + " viewBox=\"0 0 \(width) \(height)\" font-size=\"14\" xml:space=\"preserve\""
            + " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">"
            + "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"\(paper)\"/>\n"
            + content + "</svg>\n"
    }

    /// One decimal, so that a picture is the same on every machine.
    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private func x(_ column: Int) -> Double { Self.margin + Double(column) * Self.columnWidth }
    private func y(_ row: Int) -> Double { Self.margin + Double(row) * Self.rowHeight }

    private func cursor(of canvas: Canvas) -> String {
        guard let cursor = canvas.cursor else { return "" }
        return "<rect x=\"\(number(x(cursor.column)))\" y=\"\(number(y(cursor.row + 1) - 2))\""
            + " width=\"\(number(Self.columnWidth))\" height=\"2\" fill=\"\(ink)\"/>\n"
    }

    /// Grounds first, then the runs of cells of one style; a wide cell is a run of its own.
    private func drawing(of canvas: Canvas, row: Int) -> String {
        let cells = canvas.cells(row)
        var (grounds, texts) = ("", "")
        var start = 0
        for index in 1...max(1, cells.count)
        where index == cells.count || cells[index].style != cells[start].style {
            let style = cells[start].style
            let ground = colors(of: style).ground
            if ground != paper {
                grounds +=
                    "<rect x=\"\(number(x(start)))\" y=\"\(number(y(row)))\" width=\""
                    + "\(number(Double(index - start) * Self.columnWidth))\" height=\"18\""
                    + " fill=\"\(ground)\"/>\n"
            }
            var column = start
            while column < index {
                var end = column
                while end < index, cells[end].width == 1 { end += 1 }
                if end == column { end += max(1, Int(cells[column].width)) }
                texts += text(cells[column..<min(end, index)], row: row)
                column = end
            }
            start = index
        }
        return grounds + texts
    }

    private func text(_ cells: ArraySlice<Cell>, row: Int) -> String {
        var cells = cells
        let style = cells.first?.style ?? .plain
        // Blanks at the ends are seen only where a line is below or through them.
        if style.attributes.isDisjoint(with: [.underline, .strike]) {
            while cells.first?.text == " " { cells.removeFirst() }
            while cells.last?.text == " " { cells.removeLast() }
        }
        let words = cells.map(\.text).joined()
        guard !words.isEmpty else { return "" }
        var more = ""
        if style.attributes.contains(.bold) { more += " font-weight=\"bold\"" }
        if style.attributes.contains(.dim) { more += " fill-opacity=\"0.6\"" }
        if style.attributes.contains(.italic) { more += " font-style=\"italic\"" }
        let lines = [
            style.attributes.contains(.underline) ? "underline" : nil,
            style.attributes.contains(.strike) ? "line-through" : nil,
        ].compactMap { $0 }
        if !lines.isEmpty { more += " text-decoration=\"\(lines.joined(separator: " "))\"" }
        let escaped = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text x=\"\(number(x(cells.startIndex)))\" y=\"\(number(y(row) + 14))\""
            + " fill=\"\(colors(of: style).ink)\" textLength=\""
            + "\(number(Double(cells.count) * Self.columnWidth))\""
            + "\(more)>\(escaped)</text>\n"
    }

    private func colors(of style: Style) -> (ink: String, ground: String) {
        let front = hex(style.foreground) ?? ink
        let ground = hex(style.background) ?? paper
        return style.attributes.contains(.reverse) ? (ground, front) : (front, ground)
    }

    /// The usual values of the first sixteen colours.
    private static let basic = [
        0x000000, 0xcd3131, 0x2a9d4a, 0xb58900, 0x2472c8, 0xa347a3, 0x1a9bb0, 0xd0d0d0,
        0x767676, 0xf14c4c, 0x23d18b, 0xe5e510, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
    ]

    private func hex(_ color: Color) -> String? {
        if color.isStandard { return nil }
        let basic = color.index.flatMap { $0 < 16 ? Self.basic[Int($0)] : nil }
        let number = basic ?? color.number(colors: 1 << 24) ?? 0
        let digits = String(number, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
