import CivilTime
import FoundationEssentials

/// Finds the day and the time that a reading means now.
struct Resolver {
    let context: DateContext
    let today: Day
    /// Seconds after midnight, local.
    let second: Int

    init(context: DateContext) {
        self.context = context
        (today, second) = context.zone.local(context.now)
    }

    var settings: TimeSettings { context.settings }

    /// What words mean that are said of what comes after a date: `until the 22nd`.
    func later(from date: DueDate) -> Resolver { Resolver(context: context.later(from: date)) }

    /// Seconds since 1970, at the beginning of this minute.
    var now: Int {
        let now = Int(context.now.timeIntervalSince1970.rounded(.down))
        return now - (now % 60 + 60) % 60
    }

    /// A spoken time has no seconds.
    func toMinute(_ due: DueDate) -> DueDate {
        guard !due.isDateOnly else { return due }
        let minutes = (due.date.timeIntervalSince1970 / 60).rounded(.down)
        return DueDate(moment: Date(timeIntervalSince1970: minutes * 60))
    }

    /// The local day of a moment in seconds since 1970.
    func day(of moment: Int) -> Day {
        context.zone.day(of: Date(timeIntervalSince1970: Double(moment)))
    }

    enum DayResult {
        case day(Day)
        case problem(String)
        /// The words do not go together.
        case none
    }

    enum Result {
        case due(DueDate)
        case problem(String)
        case none
    }

    func resolve(_ reading: Reading) -> Result {
        if let problem = reading.problem { return .problem(problem) }
        if let moment = reading.moment {
            return .due(DueDate(moment: Date(timeIntervalSince1970: Double(moment))))
        }
        if let problem = reading.clock?.problem { return .problem(problem) }
        guard reading.hasDay else { return time(reading) }
        switch day(reading) {
        case .none: return .none
        case .problem(let why): return .problem(why)
        case .day(let day):
            guard day >= .first, day <= .last else { return .problem("years go from 1 to 9999") }
            guard reading.hasTime else { return .due(DueDate(day: day)) }
            return .due(DueDate(moment: moment(day, seconds(reading, on: day), reading.zone)))
        }
    }

    private func moment(_ day: Day, _ seconds: Int, _ zone: Int?) -> Date {
        let exact = day.adding(days: seconds / 86_400)
        let rest = seconds % 86_400
        guard let zone else { return context.zone.moment(exact, second: rest) }
        return Date(timeIntervalSince1970: Double(exact.number * 86_400 + rest - zone * 60))
    }

    /// Seconds after midnight of a day.
    private func seconds(_ reading: Reading, on day: Day) -> Int {
        guard var clock = reading.clock else { return reading.part?.second ?? 0 }
        if clock.hasMinutes, reading.traits.contains(.countsTo24) { clock.has24Hours = true }
        let seconds = clock.seconds(reading.part)
        // After midnight `tonight at 3` is in this night.
        let isSmallHours = seconds >= 86_400 && reading.part == .night
        return isSmallHours && day == today && second < 5 * 3600 && seconds - 86_400 > second
            ? seconds - 86_400 : seconds
    }

    /// Whether an hour of tonight may be one after midnight or in the afternoon: `tonight at 2`.
    func isNightOpen(_ reading: Reading) -> Bool {
        guard reading.part == .night, let clock = reading.clock, clock.half == nil,
            case .day(today) = day(reading)
        else { return false }
        return (1...4).contains(clock.hour) && clock.hour * 3600 <= second
    }

    /// A time without a day: its next coming.
    private func time(_ reading: Reading) -> Result {
        guard reading.hasTime else { return .none }
        let seconds = seconds(reading, on: today)
        var found = moment(today, seconds, reading.zone)
        if found <= context.now { found = moment(today.adding(days: 1), seconds, reading.zone) }
        return .due(DueDate(moment: found))
    }

    // MARK: Days

    func day(_ reading: Reading) -> DayResult {
        if let period = reading.period { return day(reading, in: period) }
        if reading.month != nil || reading.day != nil || reading.year != nil {
            return calendarDay(reading)
        }
        guard let weekday = reading.weekday else { return .none }
        return .day(day(weekday, reading.turn))
    }

    private func day(_ reading: Reading, in period: Period) -> DayResult {
        let first = period.first
        switch period.unit {
        case .month:
            guard let number = reading.day else {
                let isBegun = reading.traits.contains([.period, .named])
                return .day(isBegun ? period.last(context.weekStart) : first)
            }
            return dated(year: first.year, month: first.month, number, reading.weekday)
        case .year:
            guard let month = reading.month else {
                let isBegun = reading.traits.contains([.period, .named])
                return .day(isBegun ? period.last(context.weekStart) : first)
            }
            return dated(year: first.year, month: month, reading.day ?? 1, reading.weekday)
        default:
            guard let weekday = reading.weekday else {
                // A period that has begun ends on its last day.
                let isBegun = reading.traits.contains([.period, .named])
                return .day(isBegun ? period.last(context.weekStart) : first)
            }
            if period.unit == .week || period.isOfWeek {
                let start = first.startOfWeek(context.weekStart)
                return .day(start.adding(days: context.weekStart.days(until: weekday)))
            }
            return first.weekday == weekday ? .day(first) : .problem(mismatch(first, weekday))
        }
    }

    private func mismatch(_ day: Day, _ weekday: Weekday) -> String {
        let date = "\(day.day) \(Day.shortName(ofMonth: day.month)) \(day.year)"
        return "\(date) is a \(day.weekday.shortName), not a \(weekday.shortName)"
    }

    private func dated(year: Int, month: Int, _ day: Int, _ weekday: Weekday?) -> DayResult {
        guard let found = Day(year: year, month: month, day: day) else {
            return .problem(Day.whyImpossible(year: year, month: month, day: day))
        }
        if let weekday, found.weekday != weekday { return .problem(mismatch(found, weekday)) }
        return .day(found)
    }

    private func day(_ weekday: Weekday, _ turn: Turn?) -> Day {
        switch turn {
        case .this: return today.adding(days: today.weekday.days(until: weekday))
        case nil, .coming: return today.nearest(weekday, sign: 1)
        case .last: return today.nearest(weekday, sign: -1)
        case .next:
            let week = today.startOfWeek(context.weekStart).adding(days: 7)
            return week.adding(days: context.weekStart.days(until: weekday))
        }
    }

    /// A month, a day of the month, or both, with or without year and weekday.
    private func calendarDay(_ reading: Reading) -> DayResult {
        guard let month = reading.month else {
            guard let day = reading.day else {
                guard let year = reading.year else { return .none }
                return dated(year: year, month: 1, 1, reading.weekday)
            }
            return reading.year == nil ? monthDay(day, reading.weekday) : .none
        }
        let day = reading.day ?? 1
        if let weekday = reading.weekday, let turn = reading.turn {
            // `this friday 5/12` is a date only if this Friday is that day.
            let said = self.day(weekday, turn)
            let isSaid =
                said.month == month && said.day == day
                || (reading.isOrderOpen && said.month == day && said.day == month)
            if isSaid, reading.year ?? said.year == said.year { return .day(said) }
            // `this friday (jun 15)`, said a week later: the date is the clearer word.
            if turn == .this, reading.year == nil, !reading.isOrderOpen,
                let near = nearest(month: month, day: day).first(where: {
                    $0.weekday == weekday && abs($0.number - today.number) <= 14
                })
            {
                return .day(near)
            }
            return .problem("the words mean different days")
        }
        if reading.isOrderOpen { return openOrder(reading, month: month, day: day) }
        if let year = reading.year {
            return dated(year: year, month: month, day, reading.weekday)
        }
        return yearless(month: month, day: day, reading)
    }

    /// The next such day, today included.
    ///
    /// A weekday beside it chooses between the next one, the last one and the one after the next.
    private func yearless(month: Int, day: Int, _ reading: Reading) -> DayResult {
        let near = nearest(month: month, day: day)
        guard let next = near.first else {
            return .problem(Day.whyImpossible(year: nil, month: month, day: day))
        }
        if reading.turn == .last { return near.count > 1 ? .day(near[1]) : .none }
        guard let weekday = reading.weekday else { return .day(next) }
        // A day that was longer ago is not meant without saying so.
        let found = near.first {
            $0.weekday == weekday && today.number - $0.number <= 183
        }
        if let found { return .day(found) }
        return .problem(mismatch(next, weekday))
    }

    /// The next such day, the last one, and the one after the next, as far as they exist.
    private func nearest(month: Int, day: Int) -> [Day] {
        func days(_ years: some Sequence<Int>) -> some Sequence<Day> {
            years.lazy.compactMap { Day(year: $0, month: month, day: day) }
        }
        let year = today.year
        let coming = days(year...year + 16).filter { $0 >= today }.prefix(2)
        let past = days(stride(from: year, through: year - 8, by: -1)).first { $0 < today }
        guard let next = coming.first else { return [] }
        return [next] + (past.map { [$0] } ?? []) + coming.dropFirst()
    }

    /// `7/6`: in the order of the settings, unless only the other one exists or has the weekday.
    private func openOrder(_ reading: Reading, month: Int, day: Int) -> DayResult {
        func result(_ month: Int, _ day: Int) -> DayResult {
            if let year = reading.year {
                return dated(year: year, month: month, day, reading.weekday)
            }
            guard let next = nearest(month: month, day: day).first else {
                return yearless(month: month, day: day, reading)
            }
            guard let weekday = reading.weekday, next.weekday != weekday else { return .day(next) }
            return .problem(mismatch(next, weekday))
        }
        let (set, other) = (result(month, day), result(day, month))
        guard case .day(let first) = set else {
            if case .day = other { return other }
            return set
        }
        // With a weekday the one that is nearer.
        if reading.weekday != nil, case .day(let second) = other,
            abs(second.number - today.number) < abs(first.number - today.number)
        {
            return other
        }
        return set
    }

    /// The next month that has this day, today included.
    private func monthDay(_ day: Int, _ weekday: Weekday?) -> DayResult {
        guard (1...31).contains(day) else { return .problem("no month has \(day) days") }
        var month = today.firstOfMonth
        for _ in 0..<40 {
            let found = month.adding(days: day - 1)
            if found.month == month.month, found >= today,
                weekday == nil || found.weekday == weekday
            {
                return .day(found)
            }
            guard month < Day.last.firstOfMonth else { break }
            month = month.adding(months: 1)
        }
        return .none
    }

    // MARK: Counting

    /// The reading some time after another one; `nil` if they do not go together.
    func adding(_ amount: Amount, to base: Reading, sign: Int) -> Reading? {
        var result = Reading()
        result.traits = base.traits.union(.amount)
        result.problem = base.problem
        if base.problem != nil { return result }
        if let moment = base.moment {
            return counted(from: moment, amount, sign: sign, traits: result.traits)
        }
        guard base.hasDay else {
            // From a time alone, minutes and hours give another time.
            guard let clock = base.clock, amount.seconds % 60 == 0, amount.days == 0,
                amount.months == 0, amount.workdays == 0, amount.weekends == 0
            else { return nil }
            result.clock = clock.adding(minutes: sign * amount.seconds / 60)
            (result.part, result.zone) = (base.part, base.zone)
            return result
        }
        switch day(base) {
        case .none: return nil
        case .problem(let why):
            result.problem = why
            return result
        case .day(let day):
            guard day >= .first, day <= .last else { return nil }
            if base.hasTime || amount.isExact {
                guard case .due(let due) = resolve(base) else { return nil }
                let start = due.isDateOnly ? context.zone.moment(day) : due.date
                return counted(
                    from: Int(start.timeIntervalSince1970),
                    amount,
                    sign: sign,
                    traits: result.traits
                )
            }
            guard let found = days(from: day, amount, sign: sign) else {
                result.problem = "years go from 1 to 9999"
                return result
            }
            let isWeek = amount.smallest == .week || amount.smallest == .month
            result.period = Period(first: found, unit: .day, isOfWeek: isWeek)
            return result
        }
    }

    /// From now: days from today, hours and minutes from this minute.
    func fromNow(_ amount: Amount, sign: Int) -> Reading {
        var result = Reading()
        result.traits = sign < 0 ? [.amount, .isPast] : .amount
        if amount.isExact {
            let now = Int(context.now.timeIntervalSince1970.rounded(.down))
            let counted = counted(from: now, amount, sign: sign, traits: result.traits)
            if var counted {
                counted.moment = counted.moment.map { $0 - ($0 % 60 + 60) % 60 }
                return counted
            }
        } else if let found = days(from: today, amount, sign: sign) {
            let isWeek = amount.smallest == .week
            result.period = Period(first: found, unit: .day, isOfWeek: isWeek)
            if amount.smallest == .year { result.traits.formUnion(.years) }
            return result
        }
        result.problem = "years go from 1 to 9999"
        return result
    }

    private func counted(
        from moment: Int,
        _ amount: Amount,
        sign: Int,
        traits: Reading.Traits
    ) -> Reading? {
        let local = context.zone.local(Date(timeIntervalSince1970: Double(moment)))
        var result = Reading()
        result.traits = traits
        var start = moment
        if amount.days != 0 || amount.months != 0 || amount.workdays != 0 || amount.weekends != 0 {
            guard let day = days(from: local.day, amount, sign: sign) else { return nil }
            start = Int(context.zone.moment(day, second: local.second).timeIntervalSince1970)
        }
        let end = start + sign * amount.seconds
        let day = context.zone.day(of: Date(timeIntervalSince1970: Double(end)))
        guard day >= .first, day <= .last else { return nil }
        result.moment = end
        return result
    }

    /// `nil` outside of the years 1…9999.
    func days(from day: Day, _ amount: Amount, sign: Int) -> Day? {
        let month = day.year * 12 + day.month - 1 + sign * amount.months
        guard month >= 12, month < 120_000 else { return nil }
        var found = amount.months == 0 ? day : day.adding(months: sign * amount.months)
        found = found.adding(days: sign * amount.days)
        if amount.workdays > 0 { found = workdays(amount.workdays, from: found, sign: sign) }
        if amount.weekends > 0 {
            found = found.nearest(.saturday, sign: sign)
                .adding(days: sign * (amount.weekends - 1) * 7)
        }
        return found >= .first && found <= .last ? found : nil
    }

    private func workdays(_ count: Int, from day: Day, sign: Int) -> Day {
        var found = day.adding(days: sign * (count / 5) * 7)
        var rest = count % 5
        while rest > 0 || found.weekday.rawValue > 5 {
            found = found.adding(days: sign)
            if found.weekday.rawValue <= 5, rest > 0 { rest -= 1 }
        }
        return found
    }
}

extension Day {
    /// The first such weekday after this day, or before it if `sign` is negative.
    func nearest(_ weekday: Weekday, sign: Int) -> Day {
        let ahead = self.weekday.days(until: weekday)
        return adding(days: sign > 0 ? (ahead == 0 ? 7 : ahead) : (ahead == 0 ? -7 : ahead - 7))
    }
}
