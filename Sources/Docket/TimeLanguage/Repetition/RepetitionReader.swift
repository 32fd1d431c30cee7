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
    /// Whether it is a word that is common in titles: `daily`, `saturday nights`.
    var isWeak = false
    /// The hours of every occurrence, if more was said behind them: `every tue 18:00-19:30 until june`.
    var hours: Grammar.Stretch?
}

/// Reads a repetition: `every`, what it counts, and clauses in any order, each at most once.
///
/// The clauses are those of ``RepetitionWords``; of several that match the longest is taken.
///
/// - Complexity: O(length of the phrase).
struct RepetitionReader {
    var slots: RepetitionSlots
    private let patterns: [RepetitionPattern]
    var parts = RecurrenceRule.Parts(.daily)
    var seen: Set<RepetitionWords.Clause> = []
    private var isFromCompletion = false
    private var start: Day?
    private var length: Amount?
    private var hours: Grammar.Stretch?
    /// `every january`: only months are said.
    var isOfMonths = false
    var problem: String?

    static let workweek = Weekday.allCases.prefix(5).map { RecurrenceRule.Weekdays($0) }

    init(_ grammar: Grammar) {
        let language = grammar.resolver.settings.language
        slots = RepetitionSlots(grammar, .of(language))
        patterns = RepetitionPattern.all(language)
    }

    var grammar: Grammar { slots.grammar }

    /// The repetition that begins at a token; `nil` if none does.
    static func phrase(at index: Int, in grammar: Grammar) -> RepetitionPhrase? {
        guard let token = grammar.token(index) else { return nil }
        /// Each form begins with nothing understood.
        func attempt(_ read: (inout RepetitionReader) -> RepetitionPhrase?) -> RepetitionPhrase? {
            var reader = RepetitionReader(grammar)
            return read(&reader)
        }
        if token.has(.every) || token.sense.repeats != nil {
            let isPlural = token.sense.weekday != nil
            return attempt {
                isPlural ? $0.readPlural(at: index, isOn: true) : $0.read(at: index)
            }
        }
        // In the middle of a list nothing begins.
        if isInList(index, grammar) { return nil }
        let isNumber = token.isNumber || token.sense.number != nil
        if isNumber || token.sense.times != nil,
            let phrase = attempt({ $0.readTimes(at: index) })
        {
            return phrase
        }
        if token.has(.in) || (token.sense.part != nil && isPlural(index, grammar)),
            let phrase = attempt({ $0.readEveryPart(behind: index) })
        {
            return phrase
        }
        let day = token.has(.on) ? index + 1 : index
        if let sense = grammar.sense(day),
            sense.weekday != nil || sense.unit == .workday || sense.unit == .weekend,
            let phrase = attempt({ $0.readDayParts(at: day, isOn: day > index) })
        {
            return phrase
        }
        if grammar.hasEvery, token.has(.at) || token.isNumber,
            let phrase = attempt({ $0.readTimesOfEveryPart(at: index) })
        {
            return phrase
        }
        if isPlural(day, grammar) {
            return attempt { $0.readPlural(at: day, isOn: day > index) }
        }
        guard grammar.hasEvery,
            token.has([.on, .at, .due, .article, .start, .end]) || token.sense.turn == .last
                || grammar.ordinal(at: index) != nil
        else { return nil }
        return attempt { $0.readOfEveryMonth(at: index) }
    }

    private mutating func read(at index: Int) -> RepetitionPhrase? {
        var head: Int
        var isWeak = false
        if let unit = grammar.sense(index)?.repeats {
            guard let scale = grammar.sense(index)?.scale, count(1, unit, scale) else { return nil }
            // `nightly`
            if let part = grammar.sense(index)?.part { apply(.dayPart, .parts([part])) }
            head = index + 1
            isWeak = true
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
        let days = readBareDays(at: head)
        let end = readClauses(at: days)
        if isOfMonths { beginWithMonth() }
        // `daily 9:00-10:30`, `monthly first friday`
        isWeak = isWeak && end == days && !hasHours(end) && (days == head || isOfWeeks)
        return phrase(end, isWeak: isWeak)
    }

    /// `every january` begins on the first day of the next one.
    private mutating func beginWithMonth() {
        let today = grammar.today
        guard start == nil,
            seen.isDisjoint(with: [.monthDays, .weekdays, .yearDays, .weekNumbers]),
            !parts.months.contains(today.month)
        else { return }
        start = (1...11).lazy.map { today.firstOfMonth.adding(months: $0) }
            .first { parts.months.contains($0.month) }
    }

    private var isOfWeeks: Bool { parts.frequency == .weekly }

    /// Whether hours follow, and nothing to which they could belong: `weekdays 9-17`.
    func hasHours(_ index: Int) -> Bool {
        guard let range = grammar.range(at: index), range.value.isDayOpen else { return false }
        return grammar.token(range.end)?.kind != .word
    }

    func phrase(_ end: Int, isWeak: Bool = false) -> RepetitionPhrase {
        RepetitionPhrase(meaning: meaning, end: end, isWeak: isWeak, hours: hours)
    }

    // MARK: Clauses

    mutating func readClauses(at index: Int) -> Int {
        let end = readConditions(at: index)
        guard hours == nil, seen.isDisjoint(with: [.times, .hours, .minutes, .span]),
            parts.frequency <= .daily, slots.parts.count <= 1, let range = grammar.range(at: end),
            range.value.isDayOpen
        else { return end }
        // `every tue 18:00-19:30 until june`, `every tuesday evening 7-8`
        let further = readConditions(at: range.end)
        let isWhole = !slots.parts.isEmpty && grammar.token(range.end)?.kind != .word
        guard further > range.end || isWhole else { return end }
        var hours = range.value
        (hours.start.part, hours.end.part) = (slots.parts.first, slots.parts.first)
        self.hours = hours
        if case .due(let open) = grammar.resolver.resolve(hours.start),
            case .due(let close) = grammar.resolver.resolve(hours.end), close.date <= open.date
        {
            // `every night 10-6`
            problem = "it is not clear when it ends"
        }
        // The hours say it better than the part of the day.
        if !slots.parts.isEmpty { (parts.hours, parts.minutes) = ([], []) }
        return further
    }

    private mutating func readConditions(at index: Int) -> Int {
        knowTimes()
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
        case .until, .count, .length:
            return seen.isDisjoint(with: [.until, .through, .count, .length])
        case .existing: return !parts.monthDays.isEmpty
        case .through:
            return seen.contains(.start) && seen.isDisjoint(with: [.until, .count, .length])
        case .span:
            return parts.frequency == .hourly || parts.frequency == .minutely
        default: return true
        }
    }

    mutating func apply(_ clause: RepetitionWords.Clause, _ value: RepetitionSlots.Value) {
        seen.insert(clause)
        knowTimes()
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
            if parts.frequency < .daily, clocks.contains(where: { $0 >= 86_400 }) {
                problem = "a time after midnight is on the day after; say that day"
            }
            apply(clocks.map { $0 % 86_400 })
        case (.dayPart, .parts(let parts)):
            slots.parts = parts
            apply(parts.map(\.second))
        case (.span, .span(let open, let close)): repeatDaily(from: open, to: close)
        case (.until, .limit(let limit)), (.through, .limit(let limit)):
            parts.end = .until(limit)
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

    /// `every 2 hours from 8 to 20`: a rule of days, since one of hours goes on over midnight.
    private mutating func repeatDaily(from open: Int, to close: Int) {
        let step = parts.frequency == .hourly ? parts.interval * 60 : parts.interval
        guard open % 3600 == 0, close % 3600 == 0 else {
            problem = "it has to begin and end at a full hour"
            return
        }
        if step % 60 != 0 {
            guard 60 % step == 0 else {
                problem = "the minutes have to be a part of an hour"
                return
            }
            // The last hour has no times but its first one, which no rule can say.
            parts.hours = stride(from: open, to: close, by: 3600).map { $0 / 3600 % 24 }
            parts.minutes = Array(stride(from: 0, to: 60, by: step))
        } else {
            let hours = stride(from: open, through: close, by: step * 60)
            (parts.hours, parts.minutes) = (hours.map { $0 / 3600 % 24 }, [0])
        }
        (parts.frequency, parts.interval) = (.daily, 1)
    }

    private mutating func knowTimes() {
        slots.hasTimes =
            parts.frequency > .daily
            || !seen.isDisjoint(with: [.times, .dayPart, .hours, .minutes, .span])
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

    var meaning: RepetitionPhrase.Meaning {
        if let problem { return .problem(problem) }
        var rule: RecurrenceRule
        do {
            rule = try RecurrenceRule(seen.contains(.existing) ? parts : parts.onLastDays())
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
