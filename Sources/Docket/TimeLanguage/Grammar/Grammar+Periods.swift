import CivilTime

extension Grammar {
    /// A stretch of time in which days are counted: `next month`, `October`, `2027`.
    struct Anchor {
        var period: Period
        /// Whether the year was not said, so that the next one is meant when this one is over.
        var isYearOpen = false
        var isPast = false
        /// Whether it is `the month`, which is the next one for a day that is over.
        var isUnitOpen = false
    }

    /// Weeks, months, quarters and years, their edges, and days in them.
    func addPeriods(at index: Int, _ level: Int, to found: inout [Piece]) {
        addTurnedPeriod(at: index, to: &found)
        addNumberedPeriod(at: index, to: &found)
        addEdges(at: index, level, to: &found)
        addNth(at: index, to: &found)
        addDayOfPeriod(at: index, to: &found)
        addWeekOf(at: index, level, to: &found)
    }

    /// `the week of october 6th`: the first day of that week.
    private func addWeekOf(at index: Int, _ level: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        guard level > 0, let unit = unit(at: start), unit.value == (.week, 1), has(unit.end, .of)
        else { return }
        for base in phrases(at: afterArticle(unit.end + 1), level: level - 1) {
            guard !base.reading.hasTime, base.reading.hasDay, base.reading.problem == nil,
                case .day(let day) = resolver.day(base.reading)
            else { continue }
            var reading = Reading()
            reading.period = Period(first: day.startOfWeek(weekStart), unit: .week)
            reading.traits = [.nth, .weekday]
            found.add(reading, base.end)
        }
    }

    // MARK: Periods

    /// The period of a unit that a day is in, some units later.
    func period(_ unit: TimeUnit, shift: Int) -> Period? {
        let first: Day
        switch unit {
        case .week: first = today.startOfWeek(weekStart).adding(days: 7 * shift)
        case .weekend:
            let saturday =
                today.weekday == .sunday
                ? today.adding(days: -1) : today.adding(days: today.weekday.days(until: .saturday))
            first = saturday.adding(days: 7 * shift)
        case .month: first = today.firstOfMonth.adding(months: shift)
        case .quarter:
            first = today.firstOfMonth.adding(months: -((today.month - 1) % 3) + 3 * shift)
        case .year: first = today.firstOfMonth.adding(months: 1 - today.month + 12 * shift)
        case .day: first = today.adding(days: shift)
        default: return nil
        }
        return first >= .first && first <= .last ? Period(first: first, unit: unit) : nil
    }

    static func shift(_ turn: Turn) -> Int {
        switch turn {
        case .this: 0
        case .next, .coming: 1
        case .last: -1
        }
    }

    /// `next week`, `the current month`, `last year`, `week after next`.
    private func turnedPeriod(at index: Int) -> Found<Anchor>? {
        if let turn = turn(at: index), let unit = unit(at: turn.end), unit.value.scale == 1,
            endsWord(unit.end), let period = shifted(unit.value.unit, turn.value)
        {
            let anchor = Anchor(period: period, isPast: turn.value == .last)
            return Found(anchor, unit.end)
        }
        let start = afterArticle(index)
        if let unit = unit(at: start), has(unit.end, .after), sense(unit.end + 1)?.turn == .next,
            endsWord(unit.end + 2), let period = period(unit.value.unit, shift: 2)
        {
            return Found(Anchor(period: period), unit.end + 2)
        }
        return nil
    }

    private func shifted(_ unit: TimeUnit, _ turn: Turn) -> Period? {
        guard unit == .weekend else { return period(unit, shift: Grammar.shift(turn)) }
        let isNow = today.weekday.rawValue >= 6
        switch turn {
        case .this: return period(.weekend, shift: 0)
        case .coming: return period(.weekend, shift: isNow ? 1 : 0)
        case .last: return period(.weekend, shift: -1)
        case .next:
            // The weekend of the next calendar week.
            let week = today.startOfWeek(weekStart).adding(days: 7)
            let saturday = week.adding(days: weekStart.days(until: .saturday))
            return Period(first: saturday, unit: .weekend)
        }
    }

    private func addTurnedPeriod(at index: Int, to found: inout [Piece]) {
        if let turned = turnedPeriod(at: index) {
            var reading = Reading()
            let isNow = turn(at: index)?.value == .this
            reading.period = turned.value.period
            reading.traits =
                turned.value.isPast ? [.period, .turned, .isPast] : [.period, .turned]
            let unit = turned.value.period.unit
            if unit == .day {
                // `this day`, `next day` are words of stories.
                return
            }
            // A whole period that has begun is due at its end.
            if isNow, unit != .weekend { reading.traits.formUnion(.named) }
            found.add(reading, turned.end)
            // `next month 20`: its 20th day, if the number counts nothing.
            if unit == .month, let number = token(turned.end), number.isNumber, number.hasSpace,
                number.digits <= 2, (1...31).contains(number.value), endsWord(turned.end + 1),
                token(turned.end + 1).map({ $0.kind != .word && !$0.isNumber }) ?? true
            {
                reading.day = number.value
                found.add(reading, turned.end + 1)
            }
        }
        let start = afterArticle(index)
        if let unit = unit(at: start), unit.value.unit == .weekend, endsWord(unit.end),
            !has(start, .plural),
            let period = period(.weekend, shift: 0)
        {
            found.add(Reading(.period, period), unit.end)
        }
    }

    /// `week 49`, `KW 49 2026`, `Q3 2027`, `third quarter of 2027`.
    private func numberedPeriod(at index: Int) -> Found<Anchor>? {
        let start = afterArticle(index)
        guard let token = token(start), token.kind == .word else {
            return ordinalQuarter(at: start)
        }
        var number = start + 1
        let isQuarter = token.key == "q" && isGlued(number)
        guard isQuarter || (token.has(.week) && (token.key != "w" || isGlued(number))) else {
            return ordinalQuarter(at: start)
        }
        if self.token(number)?.key == "no" { number += 1 }
        guard let count = self.token(number), count.isNumber, count.digits <= 2,
            endsWord(number + 1)
        else { return nil }
        if isQuarter, count.value < 1 || count.value > 4 { return nil }
        if !isQuarter, count.value < 1 || count.value > 53 { return nil }
        var next = number + 1
        if has(next, .of) || isMark(next, ",") { next += 1 }
        if isMark(next, "-") || isMark(next, "/"), isGlued(next) { next += 1 }
        let year = year(at: next)
        func day(_ year: Int) -> Day? {
            isQuarter ? quarter(count.value, year) : week(count.value, year)
        }
        return numbered(year, number + 1, isQuarter ? .quarter : .week, day)
    }

    private func numbered(
        _ year: Found<Int>?,
        _ end: Int,
        _ unit: TimeUnit,
        _ day: (Int) -> Day?
    ) -> Found<Anchor>? {
        if let year {
            guard let first = day(year.value) else { return nil }
            return Found(Anchor(period: Period(first: first, unit: unit)), year.end)
        }
        for candidate in today.year...today.year + 6 {
            guard let first = day(candidate) else { continue }
            let period = Period(first: first, unit: unit)
            if period.last(weekStart) >= today {
                return Found(Anchor(period: period), end)
            }
        }
        return nil
    }

    /// `third quarter of 2027`.
    private func ordinalQuarter(at start: Int) -> Found<Anchor>? {
        guard let ordinal = ordinal(at: start), (1...4).contains(ordinal.value),
            sense(ordinal.end)?.unit == .quarter
        else { return nil }
        let end = ordinal.end + 1
        let year = year(at: has(end, .of) ? end + 1 : end)
        return numbered(year, end, .quarter) { quarter(ordinal.value, $0) }
    }

    private func quarter(_ number: Int, _ year: Int) -> Day? {
        Day(year: year, month: number * 3 - 2, day: 1)
    }

    /// The Monday of a week of ISO 8601; `nil` for a week 53 that the year does not have.
    private func week(_ number: Int, _ year: Int) -> Day? {
        guard let fourth = Day(year: year, month: 1, day: 4) else { return nil }
        let monday = fourth.startOfWeek(.monday).adding(days: (number - 1) * 7)
        let thursday = monday.adding(days: 3)
        return thursday.year == year ? monday : nil
    }

    private func addNumberedPeriod(at index: Int, to found: inout [Piece]) {
        let start = has(index, .in) ? index + 1 : index
        guard let numbered = numberedPeriod(at: start) else { return }
        var reading = Reading([.period, .digits], numbered.value.period)
        if tokens[numbered.end - 1].digits == 4 { reading.traits.formUnion(.year) }
        if numbered.value.period.last(weekStart) < today { reading.traits.formUnion(.isPast) }
        found.add(reading, numbered.end)
    }

    // MARK: Anchors

    /// The period after `of` or `in`: `next month`, `the month`, `october 2027`, `this year`, `2027`.
    func anchor(at index: Int) -> Found<Anchor>? {
        if let turned = turnedPeriod(at: index) { return turned }
        if let numbered = numberedPeriod(at: index) { return numbered }
        let start = afterArticle(index)
        let turn = turn(at: start)
        if let month = sense(turn?.end ?? start)?.month {
            var end = (turn?.end ?? start) + 1
            if isMark(end, "."), isGlued(end) { end += 1 }
            var next = end
            if has(next, .of) || isMark(next, ",") { next += 1 }
            let year = year(at: next)
            var open = false
            var number = year?.value ?? today.year
            if let turn = turn?.value {
                if turn == .last, month >= today.month { number -= 1 }
                if turn == .next || turn == .coming, month <= today.month { number += 1 }
            } else if year == nil {
                if let turn = self.turn(at: next), sense(turn.end)?.unit == .year {
                    number += Grammar.shift(turn.value)
                    end = turn.end + 1
                } else {
                    open = true
                }
            }
            guard let first = Day(year: number, month: month, day: 1) else { return nil }
            let anchor = Anchor(period: Period(first: first, unit: .month), isYearOpen: open)
            return Found(anchor, year?.end ?? end)
        }
        let named = sense(start)?.unit == .year ? start + 1 : start
        if let year = year(at: named), let first = Day(year: year.value, month: 1, day: 1) {
            return Found(Anchor(period: Period(first: first, unit: .year)), year.end)
        }
        if let unit = unit(at: start), unit.value.unit >= .weekend, unit.value.scale == 1,
            endsWord(unit.end), let period = period(unit.value.unit, shift: 0)
        {
            return Found(Anchor(period: period, isUnitOpen: true), unit.end)
        }
        return nil
    }

    // MARK: Edges

    /// `end of next month`, `beginning of 2027`, `mid december`, `eod`, `end of tomorrow`.
    private func addEdges(at index: Int, _ level: Int, to found: inout [Piece]) {
        if let unit = sense(index)?.endOf, endsWord(index + 1) {
            if unit == .day {
                found.add(endOfDay(Reading()), index + 1)
            } else if let period = period(unit, shift: 0) {
                found.add(edge(.end, Anchor(period: period)), index + 1)
            }
            return
        }
        let start = has(index, [.at, .in]) ? afterArticle(index + 1) : afterArticle(index)
        guard let word = token(start), word.has([.start, .middle, .end, .early]), word.kind == .word
        else { return }
        var role: Roles = word.has(.end) ? .end : word.has(.middle) ? .middle : .start
        if word.has(.early), word.key == "late" || word.key == "spät" { role = .end }
        var next = start + 1
        let hasOf = has(next, .of)
        if hasOf { next += 1 }
        if isMark(next, "-"), isGlued(next) { next += 1 }
        // `end of day`
        if role == .end, word.has(.end) {
            let day = afterArticle(next)
            if sense(day)?.unit == .day, endsWord(day + 1), hasOf || table.halfIsBefore {
                found.add(endOfDay(Reading()), day + 1)
                return
            }
        }
        let isBareUnit = sense(next)?.unit != nil
        if hasOf || !isBareUnit, let anchor = anchor(at: next),
            !(word.has(.early) && anchor.value.period.unit == .year)
        {
            found.add(edge(role, anchor.value), anchor.end)
        }
        guard role == .end, hasOf, level > 0 else { return }
        for day in phrases(at: afterArticle(next), level: level - 1)
        where day.reading.hasDay && !day.reading.hasTime && day.reading.problem == nil {
            if day.reading.period?.unit ?? .day == .day, day.reading.traits.isDisjoint(with: .month)
            {
                found.add(endOfDay(day.reading), day.end)
            }
        }
    }

    private func endOfDay(_ day: Reading) -> Reading {
        var reading = day
        reading.clock = Clock(hour: 23, minute: 59, has24Hours: true)
        reading.traits.formUnion([.edge, .clock])
        return reading
    }

    private func edge(_ role: Roles, _ anchor: Anchor) -> Reading {
        func day(_ period: Period) -> Day {
            let last = period.last(weekStart)
            if role == .start { return period.first }
            if role == .end { return last }
            if period.unit == .month { return period.first.adding(days: 14) }
            return period.first.adding(days: (last.number - period.first.number) / 2)
        }
        var period = anchor.period
        if anchor.isYearOpen, day(period) < today { period.first = period.first.adding(months: 12) }
        return Reading(anchor.isPast ? [.edge, .isPast] : .edge, Period(day(period)))
    }

    // MARK: The nth

    /// `3rd tuesday of september 2027`, `last friday in october`, `fifth last day of May`,
    /// `the 15th day of next month`, `1st week of Oct`.
    private func addNth(at index: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        guard let place = nthPlace(at: start) else { return }
        let weekday = has(place.end, .plural) ? nil : sense(place.end)?.weekday
        let counted = weekday == nil ? self.unit(at: place.end) : nil
        let unit = counted?.value.unit
        guard
            weekday != nil || unit == .day || unit == .week || unit == .weekend || unit == .month
                || unit == .workday
        else { return }
        var next = counted?.end ?? place.end + 1
        let isOf = has(next, [.of, .in])
        if isOf { next += 1 }
        let isDefinite = start > index || (index > 0 && has(index - 1, .on))
        guard isOf || weekday != nil,
            let anchor = nthAnchor(at: next, isOf, isDefinite, place.value)
        else { return }
        var period = anchor.value.period
        func day() -> Day? { nth(place.value, weekday, unit, in: period) }
        var result = day()
        if anchor.value.isYearOpen, let found = result ?? Optional(period.first), found < today {
            period.first = period.first.adding(months: 12)
            result = day()
        }
        if anchor.value.isUnitOpen, let found = result, found < today,
            let next = self.period(period.unit, shift: 1)
        {
            period = next
            result = day()
        }
        guard let result else { return }
        var reading = Reading()
        let isWeek = unit == .week
        reading.period = Period(first: result, unit: isWeek ? .week : .day, isOfWeek: isWeek)
        if unit == .month { reading.period?.unit = .month }
        reading.traits = anchor.value.isPast ? [.nth, .isPast] : .nth
        if weekday != nil { reading.traits.formUnion(.weekday) }
        found.add(reading, anchor.end)
    }

    /// The period in which is counted; without `of` a month that is named, `first monday next month`,
    /// or else this one, `the second sunday`.
    private func nthAnchor(
        at index: Int,
        _ isOf: Bool,
        _ isDefinite: Bool,
        _ place: Int
    ) -> Found<Anchor>? {
        if !isOf, !isNamedMonth(index, place) {
            guard isDefinite, (1...5).contains(place), endsWord(index),
                let month = period(.month, shift: 0)
            else { return nil }
            return Found(Anchor(period: month, isUnitOpen: true), index)
        }
        guard let anchor = anchor(at: index), anchor.value.period.unit > .weekend else {
            return nil
        }
        return anchor
    }

    /// Whether a month may follow without `of`: `first monday next month`, `second friday december`;
    /// but `last friday december 4`.
    private func isNamedMonth(_ index: Int, _ place: Int) -> Bool {
        if let turn = turn(at: index) { return sense(turn.end)?.unit == .month }
        return place > 0 && sense(index)?.month != nil && !has(index, .common)
            && token(index + 1)?.isNumber != true
    }

    /// `third` is 3, `last` is -1, `fifth last` and `second to last` are -5 and -2.
    private func nthPlace(at index: Int) -> Found<Int>? {
        if sense(index)?.turn == .last { return Found(-1, index + 1) }
        // `next to last`
        if sense(index)?.turn == .next, has(index + 1, .to), sense(index + 2)?.turn == .last {
            return Found(-2, index + 3)
        }
        guard let ordinal = ordinal(at: index), ordinal.value > 0 else { return nil }
        var next = ordinal.end
        if isMark(next, "-") { next += 1 }
        if has(next, .to) { next += 1 }
        if isMark(next, "-") { next += 1 }
        if sense(next)?.turn == .last { return Found(-ordinal.value, next + 1) }
        return Found(ordinal.value, ordinal.end)
    }

    private func nth(
        _ place: Int,
        _ weekday: Weekday?,
        _ unit: TimeUnit?,
        in period: Period
    ) -> Day? {
        let (first, last) = (period.first, period.last(weekStart))
        if let weekday { return Day.nth(place, weekday, from: first, through: last) }
        let found: Day
        switch unit {
        case .week:
            // As in ISO 8601 a week belongs to the month in which most of its days are.
            let start =
                place > 0
                ? first.adding(days: 3).startOfWeek(weekStart).adding(days: (place - 1) * 7)
                : last.adding(days: -3).startOfWeek(weekStart).adding(days: (place + 1) * 7)
            found = max(first, start)
        case .weekend:
            return Day.nth(place, .saturday, from: first, through: last)
        case .workday:
            return workday(place, from: first, through: last)
        case .month:
            guard period.unit == .year, (1...12).contains(abs(place)) else { return nil }
            return first.adding(months: place > 0 ? place - 1 : 12 + place)
        default:
            found =
                place > 0 ? first.adding(days: place - 1) : last.adding(days: place + 1)
        }
        return found >= first && found <= last ? found : nil
    }

    private func workday(_ place: Int, from first: Day, through last: Day) -> Day? {
        var day = place > 0 ? first : last
        var rest = abs(place)
        while day >= first, day <= last {
            if day.weekday.rawValue <= 5 { rest -= 1 }
            if rest == 0 { return day }
            day = day.adding(days: place > 0 ? 1 : -1)
        }
        return nil
    }

    /// `20 of next month`, `the 20th of the current month`.
    private func addDayOfPeriod(at index: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        guard let token = token(start) else { return }
        let number = ordinal(at: start) ?? (token.isNumber ? cardinal(at: start) : nil)
        guard let number, (1...31).contains(number.value), has(number.end, [.of, .in]) else {
            return
        }
        guard let anchor = anchor(at: number.end + 1), anchor.value.period.unit == .month,
            !anchor.value.isYearOpen
        else { return }
        var reading = Reading()
        (reading.period, reading.day) = (anchor.value.period, number.value)
        reading.traits = anchor.value.isPast ? [.nth, .isPast] : .nth
        // `the 1st of the month`: the next one.
        if anchor.value.isUnitOpen { reading.period = nil }
        found.add(reading, anchor.end)
    }
}
