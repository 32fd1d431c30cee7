public import CivilTime
import Recurrence

/// Days that some months do not have: `on the 31st`, `29 February`.
///
/// A person who says `on the 31st` means the last day of a shorter month. RFC 5545 leaves such a month
/// out, but it can say the last of several days: `BYMONTHDAY=28,29,30,31;BYSETPOS=-1`, and
/// `BYSETPOS=3,-1` for the 30th and 31st. Words have these rules; the one that leaves months out is
/// `on the 31st if it exists`.
extension RecurrenceRule.Parts {
    /// With the last day of a month that does not have the day; as it is if every month has it, or if
    /// no rule can say it.
    ///
    /// Of several such days a shorter month has the last one once: the 30th and 31st are both the 30th
    /// of April.
    func onLastDays() -> RecurrenceRule.Parts {
        let late = Set(monthDays.filter { $0 > 28 })
        let others = Set(monthDays).subtracting(late)
        guard let last = late.max(), others.allSatisfy({ $0 > 0 }),
            weekdays.isEmpty, yearDays.isEmpty, weekNumbers.isEmpty, positions.isEmpty,
            frequency == .monthly || (frequency == .yearly && months.count == 1),
            // Some have it and some do not: 30 February does not exist.
            months.isEmpty || months.contains(where: { last <= Day.days(of: $0, in: 2024) }),
            months.isEmpty || months.contains(where: { last > Day.days(of: $0, in: 2023) })
        else { return self }
        var parts = self
        parts.monthDays = others.union(28...last).sorted()
        // A day has as many occurrences as times.
        let times = [hours, minutes, seconds].map { max(1, $0.count) }.reduce(1, *)
        guard times * parts.monthDays.count <= 366 else { return self }
        let said = parts.monthDays.indices.filter {
            parts.monthDays[$0] < last && monthDays.contains(parts.monthDays[$0])
        }
        let positions = said.flatMap { ($0 * times + 1)...(($0 + 1) * times) }
        parts.positions = positions + Array(-times...(-1))
        return parts
    }

    /// The days that words say, if the rule is what ``onLastDays()`` makes of them.
    var saidMonthDays: RecurrenceRule.Parts? {
        guard let last = monthDays.last, last > 28, !positions.isEmpty else { return nil }
        // Each of the 28th to the 30th may be said or not.
        for choice in 0..<8 {
            var parts = self
            parts.monthDays.removeAll { (28..<last).contains($0) && choice & (1 << ($0 - 28)) == 0 }
            parts.positions = []
            let made = parts.onLastDays()
            if made.monthDays == monthDays, Set(made.positions) == Set(positions) { return parts }
        }
        return nil
    }

    /// Whether nothing but how often is said: `every month`.
    fileprivate var isPlain: Bool {
        months.isEmpty && monthDays.isEmpty && weekdays.isEmpty && yearDays.isEmpty
            && weekNumbers.isEmpty && positions.isEmpty
    }
}

extension Day {
    /// The number of days of a month; February has most in 2024, and fewest in 2023.
    fileprivate static func days(of month: Int, in year: Int) -> Int {
        Day(year: year, month: month, day: 1)?.lastOfMonth.day ?? 28
    }
}

extension Repetition {
    /// `every month` begun on a day that some months do not have: on the last day of these.
    ///
    /// For words only; a rule of RFC 5545 leaves such months out.
    public func begun(on day: Day) -> Repetition {
        guard day.day > 28, rule.parts.isPlain, !isFromCompletion else { return self }
        var parts = rule.parts
        switch parts.frequency {
        case .monthly: parts.monthDays = [day.day]
        case .yearly where day.month == 2: (parts.months, parts.monthDays) = ([2], [day.day])
        default: return self
        }
        guard let rule = try? RecurrenceRule(parts.onLastDays()) else { return self }
        var begun = self
        begun.rule = rule
        return begun
    }

    /// The first occurrence on or after a start; with the time of the start where the rule says none.
    public func first(onOrAfter start: DueDate, in context: DateContext) -> DueDate? {
        guard let first = firstDueDate(in: context.later(from: start)) else { return nil }
        if start.isDateOnly || hasTime { return first }
        let (_, second) = context.zone.local(start.date)
        return DueDate(moment: context.zone.moment(first.day(in: context.zone), second: second))
    }
}
