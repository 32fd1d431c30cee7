import CivilTime

extension TitleRules {
    /// Whether the phrase is a date without doubt, or stands where one does.
    func isEnough(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let (reading, end) = (phrase.reading, phrase.end)
        let traits = reading.traits
        let isAtEnd = isLineEnd(end)
        let isBeforeBoundary = isAtEnd || isBoundary(end)
        let isMarked = lead.isMarked
        // An article before a phrase that has none of its own makes a noun of it.
        let isDefinite =
            traits.contains(.edge) || (traits.contains(.fullDate) && isBeforeBoundary)
            || (reading.period != nil && reading.weekday != nil)
        if lead.isArticle, !isMarked, !isDefinite { return false }
        if traits.contains(.isPast), !isMarked || lead.isStart || lead.isOn {
            return isPastEnough(phrase, lead, isAtEnd)
        }
        if traits.contains(.bareNumber) { return isAtEnd }
        if isByHowMuch(reading, lead, start, end) { return false }
        if isVersion(reading, lead, start) { return false }
        if reading.hasDay, reading.clock != nil { return true }
        if reading.hasDay, reading.part != nil, end - lead.end > 1 || !traits.contains(.relativeDay)
        {
            // `Tomorrow afternoon call Ana`
            let isFirst = isLineStart(start) && traits.contains(.relativeDay)
            return isMarked || isBeforeBoundary || isFirst
        }
        if traits.contains(.fullDate) {
            // `20270718` is a date where dates are written.
            let isLongNumber = end - lead.end == 1
            return !isLongNumber || isMarked || isAtEnd || isLineStart(start)
        }
        if !traits.isDisjoint(with: [.edge, .nth]) {
            return isMarked || isBeforeBoundary || traits.contains(.weekday)
        }
        if traits.contains([.period, .month]), isCommonMonth(end - 1), token(end)?.kind == .word {
            // `this may or may not be right`
            return false
        }
        if traits.contains(.period) { return isPeriodEnough(reading, lead, start, end) }
        if traits.contains(.amount) || reading.moment != nil {
            // `24 hours in a day`
            if has(lead.end, .in), has(lead.end + 1, .article), let before = token(start - 1),
                before.sense.unit != nil || before.isNumber || before.key == "times"
            {
                return false
            }
            // `ran 10 miles in 2 hours`
            if has(lead.end, .in), has(start - 1, .counted), token(start - 2)?.isNumber == true {
                return false
            }
            return token(end - 1)?.has(.later) != true || isBeforeBoundary
        }
        if traits.contains(.holiday) { return isHolidayEnough(phrase, lead, start) }
        if traits.contains(.twoNumbers) { return areTwoNumbersEnough(phrase, lead) }
        if traits.contains(.monthDay) {
            let isCommon = (lead.end..<end).contains {
                tokens[$0].sense.month != nil && tokens[$0].has(.common) && !tokens[$0].isCapital
                    && (tokens[$0].has(.verb) || !isLineStart(start))
            }
            let isMarkedDay = isMarked || reading.weekday != nil
            // `12 March Road`
            let isAddress =
                token(end)?.isCapital == true && !isBeforeBoundary && !isLineStart(start)
            // `ask about the 4th of July fireworks`
            let isOfNoun =
                !isBeforeBoundary && !isMarkedDay && has(start, .article) && !isLineStart(start)
            if isOfNoun, token(end)?.kind == .word { return false }
            return (!isCommon && !isAddress) || lead.isDue || isBeforeBoundary
                || reading.weekday != nil
        }
        if traits.contains(.month) { return isMonthEnough(reading, lead, start, end) }
        if traits.contains(.ordinal) {
            return reading.weekday != nil
                || ((isMarked || lead.isTarget) && isBeforeBoundary && !lead.isFor)
                || (lead.isDue && isBeforeBoundary) || isBesideObject(lead, start, end)
        }
        if traits.contains(.relativeDay) {
            return isRelativeDayEnough(phrase, lead, start, isBeforeBoundary)
        }
        if traits.contains(.weekday) {
            return isWeekdayEnough(phrase, lead, start, isAtEnd, isBeforeBoundary)
        }
        if traits.contains(.clock) { return isClockEnough(phrase, lead, start, isBeforeBoundary) }
        if traits.contains(.part) {
            return (lead.isDue || tokens[lead.end].sense.part == nil) && isBeforeBoundary
        }
        return isMarked
    }

    /// `may`, `march`: in small letters the name of a month may be a verb.
    private func isCommonMonth(_ index: Int) -> Bool {
        tokens[index].sense.month != nil && tokens[index].has(.common) && !tokens[index].isCapital
    }

    /// `Pay the rent the 26th`, `I'll be back the 26th`, `the deadline is the 26th`: what the verb
    /// needs is already there, so the 26th is none of its things, as in `finish the 26th`.
    private func isBesideObject(_ lead: Lead, _ start: Int, _ end: Int) -> Bool {
        guard isLineEnd(end), tokens[start].has(.article), has(end - 1, .ordinalEnding),
            let before = token(start - 1), before.kind == .word, !before.isCapital, media == nil
        else { return false }
        return has(start - 2, [.article, .possessive]) || before.has(.ago)
            || (before.has(.verb) && start > 1)
    }

    /// `Python 3.12 tomorrow`.
    private func isVersion(_ reading: Reading, _ lead: Lead, _ start: Int) -> Bool {
        guard reading.traits.contains([.bareClock, .point]), tokens[lead.end].isNumber,
            grammar.isMark(lead.end + 1, "."), let clock = reading.clock
        else { return false }
        return clock.minute % 5 != 0 || (token(start - 1)?.isCapital == true && start > 1)
    }

    /// `increase the volume by 5`, `off by 1 in the loop`.
    private func isByHowMuch(_ reading: Reading, _ lead: Lead, _ start: Int, _ end: Int) -> Bool {
        guard lead.isDue, reading.clock?.isBare ?? true, !reading.hasDay, reading.part == nil,
            tokens[lead.end].isNumber
        else { return false }
        return !isLineEnd(end) && token(end)?.kind == .word && !has(end, [.on, .due])
            || tokens.list[..<start].contains { $0.sense.use == .change }
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
        if lead.isFor || lead.isArticle { return false }
        if unit == .quarter, !reading.traits.contains(.turned) {
            return has(lead.end, .in) && reading.traits.contains(.year) && isBoundary(end)
        }
        if unit == .week, reading.traits.contains(.year) { return isBoundary(end) }
        if has(start - 1, .for) || has(start - 1, .in) && unit != .week { return false }
        if reading.traits.contains(.digits) {
            return isBoundary(end)
                && (lead.isOn || has(lead.end, .in) || isNearWeek(reading, start, end))
        }
        if unit == .weekend {
            let isSaid = lead.isOn || reading.traits.contains(.turned)
            // `On the weekend clean up`
            let isBegin = lead.isOn && isLineStart(start) && token(end)?.isCapital == false
            return isSaid && (isBoundary(end) || isBegin)
        }
        return reading.traits.contains(.named) ? isLineEnd(end) : isBoundary(end)
    }

    /// `Deliver slides week 49`: at the end, a week that is near; else it may be one of a course.
    private func isNearWeek(_ reading: Reading, _ start: Int, _ end: Int) -> Bool {
        guard let first = reading.period?.first, isLineEnd(end), tokens[end - 1].digits == 2,
            !tokens[start].isCapital || tokens[start].isUpper
        else { return false }
        return (0...56).contains(first.number - grammar.today.number)
    }

    /// `expires december`, `renew it in dec 2026`.
    private func isMonthEnough(_ reading: Reading, _ lead: Lead, _ start: Int, _ end: Int) -> Bool {
        guard isBoundary(end) else { return false }
        if lead.isDue || has(start - 1, .happens) { return true }
        // `Run 5 km in March`: without a year the day may be any in it.
        return (reading.traits.contains(.within) || lead.isOn) && reading.year != nil
    }

    private func isHolidayEnough(_ phrase: Grammar.Piece, _ lead: Lead, _ start: Int) -> Bool {
        if phrase.reading.traits.contains(.year) { return true }
        let isBeforeBoundary = isBoundary(phrase.end)
        if lead.isDue || lead.isOn || lead.isStart { return isBeforeBoundary }
        if token(start - 1)?.sense.use == .greeting { return false }
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
        // `from 9-11` may be hours.
        if lead.isStart, grammar.isMark(lead.end + 1, "-") { return false }
        if lead.isMarked { return isBeforeBoundary }
        if reading.traits.contains(.point) {
            return reading.traits.contains(.named)
                && (isBeforeBoundary || isLineStart(lead.end))
        }
        // A fraction, a score: `1/2`, `9/10`, `7-6`.
        guard phrase.end - lead.end == 3, grammar.isMark(lead.end + 1, "/") else { return false }
        let second = tokens[lead.end + 2]
        return second.digits == 2 && second.value != 10 && reading.problem == nil
            && (isLineEnd(phrase.end)
                || (isLineStart(lead.end) && grammar.isMark(phrase.end, ":")))
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
        let isNoun = grammar.table.hasCapitalNouns && isLineStart(start)
        return !next.isCapital || !tokens[lead.end].isCapital || isNoun
    }

    /// `Tom`, `Sun`: with a capital inside of a sentence it may be a name.

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
        if isCommon, !lead.isMarked {
            if !isAtEnd { return false }
            // `mach es so`
            if grammar.table.hasCapitalNouns, !tokens[lead.end].isCapital { return false }
        }
        // `On Friday call Ana`
        if lead.isOn || lead.isStart, isLineStart(start),
            token(phrase.end)?.isCapital == false || grammar.table.hasCapitalNouns
        {
            return true
        }
        if isCommon, !grammar.table.hasCapitalNouns, !lead.isMarked, tokens[lead.end].isCapital,
            start > 0,
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
        if hasHalf, !isLetter {
            // `Cancel 3pm meeting`
            let isOfNoun = token(end)?.kind == .word && token(end)?.isCapital == false
            return isAt || isBeforeBoundary || isLineStart(start) || !isOfNoun
        }
        // `Um 15 Uhr Kuchen backen`
        if has(end - 1, .oclock), isAt, isLineStart(start) { return true }
        if hasColon { return isAt || isBeforeBoundary || isLineStart(start) }
        if isAt { return isBeforeBoundary }
        // `noon`, `half past three`, `15h`, `9p`
        if isLetter { return false }
        return isBeforeBoundary
            && (!tokens[lead.end].isCapital || grammar.table.hasCapitalNouns)
    }
}
