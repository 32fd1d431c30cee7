import CivilTime
import FoundationEssentials

extension DateMatcher {
    /// The units in `in 3 days` and `+2w`.
    enum Unit: Int, Comparable {
        case minute
        case hour
        case day
        case week
        case month
        case quarter
        case year

        static func < (left: Unit, right: Unit) -> Bool { left.rawValue < right.rawValue }

        init?(name: String) {
            switch name {
            case "min", "mins", "minute", "minutes": self = .minute
            case "h", "hr", "hrs", "hour", "hours": self = .hour
            case "d", "day", "days": self = .day
            case "w", "wk", "wks", "week", "weeks": self = .week
            case "m", "mo", "month", "months": self = .month
            case "q", "quarter", "quarters": self = .quarter
            case "y", "yr", "yrs", "year", "years": self = .year
            default: return nil
            }
        }

        /// The last letter of `eow`, `eom`, `eoq`, `eoy`.
        init?(letter: UInt8?) {
            guard let letter else { return nil }
            self.init(name: String(Unicode.Scalar(letter)))
        }
    }

    struct Amount {
        var count: Int
        var unit: Unit
        var word: PhraseWords.Word
        var end: Int
    }

    /// `3 days`, `a week`, `3d`.
    func amount(at start: Int) -> Amount? {
        guard let word = words.word(start) else { return nil }
        if let joined = joinedAmount(word.key) {
            return Amount(count: joined.0, unit: joined.1, word: word, end: start + 1)
        }
        guard word.tail == 0, let count = DateMatcher.count(word.key),
            let next = words.word(start + 1), let unit = Unit(name: next.key)
        else { return nil }
        return Amount(count: count, unit: unit, word: next, end: start + 2)
    }

    /// `3d` in one word.
    func joinedAmount(_ text: String) -> (Int, Unit)? {
        let digits = text.utf8.prefix { $0 >= 48 && $0 <= 57 }
        guard !digits.isEmpty, digits.count <= 5, let count = Int(String(digits) ?? ""),
            let unit = Unit(name: String(text.dropFirst(digits.count)))
        else { return nil }
        return (count, unit)
    }

    static func count(_ text: String) -> Int? {
        switch text {
        case "a", "an", "one": return 1
        case "two": return 2
        case "three": return 3
        case "four": return 4
        case "five": return 5
        case "six": return 6
        case "seven": return 7
        case "eight": return 8
        case "nine": return 9
        case "ten": return 10
        default:
            let isNumber = text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
            return isNumber && text.utf8.count <= 5 ? Int(text) : nil
        }
    }

    func amountPiece(_ amount: Amount, isBack: Bool) -> Piece<DayValue>? {
        let count = isBack ? -amount.count : amount.count
        let value: DayValue
        switch amount.unit {
        case .minute, .hour:
            let seconds = count * (amount.unit == .hour ? 3600 : 60)
            let exact = context.now.timeIntervalSince1970 + Double(seconds)
            value = .moment(Date(timeIntervalSince1970: (exact / 60).rounded(.down) * 60))
        case .day: value = .day(today.adding(days: count))
        case .week: value = .day(today.adding(days: count * 7))
        case .month: value = later(months: count)
        case .quarter: value = later(months: count * 3)
        case .year: value = later(months: count * 12)
        }
        return piece(value, amount.word, end: amount.end)
    }

    private func later(months: Int) -> DayValue {
        let month = today.year * 12 + today.month - 1 + months
        guard month >= 12, month < 120_000 else { return .impossible("years go from 1 to 9999") }
        return .day(today.adding(months: months))
    }

    /// `+3d`, `+3 days`; `-3d` outside a title.
    func signedAmount(_ word: PhraseWords.Word, at start: Int) -> Piece<DayValue>? {
        let isBack = words.firstByte(start) == 45
        if isBack, isEmbedded { return nil }
        let key = String(word.key.dropFirst())
        if let (count, unit) = joinedAmount(key) {
            let amount = Amount(count: count, unit: unit, word: word, end: start + 1)
            return amountPiece(amount, isBack: isBack)
        }
        guard word.tail == 0, key.utf8.first.map({ $0 >= 48 && $0 <= 57 }) ?? false,
            let count = DateMatcher.count(key), let next = words.word(start + 1),
            let unit = Unit(name: next.key)
        else { return nil }
        let amount = Amount(count: count, unit: unit, word: next, end: start + 2)
        return amountPiece(amount, isBack: isBack)
    }

    /// `3 days ago`, `3 days from now`; outside a title also `3 days` and `3d`.
    func countedDay(at start: Int) -> Piece<DayValue>? {
        guard let amount = amount(at: start) else { return nil }
        if amount.word.tail == 0, let next = words.word(amount.end) {
            var behind = amount
            behind.word = next
            behind.end += 1
            if next.key == "ago" { return amountPiece(behind, isBack: true) }
            if next.full == "from", let now = words.word(behind.end), now.key == "now" {
                behind.word = now
                behind.end += 1
                return amountPiece(behind, isBack: false)
            }
        }
        return isEmbedded ? nil : amountPiece(amount, isBack: false)
    }
}
