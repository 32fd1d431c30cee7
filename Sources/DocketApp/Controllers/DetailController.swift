import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// The state of the detail pane: the selected item's text, laid out, and how far it is scrolled.
final class DetailController {
    private struct BodyKey: Hashable {
        var id: ManagedObjectID
        var text: String
        var columns: Int
        var isASCII: Bool
    }

    private let library: Library
    private var bodyKey: BodyKey?
    private var bodyLines: [RichLine] = []
    private var shownID: ManagedObjectID?
    private(set) var first = 0
    private var rows = 1
    private var count = 0

    init(library: Library) { self.library = library }

    /// The lines of an item, to be laid out before each frame.
    func lines(of item: Item, columns: Int, look: Look) -> [RichLine] {
        if item.objectID != shownID {
            shownID = item.objectID
            first = 0
        }
        let format = DateFormat(context: library.clock())
        var lines = DetailFields(item: item, format: format, look: look).lines(columns: columns)
        let body = body(of: item, columns: columns, look: look)
        if !body.isEmpty { lines += [RichLine()] + body }
        lines += DetailLinks(item: item, look: look).lines(columns: columns)
        return lines
    }

    private func body(of item: Item, columns: Int, look: Look) -> [RichLine] {
        let texts = [item.notes, (item as? Note)?.body].compactMap { $0 }.filter { !$0.isEmpty }
        let key = BodyKey(
            id: item.objectID, text: texts.joined(separator: "\n\n"), columns: columns,
            isASCII: look.isASCII)
        if key == bodyKey { return bodyLines }
        bodyKey = key
        bodyLines =
            key.text.isEmpty
            ? []
            : MarkdownRenderer(columns: columns, signs: look.signs, symbols: look.symbols)
                .lines(key.text)
        return bodyLines
    }

    // MARK: Scrolling

    func layout(rows: Int, count: Int) {
        self.rows = max(1, rows)
        self.count = count
        first = min(max(0, first), max(0, count - self.rows))
    }

    func scroll(by rows: Int) { first = min(max(0, first + rows), max(0, count - self.rows)) }
    func page(_ windows: Int) { scroll(by: max(1, rows - 1) * windows) }
    func scrollToEnd(first isFirst: Bool) { scroll(by: isFirst ? -count : count) }
}
