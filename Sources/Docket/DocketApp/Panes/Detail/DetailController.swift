import CivilTime
import DocketCore
import FoundationEssentials
import Markdown
import ObjectGraph
import TerminalUI

/// The state of the detail pane: the selected item's text, laid out, and its scroll position.
final class DetailController {
    private struct BodyKey: Hashable {
        var id: ManagedObjectID
        var limit: Int
        var layout: MarkdownLayout
    }

    /// The rule of the last task in words, and the occurrences that it has missed: a rule costs more
    /// to read than a frame to draw.
    private var rule: (text: String, anchor: Int16, words: String)?
    private var missedCounts = MissedCounts()

    private static let firstLimit = 32_768

    private let library: Library
    private var text: MarkdownSource?
    private var bodyKey: BodyKey?
    private var bodyLines: [RichLine] = []
    private var isTextCut = false
    private var shownID: ManagedObjectID?
    /// The number of bytes of a long text that are laid out, and of as many subtasks as have so many;
    /// scrolling near their end increases it.
    private var limit = DetailController.firstLimit
    private var isCut = false
    private static let bytesOfSubtask = 128
    /// The position of the window.
    ///
    /// Only a layout knows where the end is. A position that was set from the end is counted from
    /// the end until then, so that no number is used for a row that is not known yet.
    private enum Place {
        case fromStart(Int)
        /// A number of rows above the last window.
        case fromEnd(Int)
    }

    private var place = Place.fromStart(0)
    private var rows = 1
    private var count: Int { shown.count }
    /// The lines of the last layout.
    private var shown = DetailLines()
    private var clicks = DoubleClick()

    init(library: Library) { self.library = library }

    /// The lines of an item, to be laid out before each frame.
    func lines(
        of item: Item,
        _ subtasks: Subtasks,
        _ dependencies: OpenDependencies,
        columns: Int,
        showsTitle: Bool,
        conflicts: [RichLine] = [],
        look: Look
    ) -> DetailLines {
        let fields = fields(of: item, dependencies, look)
        var lines = lines(
            of: item.objectID,
            above: fields.lines(
                columns: columns,
                showsTitle: showsTitle || DisplayWidth.of(fields.title) > columns
            ) + conflicts,
            text: ItemText(item, in: library).text,
            columns: columns,
            look: look
        )
        if let task = item as? Task {
            let (first, isMore) = subtasks.first(limit / Self.bytesOfSubtask, of: task)
            lines.add(first.isEmpty ? [] : [RichLine()])
            lines.add(first.count) { fields.line(of: first[$0]) }
            lines.add(isMore ? [cut(look)] : [])
            isCut = isCut || isMore
        }
        lines.add(fields.footer(columns: columns))
        return lines
    }

    /// What is shown of an item beside its text.
    func fields(
        of item: Item,
        _ dependencies: OpenDependencies,
        _ look: Look
    ) -> DetailFields {
        let format = DateFormat(context: library.clock())
        return DetailFields(
            item: item,
            repetition: repetition(of: item as? Task, format.context),
            dependencies: dependencies,
            format: format,
            look: look
        )
    }

    private func cut(_ look: Look) -> RichLine {
        .plain(String(Character(look.symbols.ellipsis)), .dim)
    }

    /// The lines of something that has a text in Markdown.
    func lines(
        of id: ManagedObjectID,
        above: [RichLine],
        text: String,
        columns: Int,
        look: Look
    ) -> DetailLines {
        if id != shownID {
            clear()
            shownID = id
        }
        let body = body(of: id, text, columns: columns, look: look)
        isCut = isTextCut
        var lines = DetailLines()
        lines.add(above)
        lines.add(body.isEmpty ? [] : [RichLine()])
        lines.add(body)
        return lines
    }

    /// Removes the item and its scroll position.
    func clear() {
        shownID = nil
        place = .fromStart(0)
        limit = DetailController.firstLimit
        shown = DetailLines()
    }

    /// Drops the text that was laid out, such as that of an encrypted note.
    func forget() {
        text = nil
        bodyKey = nil
        bodyLines = []
        shown = DetailLines()
    }

    private func repetition(
        of task: Task?,
        _ context: DateContext
    ) -> (words: String, missed: String) {
        guard let task, let text = task.rule else { return ("", "") }
        if rule.map({ $0.text != text || $0.anchor != task.anchor }) ?? true {
            rule = (text, task.anchor, task.ruleInWords(in: context) ?? text)
        }
        return (rule?.words ?? text, missedCounts.words(for: task, in: context))
    }

    private func body(
        of id: ManagedObjectID,
        _ text: String,
        columns: Int,
        look: Look
    ) -> [RichLine] {
        if self.text?.text != text {
            self.text = MarkdownSource(text)
            bodyKey = nil
        }
        let layout = MarkdownLayout(columns: columns, signs: look.signs, symbols: look.symbols)
        let key = BodyKey(id: id, limit: limit, layout: layout)
        guard key != bodyKey, let text = self.text else { return bodyLines }
        bodyKey = key
        let sections = (0..<text.count).prefix { $0 == 0 || text.start(ofSection: $0) < limit }
        isTextCut = sections.count < text.count
        bodyLines = sections.flatMap { layout.rows(of: text.section($0)).map(\.line) }
        if isTextCut { bodyLines.append(cut(look)) }
        return bodyLines
    }

    // MARK: Scrolling

    /// The first visible row; valid right after a layout.
    var first: Int {
        switch place {
        case .fromStart(let row): min(max(0, row), lowest)
        case .fromEnd(let rows): max(0, lowest - rows)
        }
    }

    /// The first row of the last window.
    private var lowest: Int { max(0, count - rows) }

    /// Draws the part of the lines that is in the window, with one column free at each side.
    func render(
        _ lines: DetailLines,
        into canvas: inout Canvas,
        look: Look,
        isFocused: Bool
    ) -> PaneExtent {
        layout(lines, rows: canvas.rows)
        for row in 0..<canvas.rows where first + row < lines.count {
            canvas.put(
                lines[first + row].textRuns(look),
                at: Position(row: row, column: 1),
                width: max(1, canvas.columns - 2)
            )
        }
        if isFocused { canvas.cursor = Position(row: 0, column: 0) }
        return PaneExtent(total: lines.count, first: first, visible: canvas.rows)
    }

    /// The wheel scrolls; a double click opens what is there, by `open`, which gets `nil` for plain
    /// text.
    func handle(
        _ mouse: MouseEvent,
        in area: Rect,
        open: (RichLine.Target?) throws -> Void
    ) rethrows {
        if mouse.kind == .wheelDown { scroll(by: 3) }
        if mouse.kind == .wheelUp { scroll(by: -3) }
        guard mouse.kind == .press, mouse.button == .left else { return }
        let row = first + mouse.position.row - area.row
        guard clicks.isSecond(mouse, row: row) else { return }
        let column = mouse.position.column - area.column - 1
        try open(shown[row].target(at: column))
    }

    private func layout(_ lines: DetailLines, rows: Int) {
        self.rows = max(1, rows)
        shown = lines
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
