import Markdown
import Phrases
import TerminalUI

/// Lays out Markdown in some columns.
///
/// A line end in a paragraph ends the row, so that text without Markdown does not
/// change.
///
/// Rule: no row is wider than the columns, unless a character is; whatever a text contains, no
/// control character is in a row.
struct MarkdownLayout: Hashable {
    let columns: Int
    let signs: Signs
    let symbols: Symbols
    /// Where pictures come from; `nil` where none are shown.
    var pictures: Pictures?

    struct Pictures: Hashable {
        let shelf: PictureShelf
        let version: Int
        let isLight: Bool

        static func == (one: Self, other: Self) -> Bool {
            one.version == other.version && one.isLight == other.isLight
        }

        func hash(into hasher: inout Hasher) { hasher.combine(version) }
    }

    /// The rows of a section.
    ///
    /// - Complexity: O(length of the section).
    func rows(of section: MarkdownSection) -> [MarkdownRow] {
        var rows: [MarkdownRow] = []
        for block in section.blocks {
            let lead = Lead(block, self)
            let beginsFootnote = lead.isFootnote && lead.isFirst && !rows.isEmpty
            let above = max(0, block.line - 1)
            if block.isApart || beginsFootnote {
                rows.append(MarkdownRow(line: lead.between, source: above))
            }
            if lead.isUnreferenced, lead.isFirst {
                let words = localized("Nothing leads to this footnote:")
                rows += RichWrap.wrap([.init(text: words, role: .dim)], columns: columns)
                    .map { MarkdownRow(line: $0, source: above) }
            }
            for (number, row) in lines(of: block, section, room: lead.room).enumerated() {
                var line = lead.line(number)
                line.runs += row.line.runs
                rows.append(
                    MarkdownRow(
                        line: line,
                        source: row.source,
                        task: lead.task,
                        isHeading: row.isHeading,
                        leadRuns: line.runs.count - row.line.runs.count,
                        picture: row.picture
                    )
                )
            }
        }
        return rows
    }

    private func lines(
        of block: MarkdownBlock,
        _ section: MarkdownSection,
        room: Int
    ) -> [MarkdownRow] {
        func rows(_ lines: [RichLine], isHeading: Bool = false) -> [MarkdownRow] {
            lines.map { MarkdownRow(line: $0, source: block.line, isHeading: isHeading) }
        }
        switch block.kind {
        case .rule:
            let sign = String(repeating: Character(symbols.horizontal), count: room)
            return rows([.plain(sign, .border)])
        case .heading(let level):
            let spans = section.spans(of: block)
            return rows(text(spans, level <= 2 ? .heading : .title, room), isHeading: true)
        case .text:
            let isQuoted = block.containers.contains(.quote)
            let role: Role = block.isDone ? .done : isQuoted ? .dim : .text
            let spans = section.spans(of: block)
            if pictures == nil || !spans.contains(where: { $0.address != nil }) {
                return numbered(text(spans, role, room), from: block.line)
            }
            return lines(of: spans).enumerated().flatMap { number, line in
                picture(line, from: block.line + number, room)
                    + numbered(text(line, role, room), from: block.line + number)
            }
        case .code(let language):
            let name = clean(language)
            let head =
                name.isEmpty
                ? [] : rows(RichWrap.wrap([.init(text: name, role: .dim)], columns: room))
            let lines = verbatim(section.literal(of: block), .code, room)
            return head
                + lines.map { line in
                    var line = line
                    line.source += block.line + (block.isFenced ? 1 : 0)
                    return line
                }
        case .html:
            return verbatim(section.literal(of: block), .dim, room).map { line in
                var line = line
                line.source += block.line
                return line
            }
        case .table:
            return MarkdownTableLayout(section.table(of: block), self, room: room).rows
        }
    }

    /// A paragraph's rows with the lines of the text that they come from.
    private func numbered(
        _ lines: [(line: RichLine, number: Int)],
        from first: Int
    )
        -> [MarkdownRow]
    {
        lines.map { MarkdownRow(line: $0.line, source: first + $0.number) }
    }

    /// The rows of the picture that is all that a line has, or why there are none.
    private func picture(_ line: [MarkdownSpan], from source: Int, _ room: Int) -> [MarkdownRow] {
        guard let pictures, let address = line.first?.address,
            line.allSatisfy({ $0.address == address }),
            let found = pictures.shelf.picture(address, columns: room, isLight: pictures.isLight)
        else { return [] }
        switch found {
        case .success(let picture):
            return (0..<picture.size.rows).map { row in
                var blank = MarkdownRow(line: RichLine(), source: source)
                blank.picture = (picture, row)
                return blank
            }
        case .failure(let problem):
            return RichWrap.wrap([.init(text: problem.sentence, role: .warning)], columns: room)
                .map { MarkdownRow(line: $0, source: source) }
        }
    }

    // MARK: Text

    /// Lines of spans, wrapped, each with the number of its line in the paragraph.
    private func text(
        _ spans: [MarkdownSpan],
        _ role: Role,
        _ room: Int
    ) -> [(line: RichLine, number: Int)] {
        var lines: [(line: RichLine, number: Int)] = []
        for (number, part) in self.lines(of: spans).enumerated() {
            let wrapped = RichWrap.wrap(runs(part, role), columns: room)
            lines += (wrapped.isEmpty ? [RichLine()] : wrapped).map { ($0, number) }
        }
        return lines
    }

    private func text(_ spans: [MarkdownSpan], _ role: Role, _ room: Int) -> [RichLine] {
        text(spans, role, room).map(\.line)
    }

    /// The spans between line ends.
    private func lines(of spans: [MarkdownSpan]) -> [[MarkdownSpan]] {
        var lines: [[MarkdownSpan]] = [[]]
        for span in spans {
            let parts = span.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, part) in parts.enumerated() {
                if number > 0 { lines.append([]) }
                if part.isEmpty { continue }
                var copy = span
                copy.text = String(part)
                lines[lines.count - 1].append(copy)
            }
        }
        return lines
    }

    /// The runs of spans without line ends; the address behind a link that does not show it.
    func runs(_ spans: [MarkdownSpan], _ role: Role) -> [RichLine.Run] {
        var runs: [RichLine.Run] = []
        for (place, span) in spans.enumerated() {
            var run = RichLine.Run(text: clean(span.text), role: role)
            if span.isBold { run.attributes.insert(.bold) }
            if span.isItalic { run.attributes.insert(.italic) }
            if span.isStruck { run.attributes.insert(.strike) }
            switch span.kind {
            case .text: break
            case .code: run.role = .code
            case .html: run.role = .dim
            case .footnote:
                run.text = "[\(run.text)]"
                run.role = .dim
            case .title(let title):
                run.role = .link
                run.target = .title(title)
            case .address(let address, _):
                run.role = .link
                run.target = .address(address)
            }
            if !run.text.isEmpty { runs.append(run) }
            if case .address(let address, false) = span.kind,
                place + 1 == spans.count || spans[place + 1].kind != span.kind
            {
                runs.append(.init(text: " (\(clean(address)))", role: .dim))
            }
        }
        return MarkdownLayout.apart(runs)
    }

    /// Runs that can be drawn one by one: a mark stays with its character, and nothing that would join
    /// the next run ends one.
    private static func apart(_ runs: [RichLine.Run]) -> [RichLine.Run] {
        var result: [RichLine.Run] = []
        for var run in runs {
            var scalars = run.text.unicodeScalars
            while scalars.last == "\u{200D}" { scalars.removeLast() }
            while let first = scalars.first, first.value >= 0x300, !result.isEmpty,
                DisplayWidth.ofScalar(first.value) == 0
            {
                result[result.count - 1].text.unicodeScalars.append(first)
                scalars.removeFirst()
            }
            run.text = String(scalars)
            if !run.text.isEmpty { result.append(run) }
        }
        return result
    }

    /// Text of one line that a terminal may get.
    func clean(_ text: String) -> String {
        let text = DisplayWidth.sanitize(text)
        if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) { return text }
        return text.replacing("\n", with: " ").replacing("\t", with: "    ")
    }

    /// Lines that are cut into rows at any character, because their blanks matter.
    private func verbatim(_ text: String, _ role: Role, _ room: Int) -> [MarkdownRow] {
        let indent = room > 4 ? 2 : 0
        let blanks = String(repeating: " ", count: indent)
        var rows: [MarkdownRow] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let line = clean(String(line))
            for part in DisplayWidth.wrapped(line, columns: max(1, room - indent)) {
                let run = RichLine.Run(text: blanks + part, role: role)
                rows.append(MarkdownRow(line: RichLine(runs: [run]), source: number))
            }
        }
        return rows
    }
}

/// What is before the rows of a block: the signs of what it is inside of.
private struct Lead {
    private struct Part {
        var sign: RichLine.Run
        /// What continues it in the other rows.
        var rest: RichLine.Run
        var columns: Int { DisplayWidth.of(sign.text) }
    }

    private var parts: [Part] = []
    private let firstInside: Int
    let task: MarkdownTask?
    let isFootnote: Bool
    private(set) var isUnreferenced = false
    /// The columns that are left.
    let room: Int

    /// The columns that a text gets if it can.
    private static let wanted = 12

    init(_ block: MarkdownBlock, _ layout: MarkdownLayout) {
        let signs = layout.signs
        var task: MarkdownTask?
        var isFootnote = false
        for (place, container) in block.containers.enumerated() {
            var sign = RichLine.Run(text: "\(signs.quote) ", role: .dim)
            guard case .item(let marker) = container else {
                parts.append(Part(sign: sign, rest: sign))
                continue
            }
            switch marker {
            case .bullet: sign.text = "\(signs.bullet) "
            case .number(let number): sign.text = "\(number) "
            case .task(let box):
                sign = .init(text: "\(signs.boxOpen) ", role: .text)
                if box.isDone { sign = .init(text: "\(signs.boxDone) ", role: .done) }
                task = box
            case .footnote(let number, let isReferenced):
                sign.text = "[\(number)] "
                isFootnote = true
                isUnreferenced = !isReferenced
            }
            let blanks = String(repeating: " ", count: DisplayWidth.of(sign.text))
            let rest = RichLine.Run(text: blanks, role: sign.role)
            parts.append(Part(sign: place < block.firstInside ? rest : sign, rest: rest))
        }
        // What is far inside keeps room for its text: the outer signs go first.
        let columns = max(1, layout.columns)
        var width = parts.reduce(0) { $0 + $1.columns }
        var dropped = 0
        while dropped < parts.count, columns - width < min(Self.wanted, columns / 2 + 1) {
            width -= parts[dropped].columns
            dropped += 1
        }
        parts.removeFirst(dropped)
        firstInside = block.firstInside - dropped
        self.task = task
        self.isFootnote = isFootnote
        room = max(1, columns - width)
    }

    var isFirst: Bool { firstInside < parts.count }

    func line(_ number: Int) -> RichLine {
        RichLine(runs: parts.map { number == 0 ? $0.sign : $0.rest })
    }

    /// The empty row before the block.
    var between: RichLine {
        let outside = parts.prefix(max(0, firstInside))
        let runs = outside.map(\.rest)
        return runs.allSatisfy { $0.text.allSatisfy { $0 == " " } }
            ? RichLine() : RichLine(runs: Array(runs))
    }
}

extension MarkdownSpan {
    /// The address of a link.
    fileprivate var address: String? {
        if case .address(let address, _) = kind { return address }
        return nil
    }
}
