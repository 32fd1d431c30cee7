import CivilTime
import DocketCore
import Markdown
import ObjectGraph
import TerminalUI

/// An item to read, over the whole screen: its text in at most 90 columns, with a row under the
/// cursor, whose box Space ticks and whose link Enter follows.
///
/// A link to an item shows that item here; Esc goes back, first to the item before.
final class ReaderPane: Pane {
    static let kind = PaneKind(
        id: .reader,
        place: .whole,
        isDroppedWhenLeft: true,
        title: "the reader",
        keyContext: .reader,
        takes: [.window, .history],
        commands: commands
    ) { ReaderPane($0) }

    /// An item that was left by a link, and the place in it.
    private struct Visit {
        var id: ManagedObjectID
        var cursor: ReaderText.Anchor?
        var top: ReaderText.Anchor?
    }

    unowned let workspace: Workspace
    private var visits: [Visit] = []
    /// The anchors of a visit to which the reader has come back.
    private var returning: Visit?
    private(set) var item: Item?
    private(set) var itemText: ItemText?
    private(set) var text: ReaderText?
    private(set) var cursor = ReaderText.Place()
    private var top = ReaderText.Place()
    /// Which link of the row under the cursor is selected by Tab.
    private(set) var selectedLink: Int?
    private var rows = 1
    private var clicks = DoubleClick()
    /// The column of the text in the pane.
    private var left = 0

    private static let widest = 90

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String {
        guard let item, !item.isDeleted else { return "" }
        var path: [String] = []
        var list = item.list
        while let next = list, path.count < Self.longestPath {
            path.insert(next.name, at: 0)
            list = next.parent
        }
        let crumb = " \(workspace.look.signs.crumb) "
        return ((path.isEmpty ? [localized("Inbox")] : path) + [item.title])
            .map { DisplayWidth.singleLine($0) }.joined(separator: crumb)
    }

    private static let longestPath = 64

    var status: [String] {
        guard let item, !item.isDeleted else { return [] }
        var parts = [item is Task ? localized("task") : localized("note")]
        if item.trashed != nil { parts.append(localized("in the trash")) }
        if let boxes = text?.boxes, boxes.all > 0 {
            parts.insert(localized("\(boxes.done) of \(boxes.all) ticked"), at: 0)
        }
        let format = DateFormat(context: workspace.library.clock())
        return parts + [localized("changed \(format.ago(item.modified))")]
    }

    // MARK: Items

    /// Shows an item; the one that was shown before comes back by Esc.
    func show(_ id: ManagedObjectID) {
        if let item { visits.append(visit(of: item)) }
        open(id)
    }

    private func open(_ id: ManagedObjectID) {
        item = try? workspace.library.context.existingObject(with: id) as? Item
        text = nil
        itemText = nil
        (cursor, top) = (ReaderText.Place(), ReaderText.Place())
        selectedLink = nil
    }

    private func visit(of item: Item) -> Visit {
        Visit(id: item.objectID, cursor: text?.anchor(cursor), top: text?.anchor(top))
    }

    func leaveLevel() -> Bool {
        while let visit = visits.popLast() {
            open(visit.id)
            if item == nil { continue }
            returning = visit
            return true
        }
        return false
    }

    /// Leaves an item that is gone.
    func prepare() {
        guard let item else { return }
        if !item.isDeleted, item.context != nil { return }
        workspace.tell("The item was deleted meanwhile.", .warning)
        if !leaveLevel() { workspace.leavePane() }
    }

    /// Drops the text, such as that of an encrypted note.
    func forget() {
        guard let item else { return }
        returning = visit(of: item)
        (text, itemText) = (nil, nil)
    }

    var hasWork: Bool { workspace.pictures.hasWork }
    func work() { workspace.pictures.work() }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        rows = max(1, canvas.rows)
        guard let item, !item.isDeleted else { return PaneExtent() }
        let look = workspace.look
        // Beside the text are the sign of the cursor and the scroll position.
        let columns = max(1, min(Self.widest, canvas.columns - (canvas.columns > 8 ? 4 : 1)))
        left = max(0, (canvas.columns - columns) / 2)
        update(item, columns, look)
        guard let text else { return PaneExtent() }
        follow()
        var place: ReaderText.Place? = top
        for row in 0..<canvas.rows {
            guard let present = place else { break }
            draw(present, of: text, row: row, columns, look, into: &canvas)
            place = text.following(present)
        }
        let (total, before) = text.extent(top)
        return PaneExtent(total: total, first: before, visible: canvas.rows)
    }

    private func draw(
        _ place: ReaderText.Place,
        of text: ReaderText,
        row: Int,
        _ columns: Int,
        _ look: Look,
        into canvas: inout Canvas
    ) {
        let line = text[place].line
        canvas.put(
            line.textRuns(look),
            at: Position(row: row, column: left),
            width: min(columns, canvas.columns - left)
        )
        if let (picture, number) = text[place].picture {
            let lead = DisplayWidth.of(line.text)
            canvas.put(picture, row: number, at: Position(row: row, column: left + lead))
        }
        guard place == cursor else { return }
        canvas.cursor = Position(row: row, column: left)
        if left >= 2 {
            let sign = String(Character(look.symbols.mark))
            canvas.put(sign, at: Position(row: row, column: left - 2), style: look[.title])
        }
        if let selectedLink, line.links.indices.contains(selectedLink) {
            let link = line.links[selectedLink].columns
            let area = Rect(
                row: row,
                column: left + link.lowerBound,
                rows: 1,
                columns: link.count
            )
            canvas.select(area, with: look[.selection])
        }
    }

    /// Brings the rows up to date with the item and the width; the place stays.
    private func update(_ item: Item, _ columns: Int, _ look: Look) {
        var layout = MarkdownLayout(columns: columns, signs: look.signs, symbols: look.symbols)
        if workspace.hasColorsOfPictures, !look.isASCII {
            layout.pictures = .init(
                shelf: workspace.pictures,
                version: workspace.pictures.version,
                isLight: workspace.settings.isLight == true
            )
        }
        let content = ItemText(item, in: workspace.library)
        let fields = workspace.detail.fields(of: item, workspace.items.dependencies, look)
        let (above, below) = (
            above(item, content, fields, columns, look), fields.footer(columns: columns)
        )
        let former = text
        if let former, former.layout == layout, itemText == content {
            text = former.with(above: above, below: below)
            return
        }
        let document = itemText == content ? former?.text : nil
        let text = ReaderText(
            document ?? MarkdownSource(content.text),
            layout,
            above: above,
            below: below
        )
        itemText = content
        self.text = text
        if let former {
            cursor = text.place(of: former.anchor(cursor), in: former.text)
            top = text.place(of: former.anchor(top), in: former.text)
            selectedLink = nil
        } else if let visit = returning {
            returning = nil
            cursor = visit.cursor.map { text.place(of: $0, in: nil) } ?? text.first
            top = visit.top.map { text.place(of: $0, in: nil) } ?? text.first
        }
    }

    /// The title, what is said of a task, and that there is no text.
    private func above(
        _ item: Item,
        _ content: ItemText,
        _ fields: DetailFields,
        _ columns: Int,
        _ look: Look
    ) -> [RichLine] {
        let title =
            item.title.isEmpty ? localized("(no title)") : DisplayWidth.singleLine(item.title)
        var lines = RichWrap.wrap([.init(text: title, role: .title)], columns: columns)
        let width = min(columns, lines.map { DisplayWidth.of($0.text) }.max() ?? 0)
        let sign = Character(look.symbols.horizontal)
        lines.append(.plain(String(repeating: sign, count: width), .border))
        if item is Task { lines += fields.lines(columns: columns, showsTitle: false) }
        lines.append(RichLine())
        if content.text.isEmpty {
            let key = workspace.key("reader.edit")
            let words = localized(
                "There is no text here.\(key.isEmpty ? "" : localized(" \(key) writes one."))"
            )
            lines += RichWrap.wrap([.init(text: words, role: .placeholder)], columns: columns)
        }
        return lines
    }

    // MARK: Moving

    /// Scrolls so that the cursor is on the screen, with rows around it where there is room.
    private func follow() {
        guard let text else { return }
        let margin = min(2, (rows - 1) / 2)
        let high = text.moved(cursor, by: -margin)
        if high < top { top = high }
        let low = text.moved(text.moved(cursor, by: margin), by: 1 - rows)
        if top < low { top = low }
        // No empty rows below the end; the end of a long text is not looked at before.
        if text.following(text.moved(top, by: rows - 1)) == nil {
            top = min(top, text.moved(text.last, by: 1 - rows))
        }
    }

    private func go(to place: ReaderText.Place, link: Int? = nil) {
        cursor = place
        selectedLink = link
    }

    func move(by rows: Int) { if let text { go(to: text.moved(cursor, by: rows)) } }

    func page(_ windows: Int) {
        guard let text else { return }
        let distance = max(1, rows - 1) * windows
        top = text.moved(top, by: distance)
        go(to: text.moved(cursor, by: distance))
    }

    func moveToEnd(first: Bool) {
        guard let text else { return }
        go(to: first ? text.first : text.last)
    }

    /// Goes to the next heading in a direction.
    ///
    /// - Returns: whether there is one in that direction.
    func moveToHeading(isBack: Bool) -> Bool {
        guard let text else { return false }
        let place = text.next(from: cursor, isBack: isBack) { place in
            guard text[place].isHeading else { return false }
            let before = text.preceding(place).map { text[$0] }
            return before?.isHeading != true || before?.source != text[place].source
        }
        guard let place else { return false }
        go(to: place)
        // The heading and what is below it are worth more than what is above.
        top = text.moved(place, by: -min(2, (rows - 1) / 2))
        return true
    }

    // MARK: Links

    /// Selects the next link, from the last one the first one.
    ///
    /// - Returns: whether there is a link.
    func selectLink(isBack: Bool) -> Bool {
        guard let text else { return false }
        let links = beginnings(text, cursor)
        let next =
            isBack
            ? links.last { $0 < selectedLink ?? 0 } : links.first { $0 > selectedLink ?? -1 }
        if let next {
            go(to: cursor, link: next)
            return true
        }
        let hasLinks = { (place: ReaderText.Place) in !self.beginnings(text, place).isEmpty }
        let start = isBack ? text.last : text.first
        let found =
            text.next(from: cursor, isBack: isBack, where: hasLinks)
            ?? (hasLinks(start) ? start : text.next(from: start, isBack: isBack, where: hasLinks))
        guard let found else { return false }
        let inside = beginnings(text, found)
        go(to: found, link: isBack ? inside.last : inside.first)
        return true
    }

    /// Which links of a row begin in it: the first one may go on from the row before.
    private func beginnings(_ text: ReaderText, _ place: ReaderText.Place) -> Range<Int> {
        let links = text[place].line.links
        guard let first = links.first, let before = text.preceding(place),
            text[before].source == text[place].source,
            text[before].line.links.last?.target == first.target
        else { return links.indices }
        return links.indices.dropFirst()
    }

    /// The link that Enter follows: the selected one, or the first in the row.
    var link: RichLine.Target? {
        guard let text else { return nil }
        let links = text[cursor].line.links
        return links.indices.contains(selectedLink ?? 0) ? links[selectedLink ?? 0].target : nil
    }

    /// The links on the screen, and where they begin in the pane.
    var visibleLinks: [(target: RichLine.Target, position: Position)] {
        guard let text else { return [] }
        var found: [(RichLine.Target, Position)] = []
        var place: ReaderText.Place? = top
        for row in 0..<rows {
            guard let present = place else { break }
            for link in text[present].line.links {
                let position = Position(row: row, column: left + link.columns.lowerBound)
                found.append((link.target, position))
            }
            place = text.following(present)
        }
        return found
    }

    var cannotOpen: String? {
        link == nil ? localized("There is no link in this row; Tab goes to the next one.") : nil
    }

    func open() throws { if let link { try follow(link) } }

    func follow(_ target: RichLine.Target) throws {
        if case .address(let address) = target, address.first == "#" {
            return goToHeading(named: String(address.dropFirst()))
        }
        try workspace.follow(target) { [weak self] in self?.show($0) }
    }

    /// Goes to the heading that an address inside the text means, as GitHub names headings.
    private func goToHeading(named name: String) {
        guard let text else { return }
        func slug(_ title: String) -> String {
            String(
                title.lowercased().compactMap { character -> Character? in
                    if character == " " { return "-" }
                    let isKept =
                        character.isLetter || character.isNumber || "-_".contains(character)
                    return isKept ? character : nil
                }
            )
        }
        let place = text.next(from: text.first) {
            text[$0].isHeading && slug(text[$0].line.text) == slug(name)
        }
        guard let place else {
            return workspace.tell("No heading is called \(workspace.quoted(name)).", .warning)
        }
        go(to: place)
    }

    // MARK: Boxes

    /// Ticks the box of the row under the cursor, or removes its tick.
    func tick() throws {
        guard let text, let item, let itemText else { return }
        let row = text[cursor]
        guard text.isText(cursor), let task = row.task else {
            return workspace.tell("There is no box in this row.", .warning)
        }
        let step = try workspace.library.toggleTick(
            at: task.place,
            of: itemText,
            in: item,
            words: words(of: task, text)
        )
        workspace.tell(step, unchanged: "Nothing was changed")
    }

    /// The first row of what a box is about.
    private func words(of task: MarkdownTask, _ text: ReaderText) -> String {
        var place = cursor
        while let before = text.preceding(place), text[before].task == task { place = before }
        return text[place].line.runs.dropFirst(text[place].leadRuns).map(\.text).joined()
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        guard let text else { return }
        switch mouse.kind {
        case .wheelDown, .wheelUp:
            top = text.moved(top, by: mouse.kind == .wheelDown ? 3 : -3)
            let margin = min(2, (rows - 1) / 2)
            let (high, low) = (
                text.moved(top, by: margin), text.moved(top, by: rows - 1 - margin)
            )
            if cursor < high, top != text.first { go(to: high) }
            if low < cursor { go(to: low) }
        case .press where mouse.button == .left:
            let row = mouse.position.row - area.row
            let column = mouse.position.column - area.column - left
            let place = text.moved(top, by: row)
            let isSecond = clicks.isSecond(mouse, row: row)
            let links = text[place].line.links
            let link = links.firstIndex { $0.columns.contains(column) }
            go(to: place, link: link)
            if let link, isSecond { return try follow(links[link].target) }
            let lead = text[place].line.runs.prefix(text[place].leadRuns)
            let end = lead.reduce(0) { $0 + DisplayWidth.of($1.text) }
            let start = end - (lead.last.map { DisplayWidth.of($0.text) } ?? 0)
            if !isSecond, text[place].task != nil, (start..<end).contains(column) { try tick() }
        default: break
        }
    }
}
