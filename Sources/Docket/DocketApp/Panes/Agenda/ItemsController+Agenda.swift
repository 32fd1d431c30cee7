import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

// An agenda is an arrangement of items: the same selection, marks and commands as in any list.
extension ItemsController {
    /// The days that are shown; `nil` for another list.
    var span: AgendaSpan? { if case .days(let span) = scope { span } else { nil } }

    /// The lines of an agenda: the days from the first to the last, those without anything in one.
    func agendaLines(_ span: AgendaSpan) -> [ItemsLine] {
        let clock = library.clock()
        let tasks = items(unsearchedRows).compactMap { $0 as? Task }
        let later = try? laterOccurrences.find(on: span.days(clock), in: library)
        agenda = Agenda(tasks, later: later ?? [], span, clock)
        shownOverdueCount = overdueCount()
        var lines: [ItemsLine] = []
        if !span.showsOverdue, earlierCount ?? 0 > 0 { lines.append(.overdue) }
        for section in agenda.sections {
            if section.entries.isEmpty { lines.append(.days(section.days)) }
            lines += section.entries.map { .entry($0, isOverdue: section.isOverdue) }
        }
        return lines
    }

    /// How many tasks were due before the days; `nil` if it is not known yet, or not shown.
    var earlierCount: Int? {
        guard let span, !span.isOfMonth,
            span.days(library.clock()).contains(library.clock().today)
        else { return nil }
        return shownOverdueCount.map { max(0, $0 - agenda.overdueCount) }
    }

    /// Whether the count has changed since the lines were made.
    var hasOtherOverdueCount: Bool { span != nil && overdueCount() != shownOverdueCount }

    /// Where a line is now: itself, else the same item in the same role.
    func agendaPlace(_ line: ItemsLine) -> Int? {
        if let place = lines.firstIndex(of: line) { return place }
        guard case .entry(let old, _) = line else { return nil }
        return lines.firstIndex {
            if case .entry(let new, _) = $0 {
                new.id == old.id && new.kind == old.kind
            } else {
                false
            }
        }
    }

    /// Shows other days of the same agenda; the selection stays where it can.
    func change(_ span: AgendaSpan) throws {
        scope = .days(span)
        try refetch()
    }

    // MARK: The selected line

    /// The day of the selected line; of what was due before today, today.
    var selectedDay: Day? { selectedLine.flatMap(day) }

    func day(of line: ItemsLine) -> Day? {
        switch line {
        case .entry(let entry, false): entry.date.day(in: library.clock().zone)
        case .days(let days): days.lowerBound
        case .overdue, .entry: library.clock().today
        case .item, .branch, .heading: nil
        }
    }

    /// The occurrence that is not there yet, and its task.
    var selectedLater: (task: Task, date: DueDate)? {
        guard case .entry(let entry, _)? = selectedLine, entry.kind == .later,
            let task = item(entry.id) as? Task
        else { return nil }
        return (task, entry.date)
    }

    /// Selects the first line of a day.
    func select(_ day: Day) {
        let clock = library.clock()
        let place = lines.firstIndex { line in
            switch line {
            case .entry(let entry, false): entry.date.day(in: clock.zone) == day
            case .days(let days): days.contains(day)
            default: false
            }
        }
        if let place { list.select(place) }
    }
}
