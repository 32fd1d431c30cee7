import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The days with what is due, starts or comes again, in place of a list; all commands on items work.
///
/// The state is that of the items pane: see `ItemsController+Agenda`. A search shows plain rows.
final class AgendaPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "agenda"),
        place: .middle,
        content: [.agenda, .month],
        title: "Agenda",
        keyContext: .agenda,
        takes: [.window, .history, .list, .items, .marks],
        commands: commands
    ) { AgendaPane($0) }

    private unowned let workspace: Workspace
    /// What is the same as in a list.
    private let plain: ItemsPane
    private var items: ItemsController { workspace.items }
    private var look: Look { workspace.look }

    init(_ workspace: Workspace) {
        self.workspace = workspace
        plain = ItemsPane(workspace)
    }

    // MARK: Texts

    var head: String {
        if items.isSearching { return plain.head }
        guard let span = items.span, span.isOfMonth else { return localized("Agenda") }
        let clock = workspace.library.clock()
        return DateFormat(context: clock).absolute(DueDate(day: span.days(clock).lowerBound))
    }

    var status: [String] {
        guard !items.isSearching, let span = items.span else { return plain.status }
        var parts = span.isOfMonth ? [] : [spanWords(span)]
        parts.append(localized("\(items.agenda.dueCount) due"))
        let estimate = items.agenda.estimate
        if estimate > 0 { parts.append(localized("\(Estimate.text(seconds: estimate)) estimated")) }
        return parts
    }

    private func spanWords(_ span: AgendaSpan) -> String {
        if span.first == nil { return localized("next \(span.count) days") }
        let clock = workspace.library.clock()
        let (days, format) = (span.days(clock), DateFormat(context: clock))
        return [days.lowerBound, days.upperBound].map { format.absolute(DueDate(day: $0)) }
            .joined(separator: " \(look.isASCII ? "-" : "–") ")
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        guard !items.isSearching, let span = items.span else {
            return plain.render(into: &canvas, isFocused: isFocused)
        }
        items.layout(rows: canvas.rows)
        let view = view(canvas.columns, span)
        items.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { line, canvas in
            view.render(line.index, into: &canvas)
        }
        return PaneExtent(items.list, rows: canvas.rows)
    }

    private func view(_ columns: Int, _ span: AgendaSpan) -> AgendaView {
        AgendaView(
            items: items,
            columns: AgendaColumns(columns, hasDays: !span.isOfMonth),
            look: look,
            dayHours: workspace.settings.dayHours,
            foldKey: workspace.key("view.fold")
        )
    }

    // MARK: Moving

    func move(by rows: Int) { items.move(by: rows) }
    func page(_ windows: Int) { items.page(windows) }
    func moveToEnd(first: Bool) throws { try items.selectEnd(first: first) }

    /// After marks and a search, the agenda is left for the list that the lists pane selects.
    func leaveLevel() -> Bool {
        if plain.leaveLevel() { return true }
        if items.span?.isOfMonth == true { return false }
        workspace.leaveDays()
        return true
    }

    var cannotOpen: String? {
        if items.selectedLater != nil || items.selectedLine == .overdue { return nil }
        return workspace.noRow
    }

    /// Opens the form; of a later occurrence goes to its task.
    func open() throws {
        if let later = items.selectedLater {
            if !items.select(later.task.objectID) { try workspace.goToItem(later.task.objectID) }
        } else if items.selectedLine == .overdue {
            try toggleFold()
        } else {
            try plain.open()
        }
    }

    var cannotFold: String? {
        if items.span?.showsOverdue == true { return nil }
        guard let count = items.earlierCount, count > 0 else {
            return localized("Nothing was due before these days.")
        }
        let key = workspace.key("go.overdue")
        return count > workspace.followed
            ? localized("\(count) are too many here; \(key) lists them.") : nil
    }
    func toggleFold() throws {
        if let cannotFold { return workspace.tell("\(cannotFold)", .warning) }
        guard var span = items.span else { return }
        span.showsOverdue.toggle()
        try items.change(span)
    }
    func toggleAllFolds() throws { try toggleFold() }

    var cannotReorder: String? {
        if items.isSearching { return plain.cannotReorder }
        let keys = ["item.later", "item.earlier"].map(workspace.key)
        return localized("An agenda is by date; \(keys[0]) and \(keys[1]) move dates.")
    }
    func reorder(by places: Int) throws { try plain.reorder(by: places) }

    // MARK: Mouse

    func select(at position: Position, in area: Rect) -> Bool {
        plain.select(at: position, in: area)
    }

    var selectedName: String { items.selectedLater?.task.title ?? plain.selectedName }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        guard !items.isSearching, let span = items.span else {
            return try plain.handle(mouse, in: area)
        }
        let columns = AgendaColumns(area.columns, hasDays: !span.isOfMonth)
        if mouse.kind == .press, mouse.button == .left,
            let row = items.list.row(at: mouse.position, in: area)
        {
            if case .overdue = items.lines[row] { return try toggleFold() }
            if let id = items.lines[row].id,
                try plain.act(on: id, depth: 0, mouse, area.inset(left: columns.left))
            {
                return
            }
        }
        try plain.select(mouse, in: area) { outcome in
            guard case .doubleClicked(items.list.selection) = outcome, cannotOpen == nil else {
                return
            }
            try open()
        }
    }

    /// Dragged items move to the day below the pointer.
    func take(
        _ ids: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {
        if items.isSearching {
            return try plain.take(ids, at: position, in: area, isDrop: isDrop)
        }
        guard let day = day(at: position, in: area) else { return }
        try workspace.move(ids, to: day, isDrop: isDrop)
    }

    /// A dragged occurrence moves there alone.
    func take(
        _ later: (task: Task, date: DueDate),
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {
        guard !items.isSearching, let day = day(at: position, in: area) else { return }
        try workspace.move(later, to: day, isDrop: isDrop)
    }

    private func day(at position: Position, in area: Rect) -> Day? {
        items.list.row(at: position, in: area).flatMap { items.day(of: items.lines[$0]) }
    }
}
