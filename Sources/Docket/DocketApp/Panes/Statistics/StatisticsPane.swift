import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// What was done and what is left, as plots; of all tasks or of a list.
///
/// The numbers are read on another thread, and again after a save or at midnight while the pane is
/// on the screen.
final class StatisticsPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "statistics"),
        place: .whole,
        title: "Statistics",
        keyContext: .statistics,
        commands: commands
    ) { StatisticsPane($0) }

    /// What numbers are about, and when.
    private struct Subject: Equatable {
        var list: ManagedObjectID?
        var transaction: Int64
        var day: Day
    }

    private unowned let workspace: Workspace
    private var library: Library { workspace.library }
    private var statistics: TaskStatistics?
    private var reading: SnapshotTask<TaskStatistics>?
    /// What the numbers are about, or those that are being read.
    private var subject: Subject?
    private var list: ManagedObjectID?
    private var selected = 0
    /// Whether the selected chart has the whole screen.
    private var isLarge = false
    private var grid = Grid(size: Size(rows: 1, columns: 1), isLarge: false)
    private var clicks = DoubleClick()

    init(_ workspace: Workspace) { self.workspace = workspace }

    deinit { reading?.cancel() }

    private static let charts = TaskStatistics.Chart.allCases

    // MARK: Texts

    var head: String { localized("Statistics") }

    var status: [String] {
        guard let statistics else { return [localized("counting")] }
        return [
            statistics.list.map(DisplayWidth.singleLine) ?? localized("all tasks"),
            localized("\(TaskStatistics.weeks) weeks"),
        ]
    }

    // MARK: Reading

    /// Shows the numbers of a list with those below it, or of all tasks.
    func show(_ list: ManagedObjectID?) { self.list = list }

    func prepare() throws {
        guard reading == nil else { return }
        if let list, (try? library.context.existingObject(with: list)) == nil { self.list = nil }
        let clock = library.clock()
        let wanted = Subject(
            list: list,
            transaction: try library.latestTransaction(),
            day: clock.today
        )
        guard wanted != subject else { return }
        subject = wanted
        reading = workspace.background.start("statistics") { [list] context in
            try TaskStatistics(in: context, of: list, clock)
        }
    }

    var hasWork: Bool { reading?.isDone ?? false }

    func work() throws {
        guard let result = reading?.result else { return }
        reading = nil
        statistics = try result.get()
    }

    // MARK: Moving

    private func select(_ index: Int) {
        selected = min(max(0, index), Self.charts.count - 1)
    }

    func move(by rows: Int) { select(selected + rows * (isLarge ? 1 : grid.columns)) }
    func moveAside(by charts: Int) { select(selected + charts) }
    func page(_ windows: Int) { select(selected + windows * grid.columns * grid.visibleRows) }
    func moveToEnd(first: Bool) { select(first ? 0 : .max) }

    func leaveLevel() -> Bool {
        defer { isLarge = false }
        return isLarge
    }

    /// Shows the selected chart alone, or all again.
    func open() { isLarge.toggle() }

    // MARK: Drawing

    /// The places of charts: as many columns as are wide enough, and as many rows as are high
    /// enough.
    private struct Grid {
        let columns: Int
        let rows: Int
        let visibleRows: Int
        private let size: Size

        private static let leastColumns = 54
        private static let leastRows = 9

        init(size: Size, isLarge: Bool) {
            let count = StatisticsPane.charts.count
            columns = isLarge ? 1 : min(3, max(1, size.columns / Self.leastColumns))
            rows = (count + columns - 1) / columns
            visibleRows = isLarge ? 1 : min(rows, max(1, size.rows / Self.leastRows))
            self.size = size
        }

        /// The first row of charts that is shown if one of them must be.
        func firstRow(showing chart: Int) -> Int {
            min(max(0, chart / columns - visibleRows + 1), rows - visibleRows)
        }

        func area(of chart: Int, firstRow: Int) -> Rect? {
            let row = chart / columns - firstRow
            guard (0..<visibleRows).contains(row) else { return nil }
            let height = size.rows / visibleRows
            let (width, column) = (size.columns / columns, chart % columns)
            let isLast = row == visibleRows - 1
            return Rect(
                row: row * height,
                column: column * width,
                rows: isLast ? size.rows - row * height : height - 1,
                columns: column == columns - 1 ? size.columns - column * width : width - 2
            )
        }
    }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        grid = Grid(size: canvas.bounds.inset(left: 1, right: 1).size, isLarge: isLarge)
        guard let statistics else {
            EmptyView(text: localized("Counting \(look.isASCII ? "..." : "…")"), look: look)
                .render(into: &canvas)
            return PaneExtent()
        }
        let first = grid.firstRow(showing: selected)
        canvas.draw(in: canvas.bounds.inset(left: 1, right: 1)) { canvas in
            for (index, chart) in Self.charts.enumerated() {
                guard let area = grid.area(of: index, firstRow: first) else { continue }
                canvas.draw(in: area) { canvas in
                    ChartView(chart, of: statistics, look: look)
                        .render(into: &canvas, isSelected: index == selected)
                    guard index == selected else { return }
                    let bar = Rect(row: 0, column: 0, rows: 1, columns: canvas.columns)
                    canvas.select(bar, with: look[isFocused ? .selection : .selectionInactive])
                    if isFocused { canvas.cursor = Position(row: 0, column: 0) }
                }
            }
        }
        return PaneExtent(total: grid.rows, first: first, visible: grid.visibleRows)
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        switch mouse.kind {
        case .wheelUp: move(by: -1)
        case .wheelDown: move(by: 1)
        case .press where mouse.button == .left:
            let first = grid.firstRow(showing: selected)
            let position = mouse.position.offset(rows: -area.row, columns: -area.column - 1)
            let hit = Self.charts.indices.first {
                grid.area(of: $0, firstRow: first)?.contains(position) ?? false
            }
            guard let hit else { return }
            if clicks.isSecond(mouse, row: hit) { open() } else { select(hit) }
        default: break
        }
    }
}

/// Chooses the list that statistics are about.
final class StatisticsListBox: MenuBox {
    private let lists: [ManagedObjectID?]

    init(workspace: Workspace) throws {
        let lists = try workspace.library.lists()
        self.lists = [nil] + lists.map(\.objectID)
        super.init(
            "Statistics of",
            items: [MenuItem(localized("All tasks"))]
                + lists.map { MenuItem(ListPath.string($0.path)) },
            placeholder: "a list, with those below it"
        )
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        workspace.showStatistics(of: lists[index])
    }
}

extension Workspace {
    /// Goes to the statistics of a list, or of all tasks.
    func showStatistics(of list: ManagedObjectID?) {
        go(to: StatisticsPane.kind.id)
        (pane as? StatisticsPane)?.show(list)
    }
}
