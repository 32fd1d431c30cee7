import CivilTime
import Recurrence

/// What is counted.
extension RepetitionReader {
    /// Reads what follows `every`; the end of it.
    mutating func readHead(at index: Int) -> Int? {
        if let end = readEveryOther(at: index) ?? readHoliday(at: index) { return end }
        if let nth = slots.ordinal(at: index), nth.value > 0,
            let unit = grammar.unit(at: nth.end), !slots.isOfMonth(unit.end)
        {
            // `every 3rd year`
            return count(nth.value, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        // `every 2nd morning`; but `jeden 15. abends`
        if let nth = slots.ordinal(at: index), nth.value > 0,
            !grammar.table.hasCapitalNouns || grammar.token(index)?.isNumber == false
                || grammar.token(nth.end)?.isCapital == true,
            let end = readEveryPart(at: nth.end, interval: nth.value)
        {
            return end
        }
        if let end = readNthWorkday(at: index) { return end }
        if let days = slots.weekdays(at: index) { return readDays(days) }
        if let end = readFraction(at: index) { return end }
        if let date = slots.date(at: index) {
            parts.frequency = .yearly
            apply(.date, date.value)
            return date.end
        }
        // `every second` alone is the unit.
        if let days = slots.ordinals(at: index),
            days.end > index + 1 || grammar.sense(index)?.unit == nil,
            days.value.count > 1 || !isNumberOfNoun(days.end)
        {
            let end = slots.isDayWord(days.end) ? days.end + 1 : days.end
            parts.frequency = .monthly
            apply(.monthDays, .numbers(days.value))
            return end
        }
        if let months = slots.months(at: index) {
            parts.frequency = .yearly
            apply(.months, .numbers(months.value))
            isOfMonths = true
            return months.end
        }
        if let unit = grammar.unit(at: index) {
            // `every second row`
            if slots.ordinal(at: index) != nil, isNumberOfNoun(unit.end) { return nil }
            return count(1, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if grammar.has(index, .couple) {
            // `every couple of days`, `every few weeks`
            let of = grammar.has(index + 1, .of) ? index + 2 : index + 1
            guard let unit = grammar.unit(at: of) else { return nil }
            if grammar.token(index)?.key != "couple" { problem = "it does not say how many" }
            return count(2, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if let number = grammar.cardinal(at: index) {
            let isGlued = grammar.isGlued(number.end)
            guard let unit = grammar.unit(at: number.end, isGlued: isGlued) else { return nil }
            return count(number.value, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        return readEveryPart(at: index, interval: 1)
    }

    /// `last working day of the month`, `2nd last workday`: one of all days of work; the end of it.
    mutating func readNthWorkday(at index: Int) -> Int? {
        guard let days = slots.ordinals(at: index), let unit = grammar.unit(at: days.end),
            unit.value.unit == .workday,
            days.value.allSatisfy({ $0 < 0 }) || grammar.has(unit.end, .of)
        else { return nil }
        parts.frequency = .monthly
        apply(.weekdays, .weekdays(RepetitionReader.workweek))
        apply(.positions, .numbers(days.value))
        return unit.end
    }

    /// `every third page`, `every 3rd house`: an ordinal number before a noun.
    private func isNumberOfNoun(_ end: Int) -> Bool {
        guard let next = grammar.token(end), next.kind == .word, next.hasSpace else { return false }
        return next.sense.isEmpty || next.has(.counted)
    }

    /// `every morning and evening`; the end of it.
    mutating func readEveryPart(at index: Int, interval: Int) -> Int? {
        guard let parts = slots.dayParts(at: index) else { return nil }
        self.parts.frequency = .daily
        self.parts.interval = interval
        apply(.dayPart, .parts(parts.value))
        return parts.end
    }

    /// `every half hour`, `every quarter of an hour`, `every 1.5 hours`, `every hour and a half`: the
    /// end of it.
    mutating func readFraction(at index: Int) -> Int? {
        var found = grammar.amount(at: index)
        if found == nil, let unit = grammar.unit(at: index) {
            // `every quarter hour`
            let isQuarter =
                grammar.has(index, .quarter) && grammar.sense(unit.end)?.unit == .hour
            found =
                isQuarter
                ? Amount(0.25, .hour).map { .init($0, unit.end + 1) }
                : Amount(1, unit.value.unit, scale: unit.value.scale)
                    .flatMap { grammar.andAHalf(after: .init($0, unit.end)) }
        } else if let number = grammar.cardinal(at: index),
            grammar.unit(at: number.end, isGlued: grammar.isGlued(number.end))?.end == found?.end
        {
            return nil
        }
        guard let amount = found?.value, let end = found?.end, amount.days == 0,
            amount.workdays == 0, amount.weekends == 0
        else { return nil }
        switch (amount.months, amount.seconds) {
        case (1..., 0): (parts.frequency, parts.interval) = (.monthly, amount.months)
        case (0, 60...) where amount.seconds % 60 == 0:
            let minutes = amount.seconds / 60
            let isWhole = minutes % 60 == 0
            parts.frequency = isWhole ? .hourly : .minutely
            parts.interval = isWhole ? minutes / 60 : minutes
        default: return nil
        }
        return end
    }

    /// `every christmas`, `every mother's day`.
    mutating func readHoliday(at index: Int) -> Int? {
        let phrase = grammar.tokens.phrase(at: index)
        guard let holiday = (phrase?.sense ?? grammar.sense(index))?.holiday else { return nil }
        parts.frequency = .yearly
        switch holiday.rule {
        case .fixed(let month, let day):
            apply(.date, .date(month: Int(month), day: Int(day)))
        case .nth(let ordinal, let weekday, let month):
            apply(.weekdays, .weekdays([.init(weekday, ordinal: Int(ordinal))]))
            apply(.months, .numbers([Int(month)]))
        case .easter, .orthodoxEaster, .nthPlus, .before, .advent:
            problem = "a feast that moves through the year cannot be repeated"
        }
        return phrase?.end ?? index + 1
    }

    /// `every other week`, `every other tuesday`.
    mutating func readEveryOther(at index: Int) -> Int? {
        guard grammar.has(index, .other) else { return nil }
        if let unit = grammar.unit(at: index + 1) {
            return count(2, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if let end = readEveryPart(at: index + 1, interval: 2) { return end }
        guard let days = slots.weekdays(at: index + 1),
            days.value.allSatisfy({ $0.ordinal == nil }), !slots.isOfMonth(days.end)
        else { return nil }
        parts.frequency = .weekly
        parts.interval = 2
        apply(.weekdays, .weekdays(days.value))
        return days.end
    }

    /// `every monday`, `every 2nd and 4th thursday`, `every friday the 13th`.
    mutating func readDays(_ days: Grammar.Found<[RecurrenceRule.Weekdays]>) -> Int {
        apply(.weekdays, .weekdays(days.value))
        let isNumbered = days.value.contains { $0.ordinal != nil }
        parts.frequency = isNumbered ? .monthly : .weekly
        if !isNumbered, grammar.has(days.end, .article),
            let monthDays = slots.ordinals(at: days.end + 1)
        {
            parts.frequency = .monthly
            apply(.monthDays, .numbers(monthDays.value))
            return monthDays.end
        }
        return days.end
    }

    mutating func count(_ number: Int, _ unit: TimeUnit, _ scale: Int) -> Bool {
        let factor: Int
        switch unit {
        case .second: (parts.frequency, factor) = (.secondly, 1)
        case .minute: (parts.frequency, factor) = (.minutely, 1)
        case .hour: (parts.frequency, factor) = (.hourly, 1)
        case .day: (parts.frequency, factor) = (.daily, 1)
        case .week: (parts.frequency, factor) = (.weekly, 1)
        case .month: (parts.frequency, factor) = (.monthly, 1)
        case .quarter: (parts.frequency, factor) = (.monthly, 3)
        case .year: (parts.frequency, factor) = (.yearly, 1)
        case .workday, .weekend:
            // RFC 5545 cannot count them.
            guard number == 1 else { return false }
            parts.frequency = .weekly
            let days = unit == .workday ? RepetitionReader.workweek : [.init(.saturday)]
            apply(.weekdays, .weekdays(days))
            return true
        }
        if number == 0 { problem = "the number is at least 1" }
        parts.interval = max(1, number) * factor * scale
        return true
    }
}
