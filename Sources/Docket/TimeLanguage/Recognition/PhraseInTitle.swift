import CivilTime

/// Tokens of a title, with what is around them.
struct PlaceInTitle {
    let rules: TitleRules
    /// The index of the first token.
    let start: Int
    /// The index of the token after it.
    let end: Int
    /// Whether what is directly before it was understood.
    var isAfterTaken = false

    var first: Token { rules.tokens[start] }
}

/// A phrase in a title, with what is around it.
struct PhraseInTitle {
    /// What decides whether it is taken, from what is certain to what is not.
    enum Kind {
        /// A day that is said as a past one.
        case past
        /// `1030` or `3 15`, which may be any number.
        case number
        case dayAndTime
        case dayAndPart
        case fullDate
        /// `end of next month`, `third tuesday of may`.
        case counted
        case dayOfPeriod
        case quarter
        /// `week 49`.
        case numbered
        case weekend
        /// `eom`.
        case namedPeriod
        /// `next week`.
        case period
        /// `in 3 days`.
        case amount
        case holiday
        /// `11/22`, `22.11.`
        case twoNumbers
        case monthDay
        case month
        /// `the 22nd`.
        case ordinal
        case relativeDay
        case weekday
        case clock
        /// `5:10` without a sign that it is a time.
        case bareClock
        case part
        case other
    }

    let rules: TitleRules
    let phrase: Grammar.Piece
    let lead: TitleRules.Lead
    /// The index of the first token, that of the lead.
    let start: Int
    /// Whether what is directly before it was understood.
    let isAfterTaken: Bool
    private(set) var kind = Kind.other

    init(
        _ rules: TitleRules,
        _ phrase: Grammar.Piece,
        _ lead: TitleRules.Lead,
        from start: Int,
        isAfterTaken: Bool
    ) {
        (self.rules, self.phrase, self.lead) = (rules, phrase, lead)
        (self.start, self.isAfterTaken) = (start, isAfterTaken)
        kind = findKind()
    }

    var reading: Reading { phrase.reading }
    var traits: Reading.Traits { phrase.reading.traits }
    /// The index of the token after it.
    var end: Int { phrase.end }
    var grammar: Grammar { rules.grammar }
    var tokens: Tokens { rules.tokens }
    /// The first token of the phrase itself.
    var first: Token { tokens[lead.end] }
    var last: Token { tokens[end - 1] }
    /// The word or number before it.
    var before: Token? { rules.token(start - 1) }
    var wordBefore: Token? { before?.kind == .word ? before : nil }
    /// What is behind it.
    var next: Token? { rules.token(end) }
    /// A word behind it, with a space between.
    var nextWord: Token? { next?.kind == .word && next?.hasSpace == true ? next : nil }

    func has(_ index: Int, _ roles: Roles) -> Bool { rules.has(index, roles) }
    func isBehind(_ roles: Roles) -> Bool { rules.has(start - 1, roles) }
    func isBefore(_ roles: Roles) -> Bool { rules.has(end, roles) }

    var isFirst: Bool { rules.isLineStart(start) }
    var isAtEnd: Bool { rules.isLineEnd(end) }
    /// Whether it is not a part of what follows.
    var isClosed: Bool { isAtEnd || rules.isBoundary(end) }
    var isMarked: Bool { lead.isMarked }
    /// Whether a capital makes no name in this language.
    var hasCapitalNouns: Bool { grammar.table.hasCapitalNouns }
    var isTimed: Bool { traits.contains(.clock) && reading.hasDay }

    private func findKind() -> Kind {
        let (reading, traits) = (reading, traits)
        if traits.contains(.isPast), !isMarked || lead.isStart || lead.isOn { return .past }
        if traits.contains(.bareNumber) { return .number }
        if reading.hasDay, reading.clock != nil { return .dayAndTime }
        let isTonight = end - lead.end == 1 && traits.contains(.relativeDay)
        if reading.hasDay, reading.part != nil, !isTonight { return .dayAndPart }
        if traits.contains(.fullDate) { return .fullDate }
        if !traits.isDisjoint(with: [.edge, .nth]) { return .counted }
        if traits.contains(.period) { return periodKind }
        if traits.contains(.amount) || reading.moment != nil { return .amount }
        if traits.contains(.holiday) { return .holiday }
        if traits.contains(.twoNumbers) { return .twoNumbers }
        if traits.contains(.monthDay) { return .monthDay }
        if traits.contains(.month) { return .month }
        if traits.contains(.ordinal) { return .ordinal }
        if traits.contains(.relativeDay) { return .relativeDay }
        if traits.contains(.weekday) { return .weekday }
        if traits.contains(.clock) {
            let isBare = traits.contains(.bareClock) && !traits.contains(.edge)
            return isBare && reading.part == nil ? .bareClock : .clock
        }
        return traits.contains(.part) ? .part : .other
    }

    private var periodKind: Kind {
        if reading.weekday != nil || reading.day != nil || reading.month != nil {
            return .dayOfPeriod
        }
        switch reading.period?.unit {
        case .quarter where !traits.contains(.turned): return .quarter
        case _ where traits.contains(.digits): return .numbered
        case .weekend: return .weekend
        default: return traits.contains(.named) ? .namedPeriod : .period
        }
    }
}
