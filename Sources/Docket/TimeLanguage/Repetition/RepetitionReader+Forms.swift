import CivilTime
import Recurrence

/// Repetitions that do not begin with `every`.
extension RepetitionReader {
    /// Whether a word is a plural; `sunday's` is a possessive of one Sunday.
    static func isPlural(_ index: Int, _ grammar: Grammar) -> Bool {
        grammar.has(index, .plural) && grammar.token(index)?.isPossessive == false
    }

    /// Whether a day is before it, alone or with `and`, a comma or a slash between.
    static func isInList(_ index: Int, _ grammar: Grammar) -> Bool {
        func isDay(_ place: Int) -> Bool {
            guard let token = grammar.token(place) else { return false }
            return token.sense.weekday != nil || token.sense.ordinal != nil
                || token.has(.ordinalEnding) || token.sense.turn == .last
        }
        if isDay(index - 1) { return true }
        guard let joint = grammar.token(index - 1) else { return false }
        return (joint.has(.and) || joint.isMark(44) || joint.isMark(47) || joint.isMark(38))
            && isDay(index - 2)
    }

    /// `on mondays`, `tuesdays and thursdays at 7`, `montags`; one word alone may be a name.
    mutating func readPlural(at index: Int, isOn: Bool) -> RepetitionPhrase? {
        guard let days = slots.weekdays(at: index), days.value.allSatisfy({ $0.ordinal == nil }),
            (index..<days.end).allSatisfy({
                (grammar.sense($0)?.weekday == nil && grammar.sense($0)?.unit == nil)
                    || grammar.has($0, .plural)
            }), grammar.endsWord(days.end)
        else { return nil }
        parts.frequency = .weekly
        apply(.weekdays, .weekdays(days.value))
        let end = readClauses(at: days.end)
        let isList = days.end > index + 1
        guard isOn || isList || end > days.end || hasHours(end) else { return nil }
        return phrase(end)
    }

    /// `monday mornings at 6`, `on mon and wed evenings`.
    mutating func readDayParts(at index: Int, isOn: Bool) -> RepetitionPhrase? {
        var found = slots.weekdays(at: index)
        if grammar.sense(index)?.unit == .weekend, grammar.has(index + 1, .plural) {
            found = .init([.init(.saturday), .init(.sunday)], index + 1)
        }
        guard let days = found, days.value.allSatisfy({ $0.ordinal == nil }),
            grammar.has(days.end, .plural), let parts = slots.dayParts(at: days.end),
            grammar.endsWord(parts.end)
        else { return nil }
        self.parts.frequency = .weekly
        apply(.weekdays, .weekdays(days.value))
        apply(.dayPart, .parts(parts.value))
        let end = readClauses(at: parts.end)
        let isWeak = !isOn && end == index + 2
        return phrase(end, isWeak: isWeak)
    }

    /// `mornings at 7`, `in the evenings`.
    mutating func readEveryPart(behind index: Int) -> RepetitionPhrase? {
        let isIn = grammar.has(index, .in)
        let start = isIn ? grammar.afterArticle(index + 1) : index
        guard grammar.has(start, .plural), let end = readEveryPart(at: start, interval: 1),
            grammar.endsWord(end)
        else { return nil }
        let last = readClauses(at: end)
        return isIn || last > end ? phrase(last, isWeak: last == end) : nil
    }

    /// `at 6:30 every morning`.
    mutating func readTimesOfEveryPart(at index: Int) -> RepetitionPhrase? {
        let start = grammar.has(index, .at) ? index + 1 : index
        let isBare = start == index
        guard let every = slots.times(at: start, isBare: isBare)?.end, grammar.has(every, .every),
            let parts = slots.dayParts(at: every + 1), grammar.endsWord(parts.end)
        else { return nil }
        apply(.dayPart, .parts(parts.value))
        guard let times = slots.times(at: start, isBare: isBare) else { return nil }
        apply(.times, .clocks(times.value))
        let end = readClauses(at: parts.end)
        return phrase(end)
    }

    /// `once a week`, `once every 2 weeks`, `twice a day at 8 and 20`.
    mutating func readTimes(at index: Int) -> RepetitionPhrase? {
        guard let times = slots.frequency(at: index), let head = readUnit(after: times.end),
            grammar.endsWord(head)
        else { return nil }
        let end = readClauses(at: readBareDays(at: head))
        if times.value != 1, problem == nil { problem = whatIsMissing(of: times.value) }
        // `once monthly pass`
        return phrase(end, isWeak: end == head && grammar.sense(end - 1)?.repeats != nil)
    }

    /// Reads what is behind `once`: `a week`, `every 2 weeks`, `daily`; the end of it.
    mutating func readUnit(after index: Int) -> Int? {
        if grammar.has(index, .every) { return readHead(at: index + 1) }
        if let at = slots.afterPer(index), let unit = grammar.unit(at: at) {
            return count(1, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        guard let unit = grammar.sense(index)?.repeats, let scale = grammar.sense(index)?.scale,
            count(1, unit, scale)
        else { return nil }
        return index + 1
    }

    /// Why several times are no repetition yet; `nil` if as many days or times were said.
    func whatIsMissing(of times: Int) -> String? {
        let (said, missing) =
            switch parts.frequency {
            case .yearly: (parts.months.count, "in which months")
            case .monthly: (max(parts.monthDays.count, parts.weekdays.count), "on which days")
            case .weekly: (parts.weekdays.count, "on which days")
            case .daily: (parts.hours.count * parts.minutes.count, "at which times")
            case .hourly: (parts.minutes.count, "at which minutes")
            case .minutely, .secondly: (0, "how many minutes are between")
            }
        return said == times ? nil : "it does not say \(missing)"
    }

    /// Reads days without `on` behind what is counted: `every 6 weeks thursday`, `monthly first
    /// friday`; the end of it.
    mutating func readBareDays(at index: Int) -> Int {
        guard !seen.contains(.weekdays), parts.frequency == .weekly || parts.frequency == .monthly,
            let days = slots.weekdays(at: index), grammar.endsWord(days.end),
            days.value.allSatisfy({ ($0.ordinal != nil) == (parts.frequency == .monthly) })
        else { return index }
        apply(.weekdays, .weekdays(days.value))
        return days.end
    }

    /// `the 1st and 15th of every month`, `on the last friday of each month`, `due at the end of every
    /// month`.
    mutating func readOfEveryMonth(at index: Int) -> RepetitionPhrase? {
        var start = grammar.has(index, .due) ? index + 1 : index
        if grammar.has(start, [.on, .at]) { start += 1 }
        start = grammar.afterArticle(start)
        var at: Int
        parts.frequency = .monthly
        if let end = readNthWorkday(at: start) {
            at = end
        } else if grammar.has(start, [.start, .end]), grammar.has(start + 1, [.of, .every]) {
            apply(.monthDays, .numbers([grammar.has(start, .end) ? -1 : 1]))
            at = start + 1
        } else if let days = slots.weekdays(at: start), days.value.allSatisfy({ $0.ordinal != nil })
        {
            apply(.weekdays, .weekdays(days.value))
            at = days.end
        } else if let days = slots.ordinals(at: start) {
            apply(.monthDays, .numbers(days.value))
            at = slots.isDayWord(days.end) ? days.end + 1 : days.end
        } else {
            return nil
        }
        if grammar.has(at, [.of, .in]) { at += 1 }
        guard grammar.has(at, .every), let unit = grammar.unit(at: at + 1),
            unit.value == (.month, 1), grammar.endsWord(unit.end)
        else { return nil }
        let end = readClauses(at: unit.end)
        return phrase(end)
    }
}
