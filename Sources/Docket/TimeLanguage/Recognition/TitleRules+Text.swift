import CivilTime

extension TitleRules {
    /// Where a phrase is something else: a number of things, a name, a part of a sentence.
    static let text: [Row] = [
        // Numbers.
        Row("an amount of money", "Sell $ 12 may", "Send it [12 may]") {
            $0.rules.isMoney($0.start) || $0.rules.isMoney($0.lead.end)
        },
        Row("the number of a thing", "Read John 3:16", "Call Bob [9:30]") {
            $0.isNumberBehindNoun
        },
        Row("a temperature", "Roast at 220", "Call Bob [at 220]") { $0.isTemperature },
        Row("a number of things", "[Friday] 3 people for dinner [at 7]", "Print the 10 may pages") {
            $0.next?.kind == .word && $0.isBefore(.counted)
        },
        Row("a version", "Install Python 3.12 tomorrow", "Call ana [3.10 tomorrow]") {
            $0.isVersion
        },
        Row("by how much", "Increase the volume by 5", "Call Bob [by 5]") { $0.isByHowMuch },
        Row(.amount, "24 hours in a day", "Turns once in 24 hours", "Call Bob [in a day]") {
            $0.isRate
        },
        Row(.amount, "so many in so long", "Max 4 pills in 3 days", "Return 3 books [in 2 weeks]") {
            $0.isCountedWithin
        },
        Row("a time that was measured", "Personal best 22:14", "Meet my best friend [22:14]") {
            phrase in
            guard !phrase.reading.hasDay, phrase.reading.clock?.half == nil,
                phrase.first.isNumber, phrase.lead.end == phrase.start, let before = phrase.before
            else { return false }
            // `Best time is 21:45`, `Scale is 1:30`
            let isMeasured = phrase.tokens[0].sense.use == .measured
            let isLongest = isMeasured && phrase.tokens[0].key.contains("st")
            let isStatement = isMeasured || phrase.has(phrase.start - 2, .counted)
            return before.has(.verb) && isStatement || isLongest
                || before.sense.use == .measured || before.sense.use == .past
                || ["under", "below", "sub", "unter"].contains(before.key)
        },
        Row("a time with seconds", "Swim 1:28:10", "Cut the clip at 0:37", "Swim [at 1:28 pm]") {
            guard !$0.reading.hasDay, let clock = $0.reading.clock, clock.half == nil,
                let hour = $0.rules.token($0.first.isNumber ? $0.lead.end : $0.lead.end + 1)
            else { return false }
            let isMinute = hour.digits == 1 && hour.value == 0 && !$0.grammar.table.has24Hours
            return isMinute || ($0.first.isNumber && clock.second > 0)
        },
        Row("a place in a recording", "Skip the intro at 1:58", "Record the intro [at 1 pm]") {
            !$0.reading.hasDay && $0.reading.clock?.half == nil && $0.first.has(.at)
                && $0.before?.sense.use == .recording
        },
        Row("a price", "Sell 10 shares at 150 [tomorrow]", "Buy 100 at 12", "Buy milk [at 12]") {
            $0.rules.isPrice($0.first.isNumber ? $0.lead.end : $0.lead.end + 1)
        },
        // What belongs to somebody, or is a thing.
        Row("what somebody has", "Cancel my 3 o'clock", "Cancel it [3 o'clock]") {
            $0.isOwned
        },
        Row("the owner of what follows", "Prepare tomorrow's agenda", "Call Bob [tomorrow]") {
            $0.last.isPossessive && ($0.traits != .holiday || !$0.rules.isBoundary($0.end))
        },
        Row("a thing with a or an", "Write a today button", "Write to A [today]") {
            $0.isThing
        },
        Row("a thing with the", "Fix the friday", "Fix it [the end of the month]") {
            let isDefinite =
                $0.traits.contains(.edge) || ($0.traits.contains(.fullDate) && $0.isClosed)
                || ($0.reading.period != nil && $0.reading.weekday != nil)
            return $0.lead.isArticle && !$0.isMarked && !isDefinite
        },
        Row("for or of a period", "Save for next year", "Save it [next year]") {
            let periods: [PhraseInTitle.Kind] = [
                .quarter, .numbered, .weekend, .namedPeriod, .period,
            ]
            guard periods.contains($0.kind), !$0.lead.isDue else { return false }
            let isWeek = $0.reading.period?.unit == .week
            return $0.lead.isFor || $0.lead.isArticle || $0.isBehind(.for)
                || ($0.isBehind(.in) && !isWeek)
        },
        Row("since long ago", "Photos from 2019-05-01", "Photos [from 2027-05-01]") {
            $0.lead.isStart && $0.reading.year ?? 9999 < $0.grammar.today.year
        },
        Row("one of two periods", "Sum up this and next week", "Sum up [next week]") {
            $0.isBehind([.and, .or])
                && ["this", "last", "diese", "letzte"].contains($0.rules.token($0.start - 2)?.key)
        },
        Row("a past period", "Sum up last month", "Sum up [last friday]") {
            $0.kind == .past
                && ($0.lead.isStart || ($0.traits.contains(.period) && $0.reading.weekday == nil))
        },
        // Words of a sentence.
        Row("may as a verb", "this may or may not be right", "Leave [this may]") {
            $0.traits.contains([.period, .month]) && $0.last.has(.common) && !$0.last.isCapital
                && $0.next?.kind == .word
        },
        Row("the subject", "Friday is a holiday", "Is monday ok", "[Tomorrow 9:00] is fine") {
            let isAsked = $0.start == 1 && $0.isBehind(.verb) && $0.nextWord != nil
            return ($0.isFirst || $0.kind == .relativeDay) && $0.isBefore(.verb)
                && $0.traits.isDisjoint(with: [.fullDate, .monthDay, .clock])
                || isAsked && $0.kind == .weekday
        },
        Row("a question", "What happens at midnight", "What did I do [last monday]") {
            $0.tokens[0].sense.use == .clause && !$0.has(1, .about)
                && [.clock, .bareClock, .fullDate, .monthDay].contains($0.kind)
        },
        Row("a day that is moved", "Move standup from friday", "Call Bob [from friday]") { phrase in
            guard let moves = phrase.rules.moves, moves < phrase.start else { return false }
            return phrase.lead.isStart || phrase.has(phrase.start, .from)
                || phrase.isBehind([.to, .from])
        },
        Row("what has been", "I was sick on monday", "I was sick [yesterday]") {
            // `I left there on 5 march` may say the year elsewhere.
            $0.rules.isReport && $0.reading.month == nil
                && $0.traits.isDisjoint(with: [.isPast, .amount, .nth])
        },
        Row("the subject of a clause", "Ask not what tomorrow brings", "Ask what to do [tomorrow]")
        {
            $0.before?.sense.use == .clause && $0.nextWord != nil
        },
        Row("a fault and when it shows", "Tests fail on friday", "Fix wrong sum [on friday]") {
            let isFirst = $0.tokens[0].sense.use == .fault && ($0.lead.isOn || $0.lead.isFor)
            return isFirst || $0.before?.sense.use == .fault && !$0.lead.isDue
        },
        Row("the first day of a week", "The week starts on monday", "School starts [on monday]") {
            $0.kind == .weekday && $0.rules.isBehindWeekStart($0.start)
        },
        Row("a day behind and, with, at", "Oranges and friday", "Get oranges, [friday]") {
            ($0.kind == .weekday || $0.kind == .relativeDay) && $0.start == $0.lead.end
                && !$0.isAfterTaken
                && ($0.isBehind([.and, .or, .at]) || ["with", "mit"].contains($0.before?.key))
        },
        // Names.
        Row("what something is called", "Sunday shows as Saturday", "Show it [saturday]") {
            $0.before?.sense.use == .naming
                || $0.before?.isMark("=") == true
                || ($0.start == 1 && $0.before?.sense.use == .handling && !$0.isMarked)
        },
        Row("what a text is about", "Article on 9/11", "Write the article [on friday]") {
            $0.kind == .twoNumbers && $0.lead.isOn
                && ($0.before?.sense.use == .work || $0.isBehind(.media))
        },
        Row("behind about", "Doku über den 9. November", "Treffen [am 9. November]", in: .german) {
            // `what about friday`
            ["about", "über"].contains($0.before?.key)
                && $0.rules.token($0.start - 2)?.sense.use != .clause
        },
        Row("a name behind on or about", "Essay on Black Tuesday", "Lunch with Black [Tuesday]") {
            $0.has($0.start - 2, [.on, .about]) && $0.before?.isCapital == true
                && $0.tokens[$0.start].isCapital
        },
        Row("what is read or seen", "Read 11/22/63", "Send it [11/22/63]") {
            $0.isObjectOfMedia
        },
        Row("the end of what is read", "Play Ruby Monday", "Play it [monday]") {
            $0.isEndOfMedia
        },
        Row("a work and its author", "Fourth of July by Sufjan Stevens", "[Fourth of July] by bus")
        {
            !$0.rules.isLoud && !$0.isTimed && ($0.isFirst || $0.first.isCapital)
                && $0.rules.isBeforeAuthor($0.end)
        },
        Row("words with capitals", "Set up Today widget", "Set up [today] a widget", "Dine at Nine")
        { $0.hasNameWord },
        Row("before a capital", "Visit next Friday Club", "Visit [next friday] Ana") {
            $0.isBeforeNameWord
        },
    ]
}

extension PhraseInTitle {
    /// `Mark 4:12`; but `Call Mark 17:00`.
    fileprivate var isNumberBehindNoun: Bool {
        guard first.isNumber, isBehind(.counted), start == lead.end,
            traits.isDisjoint(with: [.amount, .monthDay]), !hasYear
        else { return false }
        let hasColon = grammar.isMark(start + 1, ":")
        let isFullHour = hasColon && reading.clock?.minute == 0
        let isCommonNoun = hasColon && before?.isCapital == false
        return !isFullHour && !isCommonNoun && reading.clock?.half == nil
    }

    /// `24 hours in a day`, `once in 24 hours`, `no reply in 14 days`.
    fileprivate var isRate: Bool {
        guard has(lead.end, .in), let before else { return false }
        let isOfUnit =
            has(lead.end + 1, .article)
            && (before.sense.unit != nil || before.isNumber || before.key == "times")
        return isOfUnit || before.sense.times != nil
            || ["no", "kein", "keine"].contains(rules.token(start - 2)?.key)
    }

    /// `write 500 words in 30 minutes`, `max 4 pills in 3 days`: counted within it; a day may be due.
    fileprivate var isCountedWithin: Bool {
        guard start > 1, has(lead.end, [.in, .within]) else { return false }
        if tokens[start - 2].isNumber || (start > 2 && tokens[start - 3].isNumber) {
            if reading.moment != nil || isBehind(.counted) { return true }
        }
        return (0..<start - 1).contains { index in
            let isLimit = tokens[index].sense.use == .limit
            return (isLimit || (tokens[index].key == "up" && has(index + 1, .to)))
                && tokens.list[index..<start].contains(where: \.isNumber)
        }
    }

    /// Whether it is a date of digits with marks between and a year of four digits.
    private var hasYear: Bool {
        traits.contains(.fullDate) && end - lead.end > 1 && (first.digits == 4 || last.digits == 4)
    }

    /// `Bake at 350`.
    fileprivate var isTemperature: Bool {
        guard last.digits == 3, traits.contains(.clock) else { return false }
        return (max(0, start - 6)..<start).contains { tokens[$0].has(.heat) } || isBefore(.heat)
    }

    /// `Python 3.12 tomorrow`.
    fileprivate var isVersion: Bool {
        guard traits.contains([.bareClock, .point]), first.isNumber,
            grammar.isMark(lead.end + 1, "."), let clock = reading.clock
        else { return false }
        return clock.minute % 5 != 0 || (before?.isCapital == true && start > 1)
    }

    /// `off by 1 in the loop`, `um 5 gefallen`.
    fileprivate var isByHowMuch: Bool {
        let isVerbLast = grammar.table.hasVerbLast && first.has(.at)
        guard lead.isDue || isVerbLast, reading.clock?.isBare ?? true, !reading.hasDay,
            reading.part == nil,
            grammar.cardinal(at: first.isNumber ? lead.end : end - 1) != nil
        else { return false }
        if lead.isDue, !isAtEnd, next?.kind == .word, !isBefore([.on, .due]) { return true }
        return tokens.list[..<(isVerbLast ? tokens.count : start)].contains {
            $0.sense.use == .change || $0.sense.use == .past
        }
    }

    /// `my friday class`, `Luigi's friday menu`: it belongs to somebody.
    fileprivate var isOwned: Bool {
        let isDotted = start > 1 && grammar.isMark(start - 1, ".") && grammar.isGlued(start - 1)
        guard let owner = rules.token(isDotted ? start - 2 : start - 1) else { return false }
        if isDotted, ["dr", "prof"].contains(owner.key) { return tokens[start].isCapital }
        guard owner.isPossessive else {
            // `Call her friday`: nothing follows that could be hers.
            return owner.has(.possessive) && !(owner.key == "her" && rules.isBoundary(end))
        }
        // `Dinner at Luigi's friday 7pm`: nothing follows that could be his.
        if isMarked || has(start, [.at, .in]) { return false }
        // `It's friday`
        if owner.has(.contraction) { return isAtEnd && reading.isDay }
        let isPlace = has(start - 2, .at)
        return !isAtEnd || !reading.hasDay || !(reading.hasTime || isPlace)
    }

    /// `a friday class`; but `A today` and `candidate A monday`.
    fileprivate var isThing: Bool {
        guard let article = before, article.has([.article, .indefinite]), !isMarked else {
            return false
        }
        let isLetter =
            !rules.isLoud && start > 1 && article.isCapital && article.range.count == 1
        return !isLetter && !(rules.isLineStart(start - 1) && isAtEnd)
    }

    /// `Watch the Today Show`; but `Book for friday`.
    fileprivate var isObjectOfMedia: Bool {
        guard let media = rules.media, media < start, !rules.isLoud, !isTimed else { return false }
        let isDirect =
            start - media == 1 || (start - media == 2 && has(media + 1, [.article, .to]))
        return isDirect && !lead.isFor && (!isMarked || tokens[start].isCapital)
    }

    fileprivate var isEndOfMedia: Bool {
        guard let media = rules.media, media < start, !rules.isLoud, !isTimed else { return false }
        // Commas, `and` and articles may be between.
        var at = start - 1
        while at > 0, tokens[at].isMark(",") || has(at, [.and, .article]) { at -= 1 }
        return at > media && tokens[at].isCapital
            && (first.isCapital || (lead.isOn && at == start - 1))
    }

    /// Whether a word has a capital that is small in a sentence.
    fileprivate var hasNameWord: Bool {
        guard !rules.isLoud, (max(1, start)..<end).contains(where: { rules.isNameWord(tokens[$0]) })
        else { return false }
        let isLast = isAtEnd && end - lead.end == 1
        return !isLast || (before?.isCapital == true && start > 2)
    }

    /// Whether a name goes on: `Friday Night Lights`, `Monday Club`.
    fileprivate var isBeforeNameWord: Bool {
        guard let next = nextWord, last.isCapital, !lead.isDue, !isTimed, !rules.isLoud,
            traits.isDisjoint(with: [.fullDate, .monthDay, .amount])
        else { return false }
        // `Friday on My Mind`, `Sunday in the Park`
        guard next.isCapital else {
            guard next.has(.function), has(end + 1, [.possessive, .article]), !hasCapitalNouns
            else { return false }
            let name = tokens[end + 1].isCapital ? end + 1 : end + 2
            return rules.token(name)?.isCapital == true
        }
        let isWhole = lead.isOn || traits == .relativeDay || end - start > 1 || isBeforeInfinitive
        return !(hasCapitalNouns && isFirst && isWhole)
    }
}
