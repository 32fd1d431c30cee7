import CivilTime
import Recurrence

/// What words of a repetition mean, and where they end.
struct RepetitionPhrase {
    enum Meaning {
        case repetition(Repetition)
        /// Why there is no such repetition, as part of a sentence.
        case problem(String)
    }

    var meaning: Meaning
    /// The index of the token after it.
    var end: Int
    /// Whether it is one word that is common in titles: `daily`.
    var isWeak = false
}

/// Reads a repetition: `every`, what it counts, and clauses in any order, each at most once.
///
/// The clauses are those of ``RepetitionWords``; of several that match the longest is taken.
///
/// - Complexity: O(length of the phrase).
struct RepetitionReader {
    let slots: RepetitionSlots
    private let patterns: [RepetitionPattern]
    private var parts = RecurrenceRule.Parts(.daily)
    private var seen: Set<RepetitionWords.Clause> = []
    private var isFromCompletion = false
    private var start: Day?
    private var length: Amount?
    private var problem: String?

    static let workweek = Weekday.allCases.prefix(5).map { RecurrenceRule.Weekdays($0) }

    init(_ grammar: Grammar) {
        let language = grammar.resolver.settings.language
        slots = RepetitionSlots(grammar, .of(language))
        patterns = RepetitionPattern.all(language)
    }

    private var grammar: Grammar { slots.grammar }

    /// The repetition that begins at a token; `nil` if none does.
    static func phrase(at index: Int, in grammar: Grammar) -> RepetitionPhrase? {
        guard let token = grammar.token(index) else { return nil }
        if token.has(.every) || token.sense.repeats != nil {
            var reader = RepetitionReader(grammar)
            if token.sense.weekday != nil { return reader.readPlural(at: index, isOn: true) }
            return reader.read(at: index)
        }
        // In the middle of a list nothing begins.
        if isInList(index, grammar) { return nil }
        let isOn = token.has(.on) && isPlural(index + 1, grammar)
        if isOn || isPlural(index, grammar) {
            var reader = RepetitionReader(grammar)
            return reader.readPlural(at: isOn ? index + 1 : index, isOn: isOn)
        }
        guard grammar.hasEvery,
            token.has([.on, .at, .due, .article, .start, .end]) || token.sense.turn == .last
                || grammar.ordinal(at: index) != nil
        else { return nil }
        var reader = RepetitionReader(grammar)
        return reader.readOfEveryMonth(at: index)
    }

    /// Whether a word is a plural; `sunday's` is a possessive of one Sunday.
    private static func isPlural(_ index: Int, _ grammar: Grammar) -> Bool {
        grammar.has(index, .plural) && grammar.token(index)?.isPossessive == false
    }

    /// Whether a day is before it, alone or with `and`, a comma or a slash between.
    private static func isInList(_ index: Int, _ grammar: Grammar) -> Bool {
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
    private mutating func readPlural(at index: Int, isOn: Bool) -> RepetitionPhrase? {
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
        guard isOn || isList || end > days.end else { return nil }
        return RepetitionPhrase(meaning: meaning, end: end)
    }

    /// `the 1st and 15th of every month`, `on the last friday of each month`, `due at the end of every
    /// month`.
    private mutating func readOfEveryMonth(at index: Int) -> RepetitionPhrase? {
        var start = grammar.has(index, .due) ? index + 1 : index
        if grammar.has(start, [.on, .at]) { start += 1 }
        start = grammar.afterArticle(start)
        var at: Int
        parts.frequency = .monthly
        if grammar.has(start, [.start, .end]), grammar.has(start + 1, [.of, .every]) {
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
        return RepetitionPhrase(meaning: meaning, end: end)
    }

    private mutating func read(at index: Int) -> RepetitionPhrase? {
        var head: Int
        var isWeak = false
        if let unit = grammar.sense(index)?.repeats {
            guard let scale = grammar.sense(index)?.scale, count(1, unit, scale) else { return nil }
            // `nightly`
            if let part = grammar.sense(index)?.part { apply(.dayPart, .second(part.second)) }
            head = index + 1
            isWeak = true
            // `biweekly wed 10am`
            if unit == .week, let days = slots.weekdays(at: head),
                days.value.allSatisfy({ $0.ordinal == nil })
            {
                apply(.weekdays, .weekdays(days.value))
                head = days.end
            }
        } else {
            var at = index + 1
            if grammar.isMark(at, "!"), grammar.isGlued(at) {
                isFromCompletion = true
                at += 1
            }
            guard let end = readHead(at: at) else { return nil }
            head = end
        }
        guard grammar.endsWord(head) else { return nil }
        let end = readClauses(at: head)
        return RepetitionPhrase(meaning: meaning, end: end, isWeak: isWeak && end == head)
    }

    // MARK: What is counted

    /// Reads what follows `every`; the end of it.
    private mutating func readHead(at index: Int) -> Int? {
        if let end = readEveryOther(at: index) ?? readHoliday(at: index) { return end }
        if let nth = slots.ordinal(at: index), nth.value > 0,
            let unit = grammar.unit(at: nth.end), !slots.isOfMonth(unit.end)
        {
            // `every 3rd year`
            return count(nth.value, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if let days = slots.weekdays(at: index) { return readDays(days) }
        if let date = slots.date(at: index) {
            parts.frequency = .yearly
            apply(.date, date.value)
            return date.end
        }
        // `every second` alone is the unit.
        if let days = slots.ordinals(at: index),
            days.end > index + 1 || grammar.sense(index)?.unit == nil
        {
            let end = slots.isDayWord(days.end) ? days.end + 1 : days.end
            parts.frequency = .monthly
            apply(.monthDays, .numbers(days.value))
            return end
        }
        if let months = slots.months(at: index) {
            parts.frequency = .yearly
            apply(.months, .numbers(months.value))
            return months.end
        }
        if let unit = grammar.unit(at: index) {
            return count(1, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if let number = grammar.cardinal(at: index) {
            let isGlued = grammar.isGlued(number.end)
            guard let unit = grammar.unit(at: number.end, isGlued: isGlued) else { return nil }
            return count(number.value, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        if let part = grammar.sense(index)?.part {
            parts.frequency = .daily
            apply(.dayPart, .second(part.second))
            return index + 1
        }
        return nil
    }

    /// `every christmas`, `every mother's day`.
    private mutating func readHoliday(at index: Int) -> Int? {
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
    private mutating func readEveryOther(at index: Int) -> Int? {
        guard grammar.has(index, .other) else { return nil }
        if let unit = grammar.unit(at: index + 1) {
            return count(2, unit.value.unit, unit.value.scale) ? unit.end : nil
        }
        guard let days = slots.weekdays(at: index + 1),
            days.value.allSatisfy({ $0.ordinal == nil }), !slots.isOfMonth(days.end)
        else { return nil }
        parts.frequency = .weekly
        parts.interval = 2
        apply(.weekdays, .weekdays(days.value))
        return days.end
    }

    /// `every monday`, `every 2nd and 4th thursday`, `every friday the 13th`.
    private mutating func readDays(_ days: Grammar.Found<[RecurrenceRule.Weekdays]>) -> Int {
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

    private mutating func count(_ number: Int, _ unit: TimeUnit, _ scale: Int) -> Bool {
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

    // MARK: Clauses

    private mutating func readClauses(at index: Int) -> Int {
        var at = index
        while true {
            var start = at
            if grammar.isMark(start, ","), grammar.isGlued(start) { start += 1 }
            if slots.isCondition(start) { start += 1 }
            var best: (clause: RepetitionWords.Clause, value: RepetitionSlots.Value, end: Int)?
            for pattern in patterns where allows(pattern.clause) {
                guard let found = slots.match(pattern, at: start), found.end > best?.end ?? start,
                    grammar.endsWord(found.end)
                else { continue }
                best = (pattern.clause, found.value, found.end)
            }
            guard let best else { return at }
            apply(best.clause, best.value)
            at = best.end
        }
    }

    private func allows(_ clause: RepetitionWords.Clause) -> Bool {
        if seen.contains(clause) { return false }
        switch clause {
        case .date: return parts.months.isEmpty && parts.monthDays.isEmpty
        case .months, .monthDays: return !seen.contains(.date)
        case .ofMonth: return parts.frequency == .monthly
        case .times where seen.contains(.dayPart): return !seen.contains(.times)
        case .times, .dayPart, .hours, .minutes:
            return seen.isDisjoint(with: [.times, .dayPart])
                && (clause == .hours || clause == .minutes
                    || seen.isDisjoint(with: [.hours, .minutes]))
        case .until, .count, .length: return seen.isDisjoint(with: [.until, .count, .length])
        default: return true
        }
    }

    private mutating func apply(_ clause: RepetitionWords.Clause, _ value: RepetitionSlots.Value) {
        seen.insert(clause)
        switch (clause, value) {
        case (.weekdays, .weekdays(let days)): parts.weekdays = days
        case (.monthDays, .numbers(let days)):
            parts.monthDays = days
            if days.contains(where: { abs($0) > 31 }) { problem = "a month has at most 31 days" }
        case (.yearDays, .numbers(let days)): parts.yearDays = days
        case (.weekNumbers, .numbers(let numbers)): parts.weekNumbers = numbers
        case (.months, .numbers(let months)): parts.months = months
        case (.hours, .numbers(let hours)): parts.hours = hours
        case (.minutes, .numbers(let minutes)): parts.minutes = minutes
        case (.seconds, .numbers(let seconds)): parts.seconds = seconds
        case (.positions, .numbers(let positions)): parts.positions = positions
        case (.date, .date(let month, let day)):
            (parts.months, parts.monthDays) = ([month], [day])
            if Day(year: 2000, month: month, day: day) == nil {
                problem = Day.whyImpossible(year: nil, month: month, day: day)
            }
        case (.times, .clocks(let clocks)):
            let hour = seen.contains(.dayPart) ? parts.hours.first : nil
            apply(clocks.map { RepetitionReader.second($0, inPartFrom: hour) })
        case (.dayPart, .second(let second)): apply([second])
        case (.until, .limit(let limit)): parts.end = .until(limit)
        case (.length, .length(let amount)): length = amount
        case (.count, .number(let count)):
            parts.end = .count(max(1, count))
            if count == 0 { problem = "it happens at least once" }
        case (.weekStart, .weekdays(let days)): parts.weekStart = days.first?.weekday ?? .monday
        case (.start, .day(let day)): start = day
        case (.completion, _): isFromCompletion = true
        default: break
        }
    }

    /// A time in a part of the day: `every evening at 7`, `every night at 2`.
    ///
    /// - Parameters:
    ///   - clock: seconds after midnight, from the words alone.
    ///   - hour: the one that the part means when no time is said.
    /// - Returns: seconds after midnight.
    private static func second(_ clock: Int, inPartFrom hour: Int?) -> Int {
        guard let hour, hour >= 12 else { return clock }
        let isNight = hour * 3600 == DayPart.night.second
        let noon = 12 * 3600
        // A night goes on after midnight, also where a bare hour would be one of the afternoon.
        if hour >= 18, (noon..<noon + (isNight ? 5 : 1) * 3600).contains(clock) {
            return clock - noon
        }
        return (5 * 3600..<noon).contains(clock) ? clock + noon : clock
    }

    /// Times that every hour has with every minute; RFC 5545 has no other lists.
    private mutating func apply(_ clocks: [Int]) {
        let hours = Set(clocks.map { $0 / 3600 })
        let minutes = Set(clocks.map { $0 / 60 % 60 })
        if hours.count * minutes.count != Set(clocks).count {
            problem = "one repetition cannot have these times; use the same minute for each hour"
        }
        (parts.hours, parts.minutes) = (Array(hours), Array(minutes))
    }

    /// The rule with the end that its length says: so long from the first occurrence on.
    private func limited(_ rule: RecurrenceRule) throws(RecurrenceError) -> RecurrenceRule? {
        guard let length else { return nil }
        let begin = LocalTime(start ?? grammar.today)
        let first = Repetition(rule, start: start).begin(from: begin).time.day
        guard let after = grammar.resolver.days(from: first, length, sign: 1) else { return nil }
        var parts = rule.parts
        parts.end = .until(.day(after.adding(days: -1)))
        return try RecurrenceRule(parts)
    }

    private var meaning: RepetitionPhrase.Meaning {
        if let problem { return .problem(problem) }
        var rule: RecurrenceRule
        do {
            rule = try RecurrenceRule(parts)
            if let limited = try limited(rule) { rule = limited }
        } catch {
            let text = error.description
            return .problem(text.hasSuffix(".") ? String(text.dropLast()) : text)
        }
        let begin = LocalTime(start ?? grammar.today)
        var times = Occurrences(rule, start: .local(begin))
        // An end that has passed is an end; without an end there has to be a first time.
        if case .until = parts.end {
        } else if times.next() == nil {
            return .problem("there is no such day")
        }
        return .repetition(Repetition(rule, isFromCompletion: isFromCompletion, start: start))
    }
}
