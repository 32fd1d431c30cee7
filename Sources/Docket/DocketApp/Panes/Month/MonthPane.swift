import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// A month with a mark for what is due on each day; the day under the cursor is beside it, as a list
/// of the items pane.
final class MonthPane: Pane {
    static let kind = PaneKind(
        id: id,
        place: .left,
        content: [.month],
        share: .weighted(5, minimum: 28, maximum: 44),
        title: "Month",
        keyContext: .month,
        takes: [.window, .history, .list],
        commands: commands
    ) { MonthPane($0) }

    static let id = PaneID(name: "month")

    private unowned let workspace: Workspace
    /// How many tasks are due, by day; and of which weeks, at which transaction.
    private var counts: [Day: Int] = [:]
    private var counted: (weeks: ClosedRange<Day>, transaction: Int64)?

    init(_ workspace: Workspace) { self.workspace = workspace }

    private var clock: DateContext { workspace.library.clock() }

    /// The day under the cursor.
    private var day: Day { workspace.items.span?.first ?? clock.today }

    /// The whole weeks of the month.
    private var weeks: ClosedRange<Day> {
        let first = day.firstOfMonth.startOfWeek(clock.weekStart)
        return first...day.lastOfMonth.startOfWeek(clock.weekStart).adding(days: 6)
    }

    var head: String { "\(Day.name(ofMonth: day.month)) \(day.year)" }

    func prepare() throws {
        let (weeks, library) = (weeks, workspace.library)
        if let counted, counted.weeks == weeks,
            counted.transaction == (try library.latestTransaction())
        {
            return
        }
        counts = try library.dueCounts(on: weeks)
        counted = (weeks, try library.latestTransaction())
    }

    // MARK: Drawing

    private static func cell(_ columns: Int) -> Int { min(6, max(3, columns / 7)) }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        let (cell, weeks, today) = (MonthPane.cell(canvas.columns), weeks, clock.today)
        for number in weeks.lowerBound.number...weeks.upperBound.number {
            let other = Day(number: number)
            let index = number - weeks.lowerBound.number
            let place = Position(row: 1 + index / 7, column: index % 7 * cell)
            if index < 7 {
                canvas.put(
                    String(other.weekday.shortName.prefix(2)),
                    at: Position(row: 0, column: place.column + 1),
                    style: look[.heading]
                )
            }
            let count = counts[other] ?? 0
            let isPast = other < today
            let isHere = other.firstOfMonth == day.firstOfMonth
            let role: Role = other == today ? .dueSoon : isHere ? .text : .dim
            let number = other.day < 10 ? " \(other.day)" : "\(other.day)"
            canvas.put(
                number,
                at: Position(row: place.row, column: place.column + 1),
                style: look[role]
            )
            canvas.put(
                String(
                    repeating: look.isASCII ? "*" : "▪",
                    count: min(cell - 3, MonthPane.heat(count))
                ),
                at: Position(row: place.row, column: place.column + 3),
                style: look[isPast ? .overdue : isHere ? .dueSoon : .dim]
            )
            if other == day {
                let area = Rect(row: place.row, column: place.column, rows: 1, columns: cell)
                canvas.select(area, with: look[isFocused ? .selection : .selectionInactive])
                if isFocused { canvas.cursor = area.origin }
            }
        }
        let month = counts.filter { $0.key.firstOfMonth == day.firstOfMonth }
        canvas.put(
            localized("\(month.values.reduce(0, +)) due this month"),
            at: Position(
                row: 2 + (weeks.upperBound.number - weeks.lowerBound.number + 1) / 7,
                column: 1
            ),
            style: look[.dim]
        )
        return PaneExtent()
    }

    /// The marks of a day: one, of two or three tasks two, of more three.
    private static func heat(_ count: Int) -> Int { count < 2 ? count : count < 4 ? 2 : 3 }

    /// The days of the month, by their numbers.
    var spokenRows: SpokenRows? {
        let (first, format) = (day.firstOfMonth, DateFormat(context: clock))
        let rows = (0..<day.lastOfMonth.day).map { offset in
            let other = first.adding(days: offset)
            let count = counts[other] ?? 0
            let name = format.absolute(DueDate(day: other))
            let due = count == 0 ? "" : localized("\(count) due")
            let words = [name, other == clock.today ? localized("today") : "", due]
            return (number: other.day, text: words.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        return SpokenRows(rows: rows, selected: day.day - 1) { [workspace] number in
            guard (1...rows.count).contains(number) else { return }
            try workspace.showDays(from: first.adding(days: number - 1))
        }
    }

    // MARK: Moving

    /// Up and down are weeks.
    func move(by rows: Int) { show(day.adding(days: 7 * rows)) }
    func page(_ windows: Int) { show(day.adding(months: windows)) }
    func moveToEnd(first: Bool) { show(first ? day.firstOfMonth : day.lastOfMonth) }

    private func show(_ day: Day) {
        do { try workspace.showDays(from: day) } catch { workspace.tell(error) }
    }

    func leaveLevel() -> Bool {
        workspace.leaveDays()
        return true
    }

    /// Goes to the items of the day.
    func open() { workspace.go(to: .items) }

    // MARK: Mouse

    private func day(at position: Position, in area: Rect) -> Day? {
        let cell = MonthPane.cell(area.columns)
        let (row, column) = (position.row - area.row - 1, (position.column - area.column) / cell)
        guard row >= 0, (0..<7).contains(column) else { return nil }
        let day = weeks.lowerBound.adding(days: 7 * row + column)
        return weeks.contains(day) ? day : nil
    }

    func select(at position: Position, in area: Rect) -> Bool {
        guard let day = day(at: position, in: area) else { return false }
        show(day)
        return true
    }

    var selectedName: String { DateFormat(context: clock).absolute(DueDate(day: day)) }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        switch mouse.kind {
        case .wheelUp: move(by: -1)
        case .wheelDown: move(by: 1)
        case .press where mouse.button == .left:
            if let day = day(at: mouse.position, in: area) { try workspace.showDays(from: day) }
        default: break
        }
    }

    /// Dragged items move to the day below the pointer.
    func take(
        _ ids: [ManagedObjectID],
        at position: Position,
        in area: Rect,
        isDrop: Bool
    ) throws {
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
        guard let day = day(at: position, in: area) else { return }
        try workspace.move(later, to: day, isDrop: isDrop)
    }
}
