public import CivilTime
public import FoundationEssentials

/// What a text means where a stretch of time is asked for, as in a search: `next week` is seven
/// days, `friday` is one, `friday 14:00` is a moment.
public enum TimeSpan: Hashable, Sendable {
    /// Whole days, the second one no longer included.
    case days(Day, Day)
    case moment(Date)
}

extension Recogniser {
    /// Reads a text that is only a time, with everything that it covers.
    ///
    /// - Parameters:
    ///   - text: what was written, 200 bytes at most.
    ///   - looksBack: whether names of days, months and dates without a year lead into the past.
    /// - Returns: a week, a weekend, a month, a quarter or a year from its first day; what has
    ///   begun with all of its days. Other days as that day, times as that moment.
    /// - Throws: ``FieldProblem``.
    public func span(_ text: String, looksBack: Bool) throws(FieldProblem) -> TimeSpan {
        let (reading, due) = try whole(text)
        guard due.isDateOnly else { return .moment(due.date) }
        let resolver = Resolver(context: context)
        if let period = resolver.period(reading, looksBack: looksBack) {
            return .days(period.first, period.last(context.weekStart).adding(days: 1))
        }
        var day = due.day(in: context.zone)
        if looksBack, day > resolver.today { day = resolver.lastDay(reading) ?? day }
        return .days(day, day.adding(days: 1))
    }
}

extension Resolver {
    /// The whole period that a reading names; `nil` if it is a day.
    fileprivate func period(_ reading: Reading, looksBack: Bool) -> Period? {
        guard reading.weekday == nil, reading.day == nil else { return nil }
        if var period = reading.period {
            if let month = reading.month { return named(month, period.first.year) }
            switch period.unit {
            case .week, .weekend, .month, .quarter, .year: break
            default: return nil
            }
            // A numbered week or quarter without a year is the next one.
            let isOpen =
                reading.traits.contains([.period, .digits]) && !reading.traits.contains(.year)
            if looksBack, isOpen, period.first > today {
                guard let past = lastPeriod(period) else { return nil }
                period = past
            }
            return period
        }
        guard let month = reading.month else { return nil }
        if let year = reading.year { return named(month, year) }
        let isThisYear = looksBack ? month <= today.month : month >= today.month
        return named(month, isThisYear ? today.year : today.year + (looksBack ? -1 : 1))
    }

    private func named(_ month: Int, _ year: Int) -> Period? {
        Day(year: year, month: month, day: 1).map { Period(first: $0, unit: .month) }
    }

    /// The one of the same number a year before.
    private func lastPeriod(_ period: Period) -> Period? {
        guard period.unit == .week else {
            return Period(first: period.first.adding(months: -12), unit: period.unit)
        }
        // The Thursday decides which year a week belongs to, and its number.
        let thursday = period.first.adding(days: 3)
        guard let newYear = Day(year: thursday.year, month: 1, day: 1),
            let fourth = Day(year: thursday.year - 1, month: 1, day: 4)
        else { return nil }
        let weeks = (thursday.number - newYear.number) / 7
        let first = fourth.startOfWeek(.monday).adding(days: 7 * weeks)
        let isSame = first.adding(days: 3).year == fourth.year
        return isSame ? Period(first: first, unit: .week) : nil
    }

    /// The last day before today that a reading may mean as well as one to come.
    fileprivate func lastDay(_ reading: Reading) -> Day? {
        guard reading.period == nil, reading.year == nil, reading.turn == nil else { return nil }
        var past = reading
        past.turn = .last
        past.isOrderOpen = false
        guard let day = reading.day else {
            // Today is the nearest day of its name.
            if reading.weekday == today.weekday, reading.month == nil { return today }
            guard case .day(let found) = self.day(past) else { return nil }
            return found
        }
        if reading.month != nil {
            guard reading.weekday == nil, case .day(let found) = self.day(past) else { return nil }
            return found
        }
        var month = today.firstOfMonth
        for _ in 0..<40 where month > .first {
            let found = month.adding(days: day - 1)
            let isWeekday = reading.weekday.map { $0 == found.weekday } ?? true
            if found.month == month.month, found <= today, isWeekday { return found }
            month = month.adding(months: -1)
        }
        return nil
    }
}
