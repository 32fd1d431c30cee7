import CivilTime

/// Reads a title from left to right and takes what is a date.
struct TitleReader {
    let tokens: Tokens
    let bytes: [UInt8]
    let resolver: Resolver
    let grammar: Grammar
    let rules: TitleRules
    var result = Recognition()
    var at = 0
    var dueReading: Reading?
    var startReading: Reading?
    /// Where the due date ends, unless it was marked as one (`by`).
    var dueEnd: Int?
    /// Whether several dates were said, so that none is the due date.
    var isContradicted = false
    /// Marks that open a quotation which nothing closes.
    var unclosed: Set<String> = []
    /// Where the last phrase ended that was understood only in part.
    var halfEnd: Int?
    /// Where the last phrase ended that was taken.
    var takenEnd: Int?
    /// The hours of every occurrence.
    var openRange: Grammar.Stretch?

    init(_ tokens: Tokens, _ bytes: [UInt8], _ resolver: Resolver) {
        self.tokens = tokens
        self.bytes = bytes
        self.resolver = resolver
        grammar = Grammar(tokens, resolver, isField: false)
        rules = TitleRules(grammar)
    }

    mutating func read() -> Recognition {
        while at < tokens.count {
            if let name = tokens.phrase(at: at), name.sense.isEmpty {
                at = name.end
            } else if let end = quotationEnd(at: at) ?? rules.headcountEnd(at: at) {
                at = end
            } else if !readRepetition(), !readEstimate(), !readRange(), !readDate() {
                at += 1
            }
        }
        settle()
        beginRepetition()
        return result
    }

    func bytes(_ start: Int, _ end: Int) -> Range<Int> {
        tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[bytes(start, end)], as: UTF8.self)
    }

    // MARK: Repetitions

    /// `every 2 weeks on mon and wed until march`.
    private mutating func readRepetition() -> Bool {
        guard rules.isWordStart(at), let phrase = RepetitionReader.phrase(at: at, in: grammar),
            rules.allowsRepetition(at, phrase)
        else { return false }
        let isOfHalf = halfEnd.map { rules.isBeside($0, at) } ?? false
        if isOfHalf || rules.isBeforeOtherRepetition(phrase.end) {
            tellHalf(phrase.end)
            return true
        }
        let words = bytes(at, phrase.end)
        let isExcepted = rules.isExcepted(phrase.end)
        switch isExcepted ? .problem("exceptions are not understood") : phrase.meaning {
        case _ where result.repetition != nil:
            result.spans.append(.init(kind: .problem, range: words))
            result.problems.append(
                "“\(text(at, phrase.end))” is a second repetition; it stays in the title."
            )
        case .problem(let why):
            result.spans.append(.init(kind: .problem, range: words))
            result.problems.append("“\(text(at, phrase.end))” stays in the title: \(why).")
        case .repetition(let repetition):
            result.repetition = repetition
            if let hours = phrase.hours { openRange = hours }
            result.spans.append(.init(kind: .repetition, range: words))
            takenEnd = phrase.end
        }
        at = phrase.end
        return true
    }

    /// `every tuesday 7-8am`: the hours of the first occurrence that has not begun.
    private mutating func beginHours(of repetition: Repetition, _ hours: Grammar.Stretch) {
        guard let first = repetition.firstDueDate(in: resolver.context),
            let opening = hours.start.period?.first, let closing = hours.end.period?.first
        else { return }
        let nights = closing.number - opening.number
        for date in [first] + repetition.dueDates(after: first, count: 1, in: resolver.context) {
            let day = date.day(in: resolver.context.zone)
            var (start, end) = (hours.start, hours.end)
            start.period = Period(first: day, unit: .day)
            end.period = Period(first: day.adding(days: nights), unit: .day)
            guard case .due(let open) = resolver.resolve(start),
                case .due(let close) = resolver.resolve(end)
            else { return }
            (result.start, result.end, result.due) = (open, close, close)
            if open.date >= resolver.context.now { return }
        }
    }

    /// Without a due date the first occurrence is due; a time alone is the time of every occurrence.
    private mutating func beginRepetition() {
        if let repetition = result.repetition, let openRange {
            return beginHours(of: repetition, openRange)
        }
        let context = result.start.map { resolver.later(from: $0).context } ?? resolver.context
        guard let repetition = result.repetition, result.due == nil || dueReading?.hasDay == false,
            dueReading?.moment == nil
        else { return }
        guard let first = repetition.firstDueDate(in: context) else {
            if result.due == nil { refuseRepetition() }
            return
        }
        guard var reading = dueReading else {
            result.due = first
            return
        }
        if repetition.hasTime, reading.hasTime {
            leaveTime()
            result.due = first
            return
        }
        reading.period = Period(first: first.day(in: resolver.context.zone), unit: .day)
        guard case .due(let due) = resolver.resolve(reading) else { return }
        let isOver = due.date < context.now
        let next =
            isOver
            ? repetition.dueDates(after: due, count: 1, in: context).first : due
        result.due = next.map(resolver.toMinute)
    }

    /// `standup every day at 9, room 4 at 10`: the repetition has its times.
    private mutating func leaveTime() {
        for index in result.spans.indices where result.spans[index].kind == .due {
            result.spans[index].kind = .problem
            let words = String(decoding: bytes[result.spans[index].range], as: UTF8.self)
            result.problems.append(
                "“\(words)” is a second time beside the repetition; it stays in the title."
            )
        }
    }

    /// `every 15th until december`, said on the 20th of November: a repetition without an occurrence.
    private mutating func refuseRepetition() {
        result.repetition = nil
        for index in result.spans.indices where result.spans[index].kind == .repetition {
            result.spans[index].kind = .problem
            let words = String(decoding: bytes[result.spans[index].range], as: UTF8.self)
            let why = Repetition.neverHappens
            result.problems.append("“\(words)” stays in the title: \(why).")
        }
    }

    // MARK: Estimates

    /// `for 45 min`.
    private mutating func readEstimate() -> Bool {
        guard tokens[at].has(.for), result.estimate == nil,
            let amount = grammar.minutes(at: at + 1), rules.isWordStart(at),
            // `for 45 minutes from now`
            !grammar.phrases(at: at + 1).contains(where: {
                $0.end > amount.end && $0.reading.traits.contains(.amount)
            }),
            rules.isBoundary(amount.end)
                || grammar.phrases(at: amount.end).contains(where: \.reading.hasDay)
        else { return false }
        result.estimate = amount.value
        result.spans.append(.init(kind: .estimate, range: bytes(at, amount.end)))
        (at, takenEnd) = (amount.end, amount.end)
        return true
    }

    // MARK: Ranges

    /// `fri 14-16`, `from 9 to 11`, `3-5 dec`, `for 20-27 dec`.
    private mutating func readRange() -> Bool {
        guard result.due == nil, result.start == nil, openRange == nil, rules.isWordStart(at),
            let range = grammar.range(at: at)
                ?? (tokens[at].has(.for) ? grammar.range(at: at + 1) : nil),
            rules.isBoundary(range.end) || (rules.isLineStart(at) && !range.value.isWeak),
            rules.allowsRange(at, range.end, isAfterTaken: at == takenEnd)
        else { return false }
        let isOfHalf = halfEnd.map { rules.isBeside($0, at) } ?? false
        if isOfHalf || rules.isBeforeFurther(range.end) || rules.isOfFeast(range.value.start) {
            tellHalf(range.end)
            return true
        }
        guard case .due(let start) = resolver.resolve(range.value.start),
            case .due(let end) = resolver.resolve(range.value.end), start.date < end.date
        else { return false }
        (result.start, result.end, result.due) = (start, end, end)
        if range.value.isDayOpen { openRange = range.value }
        result.spans.append(.init(kind: .range, range: bytes(at, range.end)))
        (at, takenEnd) = (range.end, range.end)
        return true
    }

    /// Leaves words in the title that are understood only in part.
    private mutating func tellHalf(_ end: Int) {
        result.spans.append(.init(kind: .problem, range: bytes(at, end)))
        result.problems.append(
            "“\(text(at, end))” is not understood together with the words beside it; it stays in "
                + "the title."
        )
        (at, halfEnd) = (end, end)
    }

    // MARK: Dates

    private mutating func readDate() -> Bool {
        var lead = rules.lead(at: at)
        guard lead.end < tokens.count, rules.isWordStart(at), !rules.isNounPart(at) else {
            return false
        }
        lead.isAfterTaken = at == takenEnd
        let phrases = grammar.phrases(at: lead.end).map(rules.whole)
        let longest = phrases.first?.end ?? lead.end
        var isHalf = false
        for phrase in phrases {
            var verdict = rules.verdict(phrase, lead, from: at)
            // What is beside a phrase that was not understood is a part of it.
            if let halfEnd, rules.isBeside(halfEnd, at) { verdict = .half }
            if dueReading == nil, rules.isOfFeast(phrase.reading) { verdict = .half }
            if verdict == .take, take(phrase, lead, among: phrases) { return true }
            if verdict == .half {
                // A shorter one would be understood even less.
                isHalf = phrase.end == longest
                break
            }
        }
        if isHalf { halfEnd = longest }
        if isHalf, let phrase = phrases.first, rules.isWorthTelling(phrase, from: at) {
            tellHalf(longest)
            return true
        }
        // `row 3 tonight`: the number is a part of the name.
        if tokens[at].isNumber, longest > at + 1, rules.has(at - 1, .counted),
            grammar.endsWord(at + 1)
        {
            at += 1
            return true
        }
        if lead.end == at, longest > at, !rules.isMoney(at) {
            // As a whole it is text; its parts are not tried.
            at = longest
            return true
        }
        if lead.end > at {
            // Without its lead the phrase would leave a word behind.
            at = longest
            return true
        }
        if isHalf {
            at = longest
            return true
        }
        return false
    }

    private mutating func take(
        _ phrase: Grammar.Piece,
        _ lead: TitleRules.Lead,
        among phrases: [Grammar.Piece]
    ) -> Bool {
        switch resolver.resolve(phrase.reading) {
        case .none: return false
        case .problem(let why):
            // Another reading of the same words may be possible.
            let hasOther = phrases.contains { other in
                guard other.end == phrase.end, case .due = resolver.resolve(other.reading) else {
                    return false
                }
                return true
            }
            guard !hasOther, rules.isDateShaped(phrase.reading) else { return false }
            result.spans.append(.init(kind: .problem, range: bytes(lead.end, phrase.end)))
            result.problems.append("“\(text(lead.end, phrase.end))” stays in the title: \(why).")
        case .due(let date):
            if !lead.isStart, isContradicted { return false }
            if !lead.isStart, result.due != nil {
                return complete(with: phrase) || contradict(with: phrase, on: date)
            }
            guard !lead.isStart || result.start == nil else { return false }
            if lead.isStart {
                startReading = phrase.reading
            } else {
                dueReading = phrase.reading
                dueEnd = lead.isDue ? nil : phrase.end
            }
            let date = resolver.toMinute(date)
            if lead.isStart { result.start = date } else { result.due = date }
            let kind: Recognition.Kind = lead.isStart ? .start : .due
            result.spans.append(.init(kind: kind, range: bytes(at, phrase.end)))
            if let told = resolver.ambiguity(phrase.reading, text(lead.end, phrase.end)) {
                result.problems.append(told)
            }
            takenEnd = phrase.end
        }
        at = phrase.end
        return true
    }
}
