import CivilTime

extension Resolver {
    /// A sentence about a date that can be read in two orders; `nil` if it cannot, or if the user has
    /// set the order.
    func ambiguity(_ reading: Reading, _ text: String) -> String? {
        guard settings.chosenOrder == nil, reading.isOrderOpen, let month = reading.month,
            let day = reading.day,
            reading.weekday == nil, case .day(let found) = self.day(reading)
        else { return nil }
        let isAsSaid = found.month == month && found.day == day
        var other = reading
        other.isOrderOpen = false
        (other.month, other.day) = isAsSaid ? (day, month) : (month, day)
        guard case .day(let second) = self.day(other) else { return nil }
        return "“\(text)” could be \(short(found)) or \(short(second)): write "
            + "\(ISODate.string(found)) or \(ISODate.string(second)); "
            + "\(short(found)) was taken."
    }

    private func short(_ day: Day) -> String {
        "\(day.day) \(Day.shortName(ofMonth: day.month)) \(day.year)"
    }
}
