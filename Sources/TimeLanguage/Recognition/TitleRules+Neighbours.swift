import CivilTime

extension TitleRules {
    /// Whether words beside it would change it.
    func isHalf(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let reading = phrase.reading
        let changing: Roles = [.before, .after, .of, .past, .since, .between]
        if let before = token(start - 1), before.kind == .word {
            if before.has(changing) || before.has(.except) || before.has(.every) { return true }
            // `next the 3rd`; but `finish this by friday`
            if before.sense.turn != nil, !lead.isMarked { return true }
            // `before or on the 5th`
            if before.has([.and, .or]), has(start - 2, changing) { return true }
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
        // `later than friday`
        if start > 1, let before = tokens.phrase(at: start - 2), before.end == start,
            !before.sense.roles.isDisjoint(with: [.before, .after])
        {
            return true
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
        // `friday at the earliest`
        if tokens.phrase(at: end)?.sense.roles.contains(.after) == true { return true }
        if isDayOrHour(reading) || isBeforeOther(reading, end) { return true }
        if isBeforeAlternative(end) || isAfterListed(start, lead) { return true }
        if isBeforeHour(reading, end) { return true }
        if isListed(start, end) { return true }
        // `Arrive 7 for 7:30`
        if lead.isFor, reading.clock != nil, token(start - 1)?.isNumber == true,
            !isNumberOfNoun(start - 1, reading)
        {
            return true
        }
        // `Seite 3 bis 9`
        if lead.isDue, has(start, .through), token(start - 1)?.isNumber == true, !reading.hasDay,
            reading.clock?.isBare == true
        {
            return true
        }
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
        // `Samstag vom Bahnhof abholen`
        let isPlace = next.has(.of) && next.has(.from) && !isTime(end + 1)
        if !isPlace, next.has([.before, .after, .of, .past, .since, .ago, .later]),
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
        // `3pm Berlin time`
        if reading.clock != nil, next.isCapital, has(end + 1, .time) { return true }
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
    /// `RFC 3339 tonight`, `table for 4 friday 8pm`, `flight 204 tomorrow at 4`.
    private func isNumberOfNoun(_ index: Int, _ reading: Reading) -> Bool {
        guard let number = token(index), let noun = token(index - 1) else { return false }
        if noun.has(.counted) || noun.isUpper || noun.has(.for) { return true }
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

    /// Whether a day that was not understood is there: `mon/wed/fri 6pm`, `mon-fri 9:15`.
    func isOtherDay(_ index: Int) -> Bool {
        guard let token = token(index), token.sense.weekday != nil else { return false }
        return !has(index - 1, [.article, .possessive])
    }

    /// `8am and 8pm`, `the 1st and 15th`, `dec 5 18:00 - dec 7`: one of two.
    private func isBeforeOther(_ reading: Reading, _ end: Int) -> Bool {
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
    private func isBeforeAlternative(_ end: Int) -> Bool {
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
    private func isAfterListed(_ start: Int, _ lead: Lead) -> Bool {
        guard let joint = token(start - 1), joint.has([.and, .or]) || joint.isMark(44),
            let before = token(start - 2), before.isNumber, before.digits <= 2,
            tokens[lead.end].isNumber, has(start - 3, [.between, .at, .from]) || lead.end == start
        else { return false }
        return !has(start - 3, .counted)
    }

    /// `the day after tomorrow 9`: at the end of a line the number may be the hour.
    private func isBeforeHour(_ reading: Reading, _ end: Int) -> Bool {
        guard reading.hasDay, reading.clock == nil, let next = token(end), next.isNumber,
            next.hasSpace
        else { return false }
        return next.value <= 24 && isLineEnd(end + 1)
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
        if has(at, .except) { at += 1 }
        at = grammar.afterArticle(has(at, .on) ? at + 1 : at)
        return grammar.phrases(at: at).contains { $0.reading.hasDay } || has(at, .plural)
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
            isWordStart(start) && isTime(start)
                && grammar.phrases(at: start).contains { $0.end == end }
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
        if case .mark(let mark)? = token(start - 1)?.kind, mark == 34 || mark == 39 || mark == 35,
            grammar.isGlued(start)
        {
            return true
        }
        // `Dr. Friday`
        if start > 1, grammar.isMark(start - 1, "."), token(start - 2)?.sense.use == .title,
            tokens[start].isCapital
        {
            return true
        }
        let isDotted = start > 1 && grammar.isMark(start - 1, ".") && grammar.isGlued(start - 1)
        if let before = token(isDotted ? start - 2 : start - 1),
            before.has(.possessive) || before.isPossessive,
            !(before.isPossessive && before.has(.contraction))
        {
            // `Dinner at Luigi's friday 7pm`: nothing follows that could be his.
            let isLed = lead.isMarked || has(start, [.at, .in])
            guard before.isPossessive else { return true }
            return !isLed
                && (!isLineEnd(end) || !phrase.reading.hasDay || !phrase.reading.hasTime)
        }
        // `friday's`; but `on valentine's`
        if token(end - 1)?.isPossessive == true,
            phrase.reading.traits != .holiday || !isBoundary(end)
        {
            return true
        }
        // `Mark 4:12`; but `Call Mark 17:00`
        let hasColon = grammar.isMark(lead.end + 1, ":")
        let isFullHour =
            (hasColon && phrase.reading.clock?.minute == 0) || phrase.reading.clock?.half != nil
            || (hasColon && token(start - 1)?.isCapital == false)
        if tokens[lead.end].isNumber, has(start - 1, .counted), start == lead.end, !isFullHour,
            phrase.reading.traits.isDisjoint(with: [.amount, .monthDay]), !hasYear(phrase, lead)
        {
            return !lead.isMarked
        }
        if tokens[lead.end].isNumber, has(start - 1, .verb), has(start - 2, .counted) {
            return true
        }
        if isTemperature(phrase, from: start) { return true }
        // `candidate A for mon 30 nov`
        let isLetter =
            !isLoud && start > 1 && tokens[start - 1].isCapital
            && tokens[start - 1].range.count == 1
        if has(start - 1, .article), !isLetter {
            // `A today`: a letter is all that the title is.
            return !lead.isMarked && !(isLineStart(start - 1) && isLineEnd(end))
        }
        guard let next = token(end) else { return false }
        if next.isMark(37) || next.isMark(0) || next.isMark(36) { return true }
        if next.kind == .word, next.has(.counted) { return true }
        // `at 5 Main Street`; but `at 5:15 Ann`
        let isNoun = grammar.table.hasCapitalNouns && phrase.reading.hasDay
        if phrase.reading.traits.contains(.clock), next.isCapital, next.hasSpace, !isNoun,
            next.kind == .word, token(end - 1)?.isNumber == true, !grammar.isMark(end - 2, ":")
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
