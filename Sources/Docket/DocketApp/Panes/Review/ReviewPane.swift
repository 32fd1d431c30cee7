import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// A review, one thing at a time: what nobody has touched for some weeks, with what can be done
/// about it below.
///
/// Each decision is a step of its own. What was decided goes to the end with a mark, so that one
/// can leave at any time and go on later.
final class ReviewPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "review"),
        place: .whole,
        title: "Review",
        keyContext: .review,
        commands: commands
    ) { ReviewPane($0) }

    private unowned let workspace: Workspace
    private var library: Library { workspace.library }
    private var list = ListView()
    private var queue = ReviewQueue()
    /// The queue, and what was decided in this pane.
    private var entries: [ReviewQueue.Entry] = []
    private let detail: DetailController
    private var read: (transaction: Int64, day: Day)?
    /// What was left when the queue was read last.
    private var left: Set<ReviewQueue.Entry> = []
    /// The open tasks of the selected list, when they were counted.
    private var counted: (list: ManagedObjectID, transaction: Int64, open: Int)?
    /// What was decided since the pane was opened first, in this order.
    private var decided: [ReviewQueue.Entry] = []

    init(_ workspace: Workspace) {
        self.workspace = workspace
        detail = DetailController(library: workspace.library)
    }

    // MARK: Texts

    var head: String { localized("Review") }

    var status: [String] {
        let done = entries.count - queue.shownLeft
        return [localized("\(queue.left) left")]
            + (done > 0 ? [localized("\(done) seen this week")] : [])
    }

    // MARK: Rows

    func prepare() throws {
        let day = library.clock().today
        let transaction = try library.latestTransaction()
        guard read?.transaction != transaction || read?.day != day else { return }
        let (former, place) = (selected, list.selection)
        queue = try library.reviewQueue(after: queue)
        read = (try library.latestTransaction(), day)
        noteDecided()
        // What was decided goes to the end; the selection goes on with what came behind it.
        let kept = former.flatMap { entry in
            queue.entries.prefix(queue.shownLeft).firstIndex(of: entry)
        }
        let next = place.map { min($0, max(0, queue.shownLeft - 1)) }
        list.update(count: entries.count, selection: kept ?? next ?? 0)
    }

    /// Adds what was decided to what was seen, unless it is gone.
    private func noteDecided() {
        let now = Set(queue.entries.prefix(queue.shownLeft))
        let known = Set(queue.entries)
        decided += left.subtracting(now).subtracting(decided)
        decided.removeAll { now.contains($0) || !isOpen($0) }
        entries = queue.entries + decided.filter { !known.contains($0) }
        left = now
    }

    private func isOpen(_ entry: ReviewQueue.Entry) -> Bool {
        switch entry {
        case .item(let id):
            guard let item = workspace.items.item(id), !item.isDeleted else { return false }
            return item.trashed == nil && (item as? Task)?.completed == nil
        case .list(let id): return list(id) != nil
        }
    }

    private var selected: ReviewQueue.Entry? {
        list.selection.flatMap { entries.indices.contains($0) ? entries[$0] : nil }
    }

    /// The selected task.
    var task: Task? {
        guard case .item(let id)? = selected else { return nil }
        return workspace.items.item(id) as? Task
    }

    /// The selected list.
    var reviewedList: List? {
        guard case .list(let id)? = selected else { return nil }
        return list(id)
    }

    private func openTaskCount(in list: List) -> Int {
        let transaction = read?.transaction ?? 0
        if let counted, counted.list == list.objectID, counted.transaction == transaction {
            return counted.open
        }
        let open = (try? library.openTaskCount(in: list)) ?? 0
        counted = (list.objectID, transaction, open)
        return open
    }

    private func list(_ id: ManagedObjectID) -> List? {
        try? library.context.existingObject(with: id) as? List
    }

    func move(by rows: Int) { list.move(by: rows) }
    func page(_ windows: Int) { list.page(windows) }
    func moveToEnd(first: Bool) { list.select(first ? 0 : entries.count - 1) }

    var cannotOpen: String? { selected == nil ? localized("There is nothing to review.") : nil }

    /// Edits the task, or goes to the list.
    func open() throws {
        if let task { return try workspace.openForm(of: task.objectID) }
        guard case .list(let id)? = selected else { return }
        try workspace.show(.list(id))
        workspace.go(to: .items)
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        guard !entries.isEmpty else {
            let text = SmartList.review.emptyText(library.clock())
            EmptyView(text: text, look: look).render(into: &canvas)
            return PaneExtent()
        }
        let showsMore = canvas.rows >= 12
        let listRows = showsMore ? canvas.rows / 3 : canvas.rows
        let area = Rect(row: 0, column: 0, rows: listRows, columns: canvas.columns)
        let format = DateFormat(context: library.clock())
        let extent = canvas.draw(in: area) { canvas in
            list.layout(rows: canvas.rows)
            list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
                draw(entries[row.index], row.index, format, into: &canvas)
            }
            return PaneExtent(list, rows: canvas.rows)
        }
        if showsMore {
            let rule = Rect(row: listRows, column: 0, rows: 1, columns: canvas.columns)
            canvas.fill(rule, with: canvas.symbols.horizontal, style: look[.border])
            canvas.draw(in: canvas.bounds.inset(top: listRows + 1)) { drawSelected(into: &$0) }
        }
        return extent
    }

    private func draw(
        _ entry: ReviewQueue.Entry,
        _ index: Int,
        _ format: DateFormat,
        into canvas: inout Canvas
    ) {
        let look = workspace.look
        let isSeen = index >= queue.shownLeft
        var (title, when) = ("", "")
        switch entry {
        case .item(let id):
            guard let item = workspace.items.item(id) else { return }
            title = item.title.isEmpty ? localized("(no title)") : item.title
            when = isSeen ? localized("seen") : localized("changed \(format.ago(item.modified))")
        case .list(let id):
            guard let list = list(id) else { return }
            title = localized("List \(ListPath.string(list.path))")
            when =
                isSeen
                ? localized("seen")
                : list.lastReviewed.map { localized("seen \(format.ago($0))") }
                    ?? localized("never seen")
        }
        let width = DisplayWidth.of(when)
        canvas.put(
            [
                TextRun(isSeen ? " \(look.signs.done) " : "   ", look[.success]),
                TextRun(DisplayWidth.singleLine(title), look[isSeen ? .dim : .text]),
            ],
            at: Position(row: 0, column: 0),
            width: max(1, canvas.columns - width - 2)
        )
        if canvas.columns > width + 12 {
            let place = Position(row: 0, column: canvas.columns - width - 1)
            canvas.put(when, at: place, style: look[.dim])
        }
    }

    /// What the selected thing is.
    private func drawSelected(into canvas: inout Canvas) {
        let look = workspace.look
        let columns = max(1, canvas.columns - 2)
        if let task {
            let lines = detail.lines(
                of: task,
                workspace.items.subtasks,
                workspace.items.dependencies,
                columns: columns,
                showsTitle: true,
                look: look
            )
            _ = detail.render(lines, into: &canvas, look: look, isFocused: false)
        } else if let list = reviewedList {
            let open = openTaskCount(in: list)
            let text =
                open == 0
                ? localized("No task is open here: what is the next one?")
                : "\(Phrase(open, "open task"))"
            canvas.put(
                ListPath.string(list.path),
                at: Position(row: 0, column: 1),
                width: columns,
                style: look[.title]
            )
            canvas.put(text, at: Position(row: 1, column: 1), width: columns, style: look[.text])
        }
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let outcome = list.handle(mouse, in: area)
        try follow(outcome, in: list)
    }
}
