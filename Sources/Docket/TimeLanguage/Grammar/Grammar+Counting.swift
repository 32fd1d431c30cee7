import CivilTime

extension Grammar {
    /// Days and times that are counted from another one: `in 3 days`, `2 weeks before christmas`,
    /// `day after tomorrow`, `third tuesday after easter`, `the closest monday to Oct 5th`.
    func addCounts(at index: Int, _ level: Int, to found: inout [Piece]) {
        addFromNow(at: index, to: &found)
        addSigned(at: index, to: &found)
        addWeekdaysFromNow(at: index, to: &found)
        addWeekAfter(at: index, to: &found)
        addClosest(at: index, level, to: &found)
        guard level > 0 else { return }
        addAmountFromAnchor(at: index, level, to: &found)
        addNext(at: index, level, to: &found)
    }

    private func add(_ reading: Reading?, _ end: Int, to found: inout [Piece]) {
        guard let reading, endsWord(end) else { return }
        found.add(reading, end)
    }

    // MARK: From now

    /// `in 3 days`, `3 days ago`, `3 days from now`, `a fortnight later`, `upcoming 2 days`.
    private func addFromNow(at index: Int, to found: inout [Piece]) {
        let hasIn = has(index, [.in, .within])
        // `innerhalb von 3 Tagen`
        let isOf = has(index, .within) && has(index + 1, .of)
        let counted = hasIn && (isOf || has(index + 1, .about)) ? index + 2 : index + 1
        if hasIn, let amount = amount(at: counted) {
            var end = amount.end
            // `in two weeks' time`
            if isMark(end, "'") { end += 1 }
            if has(end, .time), token(end)?.key == "time" { end += 1 }
            // `in two weeks from now`
            if has(end, [.from, .fromNow]), let now = nowEnd(at: end + 1) { end = now }
            if !has(end, .measure) {
                add(resolver.fromNow(amount.value, sign: 1), end, to: &found)
            }
        }
        if table.halfIsBefore, has(index, .before), let amount = amount(at: index + 1) {
            add(resolver.fromNow(amount.value, sign: -1), amount.end, to: &found)
        }
        if let turn = turn(at: hasIn ? index + 1 : index),
            turn.value == .coming || turn.value == .next,
            let amount = amount(at: turn.end), token(turn.end)?.has(.article) == false
        {
            add(resolver.fromNow(amount.value, sign: 1), amount.end, to: &found)
        }
        // `within the next hour`; `within the next week` is that week.
        if hasIn, let turn = turn(at: index + 1), turn.value == .coming || turn.value == .next,
            let unit = unit(at: turn.end), unit.value.unit <= .hour,
            let amount = Amount(1, unit.value.unit, scale: unit.value.scale)
        {
            add(resolver.fromNow(amount, sign: 1), unit.end, to: &found)
        }
        if let count = cardinal(at: index), sense(count.end)?.turn == .coming,
            let unit = unit(at: count.end + 1),
            let amount = Amount(Double(count.value), unit.value.unit, scale: unit.value.scale)
        {
            add(resolver.fromNow(amount, sign: 1), unit.end, to: &found)
        }
        guard let amount = amount(at: index) else { return }
        let end = amount.end
        if has(end, .ago) {
            add(resolver.fromNow(amount.value, sign: -1), end + 1, to: &found)
        } else if has(end, .later) {
            add(resolver.fromNow(amount.value, sign: 1), end + 1, to: &found)
        } else if has(end, [.from, .fromNow]), let now = nowEnd(at: end + 1) {
            add(resolver.fromNow(amount.value, sign: 1), now, to: &found)
        } else if isField {
            var reading = resolver.fromNow(amount.value, sign: 1)
            reading.traits.formUnion(.bareAmount)
            add(reading, end, to: &found)
        }
    }

    /// `+3d`, `+3 days`; `-3d` in a field.
    private func addSigned(at index: Int, to found: inout [Piece]) {
        let isMinus = isMark(index, "-")
        guard isMark(index, "+") || (isMinus && isField), isGlued(index + 1),
            token(index + 1)?.isNumber == true, let amount = amount(at: index + 1)
        else { return }
        add(resolver.fromNow(amount.value, sign: isMinus ? -1 : 1), amount.end, to: &found)
    }

    /// `2 fridays from now`, `two thursdays ago`.
    private func addWeekdaysFromNow(at index: Int, to found: inout [Piece]) {
        guard let count = cardinal(at: index), (1...999).contains(count.value),
            let weekday = sense(count.end)?.weekday, has(count.end, .plural) || count.value == 1
        else { return }
        let end = count.end + 1
        let more = (count.value - 1) * 7
        if has(end, .from), has(end + 1, .now) || sense(end + 1)?.day == 0 {
            let day = today.nearest(weekday, sign: 1).adding(days: more)
            add(Reading(.amount, Period(day)), end + 2, to: &found)
        } else if has(end, .ago) {
            let day = today.nearest(weekday, sign: -1).adding(days: -more)
            add(Reading([.amount, .isPast], Period(day)), end + 1, to: &found)
        }
    }

    /// `tomorrow week`, `friday week`: that day of the week after; `heute in einer Woche`.
    private func addWeekAfter(at index: Int, to found: inout [Piece]) {
        guard let sense = sense(index), !has(index, .plural) else { return }
        var base = Reading()
        if let day = sense.day, day >= 0, sense.part == nil || day == 1 {
            base.period = Period(today.adding(days: day))
        } else if let weekday = sense.weekday {
            (base.weekday, base.traits) = (weekday, .weekday)
        } else {
            return
        }
        let end = index + 1
        if let unit = unit(at: end), unit.value == (.week, 1), has(end, .week),
            token(end)?.range.count ?? 0 > 2, let week = Amount(1, .week),
            var reading = resolver.adding(week, to: base, sign: 1)
        {
            reading.period?.isOfWeek = false
            reading.traits = .nth
            add(reading, unit.end, to: &found)
        }
        if sense.day != nil, has(end, .in), let amount = amount(at: end + 1), !amount.value.isExact
        {
            add(resolver.adding(amount.value, to: base, sign: 1), amount.end, to: &found)
        }
    }

    // MARK: From another day

    /// `2 weeks before christmas`, `3 days from tuesday`, `15 minutes from 1pm`.
    private func addAmountFromAnchor(at index: Int, _ level: Int, to found: inout [Piece]) {
        let start = has(index, [.in, .within]) ? index + 1 : index
        guard let amount = amount(at: start) else { return }
        addWeeksOn(amount, to: &found)
        guard let sign = direction(at: amount.end) else { return }
        addCounted(amount.value, sign, anchorsAt: amount.end + 1, level, to: &found)
    }

    /// `a week on tuesday`, `4 weeks today`: that much after the next Tuesday, or today.
    private func addWeeksOn(_ amount: Found<Amount>, to found: inout [Piece]) {
        guard amount.value.smallest == .week else { return }
        var base = Reading()
        let end = amount.end
        if let day = sense(end)?.day, day >= 0 {
            base.period = Period(today.adding(days: day))
            add(resolver.adding(amount.value, to: base, sign: 1), end + 1, to: &found)
        } else if has(end, .on), let weekday = sense(end + 1)?.weekday, !has(end + 1, .plural) {
            (base.weekday, base.traits) = (weekday, .weekday)
            add(resolver.adding(amount.value, to: base, sign: 1), end + 2, to: &found)
        }
    }

    /// 1 for `after`, -1 for `before`.
    private func direction(at index: Int) -> Int? {
        if has(index, .before) { return -1 }
        return has(index, [.after, .from, .since]) ? 1 : nil
    }

    private func addCounted(
        _ amount: Amount,
        _ sign: Int,
        anchorsAt index: Int,
        _ level: Int,
        to found: inout [Piece]
    ) {
        let bases = phrases(at: afterArticle(index), level: level - 1)
        let sound = bases.filter { base in
            guard case .problem = resolver.resolve(base.reading) else { return true }
            return false
        }
        for var base in sound.isEmpty ? bases : sound {
            // `a year from christmas`
            if !isField, amount.largest == .year, base.reading.traits == .holiday {
                base.reading.problem = "it does not say from which year it counts"
            }
            add(resolver.adding(amount, to: base.reading, sign: sign), base.end, to: &found)
        }
        // `two weeks since the year 2011`, `two years since 2011`
        let start = afterArticle(index)
        let isYear =
            sense(start)?.unit == .year || (has(index - 1, .since) && year(at: index) != nil)
        if isYear, let anchor = anchor(at: index) {
            var base = Reading()
            base.period = Period(anchor.value.period.first)
            add(resolver.adding(amount, to: base, sign: sign), anchor.end, to: &found)
        }
    }

    /// `day after tomorrow`, `the week after christmas`, `friday after easter`,
    /// `third tuesday after christmas`.
    private func addNext(at index: Int, _ level: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        let place = ordinal(at: start)
        // `the last friday before christmas`
        let isLast = sense(start)?.turn == .last && has(start + 2, .before)
        let at = place?.end ?? (isLast ? start + 1 : start)
        guard let sense = sense(at), let sign = direction(at: at + 1) else { return }
        if place == nil, let unit = sense.unit, unit >= .day, has(at + 1, [.after, .before]),
            token(at)?.key.utf8.count ?? 0 > 1, let amount = Amount(1, unit, scale: sense.scale)
        {
            addCounted(amount, sign, anchorsAt: at + 2, level, to: &found)
        }
        guard let weekday = sense.weekday, !has(at, .plural), has(at + 1, [.after, .before]) else {
            return
        }
        let count = place?.value ?? 1
        for base in phrases(at: afterArticle(at + 2), level: level - 1) where !base.reading.hasTime
        {
            guard case .day(let day) = resolver.day(base.reading), base.reading.problem == nil,
                base.reading.traits != .ordinal
            else { continue }
            let counted = day.nearest(weekday, sign: sign).adding(days: sign * (count - 1) * 7)
            add(Reading([.amount, .weekday], Period(counted)), base.end, to: &found)
        }
    }

    /// `the closest Monday to Oct 5th`, `the second closest Mon to October fifth`,
    /// `closest xmas to today`.
    private func addClosest(at index: Int, _ level: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        let place = ordinal(at: start)
        let at = place?.end ?? start
        guard has(at, .closest), level > 0 else { return }
        let phrase = tokens.phrase(at: at + 1)
        let end = phrase?.end ?? at + 2
        guard let named = phrase?.sense ?? sense(at + 1), has(end, .to) else { return }
        let count = place?.value ?? 1
        for base in phrases(at: afterArticle(end + 1), level: level - 1)
        where !base.reading.hasTime {
            guard case .day(let day) = resolver.day(base.reading), (1...50).contains(count) else {
                continue
            }
            var days: [Day] = []
            if let weekday = named.weekday {
                let next = day.adding(days: day.weekday.days(until: weekday))
                days = (-count...count).map { next.adding(days: $0 * 7) }
            } else if let holiday = named.holiday {
                days = (day.year - count...day.year + count).compactMap(holiday.day)
            }
            days.sort { abs($0.number - day.number) < abs($1.number - day.number) }
            guard count <= days.count else { continue }
            var reading = Reading([.amount, .weekday], Period(days[count - 1]))
            if days[count - 1] < today { reading.traits.formUnion(.isPast) }
            add(reading, base.end, to: &found)
        }
    }
}
