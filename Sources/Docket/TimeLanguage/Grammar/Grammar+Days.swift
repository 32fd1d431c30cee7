import CivilTime

extension Grammar {
    /// Days by name and by number: `tomorrow`, `this friday`, `18 July 2027`, `the 15th`.
    func addDays(at index: Int, to found: inout [Piece]) {
        addRelativeDay(at: index, to: &found)
        addWeekday(at: index, to: &found)
        addMonthFirst(at: index, to: &found)
        addDayFirst(at: index, to: &found)
        addYearFirst(at: index, to: &found)
        addOrdinalDay(at: index, to: &found)
        addHoliday(at: index, to: &found)
    }

    /// `this`, `the coming`, `this past`: the turn that they say together.
    func turn(at index: Int) -> Found<Turn>? {
        let start = afterArticle(index)
        guard let first = sense(start)?.turn else { return nil }
        if first == .this, let second = sense(start + 1)?.turn, second != .this {
            return Found(second == .last ? .last : .coming, start + 2)
        }
        return Found(first, start + 1)
    }

    // MARK: Relative days

    private func addRelativeDay(at index: Int, to found: inout [Piece]) {
        if let day = sense(index)?.day {
            let traits: Reading.Traits = day < 0 ? [.relativeDay, .isPast] : .relativeDay
            let part = sense(index)?.number == nil ? dayPart(index) : nil
            let reading = Reading(traits, Period(today.adding(days: day)), part: part)
            if endsWord(index + 1) { found.add(reading, index + 1) }
        }
        // `this morning`, `last night`
        if let turn = turn(at: index), let part = sense(turn.end)?.part, endsWord(turn.end + 1) {
            let days = Grammar.shift(turn.value)
            let past: Reading.Traits = days < 0 ? .isPast : []
            let traits = past.union([.relativeDay, .part])
            let day = Period(today.adding(days: days))
            found.add(Reading(traits, day, part: part), turn.end + 1)
        }
        if let end = nowEnd(at: index), isField || (index == 0 && end == tokens.count) {
            var reading = Reading()
            reading.moment = resolver.now
            reading.traits = .now
            found.add(reading, end)
        }
    }

    /// The index after `now`, `right now`.
    func nowEnd(at index: Int) -> Int? {
        if let phrase = tokens.phrase(at: index), phrase.sense.roles.contains(.now) {
            return phrase.end
        }
        return has(index, .now) ? index + 1 : nil
    }

    /// The part that a word such as `tonight` says beside its day.
    private func dayPart(_ index: Int) -> DayPart? {
        guard let sense = sense(index), let part = sense.part else { return nil }
        // `morgen` is a day or a part of it.
        return sense.day == 1 && part == .morning ? nil : part
    }

    // MARK: Weekdays

    private func addWeekday(at index: Int, to found: inout [Piece]) {
        let turn = turn(at: index)
        let at = turn?.end ?? index
        addAfterNext(at: index, to: &found)
        guard let sense = sense(at), let weekday = sense.weekday, !has(at, .plural),
            endsWord(at + 1) || (isMark(at + 1, "-") && self.sense(at + 2)?.month != nil)
        else { return }
        var reading = Reading()
        (reading.weekday, reading.turn) = (weekday, turn?.value)
        reading.part = sense.part
        reading.traits = turn == nil ? .weekday : [.weekday, .turned]
        if turn?.value == .last { reading.traits.formUnion(.isPast) }
        let end = at + 1
        found.add(reading, end)
        // `Friday 31`
        var next = end
        if isMark(next, "."), isGlued(next) { next += 1 }
        if let number = token(next), number.isNumber, number.digits <= 2,
            (1...31).contains(number.value), number.hasSpace, endsWord(next + 1),
            !has(next + 1, [.am, .pm, .oclock, .past, .ordinalEnding]), sense.part == nil,
            self.sense(next + 1)?.unit == nil
        {
            reading.day = number.value
            reading.traits.formUnion(.named)
            found.add(reading, next + 1)
        }
    }

    /// `friday after next`, `the friday after next`.
    private func addAfterNext(at index: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        let end = start + 1
        guard let weekday = sense(start)?.weekday, !has(start, .plural), has(end, .after),
            sense(end + 1)?.turn == .next, endsWord(end + 2), sense(end + 2)?.unit == nil,
            sense(end + 2)?.weekday == nil
        else { return }
        let day = today.nearest(weekday, sign: 1).adding(days: 7)
        found.add(Reading([.weekday, .turned], Period(day)), end + 2)
    }

    // MARK: Months

    /// `nov 22`, `november the 22nd, 2026`, `Sep-2020-23`, `dec 2027`, `december`.
    private func addMonthFirst(at index: Int, to found: inout [Piece]) {
        let turn = turn(at: index)
        let isWithin = turn == nil && has(index, .in) && sense(index + 1)?.month != nil
        let at = turn?.end ?? (isWithin ? index + 1 : index)
        guard let month = sense(at)?.month else { return }
        var end = at + 1
        if isMark(end, "."), isGlued(end) { end += 1 }
        if let turn {
            guard endsWord(end), let reading = turned(month, turn.value) else { return }
            found.add(reading, end)
            return
        }
        if has(end, .after), sense(end + 1)?.turn == .next, endsWord(end + 2),
            var reading = turned(month, .next)
        {
            reading.period = reading.period.map {
                Period(first: $0.first.adding(months: 12), unit: .month)
            }
            found.add(reading, end + 2)
        }
        let isJoined = (isMark(end, "-") || isMark(end, "/")) && isGlued(end) && isGlued(end + 1)
        if isJoined, let year = year(at: end + 1) ?? gluedYear(at: end + 1),
            isMark(year.end, "-") || isMark(year.end, "/"), isGlued(year.end),
            let day = token(year.end + 1), day.isNumber, day.digits <= 2
        {
            addDate(year.value, month, day.value, end: year.end + 2, to: &found)
            return
        }
        var next = end
        if isJoined || isMark(next, ",") { next += 1 }
        if has(next, .article) { next += 1 }
        if let day = dayNumber(at: next) {
            addDated(month, day, to: &found)
        }
        var reading = Reading(isWithin ? [.month, .within] : .month, month: month)
        if let year = year(at: isMark(end, ",") ? end + 1 : has(end, .of) ? end + 1 : end) {
            reading.year = year.value
            reading.traits.formUnion(.year)
            if (year.value, month) < (today.year, today.month) {
                reading.traits.formUnion(.isPast)
            }
            found.add(reading, year.end)
            return
        }
        if endsWord(end) { found.add(reading, end) }
    }

    private func turned(_ month: Int, _ turn: Turn) -> Reading? {
        var year = today.year
        switch turn {
        case .this: break
        case .next, .coming: if month <= today.month { year += 1 }
        case .last: if month >= today.month { year -= 1 }
        }
        guard let first = Day(year: year, month: month, day: 1) else { return nil }
        var reading = Reading()
        reading.period = Period(first: first, unit: .month)
        reading.traits = turn == .last ? [.period, .month, .isPast] : [.period, .month]
        return reading
    }

    private struct DayNumber {
        var day: Int
        var end: Int
        var isOrdinal: Bool
    }

    /// The day in `nov 22nd`: an ordinal number, or one of one or two digits.
    private func dayNumber(at index: Int) -> DayNumber? {
        if let ordinal = ordinal(at: index), ordinal.value <= 31, endsWord(ordinal.end) {
            return DayNumber(day: ordinal.value, end: ordinal.end, isOrdinal: true)
        }
        // `may twenty-nine`
        if token(index)?.kind == .word, let number = cardinal(at: index),
            (1...31).contains(number.value), endsWord(number.end), sense(number.end)?.unit == nil,
            sense(number.end)?.number == nil,
            !has(number.end, [.am, .pm, .oclock, .past, .to, .hundred, .thousand])
        {
            return DayNumber(day: number.value, end: number.end, isOrdinal: false)
        }
        guard let token = token(index), token.isNumber, token.digits <= 2, token.value <= 31,
            token.value > 0, endsWord(index + 1) || isBeforeYear(index + 1),
            !has(index + 1, [.am, .pm, .oclock])
        else { return nil }
        return DayNumber(day: token.value, end: index + 1, isOrdinal: false)
    }

    /// `-2020` directly after the day.
    private func isBeforeYear(_ index: Int) -> Bool {
        isMark(index, "-") && isGlued(index) && isGlued(index + 1)
            && gluedYear(at: index + 1) != nil
    }

    /// A month and a day, with or without the year after them.
    private func addDated(_ month: Int, _ day: DayNumber, to found: inout [Piece]) {
        var reading = Reading(.monthDay, month: month, day: day.day)
        if Day(year: 2024, month: month, day: day.day) == nil {
            reading.problem = Day.whyImpossible(year: nil, month: month, day: day.day)
        }
        if endsWord(day.end) { found.add(reading, day.end) }
        var next = day.end
        if isMark(next, "-"), isGlued(next), isGlued(next + 1), let year = gluedYear(at: next + 1) {
            addDate(year.value, month, day.day, end: year.end, to: &found)
            return
        }
        let hasComma = isMark(next, ",")
        if hasComma { next += 1 }
        let isOf = has(next, .of) && !hasComma
        // `28 june in 2020`
        let isIn = has(next, .in) && token(next + 1)?.digits == 4
        if isOf || isIn { next += 1 }
        if let year = year(at: next) {
            addDate(year.value, month, day.day, end: year.end, to: &found)
        } else if let short = shortYear(at: next, isOf: isOf, day.isOrdinal && !hasComma) {
            addDate(short.value, month, day.day, end: short.end, to: &found)
        }
    }

    /// `of 87`, `'87`; two digits alone only where the day was an ordinal number.
    private func shortYear(at index: Int, isOf: Bool, _ isAlone: Bool) -> Found<Int>? {
        let hasApostrophe = isMark(index, "'")
        let at = hasApostrophe ? index + 1 : index
        guard let token = token(at), token.isNumber, token.digits == 2, endsWord(at + 1),
            isOf || hasApostrophe || isAlone || isYear(token.value, at + 1),
            !has(at + 1, [.am, .pm, .oclock, .past, .to]), sense(at + 1)?.unit == nil
        else { return nil }
        return Found(Grammar.century(token.value), at + 1)
    }

    /// `4 dec 26` at the end: no hour, and a year that is near.
    private func isYear(_ number: Int, _ end: Int) -> Bool {
        let isNear = (0...9).contains(Grammar.century(number) - today.year)
        guard number > 24, isNear, let next = token(end) else { return number > 24 && isNear }
        if case .mark = next.kind { return true }
        return next.kind == .barrier
    }

    private func gluedYear(at index: Int) -> Found<Int>? {
        guard let token = token(index), token.isNumber, token.digits == 4,
            (1000...2999).contains(token.value)
        else { return nil }
        return Found(token.value, index + 1)
    }

    private func addDate(_ year: Int, _ month: Int, _ day: Int, end: Int, to found: inout [Piece]) {
        if endsWord(end) { add(year, month, day, .monthDay, end: end, to: &found) }
    }

    /// `twenty five january`; `ten may apply` needs the year: `ten may 2027`.
    private func wordBeforeMonth(at index: Int) -> Found<Int>? {
        guard token(index)?.kind == .word, let number = cardinal(at: index),
            (1...31).contains(number.value), sense(number.end)?.month != nil,
            !has(number.end, .common) || year(at: number.end + 1) != nil
        else { return nil }
        return number
    }

    /// `22 nov`, `22nd of november 2026`, `the second of aug`, `5-Aug-2016`.
    private func addDayFirst(at index: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        var at: Int
        let day: DayNumber
        if let ordinal = ordinal(at: start), (1...31).contains(ordinal.value) {
            day = DayNumber(day: ordinal.value, end: ordinal.end, isOrdinal: true)
            at = ordinal.end
        } else if let number = token(start), number.isNumber, number.digits <= 2,
            (1...31).contains(number.value)
        {
            day = DayNumber(day: number.value, end: start + 1, isOrdinal: false)
            at = start + 1
            if isMark(at, "."), isGlued(at) { at += 1 }
        } else if let number = wordBeforeMonth(at: start) {
            day = DayNumber(day: number.value, end: number.end, isOrdinal: false)
            at = number.end
        } else {
            return
        }
        let isJoined = (isMark(at, "-") || isMark(at, "/")) && isGlued(at) && isGlued(at + 1)
        if isJoined { at += 1 }
        if has(at, .of) { at = afterArticle(at + 1) }
        guard let month = sense(at)?.month else { return }
        var end = at + 1
        if isMark(end, "."), isGlued(end) { end += 1 }
        if isJoined, isMark(end, "-") || isMark(end, "/"), isGlued(end) {
            if let year = gluedYear(at: end + 1) {
                addDate(year.value, month, day.day, end: year.end, to: &found)
            } else if let short = token(end + 1), short.isNumber, short.digits == 2 {
                let year = Grammar.century(short.value)
                addDate(year, month, day.day, end: end + 2, to: &found)
            }
            return
        }
        // `03dec2026`
        if isGlued(end), let year = gluedYear(at: end), endsWord(year.end) {
            addDate(year.value, month, day.day, end: year.end, to: &found)
            return
        }
        if isGlued(end), let short = token(end), short.isNumber, short.digits == 2 {
            addDate(Grammar.century(short.value), month, day.day, end: end + 1, to: &found)
            return
        }
        guard endsWord(end) else { return }
        addDated(month, DayNumber(day: day.day, end: end, isOrdinal: day.isOrdinal), to: &found)
    }

    /// `2019/aug/01`, `2019-aug-1`.
    private func addYearFirst(at index: Int, to found: inout [Piece]) {
        if let year = year(at: index), let month = sense(year.end)?.month,
            let day = dayNumber(at: year.end + 1)
        {
            addDate(year.value, month, day.day, end: day.end, to: &found)
        }
        guard let year = gluedYear(at: index), isMark(year.end, "-") || isMark(year.end, "/"),
            isGlued(year.end), let month = sense(year.end + 1)?.month,
            isMark(year.end + 2, "-") || isMark(year.end + 2, "/"), isGlued(year.end + 2),
            let day = token(year.end + 3), day.isNumber, day.digits <= 2
        else { return }
        addDate(year.value, month, day.value, end: year.end + 4, to: &found)
    }

    // MARK: Ordinals

    /// `the 15th`, `24th`, `the first`: a day of the month.
    private func addOrdinalDay(at index: Int, to found: inout [Piece]) {
        let start = afterArticle(index)
        if start == index { addNumberedDay(at: index, to: &found) }
        guard let ordinal = ordinal(at: start), endsWord(ordinal.end) else { return }
        let isDigits = token(start)?.isNumber == true
        guard isDigits || (ordinal.value <= 31 && start > index), ordinal.value >= 1 else {
            return
        }
        var reading = Reading(isDigits ? [.ordinal, .digits] : .ordinal, day: ordinal.value)
        if ordinal.value > 31 { reading.problem = "no month has \(ordinal.value) days" }
        found.add(reading, ordinal.end)
    }

    /// `on 15 at 8:00`: a day of the month, because a clear time follows.
    private func addNumberedDay(at index: Int, to found: inout [Piece]) {
        guard index > 0, has(index - 1, .on), let number = token(index), number.isNumber,
            number.digits <= 2, (1...31).contains(number.value), has(index + 1, .at),
            clocks(at: index + 2).contains(where: { !$0.value.isBare })
        else { return }
        found.add(Reading([.ordinal, .digits], day: number.value), index + 1)
    }

    // MARK: Holidays

    /// `easter 2018`, `independence day of this year`, `next christmas`.
    private func addHoliday(at index: Int, to found: inout [Piece]) {
        let turn = turn(at: index)
        var start = turn?.end ?? afterArticle(index)
        let isNamed = tokens.phrase(at: start)?.sense.holiday != nil
        let place = turn == nil && !isNamed ? ordinal(at: start) : nil
        if let place { start = place.end }
        let phrase = tokens.phrase(at: start)
        guard var holiday = (phrase?.sense ?? sense(start))?.holiday else { return }
        // `3rd advent`
        if let place {
            guard case .advent = holiday.rule, phrase == nil, (1...4).contains(place.value) else {
                return
            }
            holiday = Holiday(.advent(Int8(place.value)))
        }
        let end = phrase?.end ?? start + 1
        guard endsWord(end) else { return }
        var isPast = false
        func add(_ day: Day?, _ end: Int, hasYear: Bool = false) {
            guard let day else { return }
            // `christmas on friday` is in the week of Christmas.
            var reading = Reading(isPast ? [.holiday, .isPast] : .holiday, Period(day))
            if hasYear { reading.traits.formUnion(.year) }
            found.add(reading, end)
        }
        let year = today.year
        switch turn?.value {
        case .last:
            isPast = true
            let this = holiday.day(in: year)
            add(this.map { $0 < today } == true ? this : holiday.day(in: year - 1), end)
            return
        case .this:
            add(holiday.day(in: year), end)
            return
        case nil, .next, .coming:
            let this = holiday.day(in: year)
            add(this.map { $0 >= today } == true ? this : holiday.day(in: year + 1), end)
        }
        // `memorial day weekend`: the one beside it.
        if let day = found.last?.reading.period?.first, sense(end)?.unit == .weekend,
            !has(end, .plural), endsWord(end + 1)
        {
            let ahead = day.weekday.days(until: .saturday)
            var reading = Reading()
            let saturday = day.adding(days: ahead > 3 ? ahead - 7 : ahead)
            reading.period = Period(first: saturday, unit: .weekend)
            reading.traits = isPast ? [.holiday, .isPast] : .holiday
            found.add(reading, end + 1)
        }
        let next = has(end, .of) || has(end, .in) || isMark(end, ",") ? end + 1 : end
        if let said = self.year(at: next) {
            add(holiday.day(in: said.value), said.end, hasYear: true)
        }
        if let turn = self.turn(at: next), sense(turn.end)?.unit == .year {
            let shift = Grammar.shift(turn.value)
            isPast = shift < 0
            add(holiday.day(in: year + shift), turn.end + 1, hasYear: true)
        }
    }
}
