import Phrases
import TerminalUI

/// All commands by their headings, with their keys, from the command table; those of a pane alone
/// after the others.
///
/// The help of the interface shows it, `docket keys` prints it, and the manual has it as a picture.
public struct KeyCard {
    struct Row {
        /// The keys in the form for people; empty for a command of the palette alone.
        let keys: String
        let command: Command
    }

    struct Group {
        let title: String
        let rows: [Row]
    }

    let groups: [Group]
    private let symbols: Symbols

    public init(_ keyMap: KeyMap, ascii: Bool) {
        symbols = ascii ? .ascii : .unicode
        func group(_ title: String, where isIn: (Command) -> Bool) -> Group {
            let rows = CommandTable.all.filter(isIn).map {
                Row(keys: keyMap.labels(of: $0.id, ascii: ascii), command: $0)
            }
            return Group(title: title, rows: rows)
        }
        let ofPanes = Set(PaneTable.all.map(\.keyContext)).subtracting([.main])
        // A key may mean something else in a pane of its own.
        let all =
            Command.Category.allCases.map { category in
                group(category.title) {
                    $0.category == category && !ofPanes.contains($0.context)
                }
            }
            + PaneTable.all.filter { $0.keyContext != .main }.map { pane in
                group(localized("\(pane.title): more keys")) { $0.context == pane.keyContext }
            }
        groups = all.filter { !$0.rows.isEmpty }
    }

    // MARK: As text

    /// A line of the card: a heading, keys and what they do, or nothing.
    private enum Line {
        case blank
        case heading(String)
        case row(keys: String, title: String)
    }

    private static let keyColumns = 12
    private static let leastColumns = 38
    private static let gap = 2

    /// The commands that have keys, in as many columns as fit.
    ///
    /// As few texts as possible are cut: with room for several columns those are taken that have
    /// their whole texts, if there are some.
    ///
    /// - Parameter columns: the width; no line is wider, except where a column has no room at all.
    ///   `nil` for one column of any width.
    /// - Returns: the lines.
    public func lines(columns: Int?) -> [String] {
        guard let columns else { return wholeParts(1).flatMap(\.self) }
        let count = max(1, (columns + Self.gap) / (Self.leastColumns + Self.gap))
        let whole = (1...count).reversed().lazy.map(wholeParts).first { parts in
            let widths = parts.map(Self.width)
            return widths.reduce(0, +) + (widths.count - 1) * Self.gap <= columns
        }
        if let whole, count == 1 || whole.count > 1 { return Self.beside(whole) }
        let width = max(8, (columns - (count - 1) * Self.gap) / count)
        let parts = divided(into: count).map {
            $0.map { text(of: $0, keyColumns: Self.keyColumns, width: width) }
        }
        return Self.beside(parts, width: width)
    }

    /// Columns of whole texts.
    private func wholeParts(_ count: Int) -> [[String]] {
        divided(into: count).map { lines in
            let keys = lines.map { line in
                if case .row(let keys, _) = line { DisplayWidth.of(keys) } else { 0 }
            }
            let lead = max(Self.keyColumns, (keys.max() ?? 0) + 1)
            return lines.map { text(of: $0, keyColumns: lead, width: Self.widest) }
        }
    }

    private static let widest = 10_000
    private static func width(_ lines: [String]) -> Int { lines.map(DisplayWidth.of).max() ?? 0 }

    /// Columns beside each other, of a width or each as wide as its texts.
    private static func beside(_ parts: [[String]], width: Int? = nil) -> [String] {
        let rows = parts.map(\.count).max() ?? 0
        return (0..<rows).map { row in
            var (line, start) = ("", 0)
            for part in parts {
                if row < part.count, !part[row].isEmpty {
                    line += String(repeating: " ", count: max(0, start - DisplayWidth.of(line)))
                    line += part[row]
                }
                start += (width ?? Self.width(part)) + gap
            }
            return line
        }
    }

    private func text(of line: Line, keyColumns: Int, width: Int) -> String {
        func cut(_ text: String, _ columns: Int) -> String {
            DisplayWidth.truncate(text, to: columns, symbols: symbols)
        }
        switch line {
        case .blank: return ""
        case .heading(let title): return cut(title, width)
        case .row(let keys, let title):
            let lead = min(keyColumns, width / 2)
            let keys = cut(keys, lead - 1)
            let gap = String(repeating: " ", count: lead - DisplayWidth.of(keys))
            return keys + gap + cut(title, width - lead)
        }
    }

    /// The lines in columns of about the same height; no heading is the last one of its column.
    private func divided(into count: Int) -> [[Line]] {
        var lines: [Line] = []
        for group in groups {
            let rows = group.rows.filter { !$0.keys.isEmpty }
            if rows.isEmpty { continue }
            if !lines.isEmpty { lines.append(.blank) }
            lines.append(.heading(group.title))
            lines += rows.map { .row(keys: $0.keys, title: $0.command.title) }
        }
        let height = (lines.count + count - 1) / count
        var parts: [[Line]] = []
        var rest = lines[...]
        while !rest.isEmpty {
            if case .blank? = rest.first { rest.removeFirst() }
            var part = Array(rest.prefix(parts.count == count - 1 ? rest.count : max(2, height)))
            while part.count > 2, part.last.map(Self.isHeadingOrBlank) ?? false {
                part.removeLast()
            }
            rest = rest.dropFirst(part.count)
            parts.append(part)
        }
        return parts
    }

    private static func isHeadingOrBlank(_ line: Line) -> Bool {
        if case .row = line { false } else { true }
    }

    // MARK: As a picture

    private static let svgColumns = 3
    private static let svgWidth = 400
    private static let svgKeys = 110
    private static let svgRow = 18

    /// The card as an SVG picture for a light and for a dark background.
    public var svg: String {
        let parts = divided(into: Self.svgColumns)
        let height = (parts.map(\.count).max() ?? 0) * Self.svgRow + 28
        let width = Self.svgColumns * Self.svgWidth + 20
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" font-family="DejaVu Sans Mono, Menlo, Consolas, \
            monospace" font-size="13" role="img" aria-label="The keys of Docket">
            <style>
            rect { fill: #ffffff } text { fill: #1c1c1c } .key { fill: #005f87; font-weight: bold }
            .head { font-weight: bold; font-size: 15px }
            @media (prefers-color-scheme: dark) {
            rect { fill: #1c1c1c } text { fill: #d0d0d0 } .key { fill: #87d7ff } }
            </style>
            <rect width="100%" height="100%"/>

            """
        for (place, part) in parts.enumerated() {
            for (row, line) in part.enumerated() {
                let (x, y) = (14 + place * Self.svgWidth, 24 + row * Self.svgRow)
                switch line {
                case .blank: break
                case .heading(let title): svg += Self.svgText(title, x, y, "head")
                case .row(let keys, let title):
                    svg += Self.svgText(keys, x, y, "key")
                    svg += Self.svgText(title, x + Self.svgKeys, y, nil)
                }
            }
        }
        return svg + "</svg>\n"
    }

    private static func svgText(_ text: String, _ x: Int, _ y: Int, _ kind: String?) -> String {
        let signs: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        let escaped = text.map { signs[$0] ?? String($0) }.joined()
        let name = kind.map { " class=\"\($0)\"" } ?? ""
        return "<text x=\"\(x)\" y=\"\(y)\"\(name)>\(escaped)</text>\n"
    }
}
