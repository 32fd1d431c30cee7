import CivilTime

extension Grammar {
    struct Stretch: Hashable {
        var start: Reading
        var end: Reading
        /// Whether no day was said, so that it is the next one on which it can be.
        var isDayOpen = false
        /// Whether nothing but numbers was said: `from 9 to 5`.
        var isWeak = false
    }

    /// A length in whole minutes: `45 min`, `2 hours`, `1h30`, `45m`.
    func minutes(at index: Int) -> Found<Int>? {
        if let number = token(index), number.isNumber, number.digits <= 4,
            let letter = token(index + 1), !letter.hasSpace
        {
            // Here `m` is minutes.
            if letter.key == "m", endsWord(index + 2) {
                return Found(number.value, index + 2)
            }
            if letter.key == "h", let rest = token(index + 2), rest.isNumber, !rest.hasSpace,
                rest.digits <= 2
            {
                let hasUnit = token(index + 3)?.key == "m" && isGlued(index + 3)
                let end = hasUnit ? index + 4 : index + 3
                guard endsWord(end) else { return nil }
                return Found(number.value * 60 + rest.value, end)
            }
        }
        guard let amount = amount(at: index), amount.value.smallest <= .hour,
            amount.value.largest <= .hour, amount.value.seconds >= 60
        else { return nil }
        return Found(amount.value.seconds / 60, amount.end)
    }

    /// `fri 14-16`, `tomorrow from 9 to 11`, `9:00-10:30 on friday`, `3-5 dec`, `mon to wed`.
    func range(at index: Int) -> Found<Stretch>? {
        guard let first = token(index), first.kind == .word || first.isNumber else { return nil }
        guard
            first.isNumber || first.sense.hasValue
                || first.has([.from, .between, .on, .at, .in, .article, .for])
        else { return nil }
        var best: Found<Stretch>?
        func offer(_ found: Found<Stretch>?) {
            if let found, found.end > (best?.end ?? 0), endsWord(found.end) { best = found }
        }
        let start = first.has([.from, .between, .on]) ? index + 1 : index
        let isFrom = first.has([.from, .between])
        func offerDays(_ days: Found<Stretch>?) {
            offer(days)
            if let days { offer(daily(days)) }
        }
        offerDays(monthRange(at: start, isFrom: isFrom))
        offerDays(pointRange(at: start, isFrom: isFrom))
        offer(momentRange(at: start, isFrom: isFrom))
        offer(clockRange(at: start, day: nil, isFrom: isFrom))
        if first.has(.for), let length = wholeDays(at: index + 1), has(length.end, .from) {
            for day in phrases(at: afterArticle(length.end + 1)) {
                offer(stretch(from: day, length.value, end: day.end))
            }
        }
        for day in phrases(at: start)
        where day.reading.hasDay && day.reading.clock == nil && day.reading.moment == nil {
            if day.reading.part == nil { offerDays(dayRange(day, isFrom: isFrom)) }
            if has(day.end, .for), let length = wholeDays(at: day.end + 1) {
                offer(stretch(from: day, length.value, end: length.end))
            }
            // `Sept 18-2015` is a date.
            if day.reading.month != nil, day.reading.day == nil { continue }
            var next = day.end
            if isMark(next, ",") { next += 1 }
            if has(next, .in), has(next + 1, .between) { next += 1 }
            let isBetween = has(next, [.from, .between])
            if isBetween { next += 1 }
            // `6-4 7-5` are scores.
            if day.reading.traits == .twoNumbers, isMark(start + 1, "-"), !isBetween { continue }
            offer(clockRange(at: next, day: day.reading, isFrom: isBetween))
        }
        return best
    }

    /// `10 days`, `2 weeks`, `a month`.
    func wholeDays(at index: Int) -> Found<Amount>? {
        guard let amount = amount(at: index), !amount.value.isExact, amount.value.workdays == 0,
            amount.value.weekends == 0
        else { return nil }
        return amount
    }

    /// `from 18 Dec for 10 days`: that many days, the first one counted.
    private func stretch(from day: Piece, _ length: Amount, end: Int) -> Found<Stretch>? {
        guard day.reading.hasDay, !day.reading.hasTime, day.reading.moment == nil,
            day.reading.traits.isDisjoint(with: [.month, .period, .isPast]),
            case .day(let first) = resolver.day(day.reading), first <= .last,
            let after = resolver.days(from: first, length, sign: 1)
        else { return nil }
        let last = after.adding(days: -1)
        return last > first ? Found(stretch(first, last), end) : nil
    }

    /// Whether a number is like those of years: `from 2015 to 2016` says no hours.
    private func isYear(at index: Int) -> Bool {
        guard let token = token(index), token.isNumber, token.digits == 4 else { return false }
        return (1900...2099).contains(token.value)
    }

    /// The index after `-`, `to`, `until`, `and`.
    private func afterTo(_ index: Int, isFrom: Bool) -> Int? {
        if isMark(index, "-") { return index + 1 }
        guard let token = token(index), token.kind == .word else { return nil }
        if token.has(.through) { return index + 1 }
        if token.has(.due), token.key != "due", token.key != "by" { return index + 1 }
        return isFrom && token.has(.and) ? index + 1 : nil
    }

    /// `14-16`, `9:00 to 10:30`, `9am-5pm`; without a day only with a sign that these are times.
    private func clockRange(at index: Int, day: Reading?, isFrom: Bool) -> Found<Stretch>? {
        let start = has(index, .at) ? index + 1 : index
        for first in rangeClocks(at: start, inWords: isFrom) {
            guard let next = afterTo(first.end, isFrom: isFrom) else { continue }
            let inWords = isFrom || !first.value.isBare
            for last in rangeClocks(at: next, inWords: inWords) where endsWord(last.end) {
                let isClear = !first.value.isBare || !last.value.isBare
                // `9-5` alone is a number; `between 730-930` says nothing about the day either.
                let isSaid = isFrom && !isMark(first.end, "-")
                let hasDay = dayAfter(last.end)?.reading.traits.isDisjoint(with: .twoNumbers)
                // `5-7 every friday`, `every friday 5-7`
                let isEvery =
                    (has(last.end, .every) && isDay(last.end + 1))
                    || isAfterEveryDay(index)
                guard day != nil || isClear || isSaid || isEvery || hasDay == true else { continue }
                if isYear(at: start), isYear(at: next) { continue }
                var (open, close) = (first.value, last.value)
                if open.half == nil, let half = close.half, open.hour <= 12 {
                    open.half = open.hour % 12 <= close.hour % 12 ? half : .morning
                }
                guard open.problem == nil, close.problem == nil else { continue }
                var end = last.end
                var said = day ?? Reading()
                if day == nil, let after = dayAfter(end) {
                    said = after.reading
                    end = after.end
                } else if day == nil {
                    let opening = open.seconds(nil)
                    let isOver = opening <= resolver.second
                    said.period = Period(today.adding(days: isOver ? 1 : 0))
                }
                let opening = open.seconds(said.part)
                if close.half == nil, (1...12).contains(close.hour),
                    close.seconds(said.part) <= opening
                {
                    close.half = .afternoon
                }
                var stretch = Stretch(start: said, end: said)
                (stretch.start.clock, stretch.end.clock) = (open, close)
                stretch.isDayOpen = day == nil && end == last.end
                stretch.isWeak = stretch.isDayOpen && !isClear
                // `22:00-2:00` ends in the day after.
                if close.seconds(said.part) <= opening,
                    opening >= 18 * 3600 || close.hour == 0, close.hour <= 12,
                    last.value.half != .afternoon, case .day(let day) = resolver.day(said)
                {
                    if close.hour > 0 { close.half = .morning }
                    stretch.end = Reading()
                    stretch.end.period = Period(day.adding(days: 1))
                    stretch.end.clock = close
                }
                return Found(stretch, end)
            }
        }
        return nil
    }

    /// Whether the day of a repetition is before it: `every tue`, `tuesdays`, `every day`, `weekdays`.
    private func isAfterEveryDay(_ place: Int) -> Bool {
        let index = place > 0 && has(place - 1, [.from, .between]) ? place - 1 : place
        guard index > 0, let day = sense(index - 1) else { return false }
        if day.weekday != nil || day.unit == .workday { return true }
        if day.part != nil, has(index - 1, .plural) { return true }
        let isPart = day.part != nil && day.day == nil
        return index > 1 && (day.unit == .day || isPart)
            && (has(index - 2, .every) || (isPart && sense(index - 2)?.weekday != nil))
    }

    private func isDay(_ index: Int) -> Bool {
        guard let sense = sense(index) else { return false }
        return sense.weekday != nil || sense.unit == .day || sense.unit == .workday
    }

    private func dayAfter(_ index: Int) -> Piece? {
        let start = isMark(index, ",") || has(index, .on) ? index + 1 : index
        return phrases(at: start).first {
            $0.reading.hasDay && $0.reading.clock == nil && $0.reading.moment == nil
        }
    }

    /// Times of a range, where a bare hour is one too; one in words (`until two`) where it can be
    /// nothing else.
    private func rangeClocks(at index: Int, inWords: Bool) -> [Found<Clock>] {
        clocks(at: index).filter { clock in
            guard clock.value.isBare, let token = token(index), token.isNumber else {
                return !clock.value.isBare || (inWords && unit(at: clock.end) == nil)
            }
            return clock.end == index + 1 || isMark(index + 1, ".")
        }.sorted { $0.end > $1.end }
    }

    /// `mon - wed`, `3 dec to 5 dec`.
    private func dayRange(_ first: Piece, isFrom: Bool) -> Found<Stretch>? {
        guard let next = afterTo(first.end, isFrom: isFrom) else { return nil }
        for last in phrases(at: next)
        where last.reading.hasDay && !last.reading.hasTime && last.reading.moment == nil {
            let isOrdinal =
                isFrom && first.reading.traits.contains(.ordinal)
                && !last.reading.traits.isDisjoint(with: [.ordinal, .monthDay])
            // `12/3 - 12/5` are fractions; `3.12. - 5.12.` are dates.
            let isPair =
                first.reading.traits.contains([.twoNumbers, .named])
                || max(first.reading.day ?? 0, last.reading.day ?? 0) > 12
            guard
                first.reading.traits.isDisjoint(with: [.month, .period]),
                isFrom || !first.reading.traits.contains(.holiday),
                isOrdinal || !first.reading.traits.contains(.ordinal),
                isPair || first.reading.traits.isDisjoint(with: .twoNumbers),
                let from = firstDay(opening(first.reading, of: last.reading), last.reading),
                case .day(var through) = resolver.day(last.reading)
            else { continue }
            if through <= from, last.reading.weekday != nil, last.reading.day == nil {
                through = from.adding(days: from.weekday.days(until: through.weekday))
            }
            // `friday until the 3rd`: the end is the next one after the begin.
            if through <= from,
                case .day(let later) = resolver.later(from: DueDate(day: from))
                    .day(last.reading)
            {
                through = later
            }
            guard through > from else { continue }
            return Found(stretch(from, through), last.end)
        }
        return nil
    }

    /// `sat 8pm - sun 8am`.
    private func momentRange(at index: Int, isFrom: Bool) -> Found<Stretch>? {
        for first in phrases(at: index) where first.reading.hasDay && first.reading.clock != nil {
            guard let next = afterTo(first.end, isFrom: isFrom),
                case .due(let start) = resolver.resolve(first.reading)
            else { continue }
            for last in phrases(at: next) where last.reading.hasDay && last.reading.clock != nil {
                guard case .due(let end) = resolver.resolve(last.reading), start.date < end.date
                else { continue }
                return Found(Stretch(start: first.reading, end: last.reading), last.end)
            }
        }
        return nil
    }

    /// The day with which a range begins; of two orders the one that gives the shorter range.
    private func firstDay(_ first: Reading, _ last: Reading) -> Day? {
        var other = first
        other.isOrderOpen = false
        let isOpen = first.isOrderOpen && first.traits.contains(.twoNumbers)
        if isOpen { (other.month, other.day) = (first.day, first.month) }
        let days = [first, other].compactMap { reading in
            if case .day(let day) = resolver.day(reading) { day } else { nil }
        }
        guard isOpen, case .day(let through) = resolver.day(last) else { return days.first }
        return days.filter { $0 < through }.max() ?? days.first
    }

    /// `5-7 may at 10:00`: both days at that time.
    private func daily(_ days: Found<Stretch>) -> Found<Stretch>? {
        guard let piece = pieces(at: days.end).last(where: { $0.reading.traits == .clock }) else {
            return nil
        }
        var both = days
        (both.value.start.clock, both.value.end.clock) = (piece.reading.clock, piece.reading.clock)
        both.end = piece.end
        return both
    }

    /// The first day of a range in the year of its last one, where only that is said:
    /// `10 August - 12 September 2013`.
    private func opening(_ first: Reading, of last: Reading) -> Reading {
        guard let year = last.year, first.year == nil, let month = first.month, let day = first.day,
            let lastMonth = last.month, let lastDay = last.day
        else { return first }
        var opening = first
        opening.year = (month, day) < (lastMonth, lastDay) ? year : year - 1
        return opening
    }

    private func stretch(_ from: Day, _ through: Day) -> Stretch {
        var stretch = Stretch(start: Reading(), end: Reading())
        stretch.start.period = Period(from)
        stretch.end.period = Period(through)
        return stretch
    }

    /// `3-5 dec`, `dec 3-5`, `from the 13th to the 15th of July`.
    private func monthRange(at index: Int, isFrom: Bool) -> Found<Stretch>? {
        let isMonthFirst = sense(index)?.month != nil
        guard let first = rangeDay(at: isMonthFirst ? index + 1 : index),
            let next = afterTo(first.end, isFrom: isFrom), let last = rangeDay(at: next),
            last.value > first.value
        else { return nil }
        var end = last.end
        let place = isMonthFirst ? index : has(end, .of) ? end + 1 : end
        guard let month = sense(place)?.month else { return nil }
        if !isMonthFirst { end = place + 1 }
        let year = year(at: isMark(end, ",") ? end + 1 : end)
        func day(_ number: Int, _ floor: Day) -> Day? {
            if let year { return Day(year: year.value, month: month, day: number) }
            return (today.year...today.year + 8).lazy.compactMap {
                Day(year: $0, month: month, day: number)
            }.first { $0 >= floor }
        }
        guard let from = day(first.value, today), let through = day(last.value, from) else {
            return nil
        }
        return Found(stretch(from, through), year?.end ?? end)
    }

    /// `3.-5.12.`, `3. bis 5.12.`.
    private func pointRange(at index: Int, isFrom: Bool) -> Found<Stretch>? {
        guard var first = rangeDay(at: index) else { return nil }
        if isMark(first.end, "."), isGlued(first.end) { first.end += 1 }
        guard let next = afterTo(first.end, isFrom: isFrom) else { return nil }
        for last in pieces(at: next) where last.reading.traits.contains([.twoNumbers, .named]) {
            guard case .day(let through) = resolver.day(last.reading), first.value < through.day
            else { continue }
            let from = through.adding(days: first.value - through.day)
            return Found(stretch(from, through), last.end)
        }
        return nil
    }

    /// A day of a month, `13` or `the 13th`.
    private func rangeDay(at index: Int) -> Found<Int>? {
        let start = afterArticle(index)
        if let ordinal = ordinal(at: start), (1...31).contains(ordinal.value) { return ordinal }
        guard let number = token(start), number.isNumber, number.digits <= 2,
            (1...31).contains(number.value)
        else { return nil }
        return Found(number.value, start + 1)
    }
}
