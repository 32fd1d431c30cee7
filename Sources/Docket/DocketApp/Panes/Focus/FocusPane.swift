import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// One task alone: its timer, what was spent of its estimate, and its text.
final class FocusPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "focus"),
        place: .whole,
        title: "Focus",
        keyContext: .focus,
        commands: commands
    ) { FocusPane($0) }

    private unowned let workspace: Workspace
    private var library: Library { workspace.library }
    private let detail: DetailController
    private var id: ManagedObjectID?
    /// What was spent before the running time, at a transaction.
    private var spent: (seconds: TimeInterval, transaction: Int64)?

    init(_ workspace: Workspace) {
        self.workspace = workspace
        detail = DetailController(library: workspace.library)
    }

    /// Shows a task.
    func show(_ id: ManagedObjectID) {
        if self.id != id { (self.id, spent) = (id, nil) }
    }

    /// The task, while it exists.
    var task: Task? {
        guard let id, let task = try? library.context.existingObject(with: id) as? Task,
            !task.isDeleted
        else { return nil }
        return task
    }

    /// Since when its timer runs.
    private var start: Date? {
        workspace.timer.running.flatMap { $0.task == id ? $0.start : nil }
    }

    // MARK: Texts

    var head: String { localized("Focus") }

    var status: [String] {
        guard let task else { return [] }
        return [
            task.isDone
                ? localized("done") : start == nil ? localized("stopped") : localized("running")
        ]
    }

    // MARK: Rows

    func prepare() throws {
        guard let task else { return }
        let transaction = try library.latestTransaction()
        guard spent?.transaction != transaction else { return }
        let running = start.map { library.clock().now.timeIntervalSince($0) } ?? 0
        spent = (max(0, try library.timeSpent(on: task) - max(0, running)), transaction)
    }

    func move(by rows: Int) { detail.scroll(by: rows) }
    func page(_ windows: Int) { detail.page(windows) }
    func moveToEnd(first: Bool) { detail.scrollToEnd(first: first) }

    var cannotOpen: String? { task == nil ? localized("The task does not exist any more.") : nil }

    func open() throws {
        if let task { try workspace.openForm(of: task.objectID) }
    }

    // MARK: Drawing

    private static let mostColumns = 90

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        guard let task else {
            EmptyView(text: localized("The task does not exist any more. Esc leaves."), look: look)
                .render(into: &canvas)
            return PaneExtent()
        }
        let columns = min(Self.mostColumns, canvas.columns)
        let area = Rect(
            row: 0,
            column: (canvas.columns - columns) / 2,
            rows: canvas.rows,
            columns: columns
        )
        return canvas.draw(in: area) { canvas in
            let used = drawTimer(of: task, into: &canvas)
            let rest = canvas.bounds.inset(top: min(used, canvas.rows - 1))
            let lines = detail.lines(
                of: task,
                workspace.items.subtasks,
                workspace.items.dependencies,
                columns: max(1, columns - 2),
                showsTitle: true,
                look: look
            )
            return canvas.draw(in: rest) { canvas in
                detail.render(lines, into: &canvas, look: look, isFocused: isFocused)
            }
        }
    }

    /// Draws the clock and the words beside or below it.
    ///
    /// - Returns: how many rows they have.
    private func drawTimer(of task: Task, into canvas: inout Canvas) -> Int {
        let look = workspace.look
        let clock = library.clock()
        let running = start.map { max(0, clock.now.timeIntervalSince($0)) }
        let total = (spent?.seconds ?? 0) + (running ?? 0)
        var state = total == 0 ? localized("not started") : localized("stopped")
        if let start {
            let since = DateFormat(context: clock).relative(DueDate(moment: start))
            state = localized("running since \(since)")
        } else if let other = workspace.timer.running {
            state += localized("; the timer of \(workspace.quoted(other.title)) runs")
        }
        let sign = running == nil ? (look.isASCII ? "||" : "▮▮") : look.isASCII ? ">" : "▶"
        let time = TimerText.seconds(running ?? total)
        let top = canvas.rows >= 12 ? 1 : 0
        let place = Position(row: top, column: 1)
        let width = max(1, canvas.columns - 2)
        canvas.put(
            [
                TextRun("\(sign) \(time)", look[running == nil ? .heading : .success]),
                TextRun("  \(state)", look[.text]),
            ],
            at: place,
            width: width
        )
        guard canvas.rows >= 6 else { return top + 1 }
        canvas.put(
            Estimate.words(spent: total, of: task.estimate),
            at: place.offset(rows: 1),
            width: width,
            style: look[.dim]
        )
        let rule = Rect(row: top + 2, column: 1, rows: 1, columns: width)
        canvas.fill(rule, with: canvas.symbols.horizontal, style: look[.border])
        return top + 3
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        if mouse.kind == .wheelDown { detail.scroll(by: 3) }
        if mouse.kind == .wheelUp { detail.scroll(by: -3) }
    }
}
