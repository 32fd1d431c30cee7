import CivilTime

/// Finds the words of a repetition.
///
/// - `every`, or `every!` for "counted from completion", and one of: a unit (`day`, `week`,
///   `weekday`, `weekend`, `month`, `quarter`, `year`, also `hour`), with `other` or a number before
///   it (`2 weeks`, `3d`); days of the week (`mon, wed and fri`); a day of the month (`1st`,
///   `last day`, `last friday`, with `of the month`); a day of the year (`22 nov`, `nov 22`).
/// - Then, in any order: `on` with days of the week or of the month, `after completion`,
///   `when done`, `until` with an ISO date, `for 5 times`.
/// - `daily`, `weekly`, `fortnightly`, `monthly`, `quarterly`, `yearly`, `annually`: inside a title
///   only before a marker, a time or the end.
///
/// Other code interprets the words; this type only finds them.
struct RecurrencePhrase {
    let words: PhraseWords

    struct Match {
        /// The index of the word after the phrase.
        var end: Int
        /// The number of bytes of punctuation after it.
        var tail: Int
        var isWeak: Bool
        /// In lower case, single spaces between, without that punctuation.
        var text: String
    }

    func match(at start: Int) -> Match? {
        let first = words.firstByte(start) | 0x20
        // e, d, w, f, m, q, y, a
        guard "edwfmqya".utf8.contains(first), let word = words.word(start) else { return nil }
        switch word.key {
        case "daily", "weekly", "fortnightly", "monthly", "quarterly", "yearly", "annually":
            return finish(
                start,
                end: word.continues ? suffixes(start + 1) : start + 1,
                isWeak: true
            )
        case "every":
            guard word.full == "every" || word.full == "every!" else { return nil }
            guard let end = period(start + 1) else { return nil }
            return finish(start, end: mayContinue(end) ? suffixes(end) : end, isWeak: false)
        default:
            return nil
        }
    }

    private func finish(_ start: Int, end: Int, isWeak: Bool) -> Match {
        let tail = words.word(end - 1)?.tail ?? 0
        var parts: [String] = []
        for index in start..<end {
            guard let word = words.word(index) else { continue }
            parts.append(index == end - 1 && end - 1 > start ? word.key : word.full)
        }
        let isAlone = end - start == 1
        if isAlone, let word = words.word(start) { parts = [word.key] }
        return Match(
            end: end,
            tail: tail,
            isWeak: isWeak && isAlone,
            text: parts.joined(separator: " ")
        )
    }

    private func mayContinue(_ end: Int) -> Bool { words.word(end - 1)?.tail == 0 }

    private func key(_ index: Int) -> String? { words.word(index)?.key }

    private func full(_ index: Int) -> String? { words.word(index)?.full }

    /// The end of the words that may follow `every`.
    private func period(_ start: Int) -> Int? {
        guard let word = words.word(start) else { return nil }
        if RecurrencePhrase.isUnit(word.key) { return start + 1 }
        if let end = weekdays(start) ?? dayOfMonth(start) ?? dayOfYear(start) { return end }
        let digits = word.key.utf8.prefix { $0 >= 48 && $0 <= 57 }.count
        if digits > 0, digits <= 4 {
            let rest = String(word.key.dropFirst(digits))
            if ["h", "d", "w", "m", "mo", "q", "y"].contains(rest) { return start + 1 }
        }
        let isCount = (digits > 0 && digits <= 4 && digits == word.full.utf8.count)
        guard isCount || word.full == "other" || DateMatcher.count(word.full) != nil,
            let next = words.word(start + 1)
        else { return nil }
        if RecurrencePhrase.isUnit(next.key) { return start + 2 }
        return word.full == "other" ? weekdays(start + 1) : nil
    }

    private static func isUnit(_ key: String) -> Bool {
        switch key {
        case "hour", "hours", "day", "days", "week", "weeks", "weekday", "weekdays", "workday",
            "weekend", "month", "months", "quarter", "quarters", "year", "years":
            true
        default: false
        }
    }

    /// `mon`, `mon, wed and fri`.
    private func weekdays(_ start: Int) -> Int? {
        guard let first = words.word(start), Weekday(name: first.key) != nil else { return nil }
        var end = start + 1
        while let last = words.word(end - 1) {
            if last.continues, let next = key(end), Weekday(name: next) != nil, last.tail == 1 {
                end += 1
            } else if last.continues, let word = full(end), word == "and" || word == "&",
                let next = key(end + 1), Weekday(name: next) != nil
            {
                end += 2
            } else {
                break
            }
        }
        return end
    }

    /// `1st`, `the 15th`, `last day`, `last friday`, each with `of the month`.
    private func dayOfMonth(_ start: Int) -> Int? {
        var at = start
        if full(at) == "the" { at += 1 }
        guard let word = words.word(at) else { return nil }
        let number = DateMatcher.withoutOrdinal(word.key)
        let isOrdinal = number != word.key && DateMatcher.digits(number, atMost: 2) != nil
        guard isOrdinal || word.full == "last" || word.full == "first" else { return nil }
        at += 1
        if word.tail == 0, let next = key(at), next == "day" || Weekday(name: next) != nil {
            at += 1
        } else if !isOrdinal {
            return nil
        }
        if mayContinue(at), full(at) == "of" {
            var end = at + 1
            if ["the", "each", "every"].contains(full(end)) { end += 1 }
            if key(end) == "month" { return end + 1 }
        }
        return at
    }

    /// `22 nov`, `nov 22`.
    private func dayOfYear(_ start: Int) -> Int? {
        guard let first = words.word(start), first.tail == 0, let second = key(start + 1) else {
            return nil
        }
        for (month, day) in [(first.key, second), (second, first.key)] {
            let number = DateMatcher.withoutOrdinal(day)
            if Day.month(named: month) != nil, DateMatcher.digits(number, atMost: 2) != nil {
                return start + 2
            }
        }
        return nil
    }

    private func suffixes(_ start: Int) -> Int {
        var end = start
        while mayContinue(end), let next = suffix(end) { end = next }
        return end
    }

    private func suffix(_ start: Int) -> Int? {
        switch full(start) {
        case "on":
            return weekdays(start + 1) ?? dayOfMonth(start + 1)
        case "after":
            return key(start + 1) == "completion" ? start + 2 : nil
        case "when":
            return key(start + 1) == "done" ? start + 2 : nil
        case "until":
            guard let word = key(start + 1), case .day = ISODate.read(word) else { return nil }
            return start + 2
        case "for":
            guard let count = full(start + 1), DateMatcher.digits(count, atMost: 4) != nil,
                key(start + 2) == "times"
            else { return nil }
            return start + 3
        default:
            return nil
        }
    }
}
