/// A length of time: `3 days`, `2 years 1 month`, `an hour and a half`.
struct Amount: Hashable {
    var months = 0
    var days = 0
    var workdays = 0
    var weekends = 0
    var seconds = 0
    /// The largest and the smallest unit that was said.
    var largest: TimeUnit = .second
    var smallest: TimeUnit = .year
    /// How many parts it has: 2 in `1 hour 30 minutes`.
    var parts = 0

    init() {}

    /// `nil` if the unit does not have such a fraction.
    init?(_ count: Double, _ unit: TimeUnit, scale: Int = 1) {
        guard count.isFinite, count >= 0, count <= 99_999 else { return nil }
        let exact = count * Double(scale)
        let whole = Int(exact.rounded(.down))
        let isWhole = Double(whole) == exact
        (largest, smallest, parts) = (unit, unit, 1)
        switch unit {
        case .second: seconds = Int(exact.rounded())
        case .minute: seconds = Int((exact * 60).rounded())
        case .hour: seconds = Int((exact * 3600).rounded())
        case .day:
            days = whole
            if !isWhole { seconds = Int(((exact - Double(whole)) * 86_400).rounded()) }
        case .week:
            days = Int((exact * 7).rounded())
        case .workday, .weekend:
            guard isWhole else { return nil }
            if unit == .workday { workdays = whole } else { weekends = whole }
        case .month, .quarter, .year:
            let factor = unit == .month ? 1.0 : unit == .quarter ? 3.0 : 12.0
            let result = exact * factor
            if result == result.rounded() {
                months = Int(result)
            } else {
                guard unit == .month else { return nil }
                months = whole
                days = Int(((exact - Double(whole)) * 30).rounded())
            }
        }
    }

    /// Both together; `nil` if the second is not of a smaller unit.
    func followed(by other: Amount) -> Amount? {
        guard other.largest < smallest else { return nil }
        var sum = self
        sum.months += other.months
        sum.days += other.days
        sum.workdays += other.workdays
        sum.weekends += other.weekends
        sum.seconds += other.seconds
        sum.smallest = other.smallest
        sum.parts += other.parts
        return sum
    }

    /// Whether it is counted in hours, minutes or seconds.
    var isExact: Bool { seconds != 0 || smallest < .day }
}
