public import CivilTime
import FoundationEssentials

/// A distance by which each of some dates moves from where it is: `+1d`, `-2h`, `+3 weeks`.
///
/// Days, weeks, months and years are counted on the calendar, so that the time on the wall stays; a
/// month after 31 January is 28 February. Minutes and hours are counted on the clock.
public struct DateShift: Hashable, Sendable {
    public enum Unit: String, CaseIterable, Sendable {
        case minute
        case hour
        case day
        case week
        case month
        case year

        /// `m` is a month, as everywhere in dates.
        fileprivate var short: [String] {
            switch self {
            case .minute: ["min", "mins"]
            case .hour: ["h", "hr", "hrs"]
            case .day: ["d"]
            case .week: ["w"]
            case .month: ["m", "mo"]
            case .year: ["y"]
            }
        }

        /// Its name in a sentence.
        public var name: Phrase { Phrase(stringLiteral: rawValue) }

        /// Whether it needs a time.
        public var isOfClock: Bool { self == .minute || self == .hour }
    }

    public let amount: Int
    public let unit: Unit

    private static let most = 99_999

    public init(_ amount: Int, _ unit: Unit) { (self.amount, self.unit) = (amount, unit) }

    /// Reads a sign, a number and a unit; `nil` for everything else.
    public init?(_ text: String) {
        let text = text.filter { !$0.isWhitespace }.lowercased()
        guard let sign = text.first, sign == "+" || sign == "-" || sign == "−" else { return nil }
        let digits = text.dropFirst().prefix { ("0"..."9").contains($0) }
        let word = text.dropFirst(1 + digits.count)
        guard let number = Int(digits), (1...DateShift.most).contains(number),
            let unit = Unit.allCases.first(where: {
                word == $0.rawValue || word == $0.rawValue + "s" || $0.short.contains(String(word))
            })
        else { return nil }
        amount = sign == "+" ? number : -number
        self.unit = unit
    }

    /// `1 day later`, `2 hours earlier`.
    public var words: String {
        let count = abs(amount)
        let length = Phrase(count, unit.rawValue)
        return amount > 0 ? localized("\(length) later") : localized("\(length) earlier")
    }

    /// The date after the move; of an item without a date it is counted from today, or from now.
    ///
    /// `nil` for a whole day that would move by hours.
    public func applied(to date: DueDate?, in context: DateContext) -> DueDate? {
        if unit.isOfClock {
            let minute = (context.now.timeIntervalSince1970 / 60).rounded(.down) * 60
            let start = date ?? DueDate(moment: Date(timeIntervalSince1970: minute))
            if start.isDateOnly { return nil }
            let seconds = Double(amount) * (unit == .hour ? 3600 : 60)
            return DueDate(moment: start.date.addingTimeInterval(seconds))
        }
        let start = date ?? DueDate(day: context.today)
        if start.isDateOnly { return DueDate(day: moved(start.day(in: context.zone))) }
        let (day, second) = context.zone.local(start.date)
        return DueDate(moment: context.zone.moment(moved(day), second: second))
    }

    private func moved(_ day: Day) -> Day {
        switch unit {
        case .day, .minute, .hour: day.adding(days: amount)
        case .week: day.adding(days: 7 * amount)
        case .month: day.adding(months: amount)
        case .year: day.adding(months: 12 * amount)
        }
    }
}
