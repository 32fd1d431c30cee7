import CivilTime
import FoundationEssentials

extension DateMatcher {
    /// A day whose first word begins with a digit.
    func numberedDay(_ word: PhraseWords.Word, at start: Int) -> Piece<DayValue>? {
        if let piece = numericDay(word, at: start) { return piece }
        if let piece = countedDay(at: start) { return piece }
        if let piece = dayFirst(word, at: start) { return piece }
        return isEmbedded ? nil : ordinalDay(word, at: start, isWeak: false)
    }

    // MARK: 22 nov, nov 22

    /// `22 nov`, `22nd of november`, `22nov`, each with or without a year.
    private func dayFirst(_ word: PhraseWords.Word, at start: Int) -> Piece<DayValue>? {
        let digits = word.full.utf8.prefix { $0 >= 48 && $0 <= 57 }
        guard digits.count <= 2, let day = Int(String(digits) ?? "") else { return nil }
        let rest = String(word.full.dropFirst(digits.count))
        if !isEmbedded, let month = Day.month(named: rest) {
            return withYear(month: month, day: day, word, end: start + 1)
        }
        guard ["", ".", "st", "nd", "rd", "th"].contains(rest) else { return nil }
        var at = start + 1
        if words.word(at)?.full == "of" { at += 1 }
        guard let next = words.word(at), let month = Day.month(named: next.key) else {
            return nil
        }
        return withYear(month: month, day: day, next, end: at + 1)
    }

    /// `nov 22`, `november 22nd, 2026`; outside a title also the month alone.
    func monthFirst(_ month: Int, _ word: PhraseWords.Word, at end: Int) -> Piece<DayValue>? {
        if word.tail == 0 || word.full == word.key + ".", let next = words.word(end) {
            let text = DateMatcher.withoutOrdinal(next.key)
            if let day = DateMatcher.digits(text, atMost: 2) {
                return withYear(month: month, day: day, next, end: end + 1)
            }
            if !isEmbedded, let year = DateMatcher.year(next.key) {
                return numeric(year: year, month: month, day: 1, next, end: end + 1)
            }
        }
        guard !isEmbedded else { return nil }
        return yearless(month: month, day: 1, word, end: end)
    }

    private func withYear(
        month: Int,
        day: Int,
        _ word: PhraseWords.Word,
        end: Int
    ) -> Piece<DayValue>? {
        if word.continues, let next = words.word(end), let year = DateMatcher.year(next.key) {
            return numeric(year: year, month: month, day: day, next, end: end + 1)
        }
        return yearless(month: month, day: day, word, end: end)
    }

    /// The next such day, today included.
    private func yearless(
        month: Int,
        day: Int,
        _ word: PhraseWords.Word,
        end: Int,
        isWeak: Bool = false
    ) -> Piece<DayValue>? {
        let year = today.year
        for candidate in year...year + 8 {
            if let found = Day(year: candidate, month: month, day: day), found >= today {
                return piece(found, word, end: end, isWeak: isWeak)
            }
        }
        return piece(
            .impossible(Day.whyImpossible(year: nil, month: month, day: day)),
            word,
            end: end
        )
    }

    /// `22nd`: the next month that has this day.
    func ordinalDay(
        _ word: PhraseWords.Word,
        at start: Int,
        isWeak: Bool
    ) -> Piece<DayValue>? {
        let text = DateMatcher.withoutOrdinal(word.key)
        guard text != word.key, let day = DateMatcher.digits(text, atMost: 2), day >= 1 else {
            return nil
        }
        if let next = dayFirst(word, at: start) { return next }
        guard day <= 31 else {
            return isEmbedded
                ? nil : piece(.impossible("no month has \(day) days"), word, end: start + 1)
        }
        var month = today.firstOfMonth
        while true {
            let found = month.adding(days: day - 1)
            if found.month == month.month, found >= today {
                return piece(found, word, end: start + 1, isWeak: isWeak)
            }
            guard month < Day.last.firstOfMonth else { return nil }
            month = month.adding(months: 1)
        }
    }

    // MARK: 2026-11-22, 22.11., 11/22

    private func numericDay(_ word: PhraseWords.Word, at start: Int) -> Piece<DayValue>? {
        for text in word.tail == 0 ? [word.full] : [word.full, word.key] {
            let isFull = text == word.full
            var ending = word
            if isFull { (ending.tail, ending.continues) = (0, true) }
            let reading = ISODate.read(text)
            switch reading {
            case .none:
                break
            case .impossible(let why):
                return isEmbedded && !text.contains("-")
                    ? nil : piece(.impossible(why), ending, end: start + 1)
            case .day(let day):
                // Eight digits inside a title are a number.
                guard !isEmbedded || text.contains("-") else { return nil }
                return piece(day, ending, end: start + 1)
            case .time:
                guard let moment = ISODate.moment(reading, zone: context.zone) else { return nil }
                return piece(.moment(moment), ending, end: start + 1)
            }
            if let found = separated(text, ending, end: start + 1) { return found }
        }
        return nil
    }

    private func separated(
        _ text: String,
        _ word: PhraseWords.Word,
        end: Int
    ) -> Piece<DayValue>? {
        guard let mark = text.utf8.first(where: { $0 == 46 || $0 == 47 || $0 == 45 }) else {
            return nil
        }
        var parts = text.utf8.split(separator: mark, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let hasLastPoint = mark == 46 && parts.last == ""
        if hasLastPoint { parts.removeLast() }
        guard parts.count == 2 || (parts.count == 3 && !hasLastPoint),
            let first = DateMatcher.digits(parts[0], atMost: 4),
            let second = DateMatcher.digits(parts[1], atMost: 2)
        else { return nil }
        let firstIsYear = parts[0].utf8.count == 4
        guard parts[0].utf8.count <= 2 || firstIsYear else { return nil }

        if parts.count == 2 {
            guard !firstIsYear, mark != 45 else { return nil }
            if mark == 46 {
                guard hasLastPoint || !isEmbedded else { return nil }
                if isEmbedded, second > 12 || second < 1 { return nil }
                return yearless(month: second, day: first, word, end: end, isWeak: true)
            }
            let isDayFirst = first > 12
            if isEmbedded {
                guard !isDayFirst, parts[1].utf8.count == 2, second >= 1, second <= 31 else {
                    return nil
                }
            }
            return isDayFirst
                ? yearless(month: second, day: first, word, end: end)
                : yearless(month: first, day: second, word, end: end)
        }

        if firstIsYear {
            guard mark != 46, let third = DateMatcher.digits(parts[2], atMost: 2) else {
                return nil
            }
            return numeric(year: first, month: second, day: third, word, end: end)
        }
        let width = parts[2].utf8.count
        guard width == 4 || (width == 2 && mark != 45),
            let third = DateMatcher.digits(parts[2], atMost: 4)
        else { return nil }
        if isEmbedded, width == 2, text.utf8.count != 8 { return nil }
        let year = width == 2 ? 2000 + third : third
        let isDayFirst = mark != 47 || first > 12
        return isDayFirst
            ? numeric(year: year, month: second, day: first, word, end: end)
            : numeric(year: year, month: first, day: second, word, end: end)
    }

    private func numeric(
        year: Int,
        month: Int,
        day: Int,
        _ word: PhraseWords.Word,
        end: Int
    ) -> Piece<DayValue> {
        guard let found = Day(year: year, month: month, day: day) else {
            let why = Day.whyImpossible(year: year, month: month, day: day)
            return piece(.impossible(why), word, end: end)
        }
        return piece(found, word, end: end)
    }

    // MARK: Words

    static func digits(_ text: String, atMost width: Int) -> Int? {
        guard !text.isEmpty, text.utf8.count <= width,
            text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
        else { return nil }
        return Int(text)
    }

    static func year(_ text: String) -> Int? {
        guard text.utf8.count == 4, let year = digits(text, atMost: 4), year >= 1900, year < 3000
        else { return nil }
        return year
    }

    static func withoutOrdinal(_ text: String) -> String {
        for ending in ["st", "nd", "rd", "th"] where text.hasSuffix(ending) {
            return String(text.dropLast(2))
        }
        return text
    }
}
