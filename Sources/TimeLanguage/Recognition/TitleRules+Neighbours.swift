import CivilTime

extension TitleRules {
    /// Whether words beside it would change it.
    func isHalf(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let reading = phrase.reading
        let changing: Roles = [.before, .after, .of, .past, .since, .between]
        if let before = token(start - 1), before.kind == .word {
            if before.has(changing) || before.has(.except) || before.sense.turn != nil {
                return true
            }
            if !lead.isAfterTaken, isOtherDay(start - 1) { return true }
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
            !isMoney(start - 1), tokens[start].kind == .word, tokens[start].hasSpace,
            !isNumberOfNoun(start - 1, reading), !tokens[start].has([.in, .within])
        {
            return true
        }
        let end = phrase.end
        // `3.12.-5.12.`, `at 5-6`
        if grammar.isMark(end, "-"), grammar.isGlued(end), grammar.isGlued(end + 1),
            tokens[end + 1].isNumber
        {
            return true
        }
        if isDayOrHour(reading) || isBeforeOther(reading, end) { return true }
        if isListed(start, end) { return true }
        // `1/2 - 1/12`
        if start > 1, grammar.isMark(start - 1, "-"), !lead.isAfterTaken,
            hasTime(endingAt: start - 1)
        {
            return true
        }
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
            if isTime(end + 1) || (isNumber && !isPurpose(end, from: start)) { return true }
        }
        if next.has(.or), isTime(end + 1) || grammar.cardinal(at: end + 1) != nil { return true }
        if next.has(.article), isTime(end) || isTime(end + 1) { return true }
        if next.sense.turn != nil, isTime(end) { return true }
        if next.has([.due, .from]) { return false }
        return isTime(end)
    }

    /// `Remind me at 5pm to buy milk`, `go at 5pm to the gym`; but `9am to close`, `5 to 10`,
    /// `3:10 to Yuma`.
    private func isPurpose(_ index: Int, from start: Int) -> Bool {
        guard tokens[index].key == "to", moves == nil, let next = token(index + 1),
            next.kind == .word,
            next.hasSpace
        else { return false }
        if next.has([.article, .possessive]) {
            return !has(index + 2, [.start, .middle, .end])
        }
        if next.isCapital { return !isLoud && !isLineStart(start) }
        return token(index + 2)?.hasSpace == true
            && (next.sense.isEmpty || next.has([.verb, .media, .moves]))
    }

    /// Whether it is a date of digits with marks between and a year of four digits.
    private func hasYear(_ phrase: Grammar.Piece, _ lead: Lead) -> Bool {
        phrase.reading.traits.contains(.fullDate) && phrase.end - lead.end > 1
            && (tokens[lead.end].digits == 4 || tokens[phrase.end - 1].digits == 4)
    }

    /// Whether a number beside a phrase belongs to the noun before it: `chapter 5 next thursday`,
    /// `RFC 3339 tonight`, `table for 4 friday 8pm`.
    private func isNumberOfNoun(_ index: Int, _ reading: Reading) -> Bool {
        if has(index - 1, .counted) || token(index - 1)?.isUpper == true { return true }
        return has(index - 1, .for) && reading.hasDay && reading.hasTime
    }

    /// Whether a day that was not understood is there: `mon/wed/fri 6pm`, `mon-fri 9:15`.
    func isOtherDay(_ index: Int) -> Bool {
        guard let token = token(index), token.sense.weekday != nil else { return false }
        return !has(index - 1, [.article, .possessive])
    }

    /// `8am and 8pm`, `dec 5 18:00 - dec 7`: one of two.
    private func isBeforeOther(_ reading: Reading, _ end: Int) -> Bool {
        if grammar.isMark(end, "-") {
            return reading.hasDay && grammar.phrases(at: end + 1).contains { $0.reading.hasDay }
        }
        guard reading.traits.contains(.clock), has(end, .and) || grammar.isMark(end, ",") else {
            return false
        }
        let start = has(end + 1, .at) ? end + 2 : end + 1
        return grammar.clocks(at: start).contains { !$0.value.isBare }
            && !grammar.phrases(at: start).contains { $0.reading.hasDay }
    }

    /// `thu 11`: the 11th if a Thursday comes soon that is the 11th, else it may be the hour.
    private func isDayOrHour(_ reading: Reading) -> Bool {
        guard reading.traits.contains([.weekday, .named]), reading.clock == nil,
            let number = reading.day, number <= 12, reading.month == nil,
            case .day(let day) = grammar.resolver.day(reading)
        else { return false }
        return day.number - grammar.today.number > 31
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

    /// Whether a time begins here that is no common word.
    func isTime(_ index: Int) -> Bool {
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
    func isTextByNeighbours(
        _ phrase: Grammar.Piece,
        _ lead: Lead,
        from start: Int
    ) -> Bool {
        let end = phrase.end
        if isMoney(start) || isMoney(lead.end) { return true }
        if case .mark(let mark)? = token(start - 1)?.kind, mark == 34 || mark == 39 || mark == 35 {
            return true
        }
        let isDotted = start > 1 && grammar.isMark(start - 1, ".") && grammar.isGlued(start - 1)
        if let before = token(isDotted ? start - 2 : start - 1),
            before.has(.possessive) || before.isPossessive,
            !(before.isPossessive && before.has(.contraction))
        {
            // `Dinner at Luigi's friday 7pm`: nothing follows that could be his.
            let isOwner = !before.isPossessive || !isLineEnd(end)
            return isOwner || !phrase.reading.hasDay || !phrase.reading.hasTime
        }
        // `friday's`; but `on valentine's`
        if token(end - 1)?.isPossessive == true,
            phrase.reading.traits != .holiday || !isBoundary(end)
        {
            return true
        }
        if tokens[lead.end].isNumber, has(start - 1, .counted), start == lead.end,
            phrase.reading.traits.isDisjoint(with: [.amount, .monthDay]), !hasYear(phrase, lead)
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
        // `at 5 Main Street`; but `at 5:15 Ann`
        if phrase.reading.traits.contains(.clock), next.isCapital, next.hasSpace,
            next.kind == .word, !grammar.table.hasCapitalNouns,
            token(end - 1)?.isNumber == true, !grammar.isMark(end - 2, ":")
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
}
