import CivilTime

extension TitleRules {
    private static let changing: Roles = [
        .before, .after, .of, .past, .since, .between, .except, .every,
    ]

    /// Where words beside a phrase would change it, and no rule joins them: it is understood only in part.
    static let half: [Row] = [
        // What is before it.
        Row("counted from it", "Not on monday", "Yes [on monday]") {
            // `Straße des 17. Juni`
            let isOf = $0.tokens[$0.start].key == "des" && $0.wordBefore != nil
            // `later than friday`
            let words = $0.start > 1 ? $0.tokens.phrase(at: $0.start - 2) : nil
            let isCompared =
                words?.end == $0.start && words?.sense.roles.isDisjoint(with: changing) == false
            return isOf || isCompared || $0.isBehind(changing)
        },
        Row("turned by the word before", "Meet next 22 nov", "Finish this [by 22 nov]") {
            $0.before?.sense.turn != nil && !$0.lead.isMarked
        },
        Row("behind another day", "Class tue/thu 9am", "Class ([thu 9am])") {
            $0.wordBefore != nil && !$0.isAfterTaken && $0.rules.isOtherDay($0.start - 1)
        },
        Row("this time on another day", "Ship it this time tomorrow", "Ship it in time [tomorrow]")
        {
            $0.isBehind(.time) && $0.rules.token($0.start - 2)?.sense.turn != nil
        },
        Row("a number behind in", "Put it in 14:30", "Put it [in tonight]") {
            $0.isBehind(.in) && !$0.reading.hasDay && $0.first.isNumber
        },
        Row("behind to", "Drag it to friday", "Move it [to friday 10am]") {
            guard $0.isBehind(.to) else { return false }
            return $0.before?.key != "to" || $0.reading.hasTime
                || ([.weekday, .monthDay].contains($0.kind) && $0.rules.moves == nil)
        },
        Row("behind an ordinal number", "Meet second friday", "Meet a second [on friday]") {
            !$0.lead.isMarked && ($0.before?.sense.ordinal != nil || $0.isBehind(.ordinalEnding))
        },
        Row("behind a number", "Call IRS before 9 tomorrow", "Call room 9 [tomorrow]") {
            $0.rules.isBehindNumber($0)
        },
        Row("an end of numbers", "Lies Seite 3 bis 9", "Lies Kapitel [bis 9 Uhr]", in: .german) {
            $0.lead.isDue && $0.has($0.start, .through) && $0.before?.isNumber == true
                && !$0.reading.hasDay && $0.reading.clock?.isBare == true
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
            $0.tokens.phrase(at: $0.end)?.sense.roles.contains(.after) == true
        },
        Row("the first of two", "Call Bob at 3 or 4", "Call Bob [at 3 or so]") {
            $0.rules.isBeforeOther($0.reading, $0.end) || $0.rules.isBeforeAlternative($0.end)
        },
        Row("before its hour", "Call Ana day after tmrw 9", "Call Ana [day after tmrw] 99") {
            // At the end of a line the number may be the hour.
            guard $0.reading.hasDay, $0.reading.clock == nil, let hour = $0.next else {
                return false
            }
            return hour.isNumber && hour.hasSpace && hour.value <= 24
                && $0.rules.isLineEnd($0.end + 1)
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
        Row("minutes or a range", "Rows 10 to 20 are blank", "Meet [at 10 to 8]") {
            $0.kind == .clock && $0.first.isNumber && $0.lead.end == $0.start
                && $0.rules.token($0.start + 1)?.key == "to" && !$0.isAtEnd
        },
        Row("before to and its end", "Gym from 12/3 to 12/5", "Go [at 5pm] to the gym") {
            guard $0.nextWord?.has(.to) == true else { return false }
            let isNumber = $0.traits.contains(.clock) || $0.last.isNumber
            return $0.rules.isTime($0.end + 1)
                || (isNumber && !$0.rules.isPurpose($0.end, from: $0.start))
        },
        Row("in the time of a place", "Call at 3pm Berlin time", "Call [at 3pm] Berlin office") {
            $0.reading.clock != nil && $0.nextWord?.isCapital == true && $0.has($0.end + 1, .time)
        },
        Row("before another time", "Deploy 2.4 tomorrow", "Deploy v2 [tomorrow]") { phrase in
            guard let next = phrase.nextWord else { return false }
            if next.has(.article), phrase.rules.isTime(phrase.end + 1) { return true }
            let isMarked = next.has([.due, .from]) && next.sense.turn == nil && !next.has(.article)
            return !isMarked && phrase.rules.isTime(phrase.end)
        },
    ]
}
