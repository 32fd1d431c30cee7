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
    ///
    /// A series has many occurrences: one that has moved is at ``wantedLater``, and one that is gone
    /// leaves its place on its day.
    func agendaPlace(_ line: ItemsLine) -> Int? {
        if let wanted = wantedLater,
            let place = place(where: {
                $0.kind == .later && $0.id == wanted.id && $0.date == wanted.date
            })
        {
            return place
        }
        if let place = lines.firstIndex(of: line) { return place }
        guard case .entry(let old, _) = line else { return nil }
        if old.kind != .later {
            return place { $0.id == old.id && $0.kind == old.kind }
        }
        guard let day = day(of: line), let selection = list.selection else { return nil }
        let places = lines.indices.filter { has(lines[$0], day) }
        return places.last { $0 <= selection } ?? places.first
    }

    private func place(where isWanted: (Agenda.Entry) -> Bool) -> Int? {
        lines.firstIndex { if case .entry(let entry, _) = $0 { isWanted(entry) } else { false } }
    }

    /// Selects what has come back, or has changed, of some items: a line of an item itself first,
    /// then an occurrence that is not there yet.
    ///
    /// - Parameters:
    ///   - ids: the items.
    ///   - before: the lines before the change.
    /// - Returns: whether there is such a line, or the selected one is of such an item.
    func selectChanged(_ ids: [ManagedObjectID], since before: [ItemsLine]) -> Bool {
        let (wanted, known) = (Set(ids), Set(before))
        func isNew(_ line: ItemsLine, isLater: Bool) -> Bool {
            guard case .entry(let entry, _) = line else { return false }
            return wanted.contains(entry.id) && (entry.kind == .later) == isLater
                && !known.contains(line)
        }
        let place =
            lines.firstIndex { isNew($0, isLater: false) }
            ?? lines.firstIndex { isNew($0, isLater: true) }
        if let place {
            list.select(place)
            return true
        }
        return selectedLater.map { wanted.contains($0.task.objectID) } ?? false
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
        selectedLine.flatMap(later)
    }

    /// The same of another line.
    func later(_ line: ItemsLine) -> (task: Task, date: DueDate)? {
        guard case .entry(let entry, _) = line, entry.kind == .later,
            let task = item(entry.id) as? Task
        else { return nil }
        return (task, entry.date)
    }

    /// Selects the first line of a day.
    func select(_ day: Day) {
        if let place = lines.firstIndex(where: { has($0, day) }) { list.select(place) }
    }

    /// Whether a line is on a day.
    private func has(_ line: ItemsLine, _ day: Day) -> Bool {
        switch line {
        case .entry(let entry, false): entry.date.day(in: library.clock().zone) == day
        case .days(let days): days.contains(day)
        default: false
        }
    }
}
