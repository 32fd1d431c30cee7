import CivilTime
import FoundationEssentials
import Recurrence

/// Reads the values of a repetition's clauses.
struct RepetitionSlots {
    typealias Found = Grammar.Found

    enum Value {
        case none
        case weekdays([RecurrenceRule.Weekdays])
        case numbers([Int])
        case number(Int)
        case date(month: Int, day: Int)
        /// Seconds of a day; 86,400 and more are in the night after it.
        case clocks([Int])
        case parts([DayPart])
        /// Two times of a day, in seconds; the second one may be in the night after it.
        case span(Int, Int)
        case limit(RecurrenceRule.Limit)
        case length(Amount)
        case day(Day)
    }

    let grammar: Grammar
    /// The parts of the day in which times are, as far as they were said: `every morning at 6`.
    var parts: [DayPart] = []
    /// Whether the times of every occurrence are known, or follow from one another.
    var hasTimes = false
    private let words: RepetitionWords

    init(_ grammar: Grammar, _ words: RepetitionWords) {
        self.grammar = grammar
        self.words = words
    }

    // MARK: Clauses

    /// The value of a clause, if its words begin at a token.
    func match(_ pattern: RepetitionPattern, at index: Int) -> Found<Value>? {
        var at = index
        var value = Value.none
        for element in pattern.elements {
            switch element {
            case .word(let words, let isOptional):
                if let token = grammar.token(at), token.kind == .word, words.contains(token.key) {
                    at += 1
                } else if !isOptional {
                    return nil
                }
            case .values(let isNumbers):
                guard
                    let found = isNumbers
                        ? list(at: at, grammar.cardinal).map({ $0.map(Value.numbers) })
                        : values(pattern.clause, at: at, isBare: at == index)
                else { return nil }
                value = found.value
                at = found.end
            }
        }
        return Found(value, at)
    }

    private func values(
        _ clause: RepetitionWords.Clause,
        at index: Int,
        isBare: Bool
    ) -> Found<Value>? {
        switch clause {
        case .weekdays: weekdays(at: index)?.map(Value.weekdays)
        case .monthDays, .yearDays, .weekNumbers, .positions:
            ordinals(at: index)?.map(Value.numbers)
        case .months: months(at: index)?.map(Value.numbers)
        case .date: date(at: index)
        case .times: times(at: index, isBare: isBare)?.map(Value.clocks)
        case .span: span(at: index)
        case .until, .through: limit(at: index, isDay: false)?.map(Value.limit)
        case .length: grammar.wholeDays(at: index)?.map(Value.length)
        case .count: grammar.cardinal(at: index)?.map(Value.number)
        case .weekStart: weekdays(at: index)?.map(Value.weekdays)
        case .start:
            limit(at: index, isDay: true).flatMap { found in
                if case .day(let day) = found.value { found.map { _ in .day(day) } } else { nil }
            }
        case .dayPart: dayParts(at: index)?.map(Value.parts)
        case .hours, .minutes, .seconds, .completion, .ofMonth, .existing: nil
        }
    }

    /// Values with commas or `and` between.
    private func list<Item>(at index: Int, _ item: (Int) -> Found<Item>?) -> Found<[Item]>? {
        guard let first = item(index) else { return nil }
        var found = Found([first.value], first.end)
        while let start = afterSeparator(found.end) ?? nextWeekday(found.end),
            let next = item(start)
        {
            found.value.append(next.value)
            found.end = next.end
        }
        return found
    }

    /// `mon wed fri`.
    private func nextWeekday(_ index: Int) -> Int? {
        guard let day = grammar.sense(index)?.weekday,
            let before = grammar.sense(index - 1)?.weekday,
            day != before
        else { return nil }
        return index
    }

    private func afterSeparator(_ index: Int) -> Int? {
        var at = index
        if grammar.isMark(at, ",") || grammar.isMark(at, "/") || grammar.isMark(at, "&") { at += 1 }
        if grammar.has(at, .and) { at += 1 }
        return at > index ? at : nil
    }

    // MARK: Words

    /// `once`, `twice`, `3 times`, `3x`: how often in a while.
    func frequency(at index: Int) -> Found<Int>? {
        guard let token = grammar.token(index) else { return nil }
        if let times = token.sense.times { return Found(times, index + 1) }
        guard token.isNumber || token.sense.number != nil,
            let count = grammar.cardinal(at: index), let next = grammar.token(count.end),
            next.kind == .word, words.times.contains(next.key)
        else { return nil }
        return Found(count.value, count.end + 1)
    }

    /// The index after `a`, `per`, `in der`; `nil` if none of these is there.
    func afterPer(_ index: Int) -> Int? {
        // `2x/week`
        if grammar.isMark(index, "/"), grammar.isGlued(index) { return index + 1 }
        var at = index
        while at < index + 2, let token = grammar.token(at), token.kind == .word,
            words.per.contains(token.key)
        {
            at += 1
        }
        return at > index ? at : nil
    }

    /// `of the month`.
    func isOfMonth(_ index: Int) -> Bool {
        RepetitionPattern.all(grammar.resolver.settings.language).contains {
            $0.clause == .ofMonth && match($0, at: index) != nil
        }
    }

    func isDayWord(_ index: Int) -> Bool {
        guard let sense = grammar.sense(index) else { return false }
        return sense.unit == .day
    }

    func isCondition(_ index: Int) -> Bool { grammar.token(index)?.key == words.condition }

    // MARK: Days

    /// `mon, wed and fri`, `mon-fri`, `weekdays`, `the 2nd and 4th thursday`.
    func weekdays(at index: Int) -> Found<[RecurrenceRule.Weekdays]>? {
        list(at: index) { start in
            let at = grammar.afterArticle(start)
            return plainDays(at: at) ?? numberedDays(at: at)
        }?.map { $0.flatMap { $0 } }
    }

    private func plainDays(at index: Int) -> Found<[RecurrenceRule.Weekdays]>? {
        if grammar.sense(index)?.unit == .workday {
            return Found(RepetitionReader.workweek, index + 1)
        }
        if grammar.sense(index)?.unit == .weekend, grammar.has(index, .plural) {
            return Found([.init(.saturday), .init(.sunday)], index + 1)
        }
        guard let first = grammar.sense(index)?.weekday else { return nil }
        let isThrough =
            grammar.isMark(index + 1, "-")
            || grammar.token(index + 1).map { words.through.contains($0.key) } ?? false
        guard isThrough, let last = grammar.sense(index + 2)?.weekday else {
            return Found([.init(first)], index + 1)
        }
        let days = (0...first.days(until: last)).map { offset in
            RecurrenceRule.Weekdays(Weekday.allCases[(first.rawValue - 1 + offset) % 7])
        }
        return Found(days, index + 3)
    }

    private func numberedDays(at index: Int) -> Found<[RecurrenceRule.Weekdays]>? {
        guard let numbers = ordinals(at: index), let day = grammar.sense(numbers.end)?.weekday
        else { return nil }
        return Found(numbers.value.map { .init(day, ordinal: $0) }, numbers.end + 1)
    }

    /// `1st`, `the 1st and 15th`, `2nd last`, `second to last`, `last`.
    func ordinals(at index: Int) -> Found<[Int]>? {
        list(at: grammar.afterArticle(index)) { start in
            let at = grammar.afterArticle(start)
            if isLast(at) { return Found(-1, at + 1) }
            guard let number = ordinal(at: at) else { return nil }
            // `2nd last`, `2nd-to-last`, `second to last`
            var end = number.end
            while grammar.isMark(end, "-") || (end < number.end + 3 && grammar.has(end, .to)) {
                end += 1
            }
            if isLast(end) { return Found(-number.value, end + 1) }
            return number
        }
    }

    private func isLast(_ index: Int) -> Bool {
        grammar.sense(index)?.turn == .last && grammar.token(index)?.key != "past"
    }

    /// `3rd`, `third`, `366th`.
    func ordinal(at index: Int) -> Found<Int>? {
        if let found = grammar.ordinal(at: index) { return found }
        guard let token = grammar.token(index), token.isNumber, token.digits == 3,
            grammar.isGlued(index + 1)
        else { return nil }
        let isOrdinal =
            grammar.has(index + 1, .ordinalEnding)
            || (grammar.table.ordinalPoint && grammar.isMark(index + 1, "."))
        return isOrdinal ? Found(token.value, index + 2) : nil
    }

    func months(at index: Int) -> Found<[Int]>? {
        list(at: index) { at in
            grammar.sense(at)?.month.map { Found($0, at + 1) }
        }
    }

    /// `24 december`, `24th of december`, `dec 24`, `24. Dezember`.
    func date(at index: Int) -> Found<Value>? {
        let at = grammar.afterArticle(index)
        if let day = dayNumber(at: at) {
            // `14. im Mai und Juli` is a day of several months.
            let isOf = grammar.has(day.end, .of) && !grammar.has(day.end, .in)
            let end = isOf ? day.end + 1 : day.end
            if let month = grammar.sense(end)?.month {
                return Found(.date(month: month, day: day.value), end + 1)
            }
        }
        // `12/31`, `31.12.`
        for piece in grammar.pieces(at: at)
        where piece.reading.traits.contains(.twoNumbers) && piece.reading.clock == nil {
            // `every 4-6 hours`
            // and `every 24/7 watch`, `every 1/3 cup`
            let isClear =
                grammar.isMark(at + 1, "/")
                && (grammar.token(at + 2)?.digits == 2 || grammar.token(piece.end)?.kind != .word)
            guard isClear || piece.reading.traits.contains(.named),
                let month = piece.reading.month, let day = piece.reading.day
            else { continue }
            return Found(.date(month: month, day: day), piece.end)
        }
        guard let month = grammar.sense(at)?.month, let day = dayNumber(at: at + 1) else {
            return nil
        }
        return Found(.date(month: month, day: day.value), day.end)
    }

    private func dayNumber(at index: Int) -> Found<Int>? {
        if let ordinal = ordinal(at: index) { return ordinal }
        guard let token = grammar.token(index), token.isNumber, token.digits <= 2,
            !grammar.isMark(index + 1, ":")
        else { return nil }
        return Found(token.value, index + 1)
    }

    // MARK: Times

    /// `9`, `9:00`, `5pm and 8pm`, `noon`; a bare number only after a word such as `at`.
    func times(at index: Int, isBare: Bool) -> Found<[Int]>? {
        list(at: index) { clock(at: $0, isBare: isBare) }?.map { $0.flatMap { $0 } }
    }

    /// A time in each part of the day that was said.
    private func clock(at index: Int, isBare: Bool) -> Found<[Int]>? {
        guard let clock = clock(at: index), !(isBare && clock.value.isBare) else { return nil }
        // `every monday 1h` says how long.
        if isBare, grammar.token(index + 1)?.key == "h", let hours = grammar.token(index),
            hours.value <= (clock.end > index + 2 ? 3 : 12)
        {
            return nil
        }
        // `8 in the evening`
        let part = grammar.pieces(at: clock.end).first { $0.reading.traits == .part }
        let said = part?.reading.part.map { [$0] } ?? parts
        let seconds =
            said.isEmpty ? [clock.value.seconds(nil)] : said.map { clock.value.seconds($0) }
        return Found(seconds, part?.end ?? clock.end)
    }

    private func clock(at index: Int) -> Found<Clock>? {
        grammar.clocks(at: index).filter {
            $0.value.problem == nil && $0.value.second == 0 && grammar.endsWord($0.end)
        }.max { $0.end < $1.end }
    }

    /// `8 to 20`, `9 and 5pm`.
    private func span(at index: Int) -> Found<Value>? {
        guard let open = clock(at: index), let joint = grammar.token(open.end),
            grammar.isMark(open.end, "-") || joint.has(.and) || words.through.contains(joint.key),
            let close = clock(at: open.end + 1)
        else { return nil }
        let begin = open.value.seconds(nil)
        var end = close.value.seconds(nil)
        if close.value.half == nil, close.value.hour <= 12, begin >= 18 * 3600 || end <= begin {
            // `from 22 to 6`, `from 10 to 8`
            end = close.value.seconds(.morning) + (begin >= 18 * 3600 ? 24 : 12) * 3600
        }
        return end > begin ? Found(.span(begin, end), close.end) : nil
    }

    /// `morning`, `morning and evening`.
    func dayParts(at index: Int) -> Found<[DayPart]>? {
        list(at: index) { at in
            grammar.sense(at)?.part.map { Found($0, at + 1) }
        }
    }

    /// A date, with a time if one was said; it is that of every occurrence unless that is known: `every
    /// monday until june at 8`, but `every 2 hours until 18:00`.
    private func limit(at index: Int, isDay: Bool) -> Found<RecurrenceRule.Limit>? {
        if let exact = exactLimit(at: index) { return exact }
        let resolver = grammar.resolver
        let dates = Grammar(grammar.tokens, resolver, isField: true)
        let start = grammar.afterArticle(index)
        for phrase in dates.phrases(at: start) {
            // `from 9-11` are hours.
            let isHours =
                phrase.reading.traits.contains(.twoNumbers) && grammar.isMark(start + 1, "-")
            guard !isHours, grammar.endsWord(phrase.end),
                case .due(let due) = resolver.resolve(phrase.reading)
            else { continue }
            let zone = resolver.context.zone
            if due.isDateOnly {
                return Found(.day(due.day(in: zone)), phrase.end)
            }
            if isDay || !hasTimes { continue }
            let (day, second) = zone.local(due.date)
            return Found(.local(LocalTime(day, second: second)), phrase.end)
        }
        return nil
    }

    /// `24 December 2026`, with `9:00`, `9:00:05` or `9:00 UTC` after it.
    private func exactLimit(at index: Int) -> Found<RecurrenceRule.Limit>? {
        guard let found = date(at: index), case .date(let month, let number) = found.value,
            let year = grammar.token(found.end), year.isNumber, year.digits == 4,
            let day = Day(year: year.value, month: month, day: number)
        else { return nil }
        let end = found.end + 1
        guard let hour = grammar.token(end), hour.isNumber, hour.value < 24,
            let minute = sixtieth(at: end + 1)
        else { return Found(.day(day), end) }
        let second = sixtieth(at: minute.end)
        let clock = hour.value * 3600 + minute.value * 60 + (second?.value ?? 0)
        let time = LocalTime(day, second: clock)
        let last = second?.end ?? minute.end
        // `6:30pm`
        if !grammar.endsWord(last) || grammar.has(last, [.am, .pm]) { return nil }
        if grammar.token(last)?.key == "utc" { return Found(.utc(time), last + 1) }
        return Found(.local(time), last)
    }

    /// `:05`.
    private func sixtieth(at index: Int) -> Found<Int>? {
        guard grammar.isMark(index, ":"), grammar.isGlued(index), grammar.isGlued(index + 1),
            let token = grammar.token(index + 1), token.isNumber, token.digits == 2,
            token.value < 60
        else { return nil }
        return Found(token.value, index + 2)
    }
}

extension Grammar.Found {
    fileprivate func map<Other>(_ transform: (Value) -> Other) -> Grammar.Found<Other> {
        Grammar.Found<Other>(transform(value), end)
    }
}
