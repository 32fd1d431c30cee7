import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The open tasks that wait for other open tasks, below the ones they wait for.
///
/// A task that waits for several is below each of them. Enter goes to the task among the items.
final class WaitingPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "waiting"),
        place: .whole,
        title: "Waiting",
        keyContext: .waiting,
        commands: commands
    ) { WaitingPane($0) }

    private unowned let workspace: Workspace
    private var library: Library { workspace.library }
    private var list = ListView()
    private var tasks = WaitingTasks()
    private var lines: [WaitingLine] { tasks.lines }
    private var seen: Int64?

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String { "Waiting" }

    var status: [String] { ["\(tasks.count) waiting"] }

    // MARK: Rows

    func prepare() throws {
        guard try library.latestTransaction() != seen else { return }
        let (selected, former) = (selectedLine, list.selection)
        // The saves of others are merged with it, so what was seen is read afterwards.
        tasks = try WaitingTasks(library)
        seen = try library.latestTransaction()
        let place = selected.flatMap { tasks.place(of: $0) }
        list.update(count: lines.count, selection: place ?? former)
        skipHeading(down: true)
    }

    private var selectedLine: WaitingLine? {
        list.selection.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
    }

    private var selectedTask: ManagedObjectID? {
        if case .task(let id, _)? = selectedLine { id } else { nil }
    }

    // MARK: Moving

    func move(by rows: Int) {
        list.move(by: rows)
        skipHeading(down: rows > 0)
    }

    func page(_ windows: Int) {
        list.page(windows)
        skipHeading(down: windows > 0)
    }

    func moveToEnd(first: Bool) {
        list.select(first ? 0 : lines.count - 1)
        skipHeading(down: true)
    }

    private func skipHeading(down: Bool) {
        list.skip(down: down) { if case .heading = lines[$0] { true } else { false } }
    }

    // MARK: Opening

    var cannotOpen: String? { selectedTask == nil ? "There is no task here." : nil }

    /// Shows the task among the items, in the shown list or else in the list of all.
    func open() throws {
        if let id = selectedTask { try workspace.goToItem(id) }
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        list.layout(rows: canvas.rows)
        guard !lines.isEmpty else {
            EmptyView(text: "No open task waits for another one.", look: look)
                .render(into: &canvas)
            return PaneExtent()
        }
        let rows = rows(DateFormat(context: library.clock()))
        let columns = ItemColumns(
            rows: Array(rows.values),
            width: canvas.columns,
            hasTree: false,
            parts: workspace.settings.columns
        )
        list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { line, canvas in
            switch lines[line.index] {
            case .heading(let title, let count):
                GroupHeadingView(name: title, count: count, look: look).render(into: &canvas)
            case .task:
                guard let row = rows[line.index] else { return }
                ItemRowView(row: row, columns: columns, look: look)
                    .render(into: &canvas)
            }
        }
        return PaneExtent(list, rows: canvas.rows)
    }

    /// The visible tasks, as the items pane shows them, but for what is in the heading.
    private func rows(_ format: DateFormat) -> [Int: ItemRow] {
        var rows: [Int: ItemRow] = [:]
        for index in list.visible {
            guard case .task(let id, _) = lines[index] else { continue }
            var row = workspace.items.row(id, depth: 0, format)
            (row.waitsFor, row.fold, row.finding, row.titleMatches) = (nil, nil, nil, [])
            row.list = workspace.items.item(id)?.list?.name ?? ""
            rows[index] = row
        }
        return rows
    }

    func select(at position: Position, in area: Rect) {
        list.select(at: position, in: area)
        skipHeading(down: true)
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let outcome = list.handle(mouse, in: area)
        skipHeading(down: true)
        try follow(outcome, in: list)
    }
}
