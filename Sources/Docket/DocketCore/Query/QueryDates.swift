import CivilTime
import DocketFormats
import FoundationEssentials
import SearchLanguage
import TimeLanguage

/// What the texts of a search mean as dates; the only place where a search reads dates.
struct QueryDates {
    /// A boundary: the beginning of a day, or a moment.
    enum Edge: Hashable {
        case day(Day)
        case moment(Date)
    }

    /// From a first boundary to an end; the same moment twice is that moment.
    struct Span: Hashable {
        var first: Edge
        var end: Edge
        /// Whether it was an amount without a sign, which is an age for dates in the past.
        var isAmount = false

        static func days(_ first: Day, _ end: Day) -> Span {
            Span(first: .day(first), end: .day(end))
        }
        static func day(_ day: Day) -> Span { days(day, day.adding(days: 1)) }
    }

    let context: DateContext
    private let today: Day

    init(_ context: DateContext) {
        self.context = context
        today = context.today
    }

    /// Reads a date, a part of the year, or an amount of time.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - looksBack: whether the dates are in the past, so that amounts and names of days and
    ///     months lead there.
    /// - Returns: its boundaries.
    /// - Throws: `InputError` with a sentence.
    func span(_ text: String, looksBack: Bool) throws(InputError) -> Span {
        let text = text.lowercased().trimmingSpace
        if text == "now" { return Span(first: .moment(context.now), end: .moment(context.now)) }
        if let span = amount(text, looksBack) ?? numbered(text) ?? stretch(text) { return span }
        switch try DateParser(context: context).span(text, looksBack: looksBack) {
        case .days(let first, let end): return .days(first, end)
        case .moment(let moment): return Span(first: .moment(moment), end: .moment(moment))
        }
    }

    // MARK: Amounts

    /// `7d`, `+2w`, `-3m`, `2h`: counted from today, or from now.
    private func amount(_ text: String, _ looksBack: Bool) -> Span? {
        let sign = text.first == "-" ? -1 : text.first == "+" ? 1 : 0
        let digits = (sign == 0 ? text[...] : text.dropFirst()).prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), digits.utf8.count <= 5 else { return nil }
        let unit = text.dropFirst((sign == 0 ? 0 : 1) + digits.count).trimmingPrefix(while: {
            $0 == " "
        })
        let count = number * (sign != 0 ? sign : looksBack ? -1 : 1)
        var span: Span
        switch word(of: String(unit)) {
        case "min", "mins", "minute", "minutes": span = moment(seconds: count * 60)
        case "h", "hour", "hours": span = moment(seconds: count * 3600)
        case "d", "day", "days": span = .day(limited(today.number + count))
        case "w", "week", "weeks": span = .day(limited(today.number + count * 7))
        case "m", "mo", "month", "months": span = .day(today.adding(months: count))
        case "q", "quarter", "quarters": span = .day(today.adding(months: count * 3))
        case "y", "year", "years": span = .day(today.adding(months: count * 12))
        default: return nil
        }
        span.isAmount = sign == 0
        return span
    }

    /// A unit in the language of dates as an English word.
    private func word(of unit: String) -> String {
        guard let own = sense(unit)?.unit else { return unit }
        switch own {
        case .minute: return "minutes"
        case .hour: return "hours"
        case .day: return "days"
        case .week: return "weeks"
        case .month: return "months"
        case .quarter: return "quarters"
        case .year: return "years"
        case .second, .workday, .weekend: return unit
        }
    }

    /// What a word means in the language of dates; `nil` in English, whose words always count.
    private func sense(_ word: some StringProtocol) -> Sense? {
        let language = context.settings.language
        return language == .english ? nil : language.vocabulary.sense(of: String(word))
    }

    /// `next 7 days`, `last 2 weeks`, `within the next 3 months`: so many days, today among them; also
    /// `nächste 7 Tage`.
    private func stretch(_ text: String) -> Span? {
        var words = text.split(separator: " ")[...]
        var isWithin = false
        while let word = words.first {
            let own = sense(word)
            let isLead = own.map {
                !$0.roles.isDisjoint(with: [.in, .article]) || isWithin && $0.roles.contains(.from)
            }
            let begins = word == "within" || own?.roles.contains(.within) == true
            guard begins || ["in", "the"].contains(word) || isLead == true else { break }
            isWithin = isWithin || begins
            words = words.dropFirst()
        }
        var isPast = false
        let turn = words.first.flatMap { sense($0)?.turn }
        switch words.first {
        case "next", "coming", "following": words = words.dropFirst()
        case "last", "past", "previous": (isPast, words) = (true, words.dropFirst())
        case _ where turn == .next || turn == .coming: words = words.dropFirst()
        case _ where turn == .last: (isPast, words) = (true, words.dropFirst())
        default: if !isWithin { return nil }
        }
        // `next week` is the one of the calendar.
        guard let first = words.first?.first, first.isNumber else { return nil }
        guard let span = amount(words.joined(separator: " "), isPast) else {
            return nil
        }
        switch span.first {
        case .day(let day):
            return isPast
                ? .days(day.adding(days: 1), today.adding(days: 1)) : .days(today, day)
        case .moment(let moment):
            let now = context.now
            return Span(first: .moment(min(now, moment)), end: .moment(max(now, moment)))
        }
    }

    private func moment(seconds: Int) -> Span {
        let moment = context.now.addingTimeInterval(Double(seconds))
        return Span(first: .moment(moment), end: .moment(moment))
    }

    private func limited(_ number: Int) -> Day {
        Day(number: min(max(number, Day.first.number), Day.last.number))
    }

    // MARK: Numbered months, quarters and weeks

    private func year(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count == 4, text.allSatisfy({ $0.isASCII && $0.isNumber }),
            let year = Int(text), year > 0
        else { return nil }
        return year
    }

    /// `2026`, `2026-10`, `2026-q4`, `2026-w48`.
    private func numbered(_ text: String) -> Span? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let year = parts.first.flatMap({ self.year($0) }),
            let first = Day(year: year, month: 1, day: 1)
        else { return nil }
        if parts.count == 1 { return months(first, 12) }
        guard parts.count == 2 else { return nil }
        let part = parts[1]
        if part.first == "q", let quarter = Int(part.dropFirst()), (1...4).contains(quarter) {
            return months(first.adding(months: 3 * (quarter - 1)), 3)
        }
        if part.first == "w", let week = Int(part.dropFirst()), (1...53).contains(week) {
            // The week with the fourth of January is the first one.
            let start = first.adding(days: 3).startOfWeek(.monday).adding(days: 7 * (week - 1))
            return .days(start, start.adding(days: 7))
        }
        guard part.utf8.count == 2, let month = Int(part), (1...12).contains(month) else {
            return nil
        }
        return months(first.adding(months: month - 1), 1)
    }

    private func months(_ first: Day, _ count: Int) -> Span {
        .days(first, first.adding(months: count))
    }
}
