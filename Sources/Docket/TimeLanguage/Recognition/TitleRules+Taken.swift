import CivilTime

extension TitleRules {
    /// Where a phrase that is neither text nor half of something is taken; any other stays text.
    static let taken: [Row] = [
        Row(.past, "a past day", "Ran [yesterday]", "Use yesterday for it") {
            $0.isAtEnd && !$0.lead.isFor
        },
        Row(.number, "a time in one number", "Train [fri 1630]", "Train 1630 map") { $0.isAtEnd },
        Row(.dayAndTime, "a day with its time", "Ask [fri 9:30] Bob", "Ask fri 9:99 Bob") { _ in
            true
        },
        Row(.dayAndPart, "a part of a day", "Call Bob [friday evening]", "A friday evening Bob") {
            $0.isMarked || $0.isClosed || $0.isBeforeInfinitive
                || ($0.isFirst && $0.traits.contains(.relativeDay))
        },
        Row(.fullDate, "a date with its year", "Ask [5 dec 2026] Bob", "Send 20261205 report") {
            $0.end - $0.lead.end > 1 || $0.isMarked || $0.isAtEnd || $0.isFirst
        },
        Row(.counted, "a day that is counted", "Pay [end of month]", "Make end of month report") {
            $0.isMarked || $0.isClosed || $0.traits.contains(.weekday)
        },
        Row(.dayOfPeriod, "a day of a period", "Ask [friday next week] Bob", "Ask friday Bob") {
            _ in true
        },
        Row(.quarter, "a quarter of a year", "Launch [in q1 2027]", "Launch q1 2027") {
            ($0.lead.isDue || ($0.has($0.lead.end, .in) && $0.traits.contains(.year)))
                && $0.isClosed
        },
        Row(.numbered, "a numbered week", "Taxes [by wk 3]", "Taxes wk 3") {
            ($0.isMarked || $0.has($0.lead.end, .in) || $0.traits.contains(.year)) && $0.isClosed
        },
        Row(.numbered, "a numbered week that is near", "Ship it [week 49]", "Ship it week 12") {
            $0.isAtEnd && $0.isNearWeek
        },
        Row(.weekend, "a weekend", "Clean up [on the weekend]", "Clean up weekend") {
            ($0.isMarked || $0.traits.contains(.turned)) && $0.isClosed || $0.isBeforeInfinitive
        },
        Row(.weekend, "a weekend at the beginning", "[On the weekend] rest", "On Weekend Bob") {
            $0.lead.isOn && $0.isFirst && ($0.next?.isCapital == false || $0.hasCapitalNouns)
        },
        Row(.namedPeriod, "the end of a period", "Clean it [this week]", "Do this week report") {
            $0.lead.isDue ? $0.isClosed : $0.isAtEnd || $0.isBeforeInfinitive
        },
        Row(.period, "a period", "Call Bob [next week]", "Plan next week agenda") {
            $0.isClosed || $0.isBeforeInfinitive
        },
        Row(.amount, "so long from now", "Call [in 3 days] again", "Came 3 days later Bob") {
            // `refund within 14 days policy`
            let isNoun = $0.has($0.lead.end, .within) && !$0.has($0.lead.end, .in)
            return $0.isClosed || !($0.last.has(.later) || isNoun)
        },
        Row(.holiday, "a holiday of a year", "Ski [easter 2027] tour", "Ski easter tour") {
            $0.traits.contains(.year)
        },
        Row(.holiday, "a marked holiday", "Call [on christmas] and Bob", "Ask on christmas gift") {
            $0.isMarked && $0.isClosed
        },
        Row(.holiday, "a holiday at the end", "Call Bob [christmas]", "What about christmas") {
            let isName = $0.before?.isCapital == true && $0.start > 1 && $0.first.isCapital
            return $0.isAtEnd && !$0.lead.isFor && !isName
                && !$0.isBehind([.function, .in, .at]) && $0.before?.sense.use != .greeting
        },
        Row(.twoNumbers, "a day and a month with a weekday", "Ask [fri 12/4] Bob", "Ask 12/4 Bob") {
            $0.reading.weekday != nil
        },
        Row(.twoNumbers, "a marked day and month", "Call Bob [on 12-4]", "Call Bob 12-4") {
            // `from 9-11` may be hours.
            $0.isMarked && $0.isClosed
                && !($0.lead.isStart && $0.grammar.isMark($0.lead.end + 1, "-"))
        },
        Row(.twoNumbers, "a day and a month with points", "Call [4.12.]", "Use 4.12. build") {
            $0.traits.contains([.point, .named]) && !$0.isMarked
                && ($0.isClosed || $0.rules.isLineStart($0.lead.end))
        },
        Row(.twoNumbers, "a day and a month with a slash", "Call [12/24]", "Buy 1/2 inch") {
            $0.isSlashDate
        },
        Row(.monthDay, "a day of a month", "[3 dec] renew it", "Go to 12 March Road") {
            !$0.hasCommonMonth && !$0.isAddress && !$0.isDefinite
        },
        Row(.monthDay, "a day of a month at the end", "we leave [march 5]", "we march 5 km") {
            $0.lead.isDue || $0.isClosed || $0.reading.weekday != nil
        },
        Row(.month, "a marked month", "Pay [by december]", "Run 5 km in December") {
            // Without a year the day may be any in it.
            let isOfYear = ($0.traits.contains(.within) || $0.lead.isOn) && $0.reading.year != nil
            return $0.isClosed && ($0.lead.isDue || $0.isBehind(.happens) || isOfYear)
        },
        Row(.ordinal, "an ordinal number and a weekday", "Gym [mon 7th] tour", "Gym mon 6th tour") {
            // What comes in months only may be a name: `Friday the 13th marathon`.
            $0.reading.weekday != nil && ($0.isClosed || $0.isSoon)
        },
        Row(.ordinal, "a marked ordinal number", "Pay [on the 5th]", "Try on the 5th coat") {
            ($0.isMarked || $0.lead.isTarget) && $0.isClosed && (!$0.lead.isFor || $0.lead.isDue)
        },
        Row(.ordinal, "an ordinal number behind an object", "Pay the rent [the 9th]", "Do the 9th")
        {
            $0.isBesideObject
        },
        Row(.relativeDay, "today, tomorrow", "Call Bob [tomorrow]", "Call Bob Tomorrow Land") {
            ($0.isClosed || $0.lead.isDue) && !$0.isCommonName
        },
        Row(.relativeDay, "today, tomorrow inside", "Ask [tomorrow] Bob", "Ask Tomorrow Bob") {
            guard $0.next?.kind == .word, !$0.first.has(.common), !$0.lead.isFor else {
                return false
            }
            return $0.next?.isCapital == false || !$0.first.isCapital
                || ($0.hasCapitalNouns && $0.isFirst)
        },
        Row(.weekday, "a weekday with a number", "Ask [friday 27]", "Print friday 27 flyers") {
            $0.traits.contains(.named) && ($0.isMarked || $0.isClosed)
        },
        Row(.weekday, "this or next weekday", "Ask [next friday] Bob", "Ask friday Bob") {
            $0.traits.contains(.turned)
        },
        Row(.weekday, "a weekday that is due", "Ask [by friday] Bob", "Ask friday Bob") {
            $0.lead.isDue && !$0.traits.contains(.named)
        },
        Row(.weekday, "a weekday at the beginning", "[On friday] call Bob", "Friday call Bob") {
            ($0.lead.isOn || $0.lead.isStart) && $0.isFirst
                && ($0.next?.isCapital == false || $0.hasCapitalNouns)
        },
        Row(.weekday, "a weekday", "Call Bob [friday]", "Ask about Sun") {
            $0.isClosed && !$0.traits.contains(.named) && !$0.isCommonWord
        },
        Row(.weekday, "a weekday before its verb", "[Montag] Tee kaufen", "Montag Tee", in: .german)
        {
            $0.isBeforeInfinitive
        },
        Row(.clock, "a time with am or pm", "[9am] call Bob", "Cancel 9am meeting") {
            $0.reading.clock?.half != nil && !$0.isLetter
                && ($0.isAt || $0.isClosed || $0.isFirst || $0.nextWord?.isCapital != false)
        },
        Row(.clock, "a full hour", "[Um 15 Uhr] Kuchen", "Heute 15 Uhren", in: .german) {
            $0.last.has(.oclock) && $0.isAt && $0.isFirst
        },
        Row(.clock, "hours and minutes", "[9:30] call Bob", "Fix 16:9 screen") {
            $0.hasColon && ($0.isAt || $0.isClosed || $0.isFirst)
        },
        Row(.clock, "noon and the like", "Call Bob [noon]", "Read High Noon") {
            $0.isClosed && !$0.isLetter && (!$0.first.isCapital || $0.hasCapitalNouns)
        },
        Row(.part, "a part of the day", "Run [late in the evening]", "Run evening club") {
            // `8 hours a night`, `First thing to check`
            ($0.lead.isDue || $0.first.sense.part == nil) && $0.isClosed
                && $0.before?.sense.unit == nil && !($0.isFirst && $0.isBefore(.to))
        },
    ]
}

extension PhraseInTitle {
    /// Whether a word or a sign says that a time follows.
    fileprivate var isAt: Bool {
        has(lead.end, [.at, .about]) || grammar.isMark(lead.end, "@") || isMarked || lead.isAbout
    }

    fileprivate var hasColon: Bool { (lead.end..<end).contains { grammar.isMark($0, ":") } }

    fileprivate var isSoon: Bool {
        guard case .day(let day) = grammar.resolver.day(reading) else { return false }
        return (0...31).contains(day.number - grammar.today.number)
    }

    /// Whether a letter alone says which half of the day: `9p`.
    fileprivate var isLetter: Bool {
        last.key.utf8.count == 1 && rules.token(end - 2)?.isNumber == true
    }

    /// `Deliver slides week 49`: at the end, a week that is near; else it may be one of a course.
    fileprivate var isNearWeek: Bool {
        guard let first = reading.period?.first, last.digits == 2,
            !tokens[start].isCapital || tokens[start].isUpper
        else { return false }
        return (0...56).contains(first.number - grammar.today.number)
    }

    /// Two numbers with a slash, and no fraction or score: `1/2`, `9/10`.
    fileprivate var isSlashDate: Bool {
        guard end - lead.end == 3, grammar.isMark(lead.end + 1, "/") else { return false }
        return last.digits == 2 && last.value != 10 && reading.problem == nil
            && (isAtEnd || (rules.isLineStart(lead.end) && grammar.isMark(end, ":")))
    }

    /// Whether its month may be a verb: `may`, `march`.
    fileprivate var hasCommonMonth: Bool {
        (lead.end..<end).contains {
            tokens[$0].sense.month != nil && tokens[$0].has(.common) && !tokens[$0].isCapital
                && (tokens[$0].has(.verb) || !isFirst)
        }
    }

    /// Whether a German sentence begins with it that ends with an infinitive: `Samstag Tee kaufen`,
    /// `Montag die Küche putzen`; but `Montag ist Ruhetag`, `Freitag Verlag`.
    var isBeforeInfinitive: Bool {
        guard grammar.table.hasVerbLast, isFirst, lead.end == start, !isAtEnd, let next = nextWord,
            !next.isUpper, let verb = tokens.list.last(where: { $0.kind == .word })
        else { return false }
        let isObject = next.isCapital || next.has([.article, .possessive, .function])
        return (isObject || next == verb) && !verb.isCapital && verb.sense.isEmpty
            && verb.key.hasSuffix("n")
    }

    /// Whether it is an address: `12 March Road`.
    fileprivate var isAddress: Bool {
        next?.isCapital == true && !isClosed && (!isFirst || next?.sense.use == .street)
    }

    /// Whether it belongs to a noun: `the 4th of July fireworks`.
    fileprivate var isDefinite: Bool {
        !isMarked && reading.weekday == nil && has(start, .article) && !isFirst
            && next?.kind == .word
    }

    /// `Pay the rent the 26th`, `I'll be back the 26th`: what the verb needs is already there, so it is
    /// none of its things, as in `finish the 26th`.
    fileprivate var isBesideObject: Bool {
        guard isAtEnd, tokens[start].has(.article), last.has(.ordinalEnding),
            let before = wordBefore, !before.isCapital, rules.media == nil
        else { return false }
        return has(start - 2, [.article, .possessive]) || before.has(.ago)
            || (before.has(.verb) && start > 1)
    }

    /// `Tom`, `Tod`: with a capital it may be a name.
    fileprivate var isCommonName: Bool {
        first.has(.common) && first.sense.day != nil && first.isCapital
    }

    /// `sun`, `wed`, `do`: also a common word, where it may be one.
    fileprivate var isCommonWord: Bool {
        guard first.has(.common), !isMarked else { return false }
        if !isAtEnd { return true }
        if hasCapitalNouns { return !first.isCapital }
        // With a capital inside of a sentence it may be a name.
        return first.isCapital && start > 0 && before?.isCapital == false
            && first.range.count <= 3
    }
}
