import CivilTime
import FoundationEssentials

/// Finds the longest date phrase that begins at a given word.
struct DateMatcher {
    let words: PhraseWords
    let context: DateContext
    /// Whether the words are a title, in which dates are the exception.
    let isEmbedded: Bool
    let today: Day

    init(words: PhraseWords, context: DateContext, isEmbedded: Bool) {
        self.words = words
        self.context = context
        self.isEmbedded = isEmbedded
        today = context.today
    }

    /// A part of a phrase and where it ends.
    struct Piece<Value> {
        var value: Value
        var end: Int
        var tail = 0
        /// Whether the phrase may continue after it.
        var continues = true
        var isWeak = false
    }

    enum DayValue {
        case day(Day)
        case moment(Date)
        case impossible(String)
    }

    enum TimeValue {
        case second(Int)
        case impossible(String)
    }

    /// The phrase that begins at word `start`.
    ///
    /// - Complexity: O(1); a phrase has at most ten words.
    func match(at start: Int) -> DateMatch? {
        guard start < words.count else { return nil }
        let first = words.firstByte(start)
        let isLetter = (first | 0x20) >= 97 && (first | 0x20) <= 122
        let isNumber = (first >= 48 && first <= 57) || first == 43 || first == 45
        guard isLetter || isNumber else { return nil }
        if let day = dayPiece(at: start) { return match(from: start, beginningWith: day) }
        guard let time = timePiece(at: start, afterDay: false) else { return nil }
        return match(from: start, beginningWith: time)
    }

    private func match(from start: Int, beginningWith piece: Piece<DayValue>) -> DateMatch {
        var match = DateMatch(
            start: start,
            end: piece.end,
            tail: piece.tail,
            isWeak: piece.isWeak,
            outcome: .impossible("")
        )
        switch piece.value {
        case .impossible(let why):
            match.outcome = .impossible(why)
        case .moment(let moment):
            match.outcome = .date(DueDate(moment: moment))
        case .day(let day):
            match.outcome = .date(DueDate(day: day))
            guard piece.continues, let time = timePiece(at: piece.end, afterDay: true) else {
                break
            }
            match.end = time.end
            match.tail = time.tail
            match.isWeak = false
            match.outcome = outcome(day, time.value)
        }
        return match
    }

    private func match(from start: Int, beginningWith time: Piece<TimeValue>) -> DateMatch {
        var match = DateMatch(
            start: start,
            end: time.end,
            tail: time.tail,
            isWeak: time.isWeak,
            outcome: .impossible("")
        )
        if time.continues {
            let isOn = words.word(time.end)?.full == "on"
            let place = time.end + (isOn ? 1 : 0)
            if let piece = dayPiece(at: place), case .day(let day) = piece.value {
                match.end = piece.end
                match.tail = piece.tail
                match.isWeak = false
                match.outcome = outcome(day, time.value)
                return match
            }
        }
        switch time.value {
        case .impossible(let why):
            match.outcome = .impossible(why)
        case .second(let second):
            let now = context.zone.local(context.now)
            let day = second > now.second ? today : today.adding(days: 1)
            match.outcome = .date(DueDate(moment: context.zone.moment(day, second: second)))
        }
        return match
    }

    private func outcome(_ day: Day, _ time: TimeValue) -> DateMatch.Outcome {
        switch time {
        case .second(let second): .date(DueDate(moment: context.zone.moment(day, second: second)))
        case .impossible(let why): .impossible(why)
        }
    }

    // MARK: Days

    func dayPiece(at start: Int) -> Piece<DayValue>? {
        guard let word = words.word(start) else { return nil }
        switch words.firstByte(start) {
        case 48...57: return numberedDay(word, at: start)
        case 43, 45: return signedAmount(word, at: start)
        default: return namedDay(word, at: start)
        }
    }

    func piece(
        _ day: Day,
        _ word: PhraseWords.Word,
        end: Int,
        isWeak: Bool = false
    ) -> Piece<DayValue> {
        piece(.day(day), word, end: end, isWeak: isWeak)
    }

    func piece(
        _ value: DayValue,
        _ word: PhraseWords.Word,
        end: Int,
        isWeak: Bool = false
    ) -> Piece<DayValue> {
        var value = value
        if case .day(let day) = value, day < .first || day > .last {
            value = .impossible("years go from 1 to 9999")
        }
        return Piece(
            value: value,
            end: end,
            tail: word.tail,
            continues: word.continues,
            isWeak: isWeak
        )
    }

    private func namedDay(_ word: PhraseWords.Word, at start: Int) -> Piece<DayValue>? {
        let end = start + 1
        switch word.key {
        case "today", "eod":
            return piece(today, word, end: end)
        case "tomorrow", "tmr", "tmrw":
            return piece(today.adding(days: 1), word, end: end)
        case "yesterday":
            return piece(today.adding(days: -1), word, end: end)
        case "tod", "tom":
            let isCapital = words.firstByte(start) == 84
            if isEmbedded, isCapital { return nil }
            let days = word.key == "tod" ? 0 : 1
            return piece(today.adding(days: days), word, end: end, isWeak: true)
        case "tonight":
            let moment = context.zone.moment(today, second: 20 * 3600)
            return piece(.moment(moment), word, end: end)
        case "eow", "eom", "eoq", "eoy":
            guard let unit = Unit(letter: word.key.utf8.last) else { return nil }
            return piece(lastDay(of: unit, next: false), word, end: end)
        case "weekend":
            return isEmbedded
                ? nil : piece(today.adding(days: daysToSaturday), word, end: end)
        case "this", "next":
            guard word.tail == 0 else { return nil }
            return relative(at: end, isNext: word.key == "next")
        case "end":
            return endOf(at: end)
        case "in":
            return amount(at: end).flatMap { amountPiece($0, isBack: false) }
        case "the":
            guard word.tail == 0, let next = words.word(end) else { return nil }
            return ordinalDay(next, at: end, isWeak: true)
        case "a", "an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
            "ten":
            return countedDay(at: start)
        default:
            if let weekday = Weekday(name: word.key) {
                let days = today.weekday.days(until: weekday)
                let isWord = ["sun", "sat", "wed"].contains(word.key)
                return piece(
                    today.adding(days: days == 0 ? 7 : days),
                    word,
                    end: end,
                    isWeak: isWord
                )
            }
            guard let month = Day.month(named: word.key) else { return nil }
            return monthFirst(month, word, at: end)
        }
    }

    private var daysToSaturday: Int { today.weekday.days(until: .saturday) }

    private func relative(at start: Int, isNext: Bool) -> Piece<DayValue>? {
        guard let word = words.word(start) else { return nil }
        let end = start + 1
        let nextWeek = today.startOfWeek(context.weekStart).adding(days: 7)
        if let weekday = Weekday(name: word.key) {
            let day =
                isNext
                ? nextWeek.adding(days: context.weekStart.days(until: weekday))
                : today.adding(days: today.weekday.days(until: weekday))
            return piece(day, word, end: end)
        }
        if word.key == "weekend" {
            let saturday = nextWeek.adding(days: context.weekStart.days(until: .saturday))
            return piece(
                isNext ? saturday : today.adding(days: daysToSaturday),
                word,
                end: end
            )
        }
        guard isNext else { return nil }
        switch word.key {
        case "week": return piece(nextWeek, word, end: end)
        case "month": return piece(today.lastOfMonth.adding(days: 1), word, end: end)
        case "quarter":
            return piece(lastDay(of: .quarter, next: false).adding(days: 1), word, end: end)
        case "year":
            return piece(lastDay(of: .year, next: false).adding(days: 1), word, end: end)
        default: return nil
        }
    }

    /// `end of [the|this|next] week|month|quarter|year`, from the word behind `end`.
    private func endOf(at start: Int) -> Piece<DayValue>? {
        guard words.word(start)?.full == "of" else { return nil }
        var at = start + 1
        var isNext = false
        if let word = words.word(at), ["the", "this", "next"].contains(word.full) {
            isNext = word.full == "next"
            at += 1
        }
        guard let word = words.word(at) else { return nil }
        if word.key == "day" || word.key == "today" {
            return isNext ? nil : piece(today, word, end: at + 1)
        }
        guard let unit = Unit(name: word.key), unit >= .week, word.key.utf8.count > 3 else {
            return nil
        }
        return piece(lastDay(of: unit, next: isNext), word, end: at + 1)
    }

    private func lastDay(of unit: Unit, next isNext: Bool) -> Day {
        let step = isNext ? 1 : 0
        switch unit {
        case .week:
            return today.startOfWeek(context.weekStart).adding(days: 6 + 7 * step)
        case .quarter:
            let behind = 2 - (today.month - 1) % 3
            return today.firstOfMonth.adding(months: behind + 3 * step).lastOfMonth
        case .year:
            return today.firstOfMonth.adding(months: 12 - today.month + 12 * step).lastOfMonth
        default:
            return today.firstOfMonth.adding(months: step).lastOfMonth
        }
    }
}
