/// Decides whether a phrase in a title is a date, or text.
///
/// Three answers:
/// - *half*: words beside it would change its meaning (`after`, `of`, `last`, an ordinal number, another
///   time) and no rule joins them;
/// - *text*: it is a part of a name or of a sentence: capitals beside it, an article or a possessive
///   before it, a verb of reading before it, a noun behind it, a version, a fraction, money;
/// - *take*: it is marked (`by`, `on`, `due`), it is unmistakable (`next friday`, `in 3 days`,
///   `Fri 9:30`), or it is where dates are written: at the end.
struct TitleRules {
    enum Verdict {
        case take
        case text
        case half
    }

    /// The words before a phrase that go with it.
    struct Lead {
        /// The index of the phrase.
        var end: Int
        /// `due`, `by`, `until`.
        var isDue = false
        /// `from`, `starting`.
        var isStart = false
        /// `on`.
        var isOn = false
        var isFor = false
        var isArticle = false
        /// `around`.
        var isAbout = false

        var isMarked: Bool { isDue || isStart || isOn }
    }

    let grammar: Grammar
    private let tokens: Tokens
    /// Whether the text is written in capitals throughout.
    private let isLoud: Bool
    /// The index of a verb of reading, watching or hearing that governs the text.
    private let media: Int?

    init(_ grammar: Grammar) {
        self.grammar = grammar
        tokens = grammar.tokens
        let words = tokens.list.lazy.filter { $0.kind == .word && $0.range.count > 1 }
        isLoud = !words.isEmpty && words.allSatisfy(\.isUpper)
        media = tokens.list.prefix(3).firstIndex { $0.has(.media) }
    }

    private func token(_ index: Int) -> Token? { grammar.token(index) }
    private func has(_ index: Int, _ roles: Roles) -> Bool {
        index >= 0 && grammar.has(index, roles)
    }

    // MARK: Places

    /// Whether a phrase may begin at a token: a word begins there.
    func isWordStart(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        if token.hasSpace { return true }
        guard case .mark(let mark)? = self.token(index - 1)?.kind else {
            return self.token(index - 1)?.kind == .barrier
        }
        switch mark {
        case 40, 91: return true
        case 45: return self.token(index - 1)?.hasSpace ?? true
        case 44, 59, 58: return !token.isNumber
        default: return false
        }
    }

    /// Whether a phrase that ends here is not a part of what follows: the end, punctuation, a tag, or
    /// a word that begins another part of the sentence.
    func isBoundary(_ end: Int) -> Bool {
        guard let next = token(end) else { return true }
        switch next.kind {
        case .barrier: return true
        case .mark(let mark): return mark != 37 && mark != 0 && mark != 47 && mark != 38
        case .number: return false
        case .word:
            if next.has([.article, .possessive]) { return false }
            return next.has([.function, .due, .from, .every]) || next.sense.repeats != nil
        }
    }

    /// Whether only punctuation, tags and repetitions follow.
    func isLineEnd(_ end: Int) -> Bool {
        var at = end
        while let next = token(at) {
            switch next.kind {
            case .barrier: break
            case .mark(let mark):
                if ![33, 46, 44, 59, 63, 41, 93, 58, 45].contains(mark) { return false }
            default: return next.has(.every) && next.hasSpace
            }
            at += 1
        }
        return true
    }

    func isLineStart(_ index: Int) -> Bool {
        var at = index - 1
        while let token = token(at) {
            guard token.kind == .barrier || token.isMark(45) || token.isMark(40) else {
                return false
            }
            at -= 1
        }
        return true
    }

    // MARK: Leads

    /// `due on`, `by the`, `around`: the words before a phrase.
    func lead(at index: Int) -> Lead {
        var lead = Lead(end: index)
        while lead.end < index + 4, let token = token(lead.end), token.kind == .word {
            if token.has(.article), !lead.isArticle {
                lead.isArticle = true
            } else if lead.isArticle {
                break
            } else if token.has(.due), !token.isPossessive {
                lead.isDue = true
            } else if token.has(.from), isStartMarker(lead.end) {
                lead.isStart = true
            } else if token.has(.on) {
                lead.isOn = true
            } else if token.has(.for) {
                lead.isFor = true
            } else if token.has(.about) || (token.has(.later) && isTime(lead.end + 1)) {
                lead.isAbout = true
            } else {
                break
            }
            lead.end += 1
            if lead.isDue, grammar.isMark(lead.end, ":") { lead.end += 1 }
        }
        // An article belongs to the phrase, which knows whether it may have one.
        if lead.isArticle, !grammar.phrases(at: lead.end - 1).isEmpty {
            lead.end -= 1
            lead.isArticle = false
        }
        // `in` is not a lead; `on` without a phrase is none either.
        if grammar.phrases(at: lead.end).isEmpty { return Lead(end: index) }
        return lead
    }

    /// `start` is a marker beside its date, and a verb elsewhere: `let's start`.
    private func isStartMarker(_ index: Int) -> Bool {
        guard tokens[index].has(.start) else { return true }
        if let before = token(index - 1), before.has([.contraction, .function]) { return false }
        return !has(index + 1, [.on, .at, .in])
    }

    // MARK: The verdict

    func verdict(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Verdict {
        let (end, reading) = (phrase.end, phrase.reading)
        let isWhole = isLineStart(start) && isLineEnd(end)
        if isWhole { return reading.traits == .month && !lead.isMarked ? .text : .take }
        if isTextByNeighbours(phrase, lead, from: start) { return .text }
        if isHalf(phrase, lead, from: start) { return .half }
        if isPartOfName(phrase, lead, from: start) { return .text }
        return isEnough(phrase, lead, from: start) ? .take : .text
    }

    /// Whether words beside it would change it.
    private func isHalf(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let reading = phrase.reading
        let changing: Roles = [.before, .after, .of, .past, .since, .between]
        if let before = token(start - 1), before.kind == .word {
            if before.has(changing) || before.sense.turn != nil { return true }
            if before.has(.or), hasTime(endingAt: start - 1) { return true }
            // `this time tomorrow`
            if before.has(.time), token(start - 2)?.sense.turn != nil { return true }
            if before.has(.in), !reading.hasDay, tokens[lead.end].isNumber { return true }
            if before.has(.to), before.key != "to" || reading.hasTime { return true }
            if !lead.isMarked, before.sense.ordinal != nil || before.has(.ordinalEnding) {
                return true
            }
        }
        if let before = token(start - 1), before.isNumber, start == lead.end, before.hasSpace,
            !isMoney(start - 1), tokens[start].kind == .word, tokens[start].hasSpace
        {
            return true
        }
        let end = phrase.end
        if isListed(start, end) { return true }
        // `2 weeks friday`
        if reading.hasDay, start == lead.end, let unit = token(start - 1)?.sense.unit,
            unit >= .week,
            has(start - 2, .article) || token(start - 2)?.isNumber == true
                || token(start - 2)?.sense.number != nil
        {
            return true
        }
        guard let next = token(end), next.kind == .word, next.hasSpace else {
            // Another day behind a comma would have been joined if it went together.
            return grammar.isMark(end, ",") && reading.hasDay && isTime(end + 1)
                && grammar.phrases(at: end + 1).contains { $0.reading.hasDay }
        }
        if next.has([.before, .after, .of, .past, .since, .ago, .later]),
            !next.has(.function)
                || next.has([.before, .after, .of])
        {
            return true
        }
        if next.has(.between) || (next.has(.in) && has(end + 1, .between)) { return true }
        if next.has(.openZone)
            || grammar.tokens.phrase(at: end)?.sense.roles.contains(.openZone) == true,
            reading.traits.contains(.clock), next.range.count > 2 || next.isUpper
        {
            return true
        }
        if next.has(.through), !next.has(.to), isTime(end + 1) { return true }
        if next.has(.to) {
            let isNumber = reading.traits.contains(.clock) || token(end - 1)?.isNumber == true
            if isNumber || isTime(end + 1) { return true }
        }
        if next.has(.or), isTime(end + 1) || grammar.cardinal(at: end + 1) != nil { return true }
        if next.has(.article), isTime(end) || isTime(end + 1) { return true }
        if next.sense.turn != nil, isTime(end) { return true }
        if next.has([.due, .from]) { return false }
        return isTime(end)
    }

    /// Whether another day is before or behind it, joined by `and`, `or`, a comma or a slash:
    /// `sat & sun`, `mon, wed`.
    private func isListed(_ start: Int, _ end: Int) -> Bool {
        func isDay(_ index: Int) -> Bool {
            guard let sense = token(index)?.sense else { return false }
            return sense.weekday != nil || sense.day != nil
        }
        func isJoint(_ index: Int) -> Bool {
            guard let token = token(index) else { return false }
            switch token.kind {
            case .mark(let mark): return mark == 38 || mark == 44 || mark == 47
            case .word: return token.has([.and, .or])
            default: return false
            }
        }
        guard isDay(start) || isDay(end - 1) else { return false }
        return (isJoint(start - 1) && isDay(start - 2)) || (isJoint(end) && isDay(end + 1))
    }

    /// Whether it is the subject of a sentence: `Tomorrow is another day`.
    private func isSubject(_ traits: Reading.Traits, _ start: Int, _ end: Int) -> Bool {
        isLineStart(start) && has(end, .verb)
            && traits.isDisjoint(with: [.fullDate, .monthDay, .clock])
    }

    /// Whether a time begins here that is no common word.
    private func isTime(_ index: Int) -> Bool {
        guard let token = token(index), !token.has(.common), token.sense.part == nil else {
            return false
        }
        return grammar.phrases(at: index).contains { piece in
            piece.reading.traits.isDisjoint(with: [.month, .holiday])
                && piece.reading.problem == nil
        }
    }

    /// Whether a time ends before a token.
    private func hasTime(endingAt end: Int) -> Bool {
        (max(0, end - 6)..<end).contains { start in
            isTime(start) && grammar.phrases(at: start).contains { $0.end == end }
        }
    }

    func isMoney(_ index: Int) -> Bool {
        guard case .mark(let mark)? = token(index - 1)?.kind else { return false }
        return mark == 36 || mark == 0
    }

    /// Whether the neighbours make it something else: a number of things, a version, an address.
    private func isTextByNeighbours(
        _ phrase: Grammar.Piece,
        _ lead: Lead,
        from start: Int
    ) -> Bool {
        let end = phrase.end
        if isMoney(start) || isMoney(lead.end) { return true }
        if case .mark(let mark)? = token(start - 1)?.kind, mark == 34 || mark == 39 || mark == 35 {
            return true
        }
        if let before = token(start - 1), before.has(.possessive) || before.isPossessive,
            !(before.isPossessive && before.has(.contraction))
        {
            return true
        }
        // `friday's`; but `on valentine's`
        if token(end - 1)?.isPossessive == true,
            phrase.reading.traits != .holiday || !isBoundary(end)
        {
            return true
        }
        if tokens[lead.end].isNumber, has(start - 1, .counted),
            !phrase.reading.traits.contains(.amount)
        {
            return !lead.isMarked
        }
        if tokens[lead.end].isNumber, has(start - 1, .verb), has(start - 2, .counted) {
            return true
        }
        if isTemperature(phrase, from: start) { return true }
        if has(start - 1, .article) { return !lead.isMarked }
        guard let next = token(end) else { return false }
        if next.isMark(37) || next.isMark(0) || next.isMark(36) { return true }
        if next.kind == .word, next.has(.counted) { return true }
        // `at 5 Main Street`
        if phrase.reading.traits.contains(.clock), next.isCapital, next.hasSpace,
            next.kind == .word,
            token(end - 1)?.isNumber == true
        {
            return true
        }
        return false
    }

    /// `Bake at 350`.
    private func isTemperature(_ phrase: Grammar.Piece, from start: Int) -> Bool {
        let last = phrase.end - 1
        guard tokens[last].digits == 3, phrase.reading.traits.contains(.clock) else { return false }
        return (max(0, start - 6)..<start).contains { tokens[$0].has(.heat) }
            || has(phrase.end, .heat)
    }

    /// Whether it is a name, or a part of one.
    private func isPartOfName(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let (end, traits) = (phrase.end, phrase.reading.traits)
        if isSubject(traits, start, end) { return true }
        if isLoud { return false }
        let isTimed = traits.contains(.clock) && phrase.reading.hasDay
        if let media, media < start, !isTimed {
            // `Read 11/22/63`, `Watch the Today Show`
            let isDirect =
                start - media == 1 || (start - media == 2 && has(media + 1, [.article, .to]))
            if isDirect, !lead.isMarked || tokens[start].isCapital { return true }
            if token(start - 1)?.isCapital == true, start - 1 > media,
                tokens[lead.end].isCapital
                    || lead.isOn
            {
                return true
            }
        }
        // Words that are small in a sentence.
        for index in max(1, start)..<end where isNameWord(tokens[index]) {
            let isLast = isLineEnd(end) && end - lead.end == 1
            if !isLast || token(start - 1)?.isCapital == true && start > 2 { return true }
        }
        // `Friday Night Lights`, `Monday Club`
        if let next = token(end), next.kind == .word, next.hasSpace, next.isCapital,
            tokens[end - 1].isCapital, !lead.isDue, !isTimed,
            traits.isDisjoint(with: [.fullDate, .monthDay])
        {
            return true
        }
        return false
    }

    /// Whether a word with a capital is unusual there.
    private func isNameWord(_ token: Token) -> Bool {
        guard token.kind == .word, token.isCapital, !token.isUpper, token.range.count > 1 else {
            return false
        }
        let sense = token.sense
        if grammar.table.halfIsBefore { return false }
        return sense.weekday == nil && sense.month == nil && sense.holiday == nil
            && sense.zone == nil && !token.has([.am, .pm, .week]) && !isHolidayWord(token)
    }

    private func isHolidayWord(_ token: Token) -> Bool {
        grammar.tokens.vocabulary.phrases(from: token.key).contains { $0.sense.holiday != nil }
            || token.key == "day" || token.key == "eve"
    }

    // MARK: Enough

    /// Whether the phrase is a date without doubt, or stands where one does.
    private func isEnough(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let (reading, end) = (phrase.reading, phrase.end)
        let traits = reading.traits
        let isAtEnd = isLineEnd(end)
        let isBeforeBoundary = isAtEnd || isBoundary(end)
        let isMarked = lead.isMarked
        // An article before a phrase that has none of its own makes a noun of it.
        let isDefinite = traits.contains(.edge) || (reading.period != nil && reading.weekday != nil)
        if lead.isArticle, !isMarked, !isDefinite { return false }
        if traits.contains(.isPast), !isMarked || lead.isStart || lead.isOn {
            return isPastEnough(phrase, lead, isAtEnd)
        }
        if reading.hasDay, reading.clock != nil { return true }
        if reading.hasDay, reading.part != nil, end - lead.end > 1 || !traits.contains(.relativeDay)
        {
            return isMarked || isBeforeBoundary
        }
        if traits.contains(.fullDate) {
            // `20270718` is a date where dates are written.
            let isLongNumber = end - lead.end == 1
            return !isLongNumber || isMarked || isAtEnd || isLineStart(start)
        }
        if !traits.isDisjoint(with: [.edge, .nth]) {
            return isMarked || isBeforeBoundary || traits.contains(.weekday)
        }
        if traits.contains(.period) { return isPeriodEnough(reading, lead, start, end) }
        if traits.contains(.holiday) { return isHolidayEnough(phrase, lead, start) }
        if traits.contains(.amount) || reading.moment != nil {
            return token(end - 1)?.has(.later) != true || isBeforeBoundary
        }
        if traits.contains(.twoNumbers) { return areTwoNumbersEnough(phrase, lead) }
        if traits.contains(.monthDay) {
            let isCommon = (lead.end..<end).contains {
                tokens[$0].sense.month != nil && tokens[$0].has(.common) && !tokens[$0].isCapital
                    && (tokens[$0].has(.verb) || !isLineStart(start))
            }
            // `12 March Road`
            let isAddress =
                token(end)?.isCapital == true && !isBeforeBoundary && !isLineStart(start)
            return (!isCommon && !isAddress) || lead.isDue || isBeforeBoundary
        }
        if traits.contains(.month) { return lead.isDue && isBeforeBoundary }
        if traits.contains(.ordinal) {
            return reading.weekday != nil || (isMarked && isBeforeBoundary && !lead.isFor)
                || (lead.isDue && isBeforeBoundary)
        }
        if traits.contains(.relativeDay) {
            return isRelativeDayEnough(phrase, lead, start, isBeforeBoundary)
        }
        if traits.contains(.weekday) {
            return isWeekdayEnough(phrase, lead, start, isAtEnd, isBeforeBoundary)
        }
        if traits.contains(.clock) { return isClockEnough(phrase, lead, start, isBeforeBoundary) }
        if traits.contains(.part) {
            return tokens[lead.end].sense.part == nil && isBeforeBoundary
        }
        return isMarked
    }

    /// A past day is meant only if it is said as one.
    private func isPastEnough(_ phrase: Grammar.Piece, _ lead: Lead, _ isAtEnd: Bool) -> Bool {
        let traits = phrase.reading.traits
        if lead.isStart { return false }
        if traits.contains(.period), phrase.reading.weekday == nil { return false }
        if phrase.reading.hasDay, phrase.reading.hasTime { return true }
        if !traits.isDisjoint(with: [.nth, .amount, .edge]) { return isBoundary(phrase.end) }
        return isAtEnd
    }

    private func isPeriodEnough(_ reading: Reading, _ lead: Lead, _ start: Int, _ end: Int) -> Bool
    {
        if reading.weekday != nil || reading.day != nil || reading.month != nil { return true }
        if lead.isDue { return isBoundary(end) }
        let unit = reading.period?.unit
        if unit == .quarter || lead.isFor || lead.isArticle { return false }
        if unit == .week, reading.traits.contains(.year) { return isBoundary(end) }
        if has(start - 1, .for) || has(start - 1, .in) && unit != .week { return false }
        if reading.traits.contains(.digits) {
            return (lead.isOn || has(lead.end, .in)) && isBoundary(end)
        }
        if unit == .weekend {
            let isSaid = lead.isOn || reading.traits.contains(.turned)
            return isSaid && isBoundary(end)
        }
        return reading.traits.contains(.named) ? isLineEnd(end) : isBoundary(end)
    }

    private func isHolidayEnough(_ phrase: Grammar.Piece, _ lead: Lead, _ start: Int) -> Bool {
        if phrase.reading.traits.contains(.year) { return true }
        let isBeforeBoundary = isBoundary(phrase.end)
        if lead.isDue || lead.isOn || lead.isStart { return isBeforeBoundary }
        if has(start - 1, .at) { return false }
        guard isLineEnd(phrase.end), !lead.isFor, !has(start - 1, [.function, .in]) else {
            return false
        }
        let isName = token(start - 1)?.isCapital == true && start > 1
        return !isName || !tokens[lead.end].isCapital
    }

    private func areTwoNumbersEnough(_ phrase: Grammar.Piece, _ lead: Lead) -> Bool {
        let reading = phrase.reading
        if reading.weekday != nil { return true }
        let isBeforeBoundary = isBoundary(phrase.end)
        if lead.isMarked { return isBeforeBoundary }
        if reading.traits.contains(.point) {
            return reading.traits.contains(.named)
                && (isBeforeBoundary || isLineStart(lead.end))
        }
        // A fraction, a score: `1/2`, `9/10`, `7-6`.
        guard phrase.end - lead.end == 3, grammar.isMark(lead.end + 1, "/") else { return false }
        let second = tokens[lead.end + 2]
        return second.digits == 2 && second.value != 10 && isLineEnd(phrase.end)
            && reading.problem == nil
    }

    private func isRelativeDayEnough(
        _ phrase: Grammar.Piece,
        _ lead: Lead,
        _ start: Int,
        _ isBeforeBoundary: Bool
    ) -> Bool {
        if isBeforeBoundary || lead.isDue { return !isCommonName(lead.end) }
        guard let next = token(phrase.end), next.kind == .word else { return false }
        if isCommonName(lead.end) || tokens[lead.end].has(.common) { return false }
        if lead.isFor { return false }
        return !next.isCapital || !tokens[lead.end].isCapital
    }

    /// `Tom`, `Sun`: with a capital inside of a sentence it may be a name.
    private func isCommonName(_ index: Int) -> Bool {
        tokens[index].has(.common) && tokens[index].sense.day != nil && tokens[index].isCapital
    }

    private func isWeekdayEnough(
        _ phrase: Grammar.Piece,
        _ lead: Lead,
        _ start: Int,
        _ isAtEnd: Bool,
        _ isBeforeBoundary: Bool
    ) -> Bool {
        let traits = phrase.reading.traits
        if traits.contains(.named) {
            // `Friday 31`
            return lead.isMarked || isBeforeBoundary
        }
        if traits.contains(.turned) { return true }
        if lead.isDue { return true }
        let isCommon = tokens[lead.end].has(.common)
        if isCommon, !lead.isMarked, !isAtEnd { return false }
        // `On Friday call Ana`
        if lead.isOn, isLineStart(start), token(phrase.end)?.isCapital == false { return true }
        if isCommon, !lead.isMarked, tokens[lead.end].isCapital, start > 0,
            token(start - 1)?.isCapital == false, tokens[lead.end].range.count <= 3
        {
            return false
        }
        return isBeforeBoundary
    }

    private func isClockEnough(
        _ phrase: Grammar.Piece,
        _ lead: Lead,
        _ start: Int,
        _ isBeforeBoundary: Bool
    ) -> Bool {
        let (reading, end) = (phrase.reading, phrase.end)
        if reading.traits.contains(.edge) { return isBeforeBoundary }
        if reading.traits.contains(.bareClock), reading.part == nil { return false }
        if reading.part != nil { return isBeforeBoundary }
        if reading.zone != nil { return true }
        let isAt =
            has(lead.end, [.at, .about]) || grammar.isMark(lead.end, "@") || lead.isMarked
            || lead.isAbout
        let hasHalf = reading.clock?.half != nil
        let hasColon = (lead.end..<end).contains { grammar.isMark($0, ":") }
        let isLetter = token(end - 1)?.key.utf8.count == 1 && token(end - 2)?.isNumber == true
        if hasHalf, !isLetter { return true }
        if hasColon { return isAt || isBeforeBoundary || isLineStart(start) }
        if isAt { return isBeforeBoundary }
        // `noon`, `half past three`, `15h`, `9p`
        if isLetter { return false }
        return isBeforeBoundary && !tokens[lead.end].isCapital
    }

    // MARK: Others

    /// Whether it is written like a date, so that it is worth telling that it does not exist.
    func isDateShaped(_ reading: Reading) -> Bool { reading.problem != nil || reading.hasDay }

    /// Whether a phrase that is understood in part is told: not if it may be a name.
    func isWorthTelling(_ phrase: Grammar.Piece, from start: Int) -> Bool {
        let few: Reading.Traits = [.month, .year, .part, .point, .twoNumbers]
        guard !phrase.reading.traits.isSubset(of: few) else { return false }
        return isLoud || !(max(1, start)..<phrase.end).contains { isNameWord(tokens[$0]) }
    }

    /// Whether a repetition may begin here: it is not a name, and one word alone (`weekly`) is at the
    /// end.
    func allowsRepetition(_ start: Int, _ phrase: RepetitionPhrase) -> Bool {
        if phrase.isWeak {
            return isLineEnd(phrase.end) && (start > 0 || phrase.end < tokens.count)
        }
        // `Every day is Christmas`: the subject of a sentence.
        if isLineStart(start), has(phrase.end, .verb) { return false }
        if has(start - 1, [.of, .before, .after]) { return false }
        if isLoud { return true }
        if let media, media < start, tokens[start].isCapital { return false }
        return !(max(1, start)..<phrase.end).contains { isNameWord(tokens[$0]) }
    }

    func allowsRange(_ start: Int, _ end: Int) -> Bool {
        if isMoney(start) || has(start - 1, [.counted, .possessive, .article]) { return false }
        guard let next = token(end) else { return true }
        return !next.isMark(37) && !next.isMark(0)
    }
}
