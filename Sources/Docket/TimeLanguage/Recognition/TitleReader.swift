import CivilTime

/// Reads a title from left to right and takes what is a date.
struct TitleReader {
    struct Opening {
        enum Meaning {
            case reading(Reading)
            case hours(Grammar.Stretch)
        }

        var meaning: Meaning
        /// The index of the token after it.
        var end: Int
    }

    /// What was said so far of the dates.
    struct Said {
        /// Where the last phrase ended that was taken.
        var end: Int?
        var due: Reading?
        var start: Reading?
        /// Where the due date ends, unless it was marked as one (`by`).
        var dueEnd: Int?
        /// Whether several dates were said, so that none is the due date.
        var isContradicted = false
        /// The hours of every occurrence, or of a day that is not known yet.
        var hours: Grammar.Stretch?
    }

    /// What was passed without being understood as a whole.
    struct Unread {
        /// A day or time with which the title begins and that may belong to the noun behind it:
        /// `friday lunch`.
        var opening: Opening?
        /// Days to which a time may belong: `Tuesday evenings choir`, `on the 5th call Ana`.
        var days: Range<Int>?
        /// Where the last phrase ended that was understood only in part.
        var halfEnd: Int?
        /// Marks that open a quotation which nothing closes.
        var unclosed: Set<String> = []
    }

    let bytes: [UInt8]
    let rules: TitleRules
    /// The index of the token that is read.
    var at = 0
    var result = Recognition()
    var said = Said()
    var unread = Unread()

    var grammar: Grammar { rules.grammar }
    var tokens: Tokens { grammar.tokens }
    var resolver: Resolver { grammar.resolver }

    /// `omitted`: the name of a rule that is left out.
    init(_ tokens: Tokens, _ bytes: [UInt8], _ resolver: Resolver, without omitted: String? = nil) {
        self.bytes = bytes
        rules = TitleRules(Grammar(tokens, resolver, isField: false), without: omitted)
    }

    mutating func read() -> Recognition {
        while at < tokens.count {
            if let name = tokens.phrase(at: at), name.sense.isEmpty {
                at = name.end
            } else if let end = quotationEnd(at: at) ?? rules.headcountEnd(at: at) {
                at = end
            } else if !readRepetition(), !readReminder(), !readEstimate(), !readRange(),
                !readDate()
            {
                at += 1
            }
        }
        settle()
        beginRepetition()
        settleReminder()
        rememberLateDay()
        return result
    }

    func bytes(_ start: Int, _ end: Int) -> Range<Int> {
        tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[bytes(start, end)], as: UTF8.self)
    }

    // MARK: Estimates

    /// `for 45 min`, `~45m`, `today 2h`.
    private mutating func readEstimate() -> Bool {
        guard result.estimate == nil,
            let length = rules.length(at: at, isAfterTaken: isBesideTaken)
        else { return false }
        result.estimate = length.value
        take(.estimate, length.end)
        return true
    }

    /// Whether nothing but a comma, a dash or an opening bracket is between what was understood last
    /// and this place.
    private var isBesideTaken: Bool {
        guard let takenEnd = said.end else { return false }
        return takenEnd <= at && at - takenEnd <= 2
            && (takenEnd..<at).allSatisfy { index in
                tokens[index].kind == .barrier
                    || [",", "-", "("].contains { tokens[index].isMark($0) }
            }
    }

    /// `remind me 1 week before`.
    private mutating func readReminder() -> Bool {
        guard result.reminder == nil, let reminder = rules.reminder(at: at) else { return false }
        result.reminder = reminder.value
        take(.reminder, reminder.end)
        return true
    }

    // MARK: Ranges

    /// `fri 14-16`, `from 9 to 11`, `3-5 dec`, `for 20-27 dec`.
    private mutating func readRange() -> Bool {
        guard result.start == nil, said.hours == nil, rules.isWordStart(at),
            result.due == nil || said.due?.isDay == true,
            let range = grammar.range(at: at)
                ?? (tokens[at].has(.for) ? grammar.range(at: at + 1) : nil),
            rules.allowsRange(at, range.end, isAfterTaken: at == said.end)
        else { return false }
        guard rules.isBoundary(range.end) || (!range.value.isWeak && isOpening) else {
            // `from 9 to 11 call Ana friday`
            if rules.isOpening(at, range.end), range.value.isDayOpen, tokens[at].has(.from) {
                unread.opening = Opening(meaning: .hours(range.value), end: range.end)
                at = range.end
                return true
            }
            return false
        }
        let isOfHalf = unread.halfEnd.map { rules.isBeside($0, at) } ?? false
        if isOfHalf || rules.isBeforeFurther(range.end) || rules.isOfFeast(range.value.start) {
            tellHalf(range.end)
            return true
        }
        if let dueReading = said.due {
            // `tomorrow lunch 12:30-13:30`
            guard range.value.isDayOpen, result.repetition == nil,
                case .day(let day) = resolver.day(dueReading), take(range.value, on: day)
            else { return false }
            take(.range, range.end)
            return true
        }
        if range.value.isDayOpen {
            if tellBesideDays(range.end) { return true }
            if result.repetition?.hasTime == true {
                leave(range.end, TitleReader.secondTime(text(at, range.end)))
                return true
            }
        }
        guard case .due(let start) = resolver.resolve(range.value.start),
            case .due(let end) = resolver.resolve(range.value.end), start.date < end.date
        else { return false }
        (result.start, result.end, result.due) = (start, end, end)
        if range.value.isDayOpen { said.hours = range.value }
        take(.range, range.end)
        takeOpening()
        return true
    }

    /// Whether a title begins here, or what it repeats ends here: `every day 9:00-10:30 call Ana`.
    private var isOpening: Bool {
        rules.isLineStart(at)
            || (at == said.end && result.spans.last?.kind == .repetition)
    }

    /// Notes words that are understood, and goes on behind them.
    mutating func take(_ kind: Recognition.Kind, _ end: Int) {
        result.spans.append(.init(kind: kind, range: bytes(at, end)))
        (at, said.end) = (end, end)
    }

    /// Leaves words in the title that were understood as something, with a sentence that says why.
    mutating func leave(_ kinds: Set<Recognition.Kind>, _ sentence: (_ words: String) -> String) {
        for index in result.spans.indices where kinds.contains(result.spans[index].kind) {
            result.spans[index].kind = .problem
            let words = String(decoding: bytes[result.spans[index].range], as: UTF8.self)
            result.problems.append(sentence(words))
        }
    }

    /// Leaves words in the title, with a sentence that says why.
    mutating func leave(_ end: Int, _ sentence: String) {
        result.spans.append(.init(kind: .problem, range: bytes(at, end)))
        result.problems.append(sentence)
        at = end
    }

    /// Leaves words in the title that are understood only in part.
    mutating func tellHalf(_ end: Int) {
        leave(
            end,
            "“\(text(at, end))” is not understood together with the words beside it; it stays in "
                + "the title."
        )
        unread.halfEnd = end
    }

    // MARK: Dates

    private mutating func readDate() -> Bool {
        let lead = rules.lead(at: at)
        guard lead.end < tokens.count, rules.isWordStart(at), !rules.isNounPart(at) else {
            return false
        }
        let phrases = grammar.phrases(at: lead.end).map(rules.whole)
        let longest = phrases.first?.end ?? lead.end
        var isHalf = false
        for piece in phrases {
            let phrase = inTitle(piece, lead)
            var verdict = rules.verdict(phrase)
            // What is beside a phrase that was not understood is a part of it.
            if let halfEnd = unread.halfEnd, rules.isBeside(halfEnd, at) { verdict = .half }
            if said.due == nil, rules.isOfFeast(piece.reading) { verdict = .half }
            if verdict == .take, take(piece, lead, among: phrases) { return true }
            if verdict == .text, unread.opening == nil {
                if rules.isOpening(phrase) {
                    unread.opening = Opening(meaning: .reading(piece.reading), end: piece.end)
                } else if rules.isOpeningNumber(phrase) {
                    unread.days = at..<piece.end
                }
            }
            if verdict == .half {
                // A shorter one would be understood even less.
                isHalf = piece.end == longest
                break
            }
        }
        if isHalf { unread.halfEnd = longest }
        if isHalf, let piece = phrases.first, rules.isWorthTelling(inTitle(piece, lead)) {
            tellHalf(longest)
            return true
        }
        // `row 3 tonight`, `shares at 150 tomorrow`: the number is a part of the name.
        let number = rules.isPrice(at + 1) ? at + 1 : at
        if tokens[number].isNumber, longest > number + 1, grammar.endsWord(number + 1),
            number > at || rules.has(at - 1, .counted)
        {
            at = number + 1
            return true
        }
        // As a whole it is text; its parts are not tried. Without its lead it would leave a word behind.
        guard lead.end > at || isHalf || (longest > at && !rules.isMoney(at)) else { return false }
        at = longest
        return true
    }

    private func inTitle(_ phrase: Grammar.Piece, _ lead: TitleRules.Lead) -> PhraseInTitle {
        PhraseInTitle(rules, phrase, lead, from: at, isAfterTaken: at == said.end)
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
            guard !hasOther, phrase.reading.problem != nil || phrase.reading.hasDay else {
                return false
            }
            result.spans.append(.init(kind: .problem, range: bytes(lead.end, phrase.end)))
            result.problems.append("“\(text(lead.end, phrase.end))” stays in the title: \(why).")
        case .due(let date):
            if !lead.isStart, said.isContradicted { return false }
            if !phrase.reading.hasDay, tellBesideDays(phrase.end) { return true }
            if !lead.isStart, result.due != nil {
                return complete(with: phrase) || contradict(with: phrase, on: date)
            }
            guard !lead.isStart || result.start == nil else { return false }
            if lead.isStart {
                said.start = phrase.reading
            } else {
                said.due = phrase.reading
                said.dueEnd = lead.isDue ? nil : phrase.end
            }
            let date = resolver.toMinute(date)
            if lead.isStart { result.start = date } else { result.due = date }
            let kind: Recognition.Kind = lead.isStart ? .start : .due
            result.spans.append(.init(kind: kind, range: bytes(at, phrase.end)))
            if let problem = resolver.ambiguity(phrase.reading, text(lead.end, phrase.end)) {
                result.problems.append(problem)
            }
            said.end = phrase.end
            if !lead.isStart { takeOpening() }
        }
        at = phrase.end
        return true
    }
}
