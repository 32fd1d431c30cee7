import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The columns of an agenda: the days, the times, the rows.
struct AgendaColumns: Hashable {
    /// The columns of the days with their line; none but a margin where a head names the day.
    let days: Int
    let times = 6
    /// The columns left of the rows.
    var left: Int { days + times }
    /// Whether today and tomorrow have their names.
    var hasNames: Bool { days >= 21 }

    init(_ columns: Int, hasDays: Bool) {
        days = !hasDays ? 1 : columns >= 54 ? 21 : 12
    }
}

/// Draws the rows of an agenda.
///
/// ```
/// Today Sun 22    │ 14:00 ● Review pull request #412                    Work    30 min
/// 1 h             │       ○ Water the plants                            Home    30 min
/// Tue 24 – Thu 26 │ nothing due
/// ```
struct AgendaView {
    let items: ItemsController
    let columns: AgendaColumns
    let look: Look
    /// The hours that a day has for tasks, if the user has said it.
    let dayHours: Int?
    let foldKey: String
    private let format: DateFormat
    private var today: Day { format.context.today }

    init(
        items: ItemsController,
        columns: AgendaColumns,
        look: Look,
        dayHours: Int?,
        foldKey: String
    ) {
        (self.items, self.columns, self.look) = (items, columns, look)
        (self.dayHours, self.foldKey) = (dayHours, foldKey)
        format = DateFormat(context: items.library.clock())
    }

    func render(_ index: Int, into canvas: inout Canvas) {
        if columns.days > 1 { renderDay(index, into: &canvas) }
        let width = max(0, canvas.columns - columns.days)
        let rest = Rect(row: 0, column: columns.days, rows: 1, columns: width)
        canvas.draw(in: rest) { canvas in
            switch items.lines[index] {
            case .entry(let entry, let isOverdue):
                render(entry, isOverdue: isOverdue, into: &canvas)
            case .overdue:
                let count = items.earlierCount ?? 0
                let what = "\(Phrase(count, "task"))"
                put(
                    "\(what)\(foldKey.isEmpty ? "" : localized(", \(foldKey) shows them"))",
                    .overdue,
                    &canvas
                )
            case .days: put(localized("nothing due"), .dim, &canvas)
            case .item, .branch, .heading: break
            }
        }
    }

    private func put(_ text: String, _ role: Role, _ canvas: inout Canvas) {
        canvas.put(text, at: Position(row: 0, column: 0), width: canvas.columns, style: look[role])
    }

    // MARK: Days

    private func renderDay(_ index: Int, into canvas: inout Canvas) {
        let width = columns.days - 2
        canvas.put(
            String(Character(canvas.symbols.vertical)),
            at: Position(row: 0, column: width),
            style: look[.border]
        )
        let (text, section) = label(index)
        func isFirst(_ index: Int) -> Bool { index == 0 || label(index - 1).text != text }
        let place = Position(row: 0, column: 1)
        let estimate = section?.isOverdue == false ? section?.estimate ?? 0 : 0
        if index == items.list.visible.lowerBound || isFirst(index) {
            // More than the day has is told by a sign, not by the colour alone.
            let isTooMuch = section?.exceeds(hours: dayHours) ?? false
            let isToday = section?.days.contains(today) ?? false
            let isLate = section?.isOverdue ?? true
            let role: Role = isTooMuch || isLate ? .overdue : isToday ? .dueSoon : .heading
            // A name is cut rather than the sign behind it.
            let sign = isTooMuch ? " !" : ""
            let name = DisplayWidth.truncate(
                text,
                to: width - 1 - max(1, sign.count),
                symbols: canvas.symbols
            )
            canvas.put(name + sign, at: place, width: width - 1, style: look[role])
        } else if estimate > 0, isFirst(index - 1) {
            let words = Estimate.text(seconds: estimate)
            let fits = DisplayWidth.of(words) < width
            let text = fits ? words : "\((estimate + 1800) / 3600) h"
            canvas.put(text, at: place, width: width - 1, style: look[.dim])
        }
    }

    /// The name of a line's day, and its section.
    private func label(_ index: Int) -> (text: String, section: Agenda.Section?) {
        switch items.lines[index] {
        case .overdue: return (localized("Overdue", in: "agenda"), nil)
        case .entry(let entry, let isOverdue):
            if isOverdue { return (localized("Overdue", in: "agenda"), nil) }
            let day = entry.date.day(in: format.context.zone)
            let section = items.agenda.sections.first { !$0.isOverdue && $0.days.contains(day) }
            return (name(of: day), section)
        case .days(let days):
            let section = items.agenda.sections.first { $0.days == days && !$0.isOverdue }
            if days.lowerBound == days.upperBound { return (name(of: days.lowerBound), section) }
            let dash = look.isASCII ? "-" : "–"
            let ends = [days.lowerBound, days.upperBound]
            let texts = ends.map { columns.hasNames ? weekday($0) : "\($0.day)" }
            return (texts.joined(separator: " \(dash) "), section)
        case .item, .branch, .heading: return ("", nil)
        }
    }

    private func name(of day: Day) -> String {
        guard columns.hasNames else { return short(day) }
        switch day.number - today.number {
        case 0: return localized("Today \(short(day))")
        case 1: return localized("Tomorrow \(short(day))")
        default: return short(day)
        }
    }

    private func weekday(_ day: Day) -> String { "\(day.weekday.shortName) \(day.day)" }

    /// `Fri 27`; in another month than this, where there is room, `Fri 1 Jan`.
    private func short(_ day: Day) -> String {
        let text = weekday(day)
        let isFar = day.firstOfMonth != today.firstOfMonth && columns.hasNames
        let isNamed = isFar && day.number - today.number > 6 || isFar && day < today
        return isNamed ? "\(text) \(Day.shortName(ofMonth: day.month))" : text
    }

    // MARK: Entries

    private func render(_ entry: Agenda.Entry, isOverdue: Bool, into canvas: inout Canvas) {
        var row = items.row(entry.id, depth: 0, format)
        let isLate =
            entry.kind == .due && row.state != .done
            && (entry.end ?? entry.date).isOverdue(in: format.context)
        let time = isOverdue ? format.shortest(entry.date) : clock(entry.date)
        let column = max(0, columns.times - 1 - DisplayWidth.of(time))
        let role: Role = isLate ? .overdue : .dim
        canvas.put(time, at: Position(row: 0, column: column), style: look[role])
        row.fold = nil
        row.due = words(entry).map { ItemRow.Due(text: $0, role: .dim) }
        if entry.kind == .later { (row.isMarked, row.missed, row.progress) = (false, "", "") }
        let width = max(0, canvas.columns - columns.times)
        let rest = Rect(row: 0, column: columns.times, rows: 1, columns: width)
        canvas.draw(in: rest) { canvas in
            let columns = ItemColumns(rows: [row], width: canvas.columns, hasTree: false)
            ItemRowView(row: row, columns: columns, look: look).render(into: &canvas)
            if entry.kind == .later { canvas.overlay(canvas.bounds, with: look[.dim]) }
        }
    }

    private func clock(_ date: DueDate) -> String {
        date.isDateOnly ? "" : DateFormat.clock(format.context.zone.local(date.date).second)
    }

    /// What is at the right: how a line differs from a plain due date, else the estimate.
    private func words(_ entry: Agenda.Entry) -> String? {
        let task = items.item(entry.id) as? Task
        switch entry.kind {
        case .later: return localized("again")
        case .start:
            return task?.dueDate.map { localized("starts, due \(format.relative($0))") }
                ?? localized("starts")
        case .due:
            let estimate = task?.estimate.map { Estimate.text(seconds: Int($0)) }
            guard let end = entry.end else { return estimate }
            return localized("until \(clock(end))")
        }
    }
}
