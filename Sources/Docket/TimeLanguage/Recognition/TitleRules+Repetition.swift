import CivilTime

/// Where a repetition or a range is text.
extension TitleRules {
    /// Words that are common in titles: `daily`, `saturday nights`.
    static let weakRepetitions: [PlaceRow] = [
        PlaceRow("a number of times", "Take three pages weekly", "Take it [weekly]") { place in
            let (rules, start) = (place.rules, place.start)
            if rules.has(start - 1, [.counted, .article]) { return true }
            guard let times = rules.token(start - 1), !times.hasSpace else { return false }
            return times.sense.isEmpty && rules.token(start - 2)?.isNumber == true
        },
        PlaceRow("not daily", "Run it hourly, not daily", "Run it [daily]") {
            $0.rules.has($0.start - 1, .except)
        },
        PlaceRow("one word that is not at the end", "Read daily news", "Read [daily]") {
            !($0.rules.isLineEnd($0.end) || $0.rules.isBeforeLastVerb($0.end))
                || ($0.start == 0 && $0.end == $0.rules.tokens.count)
        },
    ]

    static let repetitions: [PlaceRow] = [
        PlaceRow("a repeated subject", "Every day is Christmas", "[Every day] call Ana") {
            $0.rules.isLineStart($0.start) && $0.rules.has($0.end, .verb)
        },
        PlaceRow("a repetition and its author", "Every Day by Levithan", "[Every day] by bus") {
            $0.rules.isBeforeAuthor($0.end)
        },
        PlaceRow("a repetition in seconds", "Every 5 seconds hack", "[Every 5 minutes] check") {
            $0.rules.tokens[$0.end - 1].sense.unit == .second && $0.end > $0.start + 1
        },
        PlaceRow("counted from a repetition", "The end of every friday", "Ends [every friday]") {
            $0.rules.has($0.start - 1, [.of, .before, .after, .except])
        },
        PlaceRow("before a noun", "Rotate keys every 90 days policy", "Rotate keys [every 90 days]")
        {
            let (rules, end) = ($0.rules, $0.end)
            guard let noun = rules.token(end), noun.kind == .word, noun.sense.isEmpty else {
                return false
            }
            return rules.token($0.start - 1)?.kind == .word && rules.isLineEnd(end + 1)
                && !rules.grammar.table.hasVerbLast
        },
        PlaceRow("days in a name", "Montags Blues", "[Montags] Müll rausbringen", in: .german) {
            let (rules, end) = ($0.rules, $0.end)
            guard $0.start == 0, end == 1, $0.first.has(.plural) else { return false }
            return rules.has(end, .except) || (end < rules.tokens.count && rules.isLineEnd(end + 1))
        },
        PlaceRow("a repetition in a report", "Today is like every day", "Like [every day]") {
            $0.rules.isReport
        },
        PlaceRow(
            "a repetition with capitals",
            "Buy the Every Friday mug for Ana",
            "Buy a mug [every friday]"
        ) { place in
            !place.rules.isLoud
                && (max(1, place.start)..<place.end).contains {
                    place.rules.isNameWord(place.rules.tokens[$0])
                }
        },
    ]

    func allowsRepetition(_ start: Int, _ phrase: RepetitionPhrase) -> Bool {
        let place = PlaceInTitle(rules: self, start: start, end: phrase.end)
        return !holds(phrase.isWeak ? TitleRules.weakRepetitions : TitleRules.repetitions, place)
    }

    static let ranges: [PlaceRow] = [
        PlaceRow("a scale", "Rate the film from 1 to 10", "Rent the film [from 1 to 10]") { place in
            let tokens = place.rules.tokens
            guard place.first.has(.from), tokens[place.start + 1].isNumber,
                tokens[place.start + 1].value <= 1
            else { return false }
            return tokens[place.end - 1].digits == 3 || tokens[place.end - 1].value == 1
                || tokens.list[..<place.start].contains { $0.has(.counted) }
        },
        PlaceRow("a range that has been", "I was sick monday to friday", "Sick [monday to friday]")
        {
            $0.rules.isReport
        },
        PlaceRow("a comparison", "Difference between friday and sunday", "Gym [friday to sunday]") {
            $0.first.has(.between) && $0.rules.token($0.start - 1)?.sense.use == .work
        },
        PlaceRow("a range behind another day", "Class tue/thu 9am-11am", "Class [thu 9am-11am]") {
            !$0.isAfterTaken && $0.rules.isOtherDay($0.start - 1)
        },
        PlaceRow("a range that is moved", "Move call from 9 to 11", "Move in [from 9 until 11]") {
            place in
            let (rules, start) = (place.rules, place.start)
            guard let moves = rules.moves, moves < start else { return false }
            // `Night shift from 10pm until 6am` has no new time.
            return (rules.has(start, .from) || rules.has(start - 1, [.to, .from]))
                && !(start..<place.end).contains { rules.has($0, .due) && !rules.has($0, .through) }
        },
    ]

    func allowsRange(_ start: Int, _ end: Int, isAfterTaken: Bool) -> Bool {
        let place = PlaceInTitle(rules: self, start: start, end: end, isAfterTaken: isAfterTaken)
        return !holds(TitleRules.ranges, place)
    }
}
