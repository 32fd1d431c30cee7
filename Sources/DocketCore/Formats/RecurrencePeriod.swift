import CivilTime
import TimeLanguage

/// The repetitions that every format has: every so many days, weeks, months or years, or every
/// working day.
///
/// Items store a repetition as text, in the words of capture or in those of the format it came
/// from. This type translates the simple ones; other texts are kept, or not exported.
struct RecurrencePeriod: Hashable {
    enum Unit: Character {
        case day = "d"
        case weekday = "b"
        case week = "w"
        case month = "m"
        case year = "y"
    }

    var count: Int
    var unit: Unit
    /// Whether the next one is counted from completion rather than from the due date.
    var isFromCompletion: Bool

    /// Reads capture's `every 2 weeks`, `every! month`, `every other day`, `weekly`; Taskwarrior's
    /// `biweekly`, `2wks`, `P1M`; todo.txt's `1w` (from completion) and `+1w`.
    init?(_ text: String) {
        let words = text.lowercased().split(separator: " ").map(String.init)
        guard let first = words.first else { return nil }
        if first == "every" || first == "every!" {
            self.init(every: Array(words.dropFirst()), isFromCompletion: first == "every!")
            return
        }
        guard words.count == 1 else { return nil }
        switch first {
        case "daily", "day": self.init(1, .day)
        case "weekdays": self.init(1, .weekday)
        case "weekly", "sennight": self.init(1, .week)
        case "biweekly", "fortnight", "fortnightly": self.init(2, .week)
        case "monthly": self.init(1, .month)
        case "bimonthly": self.init(2, .month)
        case "quarterly": self.init(3, .month)
        case "semiannual": self.init(6, .month)
        case "annual", "annually", "yearly": self.init(1, .year)
        case "biannual", "biyearly": self.init(2, .year)
        default:
            guard let short = RecurrencePeriod.short(first) else { return nil }
            self = short
        }
    }

    private init?(every words: [String], isFromCompletion: Bool) {
        self.isFromCompletion = isFromCompletion
        var words = words[...]
        if words.suffix(2) == ["after", "completion"] || words.suffix(2) == ["when", "done"] {
            self.isFromCompletion = true
            words = words.dropLast(2)
        }
        count = 1
        if words.count == 2, let word = words.first {
            guard let number = word == "other" ? 2 : RecurrencePeriod.count(word), number > 0 else {
                return nil
            }
            count = number
            words = words.dropFirst()
        }
        guard words.count == 1, let name = words.first else { return nil }
        if let short = RecurrencePeriod.short(name) {
            guard count == 1 else { return nil }
            (count, unit) = (short.count, short.unit)
            return
        }
        guard let (factor, unit) = RecurrencePeriod.unit(name) else { return nil }
        (count, self.unit) = (count * factor, unit)
    }

    /// `3`, `three`, `a`.
    private static func count(_ word: String) -> Int? {
        if word == "a" || word == "an" { return 1 }
        return word.utf8.count <= 5 ? Int(word) ?? Vocabulary.english.sense(of: word).number : nil
    }

    private static func unit(_ name: String) -> (Int, Unit)? {
        switch name {
        case "d", "day", "days": (1, .day)
        case "b", "weekday", "weekdays", "workday": (1, .weekday)
        case "w", "wk", "wks", "week", "weeks": (1, .week)
        case "m", "mo", "mth", "mths", "month", "months": (1, .month)
        case "q", "qtr", "qtrs", "quarter", "quarters": (3, .month)
        case "y", "yr", "yrs", "year", "years": (1, .year)
        default: nil
        }
    }

    /// `2w`, `+2w`, `2wks`, `P2W`.
    private static func short(_ text: String) -> RecurrencePeriod? {
        let sign = text.first
        let body = sign == "+" || sign == "p" ? text.dropFirst() : text[...]
        let digits = body.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits.count <= 4, let count = Int(digits), count > 0,
            let (factor, unit) = unit(String(body.dropFirst(digits.count)))
        else { return nil }
        let isTodoTxt = sign != "p" && body.count == digits.count + 1
        return RecurrencePeriod(
            count * factor,
            unit,
            isFromCompletion: isTodoTxt && sign != "+"
        )
    }

    private init(_ count: Int, _ unit: Unit, isFromCompletion: Bool = false) {
        self.count = count
        self.unit = unit
        self.isFromCompletion = isFromCompletion
    }

    /// `P2W`, or `weekdays`; `nil` for a period that Taskwarrior does not have.
    var taskwarrior: String? {
        if unit == .weekday { return count == 1 ? "weekdays" : nil }
        return "P\(count)\(unit.rawValue.uppercased())"
    }

    /// `2w`, or `+2w` if it is counted from the due date.
    var todoTxt: String { "\(isFromCompletion ? "" : "+")\(count)\(unit.rawValue)" }
}
