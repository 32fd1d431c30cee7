import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// The state of the detail pane: the selected item's text, laid out, and how far it is scrolled.
final class DetailController {
    private struct BodyKey: Hashable {
        var id: ManagedObjectID
        var text: String
        var limit: Int
        var columns: Int
        var isASCII: Bool
    }

    private static let firstLimit = 32_768

    private let library: Library
    private var bodyKey: BodyKey?
    private var bodyLines: [RichLine] = []
    private var shownID: ManagedObjectID?
    /// How much of a long text is laid out, in bytes; scrolling near its end asks for more.
    private var limit = DetailController.firstLimit
    private var isCut = false
    /// Where the window is.
    ///
    /// Only a layout knows where the end is: a place that was asked for from there is counted from
    /// there until then, so that no number stands for a row that is not known yet.
    private enum Place {
        case fromStart(Int)
        /// So many rows above the last window.
        case fromEnd(Int)
    }

    private var place = Place.fromStart(0)
    private var rows = 1
    private var count = 0

    init(library: Library) { self.library = library }

    /// The lines of an item, to be laid out before each frame.
    func lines(of item: Item, columns: Int, look: Look) -> [RichLine] {
        if item.objectID != shownID {
            clear()
            shownID = item.objectID
        }
        let format = DateFormat(context: library.clock())
        var lines = DetailFields(item: item, format: format, look: look).lines(columns: columns)
        let body = body(of: item, columns: columns, look: look)
        if !body.isEmpty { lines += [RichLine()] + body }
        lines += DetailLinks(item: item, look: look).lines(columns: columns)
        return lines
    }

    /// Forgets the item that was shown, and how far it was scrolled.
    func clear() {
        shownID = nil
        place = .fromStart(0)
        limit = DetailController.firstLimit
        count = 0
    }

    private func body(of item: Item, columns: Int, look: Look) -> [RichLine] {
        let texts = [item.notes, (item as? Note)?.body].compactMap { $0 }.filter { !$0.isEmpty }
        let key = BodyKey(
            id: item.objectID,
            text: texts.joined(separator: "\n\n"),
            limit: limit,
            columns: columns,
            isASCII: look.isASCII
        )
        if key == bodyKey { return bodyLines }
        bodyKey = key
        let shown = beginning(of: key.text)
        isCut = shown.utf8.count < key.text.utf8.count
        bodyLines =
            shown.isEmpty
            ? []
            : MarkdownRenderer(columns: columns, signs: look.signs, symbols: look.symbols)
                .lines(shown)
        if isCut { bodyLines.append(.plain(String(Character(look.symbols.ellipsis)), .dim)) }
        return bodyLines
    }

    /// The text up to the limit, cut between words where there are any.
    private func beginning(of text: String) -> String {
        guard text.utf8.count > limit else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: limit)
        let cut = text.utf8[..<end].lastIndex { $0 == 10 || $0 == 32 } ?? end
        return String(decoding: text.utf8[..<cut], as: UTF8.self)
    }

    // MARK: Scrolling

    /// The first row that shows; right after a layout.
    var first: Int {
        switch place {
        case .fromStart(let row): min(max(0, row), lowest)
        case .fromEnd(let rows): max(0, lowest - rows)
        }
    }

    /// The first row of the last window.
    private var lowest: Int { max(0, count - rows) }

    func layout(rows: Int, count: Int) {
        self.rows = max(1, rows)
        self.count = count
        place = .fromStart(first)
        if isCut, first > 0, first + 2 * self.rows > count { limit = min(limit, .max / 4) * 4 }
    }

    func scroll(by rows: Int) {
        switch place {
        case .fromStart: place = .fromStart(min(max(0, first + rows), lowest))
        case .fromEnd(let above): place = .fromEnd(max(0, above - rows))
        }
    }

    func page(_ windows: Int) { scroll(by: max(1, rows - 1) * windows) }

    func scrollToEnd(first isFirst: Bool) {
        place = isFirst ? .fromStart(0) : .fromEnd(0)
        if !isFirst { limit = .max }
    }
}
