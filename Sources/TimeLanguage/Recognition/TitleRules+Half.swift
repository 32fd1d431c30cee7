import CivilTime

extension TitleRules {
    /// Whether words beside it would change it, and no rule joins them: it is understood only in part.
    func isHalf(_ phrase: PhraseInTitle) -> Bool { holds(TitleRules.half, phrase) }

    private static let changing: Roles = [.before, .after, .of, .past, .since, .between]

    static let half: [TitleRule] = [
        // What is before it.
        TitleRule("counted from it", "Not on monday") { phrase in
            guard let before = phrase.before, before.kind == .word else { return false }
            return before.has(changing) || before.has(.except) || before.has(.every)
                || phrase.rules.isBehindComparison(phrase.start)
        },
        TitleRule("turned by the word before", "Meet next 22 nov") { phrase in
            guard let before = phrase.before, before.kind == .word else { return false }
            // `finish this by friday`
            return before.sense.turn != nil && !phrase.lead.isMarked
        },
        TitleRule("behind before or after and a joint", "Pay before or on the 5th") { phrase in
            guard let before = phrase.before, before.kind == .word else { return false }
            return before.has([.and, .or]) && phrase.rules.has(phrase.start - 2, changing)
        },
        TitleRule("behind another day", "Class tue/thu 9am") { phrase in
            phrase.before?.kind == .word && !phrase.lead.isAfterTaken
                && phrase.rules.isOtherDay(phrase.start - 1)
        },
        TitleRule("the same time on another day", "Ship it this time tomorrow") { phrase in
            phrase.before?.kind == .word && phrase.before?.has(.time) == true
                && phrase.rules.token(phrase.start - 2)?.sense.turn != nil
        },
        TitleRule("a number behind in", "Put it in 14:30") { phrase in
            phrase.before?.kind == .word && phrase.before?.has(.in) == true
                && !phrase.reading.hasDay && phrase.first.isNumber
        },
        TitleRule("minutes to an hour", "Tell Ana that the meeting is moved to friday 10am") {
            phrase in
            guard let before = phrase.before, before.kind == .word, before.has(.to) else {
                return false
            }
            return before.key != "to" || phrase.reading.hasTime
        },
        TitleRule("behind an ordinal number", "Meet second friday") { phrase in
            guard let before = phrase.before, before.kind == .word, !phrase.lead.isMarked else {
                return false
            }
            return before.sense.ordinal != nil || before.has(.ordinalEnding)
        },
        TitleRule("behind a number", "Call IRS before 9 tomorrow") { $0.rules.isBehindNumber($0) },
        TitleRule("hours behind for and a number", "Arrive 7 for 7:30 on saturday") { phrase in
            phrase.lead.isFor && phrase.reading.clock != nil && phrase.before?.isNumber == true
                && !phrase.rules.isNumberOfNoun(phrase.start - 1, phrase.reading)
        },
        TitleRule("the end of a range of numbers", "Lies Seite 3 bis 9", .german) { phrase in
            phrase.lead.isDue && phrase.rules.has(phrase.start, .through)
                && phrase.before?.isNumber == true && !phrase.reading.hasDay
                && phrase.reading.clock?.isBare == true
        },
        TitleRule("the second of two times with a dash", "Away dec 5 - 9am - dec 7") { phrase in
            phrase.start > 1 && phrase.grammar.isMark(phrase.start - 1, "-")
                && !phrase.lead.isAfterTaken && phrase.rules.hasTime(endingAt: phrase.start - 1)
        },
        TitleRule("weeks before a day", "Meet two weeks monday") { $0.rules.isBehindWeeks($0) },
        TitleRule("one of a list of numbers", "Away 24, 25 and 26 december") {
            $0.rules.isAfterListed($0.start, $0.lead)
        },
        // What it is itself.
        TitleRule("a day or an hour", "Breakfast with Ana sun 10") {
            $0.rules.isDayOrHour($0.reading)
        },
        TitleRule("one of several days", "Yoga tue & thu") { $0.rules.isListed($0.start, $0.end) },
        // What is behind it.
        TitleRule("before at the earliest", "Ship friday at the earliest") { phrase in
            phrase.tokens.phrase(at: phrase.end)?.sense.roles.contains(.after) == true
        },
        TitleRule("the first of two", "Call Bob at 3 or 4") {
            $0.rules.isBeforeOther($0.reading, $0.end) || $0.rules.isBeforeAlternative($0.end)
        },
        TitleRule("before what may be its hour", "day after tmrw 9") {
            $0.rules.isBeforeHour($0.reading, $0.end)
        },
        TitleRule("before from which it is counted", "Pack the night before") { phrase in
            guard let next = phrase.nextWord else { return false }
            // `Samstag vom Bahnhof abholen`
            if next.has(.of), next.has(.from), !phrase.rules.isTime(phrase.end + 1) { return false }
            return next.has([.before, .after, .of])
                || (next.has([.past, .since, .ago, .later]) && !next.has(.function))
        },
        TitleRule("in a zone that is not known", "Gym tomorrow 17:00 ET") { phrase in
            guard let next = phrase.nextWord, phrase.reading.traits.contains(.clock) else {
                return false
            }
            let roles = phrase.tokens.phrase(at: phrase.end)?.sense.roles ?? next.sense.roles
            return roles.contains(.openZone) && (next.range.count > 2 || next.isUpper)
        },
        TitleRule("before to and its end", "Gym from 12/3 to 12/5") { phrase in
            guard let next = phrase.nextWord, next.has(.to) else { return false }
            let isNumber =
                phrase.reading.traits.contains(.clock)
                || phrase.rules.token(phrase.end - 1)?.isNumber == true
            return phrase.rules.isTime(phrase.end + 1)
                || (isNumber && !phrase.rules.isPurpose(phrase.end, from: phrase.start))
        },
        TitleRule("in the time of a place", "Call at 3pm Berlin time") { phrase in
            phrase.reading.clock != nil && phrase.nextWord?.isCapital == true
                && phrase.rules.has(phrase.end + 1, .time)
        },
        TitleRule("before another time", "Deploy 2.4 tomorrow") { phrase in
            guard let next = phrase.nextWord else { return false }
            let isArticle = next.has(.article) && phrase.rules.isTime(phrase.end + 1)
            if isArticle { return true }
            let isMarked = next.has([.due, .from]) && next.sense.turn == nil && !next.has(.article)
            return !isMarked && phrase.rules.isTime(phrase.end)
        },
    ]
}
