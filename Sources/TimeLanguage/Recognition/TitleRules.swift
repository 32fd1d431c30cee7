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
        /// `to`, behind a verb of moving.
        var isTarget = false
        /// `around`.
        var isAbout = false
        /// Whether what is directly before it was understood.
        var isAfterTaken = false

        var isMarked: Bool { isDue || isStart || isOn }
    }

    let grammar: Grammar
    let tokens: Tokens
    /// Whether the text is written in capitals throughout.
    let isLoud: Bool
    /// The index of a verb of reading, watching or hearing that governs the text.
    let media: Int?
    /// The index of a verb of moving an appointment that governs the text.
    let moves: Int?
    /// The index of the first word that says since when, behind that verb.
    let movesFrom: Int
    /// The bytes of holidays of several words, whose words have capitals: `St. Patrick's Day`.
    let expressions: [Range<Int>]
    /// The name of a rule that is left out, to see what it is for.
    let omitted: String?

    init(_ grammar: Grammar, without omitted: String? = nil) {
        self.omitted = omitted
        self.grammar = grammar
        tokens = grammar.tokens
        let words = tokens.list.lazy.filter { $0.kind == .word && $0.range.count > 1 }
        isLoud = !words.isEmpty && words.allSatisfy(\.isUpper)
        media = tokens.list.prefix(3).firstIndex { $0.has(.media) }
        let moves = tokens.list.prefix(4).firstIndex { $0.has(.moves) }
        self.moves = moves
        expressions = tokens.holidays
        movesFrom = tokens.list[(moves ?? 0)...].firstIndex { $0.has(.from) } ?? tokens.count
    }

    func token(_ index: Int) -> Token? { grammar.token(index) }
    func has(_ index: Int, _ roles: Roles) -> Bool {
        index >= 0 && grammar.has(index, roles)
    }

    // MARK: Places

    /// Whether a phrase may begin at a token: a word begins there.
    func isWordStart(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        if token.hasSpace { return true }
        guard let before = self.token(index - 1), case .mark = before.kind else {
            return self.token(index - 1)?.kind == .barrier
        }
        if before.isMark("-") { return before.hasSpace }
        if [",", ";", ":"].contains(where: { before.isMark($0) }) { return !token.isNumber }
        return before.isMark("(") || before.isMark("[")
    }

    /// Whether a phrase that ends here is not a part of what follows: the end, punctuation, a tag, or
    /// a word that begins another part of the sentence.
    func isBoundary(_ end: Int) -> Bool {
        guard let next = token(end) else { return true }
        switch next.kind {
        case .barrier: return true
        case .mark: return !next.isOtherMark && !["%", "/", "&"].contains { next.isMark($0) }
        case .number: return plainLength(at: end, isAfterDate: true) != nil
        case .word:
            if next.sense.use != nil { return isLengthOrReminder(end) }
            if next.has([.article, .possessive]) { return false }
            if grammar.table.hasVerbLast, !next.isCapital, isLineEnd(end + 1) { return true }
            return next.has([.function, .due, .from, .every]) || next.sense.repeats != nil
        }
    }

    /// Whether a word begins a length or a reminder: `est 2h`, `remind 1 day before`.
    private func isLengthOrReminder(_ index: Int) -> Bool {
        switch token(index)?.sense.use {
        case .effort: grammar.isEffort(at: index)
        case .reminder: true
        default: false
        }
    }

    /// Whether only punctuation, tags, lengths and repetitions follow.
    func isLineEnd(_ end: Int) -> Bool {
        var at = end
        while let next = token(at) {
            if next.hasSpace, let length = plainLength(at: at, isAfterDate: true) {
                at = length.end
                continue
            }
            switch next.kind {
            case .barrier: break
            case .mark:
                if !"!.,;?)]:-".unicodeScalars.contains(where: { next.isMark($0) }) { return false }
            default: return (next.has(.every) || next.sense.use == .reminder) && next.hasSpace
            }
            at += 1
        }
        return true
    }

    func isLineStart(_ index: Int) -> Bool {
        var at = index - 1
        while let token = token(at) {
            guard token.kind == .barrier || token.isMark("-") || token.isMark("(") else {
                return false
            }
            at -= 1
        }
        return true
    }

    // MARK: The verdict

    func verdict(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Verdict {
        let (end, reading) = (phrase.end, phrase.reading)
        let isWhole = isLineStart(start) && isLineEnd(end)
        if isWhole {
            // `28 Days Later`
            let isName = !isLoud && (start + 1..<end).filter { isNameWord(tokens[$0]) }.count > 1
            return (reading.traits == .month && !lead.isMarked) || isName ? .text : .take
        }
        let found = PhraseInTitle(rules: self, phrase: phrase, lead: lead, start: start)
        if isText(found) || isMoved(start, lead) { return .text }
        if isHalf(found) { return .half }
        if isPartOfName(phrase, lead, from: start) { return .text }
        return isEnough(phrase, lead, from: start) ? .take : .text
    }

    /// `Move standup from friday to 10:30`: neither is when to do it.
    private func isMoved(_ start: Int, _ lead: Lead) -> Bool {
        guard let moves, moves < start else { return false }
        return lead.isStart || has(start, .from) || has(start - 1, [.to, .from])
    }

    // MARK: Others

    /// A phrase with the words after it that add nothing: `at the latest`, `or so`.
    func whole(_ phrase: Grammar.Piece) -> Grammar.Piece {
        guard let tail = tokens.phrase(at: phrase.end), tail.sense.roles.contains(.manner) else {
            return phrase
        }
        return Grammar.Piece(reading: phrase.reading, end: tail.end)
    }

    /// Whether a part of the day belongs to the noun before it: `Parents evening thu 7pm`.
    func isNounPart(_ index: Int) -> Bool {
        guard let part = tokens[index].sense.part, part != .noon, tokens[index].sense.day == nil,
            tokens.phrase(at: index) == nil, tokens[index].sense.weekday == nil,
            tokens[index].range.count > 3,
            !grammar.table.hasCapitalNouns || tokens[index].isCapital,
            let before = token(index - 1), before.kind == .word
        else { return false }
        return before.sense.isEmpty
    }

    /// Whether it is written like a date, so that it is worth telling that it does not exist.
    func isDateShaped(_ reading: Reading) -> Bool { reading.problem != nil || reading.hasDay }

    /// Whether a phrase that is understood in part is told: not if it may be a name.
    func isWorthTelling(_ phrase: Grammar.Piece, from start: Int) -> Bool {
        let few: Reading.Traits = [.month, .year, .part, .point, .twoNumbers]
        guard !phrase.reading.traits.isSubset(of: few) else { return false }
        // `the colour of the weekend column`
        if let next = token(phrase.end), next.kind == .word, next.hasSpace, next.sense.isEmpty,
            phrase.reading.traits.isSubset(of: [.period, .turned, .weekday, .relativeDay, .holiday])
        {
            return false
        }
        return isLoud || !(max(1, start)..<phrase.end).contains { isNameWord(tokens[$0]) }
    }

    /// Whether a day or a time stands at the beginning before a noun to which it may belong: `friday
    /// lunch`, `at noon gym`; not `Friday Night Lights`, `Friday is …`.
    func isOpening(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let (reading, first) = (phrase.reading, tokens[lead.end])
        let isDay =
            reading.traits.isSubset(of: [.weekday, .part]) && reading.weekday != nil
            && lead.end == start
        let isTime =
            !reading.hasDay && has(lead.end, .at)
            && (reading.clock?.isBare == false || (reading.clock != nil && reading.part != nil))
        guard reading.hasDay ? isDay : isTime, reading.moment == nil,
            !first.has(.common) || first.isCapital
        else { return false }
        return isOpening(start, phrase.end)
    }

    /// Whether a number at the beginning may be that of a day or of a noun: `on the 2nd try`.
    func isOpeningNumber(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        phrase.reading.traits.isSubset(of: [.ordinal, .digits]) && lead.isOn
            && isOpening(start, phrase.end)
    }

    /// Whether words at the beginning are followed by a noun.
    func isOpening(_ start: Int, _ end: Int) -> Bool {
        guard start == 0, let next = token(end), next.kind == .word || next.isNumber,
            next.hasSpace, media == nil, !tokens[end - 1].isPossessive
        else { return false }
        return (!next.isCapital || grammar.table.hasCapitalNouns)
            && !next.has([.verb, .function, .counted])
    }

    /// Whether a repetition may begin here: it is not a name, and one word alone (`weekly`) is at the
    /// end.
    func allowsRepetition(_ start: Int, _ phrase: RepetitionPhrase) -> Bool {
        if phrase.isWeak {
            // `three times daily`, `3x daily`
            if has(start - 1, [.counted, .article]) { return false }
            if let times = token(start - 1), !times.hasSpace, times.sense.isEmpty,
                token(start - 2)?.isNumber == true
            {
                return false
            }
            return isLineEnd(phrase.end) && (start > 0 || phrase.end < tokens.count)
        }
        // `Every day is Christmas`: the subject of a sentence.
        if isLineStart(start), has(phrase.end, .verb) || isBeforeAuthor(phrase.end) { return false }
        if has(start - 1, [.of, .before, .after]) { return false }
        if isLoud { return true }
        if let media, media < start, tokens[start].isCapital { return false }
        return !(max(1, start)..<phrase.end).contains { isNameWord(tokens[$0]) }
    }

    /// `pages 9-11`; but `piano lesson 9:00-10:30`, `piano lesson from 9 to 11`.
    private func isNumberRange(_ start: Int, _ end: Int) -> Bool {
        tokens[start].isNumber
            && !(start..<end).contains { grammar.isMark($0, ":") || has($0, [.am, .pm]) }
    }

    func allowsRange(_ start: Int, _ end: Int, isAfterTaken: Bool) -> Bool {
        // `for 5 times from 9 to 11`
        if isMoney(start) { return false }
        if !isAfterTaken, has(start - 1, [.possessive, .article]),
            token(start - 1)?.key != "her"
        {
            return false
        }
        if !isAfterTaken, has(start - 1, .counted), isNumberRange(start, end) { return false }
        if !isAfterTaken, isOtherDay(start - 1) { return false }
        // `Night shift from 10pm until 6am` tells of no new time.
        let isUntil = (start..<end).contains { has($0, .due) && !has($0, .through) }
        if isMoved(start, Lead(end: start)), !isUntil { return false }
        // `10 to Midnight`; but `19th To 21st aug`
        let hasName = (max(1, start)..<end).contains {
            isNameWord(tokens[$0]) && !has($0, [.through, .from, .due, .and])
        }
        if hasName, !isLoud { return false }
        guard let next = token(end) else { return true }
        return !next.isMark("%") && !next.isOtherMark
    }
}
