import CivilTime
import FoundationEssentials

/// A timestamp of org: `<2026-11-22 Sun 10:00-11:00 ++1w -3d>`, inactive ones in brackets.
struct OrgTimestamp: Hashable {
    /// As written.
    var text: String
    var day: Day
    /// Seconds of the day, of the beginning and the end.
    var times: [Int] = []
    /// `+1w`, `++1w` or `.+1w`.
    var repeater: String?

    /// Why a text is no timestamp.
    enum Problem: Error {
        case impossible(String)
        case none
    }

    /// Reads a timestamp at the beginning of a text; of a range the first one.
    init(_ text: Substring) throws(Problem) {
        guard let open = text.utf8.first.map(UnicodeScalar.init), open == "<" || open == "[",
            let close = text.utf8.firstIndex(of: UInt8(ascii: open == "<" ? ">" : "]"))
        else { throw .none }
        self.text = String(text[...close])
        let words = text.utf8[..<close].dropFirst().split(separator: 32).map { Substring($0) }
        guard let date = words.first, date.utf8.count == 10 else { throw .none }
        switch ISODate.read(date) {
        case .day(let day): self.day = day
        case .impossible(let why): throw .impossible(why)
        default: throw .none
        }
        for word in words.dropFirst() {
            if word.first?.isNumber ?? false {
                for time in word.split(separator: "-") {
                    let parts = time.split(separator: ":")
                    guard parts.count == 2, let second = ClockText.seconds(String(time)) else {
                        throw .none
                    }
                    if second >= 86_400 { throw .impossible("a clock goes from 0:00 to 23:59") }
                    times.append(second)
                }
            } else if repeater == nil, word.hasPrefix("+") || word.hasPrefix(".+") {
                // A habit has a second period: `.+2d/3d`.
                repeater = String(word.prefix { $0 != "/" })
            }
        }
    }

    func due(in zone: ZoneRules) -> DueDate {
        times.first.map { DueDate(moment: zone.moment(day, second: $0)) } ?? DueDate(day: day)
    }

    func moment(in zone: ZoneRules) -> Date {
        times.first.map { zone.moment(day, second: $0) } ?? DueDate.noon(day)
    }

    /// The repetition as items store it, and whether it counts from completion.
    var recurrence: (text: String, isFromCompletion: Bool)? {
        guard let repeater, let unit = repeater.last else { return nil }
        let number = repeater.drop { $0 == "." || $0 == "+" }.dropLast()
        guard let count = Int(number), count > 0, "hdwmy".contains(unit) else { return nil }
        let isFromCompletion = repeater.hasPrefix(".")
        if unit == "h" { return ("PT\(count)H", isFromCompletion) }
        return ("\(isFromCompletion ? "" : "+")\(count)\(unit)", false)
    }

    /// A date as org writes it.
    static func string(
        _ due: DueDate,
        _ repeater: String? = nil,
        isActive: Bool = true,
        in zone: ZoneRules
    ) -> String {
        let day = due.day(in: zone)
        let names = "MonTueWedThuFriSatSun"
        let name = names.dropFirst((day.weekday.rawValue - 1) * 3).prefix(3)
        var text = "\(ISODate.string(day)) \(name)"
        if !due.isDateOnly {
            let clock = ClockText.string(zone.local(due.date).second / 60 * 60)
            text += clock.utf8.count < 5 ? " 0\(clock)" : " \(clock)"
        }
        if let repeater { text += " " + repeater }
        return isActive ? "<\(text)>" : "[\(text)]"
    }

    static func string(_ moment: Date, in zone: ZoneRules) -> String {
        string(DueDate(moment: moment), isActive: false, in: zone)
    }
}
