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
    /// The index of the first word of a trade: `sell`, `shares`.
    let trade: Int
    /// Whether it says what has been, or what a day is: `she was`, `I called`, `today is`.
    let isReport: Bool
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
        let head = tokens.list.prefix(2)
        let verb = head.last?.key ?? ""
        let isDay = head.first?.sense.day != nil && head.last?.has(.verb) == true
        isReport =
            isDay
            || head.first?.sense.use == .subject && moves == nil
                && (head.last?.sense.use == .past
                    || (verb.hasSuffix("ed") && !verb.hasSuffix("eed")))
        expressions = tokens.holidays
        movesFrom = tokens.list[(moves ?? 0)...].firstIndex { $0.has(.from) } ?? tokens.count
        trade = tokens.list.firstIndex { $0.sense.use == .trade } ?? tokens.count
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
            if next.sense.use == .effort { return grammar.isEffort(at: end) }
            if next.has([.article, .possessive]) { return false }
            if isBeforeLastVerb(end) { return true }
            return next.has([.function, .due, .from, .every]) || next.sense.repeats != nil
                || next.sense.use == .reminder
        }
    }

    /// Whether the verb at the end of a German sentence follows.
    func isBeforeLastVerb(_ end: Int) -> Bool {
        guard grammar.table.hasVerbLast, let next = token(end) else { return false }
        return next.kind == .word && !next.isCapital && isLineEnd(end + 1)
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

    func verdict(_ phrase: PhraseInTitle) -> Verdict {
        if phrase.isFirst, phrase.isAtEnd {
            // `28 Days Later`
            let inside = phrase.start + 1..<phrase.end
            let isName = !isLoud && inside.filter { isNameWord(tokens[$0]) }.count > 1
            return (phrase.traits == .month && !phrase.isMarked) || isName ? .text : .take
        }
        if holds(TitleRules.text, phrase) { return .text }
        if holds(TitleRules.half, phrase) { return .half }
        return holds(TitleRules.taken, phrase) ? .take : .text
    }

    // MARK: Others

    /// A phrase with the words after it that add nothing: `at the latest`, `or so`.
    func whole(_ phrase: Grammar.Piece) -> Grammar.Piece {
        guard let tail = tokens.phrase(at: phrase.end), tail.sense.roles.contains(.manner) else {
            return phrase
        }
        return Grammar.Piece(phrase.reading, tail.end)
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

    /// Whether a phrase that is understood in part is reported: not if it may be a name.
    func isWorthTelling(_ phrase: PhraseInTitle) -> Bool {
        let traits = phrase.traits
        guard !traits.isSubset(of: [.month, .year, .part, .point, .twoNumbers]) else {
            return false
        }
        // `the colour of the weekend column`
        if phrase.nextWord?.sense.isEmpty == true,
            traits.isSubset(of: [.period, .turned, .weekday, .relativeDay, .holiday])
        {
            return false
        }
        return isLoud || !(max(1, phrase.start)..<phrase.end).contains { isNameWord(tokens[$0]) }
    }

    /// Whether a day or a time stands at the beginning before a noun to which it may belong: `friday
    /// lunch`, `at noon gym`; not `Friday Night Lights`, `Friday is …`.
    func isOpening(_ phrase: PhraseInTitle) -> Bool {
        let (reading, first) = (phrase.reading, phrase.first)
        let isDay =
            phrase.traits.isSubset(of: [.weekday, .part]) && reading.weekday != nil
            && phrase.lead.end == phrase.start
        let isTime =
            !reading.hasDay && first.has(.at)
            && (reading.clock?.isBare == false || (reading.clock != nil && reading.part != nil))
        guard reading.hasDay ? isDay : isTime, reading.moment == nil,
            !first.has(.common) || first.isCapital
        else { return false }
        return isOpening(phrase.start, phrase.end)
    }

    /// Whether a number at the beginning may be that of a day, an hour or a noun: `on the 2nd try`.
    func isOpeningNumber(_ phrase: PhraseInTitle) -> Bool {
        let isDay = phrase.traits.isSubset(of: [.ordinal, .digits]) && phrase.lead.isOn
        let isHour = phrase.kind == .clock && phrase.first.has(.at)
        return (isDay || isHour) && isOpening(phrase.start, phrase.end)
    }

    /// Whether words at the beginning are followed by a noun.
    func isOpening(_ start: Int, _ end: Int) -> Bool {
        guard start == 0, let next = token(end), next.kind == .word || next.isNumber,
            next.hasSpace, media == nil, !tokens[end - 1].isPossessive
        else { return false }
        return (!next.isCapital || grammar.table.hasCapitalNouns)
            && !next.has([.verb, .function, .counted])
    }

    /// Whether `by` and a name follow.
    func isBeforeAuthor(_ end: Int) -> Bool {
        guard has(end, .due), has(end, .function), let author = token(end + 1) else { return false }
        return author.isCapital && !author.isUpper && grammar.phrases(at: end + 1).isEmpty
    }

    /// Whether a word with a capital is unusual there.
    func isNameWord(_ token: Token) -> Bool {
        guard token.kind == .word, token.isCapital, !token.isUpper, token.range.count > 1,
            !grammar.table.hasCapitalNouns,
            !expressions.contains(where: { $0.contains(token.range.lowerBound) })
        else { return false }
        let sense = token.sense
        let isHoliday =
            sense.holiday != nil || ["day", "eve"].contains(token.key)
            || tokens.vocabulary.phrases(from: token.key).contains { $0.sense.holiday != nil }
        return !isHoliday && sense.weekday == nil && sense.month == nil && sense.zone == nil
            && !token.has([.am, .pm, .week])
    }
}
