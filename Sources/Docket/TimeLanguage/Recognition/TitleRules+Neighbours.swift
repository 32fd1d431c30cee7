import CivilTime

extension TitleRules {
    /// `meet 10 friday`: the number may be the hour or the day.
    func isBehindNumber(_ phrase: PhraseInTitle) -> Bool {
        let (start, first) = (phrase.start, phrase.first)
        guard let before = phrase.before, before.isNumber, start == phrase.lead.end else {
            return false
        }
        return before.hasSpace && first.kind == .word && first.hasSpace && !isMoney(start - 1)
            && !isNumberOfNoun(start - 1, phrase.reading) && !first.has([.in, .within])
    }

    /// Whether it is said when a week begins: `weeks start on`, `start its week on`, `the week is`.
    func isBehindWeekStart(_ start: Int) -> Bool {
        var week = start - 1
        while week >= 0, tokens[week].sense.unit != .week {
            guard has(week, [.start, .happens, .verb, .function]) else { return false }
            week -= 1
        }
        let isBehindVerb = [week - 1, week - 2].contains { has($0, [.start, .happens]) }
        return week >= 0 && (isBehindVerb || week + 1 < start)
    }

    /// Whether weeks are before a day: `2 weeks friday`.
    func isBehindWeeks(_ phrase: PhraseInTitle) -> Bool {
        guard phrase.reading.hasDay, phrase.start == phrase.lead.end,
            let unit = phrase.before?.sense.unit, unit >= .week, let count = token(phrase.start - 2)
        else { return false }
        return count.key == "a" || count.isNumber || count.sense.number != nil
    }

    /// `Remind me at 5pm to buy milk`, `go at 5pm to the gym`; but `9am to close`, `5 to 10`,
    /// `3:10 to Yuma`.
    func isPurpose(_ index: Int, from start: Int) -> Bool {
        guard tokens[index].key == "to", moves == nil, let next = token(index + 1),
            next.kind == .word,
            next.hasSpace
        else { return false }
        if next.has([.article, .possessive]) {
            return !has(index + 2, [.start, .middle, .end])
        }
        if next.isCapital { return !isLoud && !isLineStart(start) }
        // `Remind me at 5pm to call`
        let isWhole = token(index + 2)?.hasSpace == true || tokens[0].sense.use == .reminder
        return isWhole && (next.sense.isEmpty || next.has([.verb, .media, .moves]))
    }

    /// Whether a number beside a phrase belongs to the noun before it: `chapter 5 next thursday`,
    /// `RFC 3339 tonight`, `table for 4 friday 8pm`, `flight 204 tomorrow at 4`.
    func isNumberOfNoun(_ index: Int, _ reading: Reading) -> Bool {
        guard let number = token(index), let noun = token(index - 1) else { return false }
        if noun.has(.counted) || noun.isUpper || noun.has(.for) || isPrice(index) { return true }
        // `party of 10 at 9`
        if noun.has(.of), has(index + 1, [.at, .on]), !has(index - 2, [.quarter, .half]) {
            return true
        }
        // It can be neither the time nor the day.
        if number.digits > 4 { return number.digits != 8 }
        guard noun.kind == .word, !noun.sense.hasValue else { return false }
        let isHour = number.value < 2400 && number.value % 100 < 60 && number.digits > 2
        return number.value > 31 && (reading.clock != nil || !isHour)
    }

    /// Whether a number is a price: `sell 10 shares at 150`, `buy 100 at 12`.
    func isPrice(_ index: Int) -> Bool {
        guard let number = token(index), number.isNumber, has(index - 1, .at), trade < index
        else { return false }
        let isTime = grammar.isMark(index + 1, ":") || has(index + 1, [.am, .pm])
        return !isTime && (number.digits == 3 || token(index - 2)?.isNumber == true)
    }

    /// Whether a day that was not understood is there: `mon/wed/fri 6pm`, `mon-fri 9:15`.
    func isOtherDay(_ index: Int) -> Bool {
        guard let token = token(index), token.sense.weekday != nil else { return false }
        return !has(index - 1, [.article, .possessive])
    }

    /// `8am and 8pm`, `the 1st and 15th`, `dec 5 18:00 - dec 7`: one of two.
    func isBeforeOther(_ reading: Reading, _ end: Int) -> Bool {
        if reading.traits.contains(.ordinal), has(end, .and) || grammar.isMark(end, ","),
            grammar.ordinal(at: grammar.afterArticle(end + 1)) != nil
        {
            return true
        }
        if grammar.isMark(end, "-") {
            return reading.hasDay && grammar.phrases(at: end + 1).contains { $0.reading.hasDay }
        }
        guard reading.traits.contains(.clock), has(end, .and) || grammar.isMark(end, ",") else {
            return false
        }
        let start = has(end + 1, .at) ? end + 2 : end + 1
        // `at 8, 12 and 6`
        if token(start)?.isNumber == true, token(start)?.digits ?? 9 <= 2,
            isLineEnd(start + 1) || has(start + 1, [.and, .or])
        {
            return true
        }
        return grammar.clocks(at: start).contains { !$0.value.isBare }
            && !grammar.phrases(at: start).contains { $0.reading.hasDay }
    }

    /// `friday, or the monday after`, `9 or earlier`: one of two.
    func isBeforeAlternative(_ end: Int) -> Bool {
        let at = grammar.isMark(end, ",") ? end + 1 : end
        let roles = tokens.phrase(at: at)?.sense.roles ?? []
        if !roles.isDisjoint(with: [.before, .after]), has(at, .or) { return true }
        guard has(at, .or) else { return false }
        let other = grammar.afterArticle(has(at + 1, [.on, .at, .in]) ? at + 2 : at + 1)
        guard let token = token(other) else { return false }
        return isTime(other) || grammar.cardinal(at: other) != nil || token.sense.turn != nil
            || token.sense.unit != nil || token.has([.before, .after])
    }

    /// `24, 25 and 26 december`, `between 8 and 10 tomorrow`: a number before is of the same list.
    func isAfterListed(_ start: Int, _ lead: Lead) -> Bool {
        guard let joint = token(start - 1), joint.has([.and, .or]) || joint.isMark(44),
            let before = token(start - 2), before.isNumber, before.digits <= 2,
            tokens[lead.end].isNumber, has(start - 3, [.between, .at, .from]) || lead.end == start
        else { return false }
        return !has(start - 3, .counted)
    }

    /// Whether a range is the first one of several, or has one day or time more: `mon to wed and fri`.
    func isBeforeFurther(_ end: Int) -> Bool {
        if isBeforeAlternative(end) { return true }
        // `9-5 mon to fri`
        if has(end, .through) || grammar.isMark(end, "-"), token(end + 1)?.sense.weekday != nil {
            return true
        }
        var at = grammar.isMark(end, ",") ? end + 1 : end
        if has(at, .and) { at += 1 }
        guard at > end else { return false }
        at = grammar.afterArticle(has(at, [.on, .at, .from]) ? at + 1 : at)
        if let ordinal = grammar.ordinal(at: at) { return isBoundary(ordinal.end) }
        if let number = token(at), number.isNumber {
            return isLineEnd(at + 1) || grammar.isMark(at + 1, "-") || has(at + 1, .through)
        }
        return token(at)?.sense.weekday != nil
    }

    /// Whether a repetition is the first one of several, or has one day or time more: `every monday at
    /// 7 and thursday at 8`, `every morning and every evening`.
    func isBeforeOtherRepetition(_ end: Int) -> Bool {
        if isBeforeFurther(end) { return true }
        // `every first monday of the quarter`
        if token(end)?.key == "of" { return true }
        var at = grammar.isMark(end, ",") ? end + 1 : end
        if has(at, [.and, .or]) { at += 1 }
        guard at > end else { return false }
        return has(at, .every) || has(grammar.afterArticle(at), .half)
    }

    /// Whether a day follows that is not meant: `except friday`, `but not on dec 25`.
    func isExcepted(_ index: Int) -> Bool {
        guard has(index, .except) else { return false }
        var at = index + 1
        if has(at, [.except, .of]) { at += 1 }
        at = grammar.afterArticle(has(at, .on) ? at + 1 : at)
        return grammar.phrases(at: at).contains { $0.reading.hasDay } || has(at, [.plural, .every])
    }

    /// Whether only words that join are between two phrases.
    func isBeside(_ end: Int, _ start: Int) -> Bool {
        guard start - end <= 2, end <= start else { return false }
        return (end..<start).allSatisfy {
            grammar.isMark($0, ",") || has($0, [.and, .or, .function])
        }
    }

    /// Whether a date is in another part of the sentence than one that ended before: a comma or `and` is
    /// between them, and no verb that makes a statement of it.
    func isInOtherPart(_ start: Int, than end: Int) -> Bool {
        var at = start - 1
        while at >= end, start - at <= 8 {
            // `… and ask about friday`, `… and ends at 10`
            if has(at, [.verb, .happens, .for, .of, .about]) { return false }
            if has(at, [.and, .or]) || grammar.isMark(at, ",") || grammar.isMark(at, ";") {
                return true
            }
            at -= 1
        }
        return false
    }

    /// `thu 11`: the 11th if a Thursday comes soon that is the 11th, else it may be the hour.
    func isDayOrHour(_ reading: Reading) -> Bool {
        guard reading.traits.contains([.weekday, .named]), reading.clock == nil,
            let number = reading.day, number <= 12, reading.month == nil,
            case .day(let day) = grammar.resolver.day(reading)
        else { return false }
        return day.number - grammar.today.number > 31
    }

    /// Whether another day is before or behind it, joined by `and`, `or`, a comma or a slash:
    /// `sat & sun`, `mon, wed`.
    func isListed(_ start: Int, _ end: Int) -> Bool {
        func isDay(_ index: Int) -> Bool {
            guard let sense = token(index)?.sense else { return false }
            return sense.weekday != nil || sense.day != nil
        }
        func isJoint(_ index: Int) -> Bool {
            guard let token = token(index) else { return false }
            switch token.kind {
            case .mark: return ["&", ",", "/"].contains { token.isMark($0) }
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

    func isMoney(_ index: Int) -> Bool {
        guard let before = token(index - 1) else { return false }
        return before.isMark("$") || before.isOtherMark
    }
}
