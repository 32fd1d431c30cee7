import CivilTime
import FoundationEssentials
import Recurrence

/// The time zones of a calendar, by the names that its dates give them (TZID).
///
/// A name of the tz database is that zone. Another one, such as those of Windows, is the zone that its
/// VTIMEZONE names in X-LIC-LOCATION, or has the VTIMEZONE's own rules; without a VTIMEZONE it is
/// the zone at the end of a path (`/mozilla.org/20050126_1/Europe/Berlin`).
struct ICalendarZones {
    /// A zone by another name than that of the database, with the VTIMEZONE that an export writes.
    private struct Defined {
        let rules: ZoneRules?
        let text: String
    }

    private var database: [String: ZoneRules?] = [:]
    private var defined: [String: Defined] = [:]
    /// More VTIMEZONE components than there are zones define nothing.
    private static let most = 1000

    /// - Parameter local: the zone here, which needs no file.
    init(_ local: ZoneRules) {
        if local.name.utf8.contains(UInt8(ascii: "/")) { database[local.name] = local }
    }

    /// The rules of a zone; `nil` for an unknown name.
    mutating func rules(_ name: String) -> ZoneRules? {
        if let found = inDatabase(name) { return found }
        if let found = defined[name] { return found.rules }
        let parts = name.split(separator: "/")
        for count in [3, 2, 1] where count < parts.count || name.hasPrefix("/") {
            let end = parts.suffix(count).joined(separator: "/")
            if let found = inDatabase(end) { return found }
        }
        return nil
    }

    /// The VTIMEZONE of a zone whose name is not in the database; `nil` if no component defined it.
    func definition(_ name: String) -> String? { defined[name]?.text }

    mutating func inDatabase(_ name: String) -> ZoneRules? {
        if let known = database[name] { return known }
        if database.count > ICalendarZones.most { return nil }
        // What begins with a slash would be a file, and a name alone with a digit a POSIX rule.
        let isName =
            !name.hasPrefix("/")
            && (name.utf8.contains(UInt8(ascii: "/")) || name.allSatisfy(\.isLetter))
            && name.utf8.count < 64
        let found = isName ? ZoneRules.named(name) : nil
        database[name] = .some(found)
        return found
    }

    // MARK: Reading

    /// Learns a VTIMEZONE.
    mutating func define(_ component: ICalendarComponent) {
        guard let name = component.lines.first(where: { $0.name == "TZID" })?.text,
            defined.count < ICalendarZones.most, inDatabase(name) == nil
        else { return }
        let place = component.lines.first { $0.name == "X-LIC-LOCATION" }?.word
        let rules =
            place.flatMap { inDatabase($0) } ?? ICalendarZones.rules(of: component, name: name)
        defined[name] = Defined(
            rules: rules,
            text: String(decoding: component.bytes, as: UTF8.self)
        )
    }

    /// Changes after this year are not calculated.
    private static let lastYear = 2100
    /// Those of a rule that begins in 1601 are not needed before this day.
    private static let earliest = Day(year: 1950, month: 1, day: 1).map { LocalTime($0) }
    /// How many changes one STANDARD or DAYLIGHT may have.
    private static let mostChanges = 400

    private static func rules(of component: ICalendarComponent, name: String) -> ZoneRules? {
        var changes: [(moment: Int, offset: Int)] = []
        var first: (moment: Int, offset: Int)?
        for part in component.parts {
            guard let lines = part.inside,
                let from = lines.first(where: { $0.name == "TZOFFSETFROM" }).flatMap(offset),
                let to = lines.first(where: { $0.name == "TZOFFSETTO" }).flatMap(offset),
                let line = lines.first(where: { $0.name == "DTSTART" }),
                let start = try? RecurrenceTime(line.word, in: "DTSTART")
            else { continue }
            let local = ZoneRules(fixed: from, name: name)
            var times = [start.time]
            for line in lines where line.name == "RDATE" {
                times += line.texts.prefix(mostChanges)
                    .compactMap { try? RecurrenceTime($0, in: "RDATE").time }
            }
            for line in lines where line.name == "RRULE" {
                guard let rule = try? RecurrenceRule(line.word) else { continue }
                times += Occurrences(rule, start: start, from: earliest, zone: local).prefix(
                    mostChanges
                )
                .prefix { $0.day.year <= lastYear }
            }
            for time in times {
                let moment = time.day.number * 86_400 + time.second - from
                changes.append((moment, to))
                if first.map({ moment < $0.moment }) ?? true { first = (moment, from) }
            }
        }
        return first.map { ZoneRules(name: name, firstOffset: $0.offset, changes: changes) }
    }

    /// `+0100`, `-033000`, in seconds.
    private static func offset(_ line: ICalendarLine) -> Int? {
        let text = line.word
        let digits = text.dropFirst()
        guard let sign = text.first, "+-".contains(sign), digits.count == 4 || digits.count == 6,
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits)
        else { return nil }
        let whole = digits.count == 4 ? number * 100 : number
        let seconds = whole / 10_000 * 3600 + whole / 100 % 100 * 60 + whole % 100
        return sign == "-" ? -seconds : seconds
    }

    // MARK: Writing

    /// The VTIMEZONE of a zone of the database, with its changes from 30 years before a year on.
    ///
    /// Changes that come every year are a rule; the others are listed until ten years after it.
    static func component(_ zone: ZoneRules, around year: Int, lineEnd: [UInt8]) -> [UInt8] {
        let last = year + 10
        var times: [[Int]: [LocalTime]] = [:]
        for change in zone.changes(in: year - 30...last) {
            let local = Date(timeIntervalSince1970: Double(change.moment + change.before))
            let (day, second) = ZoneRules.utc.local(local)
            times[[change.before, change.after], default: []].append(LocalTime(day, second: second))
        }
        if times.isEmpty, let day = Day(year: 1970, month: 1, day: 1) {
            let offset = zone.offset(at: (Day(year: year, month: 1, day: 1)?.number ?? 0) * 86_400)
            times[[offset, offset]] = [LocalTime(day)]
        }
        var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.name)"]
        for (offsets, times) in times.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let (rule, count) = yearly(times, until: last)
            lines += observance(offsets, times.dropLast(count), nil)
            lines += observance(offsets, times.suffix(count), rule)
        }
        lines.append("END:VTIMEZONE")
        var bytes: [UInt8] = []
        for line in lines { ICalendarText.append(Array(line.utf8), lineEnd: lineEnd, to: &bytes) }
        return bytes
    }

    /// The rule of changes that come every year until a last one, and how many follow it.
    private static func yearly(_ times: [LocalTime], until last: Int) -> (rule: String, count: Int)
    {
        guard let time = times.last, time.day.year == last else { return ("", 0) }
        func isSame(_ other: LocalTime, _ ordinal: Int) -> Bool {
            other.day.month == time.day.month && other.day.weekday == time.day.weekday
                && other.second == time.second
                && (ordinal > 0
                    ? (other.day.day + 6) / 7 == ordinal
                    : other.day.adding(days: 7).month != other.day.month)
        }
        let found = [(time.day.day + 6) / 7, -1].map { ordinal in
            let same = times.reversed().enumerated().prefix {
                $1.day.year == last - $0 && isSame($1, ordinal)
            }
            return (ordinal: ordinal, count: same.count)
        }
        // Chance may give a few years the same week.
        guard let best = found.max(by: { $0.count < $1.count }), best.count > 7 else {
            return ("", 0)
        }
        let weekday = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][time.day.weekday.rawValue - 1]
        let rule = "FREQ=YEARLY;BYMONTH=\(time.day.month);BYDAY=\(best.ordinal)\(weekday)"
        return (rule, best.count)
    }

    /// The lines of changes between two offsets.
    private static func observance(
        _ offsets: [Int],
        _ times: ArraySlice<LocalTime>,
        _ rule: String?
    ) -> [String] {
        guard let first = times.first else { return [] }
        func offset(_ seconds: Int) -> String {
            let whole = abs(seconds)
            let parts = [whole / 3600, whole / 60 % 60, whole % 60]
            return (seconds < 0 ? "-" : "+")
                + parts.prefix(parts[2] == 0 ? 2 : 3).map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        }
        let name = offsets[1] > offsets[0] ? "DAYLIGHT" : "STANDARD"
        let others = times.dropFirst().map { "\(RecurrenceTime.local($0))" }
        let repeated =
            rule.map { ["RRULE:\($0)"] }
            ?? (others.isEmpty ? [] : ["RDATE:\(others.joined(separator: ","))"])
        return [
            "BEGIN:\(name)", "DTSTART:\(RecurrenceTime.local(first))",
            "TZOFFSETFROM:\(offset(offsets[0]))", "TZOFFSETTO:\(offset(offsets[1]))",
        ] + repeated + ["END:\(name)"]
    }
}
