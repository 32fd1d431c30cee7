import DocketCore
import SearchLanguage
import TerminalUI

/// Colours the conditions of a search where it is typed, and underlines what is not understood.
struct QueryMarks {
    private let filter: ItemFilter

    init(_ filter: ItemFilter) { self.filter = filter }

    /// Draws over a text that begins at the left and is visible as a whole.
    func render(into canvas: inout Canvas, over text: String, _ look: Look) {
        guard filter.text == text else { return }
        for token in filter.tokens {
            switch token.kind {
            case .term(let term): overlay(term.name, look[.heading], &canvas)
            case .keyword, .open, .close: overlay(token.range, look[.heading], &canvas)
            case .text, .unknownField: break
            }
        }
        // A field that is underlined as a whole shows the mark by exchanged colours.
        let isLined = look[.inputFocused].attributes.contains(.underline)
        for problem in filter.problems where problem.kind != .incomplete {
            overlay(problem.range, look[.error].with(isLined ? .reverse : .underline), &canvas)
        }
    }

    private func overlay(_ range: Range<Int>, _ style: Style, _ canvas: inout Canvas) {
        let utf8 = filter.text.utf8
        guard range.upperBound <= utf8.count else { return }
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        let end = utf8.index(start, offsetBy: range.count)
        let area = Rect(
            row: 0,
            column: DisplayWidth.of(filter.text[..<start]),
            rows: 1,
            columns: DisplayWidth.of(filter.text[start..<end])
        )
        canvas.overlay(area, with: style)
    }
}
