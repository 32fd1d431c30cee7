import DocketFormats

/// Expected efforts as people write them; stored in seconds.
public enum Estimate {
    /// Hours and minutes: `45 min`, `2 h`, `1 h 30 min`; less than a minute counts as one.
    public static func text(seconds: Int) -> String {
        let minutes = max(1, seconds / 60)
        let hours = minutes / 60
        let rest = minutes % 60
        if hours == 0 { return "\(rest) min" }
        return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
    }

    /// The seconds of a text, such as `90`, `1h 30m` or `1:30`.
    ///
    /// A number without a unit means minutes, a day means eight hours. `nil` for other texts, and
    /// for more than a year.
    public static func seconds(_ text: String) -> Int? { minutes(text).map { $0 * 60 } }

    private static func minutes(_ text: String) -> Int? {
        let text = text.lowercased()
        let clock = text.split(separator: ":", omittingEmptySubsequences: false)
        if clock.count == 2, let hours = Int(clock[0]), let rest = Int(clock[1]),
            (0...8760).contains(hours), (0..<60).contains(rest)
        {
            return hours * 60 + rest
        }
        var total = 0
        var number = ""
        var unit = ""
        func close() -> Bool {
            if number.isEmpty { return unit.isEmpty }
            guard let value = Int(number), value <= 525_600 else { return false }
            switch unit {
            case "", "m", "min", "mins", "minutes", "minute": total += value
            case "h", "hour", "hours": total += value * 60
            case "d", "day", "days": total += value * 480
            default: return false
            }
            number = ""
            unit = ""
            return true
        }
        for character in text where !character.isWhitespace {
            if character.isASCII, character.isNumber {
                if !unit.isEmpty, !close() { return nil }
                number.append(character)
            } else {
                unit.append(character)
            }
        }
        let isWhole = !number.isEmpty || total > 0
        guard isWhole, close(), total <= 525_600 else { return nil }
        return total
    }
}
