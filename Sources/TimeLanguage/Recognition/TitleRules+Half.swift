import CivilTime

extension TitleRules {
    private static let changing: Roles = [.before, .after, .of, .past, .since, .between]

    /// Where words beside a phrase would change it, and no rule joins them: it is understood only in part.
    static let half: [Row] = [
        // What is before it.
        Row("counted from it", "Not on monday", "Yes [on monday]") { phrase in
            guard let before = phrase.wordBefore else { return false }
            // `Straße des 17. Juni`
            let isOf = phrase.tokens[phrase.start].key == "des"
            return isOf || before.has(changing) || before.has(.except) || before.has(.every)
                || phrase.rules.isBehindComparison(phrase.start)
        },
        Row("turned by the word before", "Meet next 22 nov", "Meet [22 nov]") { phrase in
            guard let before = phrase.wordBefore else { return false }
            // `finish this by friday`
            return before.sense.turn != nil && !phrase.lead.isMarked
        },
        Row("behind before or", "Pay before or on the 5th", "Pay now or [on the 5th]") { phrase in
            guard let before = phrase.wordBefore else { return false }
            return before.has([.and, .or]) && phrase.rules.has(phrase.start - 2, changing)
        },
        Row("behind another day", "Class tue/thu 9am", "Class ([thu 9am])") { phrase in
            phrase.before?.kind == .word && !phrase.isAfterTaken
                && phrase.rules.isOtherDay(phrase.start - 1)
        },
        Row("this time on another day", "Ship it this time tomorrow", "Ship it in time [tomorrow]")
        { phrase in
            phrase.before?.kind == .word && phrase.before?.has(.time) == true
                && phrase.rules.token(phrase.start - 2)?.sense.turn != nil
        },
        Row("a number behind in", "Put it in 14:30", "Put it [in tonight]") { phrase in
            phrase.before?.kind == .word && phrase.before?.has(.in) == true
                && !phrase.reading.hasDay && phrase.first.isNumber
        },
        Row(
            "behind to",
            "Tell Ana that the meeting is moved to friday 10am",
            "Move the meeting [to friday 10am]"
        ) {
            phrase in
            guard let before = phrase.wordBefore, before.has(.to) else {
                return false
            }
            // `move it to friday`
            return before.key != "to" || phrase.reading.hasTime
                || (phrase.kind == .weekday && phrase.rules.moves == nil)
        },
        Row("behind an ordinal number", "Meet second friday", "Meet a second [on friday]") {
            phrase in
            guard let before = phrase.wordBefore, !phrase.lead.isMarked else {
                return false
            }
            return before.sense.ordinal != nil || before.has(.ordinalEnding)
        },
        Row("behind a number", "Call IRS before 9 tomorrow", "Call room 9 [tomorrow]") {
            $0.rules.isBehindNumber($0)
        },
        Row(
            "an hour behind a number",
            "Arrive 7 for 7:30 on saturday",
            "Arrive [for 7:30 on saturday]"
        ) { phrase in
            phrase.lead.isFor && phrase.reading.clock != nil && phrase.before?.isNumber == true
                && !phrase.rules.isNumberOfNoun(phrase.start - 1, phrase.reading)
        },
        Row("an end of numbers", "Lies Seite 3 bis 9", "Lies Kapitel [bis 9 Uhr]", in: .german) {
            phrase in
            phrase.lead.isDue && phrase.rules.has(phrase.start, .through)
                && phrase.before?.isNumber == true && !phrase.reading.hasDay
                && phrase.reading.clock?.isBare == true
        },
        Row("behind a time and a dash", "Away dec 5 - 9am - dec 7", "Away - [dec 7]") { phrase in
            phrase.start > 1 && phrase.grammar.isMark(phrase.start - 1, "-")
                && !phrase.isAfterTaken && phrase.rules.hasTime(endingAt: phrase.start - 1)
        },
        Row("weeks before a day", "Meet two weeks monday", "Meet two people [monday]") {
            $0.rules.isBehindWeeks($0)
        },
        Row("one of a list of numbers", "Away 24, 25 and 26 december", "Away [26 december]") {
            $0.rules.isAfterListed($0.start, $0.lead)
        },
        // What it is itself.
        Row("a day or an hour", "Breakfast with Ana sun 10", "Breakfast with Ana [sun 29]") {
            $0.rules.isDayOrHour($0.reading)
        },
        Row("one of several days", "Yoga tue & thu", "Yoga & [thu]") {
            $0.rules.isListed($0.start, $0.end)
        },
        // What is behind it.
        Row("at the earliest", "Ship friday at the earliest", "Ship [friday at the latest]") {
            phrase in
            phrase.tokens.phrase(at: phrase.end)?.sense.roles.contains(.after) == true
        },
        Row("the first of two", "Call Bob at 3 or 4", "Call Bob [at 3 or so]") {
            $0.rules.isBeforeOther($0.reading, $0.end) || $0.rules.isBeforeAlternative($0.end)
        },
        Row("before its hour", "Call Ana day after tmrw 9", "Call Ana [day after tmrw] 99") {
            $0.rules.isBeforeHour($0.reading, $0.end)
        },
        Row("counted after it", "Pack the night before", "Pack [at night] by hand") { phrase in
            guard let next = phrase.nextWord else { return false }
            // `Samstag vom Bahnhof abholen`
            if next.has(.of), next.has(.from), !phrase.rules.isTime(phrase.end + 1) { return false }
            return next.has([.before, .after, .of])
                || (next.has([.past, .since, .ago, .later]) && !next.has(.function))
        },
        Row("in an open zone", "Gym tomorrow 17:00 ET", "Gym [tomorrow 17:00 CET]") { phrase in
            guard let next = phrase.nextWord, phrase.reading.traits.contains(.clock) else {
                return false
            }
            let roles = phrase.tokens.phrase(at: phrase.end)?.sense.roles ?? next.sense.roles
            return roles.contains(.openZone) && (next.range.count > 2 || next.isUpper)
        },
        Row("before to and its end", "Gym from 12/3 to 12/5", "Go [at 5pm] to the gym") {
            phrase in
            guard let next = phrase.nextWord, next.has(.to) else { return false }
            let isNumber =
                phrase.reading.traits.contains(.clock)
                || phrase.rules.token(phrase.end - 1)?.isNumber == true
            return phrase.rules.isTime(phrase.end + 1)
                || (isNumber && !phrase.rules.isPurpose(phrase.end, from: phrase.start))
        },
        Row("in the time of a place", "Call at 3pm Berlin time", "Call [at 3pm] Berlin office") {
            phrase in
            phrase.reading.clock != nil && phrase.nextWord?.isCapital == true
                && phrase.rules.has(phrase.end + 1, .time)
        },
        Row("before another time", "Deploy 2.4 tomorrow", "Deploy v2 [tomorrow]") { phrase in
            guard let next = phrase.nextWord else { return false }
            let isArticle = next.has(.article) && phrase.rules.isTime(phrase.end + 1)
            if isArticle { return true }
            let isMarked = next.has([.due, .from]) && next.sense.turn == nil && !next.has(.article)
            return !isMarked && phrase.rules.isTime(phrase.end)
        },
    ]
}
