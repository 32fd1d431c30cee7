public import CivilTime
public import FoundationEssentials

/// A start with its rule, and single times added and taken out: RFC 5545's DTSTART, RRULE, RDATE and
/// EXDATE.
///
/// Without a rule the start is the first time. With one, the start happens only if the rule allows
/// it.
public struct RecurrenceSet: Hashable, Sendable, CustomStringConvertible {
    public let start: RecurrenceTime
    public let rule: RecurrenceRule?
    /// Times that are added, rising.
    public let additions: [RecurrenceTime]
    /// Times that are taken out, rising.
    public let exceptions: [RecurrenceTime]

    /// - Throws: ``RecurrenceError`` if the times are not all of the start's kind, or if a rule by
    ///   hours or minutes starts with a whole day.
    public init(
        start: RecurrenceTime,
        rule: RecurrenceRule?,
        additions: [RecurrenceTime] = [],
        exceptions: [RecurrenceTime] = []
    ) throws(RecurrenceError) {
        for (name, times) in [("RDATE", additions), ("EXDATE", exceptions)] {
            for time in times where !time.isOfKind(start) {
                throw RecurrenceError(
                    "\(time) in \(name) is not of the same form as the start \(start); use the "
                        + "same form for all."
                )
            }
        }
        if let rule, start.isDay, rule.parts.frequency > .daily {
            throw RecurrenceError(
                "\(RecurrenceRule.word(rule.parts.frequency)) needs a time of day; the start "
                    + "\(start) is a whole day."
            )
        }
        self.start = start
        self.rule = rule
        self.additions = Set(additions).sorted { $0.time < $1.time }
        self.exceptions = Set(exceptions).sorted { $0.time < $1.time }
    }

    /// The set without one of its times.
    ///
    /// - Throws: ``RecurrenceError`` if the time is not of the start's kind.
    public func excluding(_ time: RecurrenceTime) throws(RecurrenceError) -> RecurrenceSet {
        try RecurrenceSet(
            start: start,
            rule: rule,
            additions: additions,
            exceptions: exceptions + [time]
        )
    }

    /// The times, rising, each once.
    ///
    /// Those before `first` are left out. A local start needs its zone for an end in UTC.
    public func occurrences(
        from first: LocalTime? = nil,
        zone: ZoneRules? = nil
    ) -> some Sequence<LocalTime> {
        var ruled = rule.map { Occurrences($0, start: start, from: first, zone: zone) }
        var single = additions.map(\.time)[...]
        if rule == nil {
            single = Set([start.time] + single).sorted()[...]
        }
        if let first { single = single.drop { $0 < first } }
        let excluded = Set(exceptions.map(\.time))
        var next = ruled?.next()
        return sequence(state: ()) { _ in
            while true {
                let found: LocalTime
                if let added = single.first, next.map({ added <= $0 }) ?? true {
                    single = single.dropFirst()
                    if added == next { next = ruled?.next() }
                    found = added
                } else if let time = next {
                    next = ruled?.next()
                    found = time
                } else {
                    return nil
                }
                if !excluded.contains(found) { return found }
            }
        }
    }

    /// How many times there are from one on and before another one.
    ///
    /// - Parameters:
    ///   - first: the first time that counts.
    ///   - bound: the first one that does not.
    ///   - zone: the zone of a local start, for an end in UTC.
    ///   - most: where counting ends.
    /// - Returns: the number of times.
    /// - Complexity: as ``Occurrences/skip(before:atMost:)``, and O(single times).
    public func count(
        from first: LocalTime,
        before bound: LocalTime,
        zone: ZoneRules? = nil,
        atMost most: Int = .max
    ) -> Int {
        var ruled = rule.map { Occurrences($0, start: start, from: first, zone: zone) }
        let excluded = Set(exceptions.map(\.time))
        var single = Set(additions.map(\.time))
        if rule == nil { single.insert(start.time) }
        var count = 0
        for time in single.union(excluded).sorted() where time >= first && time < bound {
            count += ruled?.skip(before: time, atMost: most - count) ?? 0
            if count >= most { return most }
            var ahead = ruled
            let isRuled = ahead?.next() == time
            if isRuled { ruled = ahead }
            if isRuled || single.contains(time), !excluded.contains(time) { count += 1 }
        }
        return count + (ruled?.skip(before: bound, atMost: max(0, most - count)) ?? 0)
    }

    /// The moments of the times in a zone, rising, each once.
    ///
    /// A start in UTC does not look at the zone. A time that the zone skips in spring is moved
    /// forward; of a time that is there twice in autumn the first is meant.
    public func moments(from first: Date? = nil, in zone: ZoneRules) -> some Sequence<Date> {
        let zone = start.isUTC ? ZoneRules.utc : zone
        let local = first.map { zone.local($0) }
        // A day earlier: what is skipped in spring was earlier on the wall.
        let from = local.map { LocalTime($0.day.adding(days: -1), second: $0.second) }
        var last: Date?
        return occurrences(from: from, zone: zone).lazy.map { $0.moment(in: zone) }.filter {
            moment in
            guard moment >= first ?? moment, last.map({ moment > $0 }) ?? true else { return false }
            last = moment
            return true
        }
    }

    // MARK: Text

    /// Reads lines of RFC 5545: `DTSTART:19970902T090000`, `RRULE:…`, `RDATE:…`, `EXDATE:…`.
    ///
    /// - Throws: ``RecurrenceError``, one sentence that names the line.
    /// - Complexity: linear in the length of the text, up to sorting single times.
    public init(_ text: some StringProtocol) throws(RecurrenceError) {
        var start: RecurrenceTime?
        var rule: RecurrenceRule?
        var additions: [RecurrenceTime] = []
        var exceptions: [RecurrenceTime] = []
        for line in Substring(text).split(whereSeparator: \.isNewline) where !line.trimmed.isEmpty {
            guard let colon = line.firstIndex(of: ":") else {
                throw RecurrenceError(
                    "\"\(line.shortened)\" is not a line of a repetition; a line looks like "
                        + "RRULE:FREQ=WEEKLY."
                )
            }
            let head = line[..<colon].split(separator: ";").map { $0.trimmed.uppercased() }
            let value = line[line.index(after: colon)...]
            if let parameter = head.dropFirst().first(where: { !$0.hasPrefix("VALUE=DATE") }) {
                throw RecurrenceError(
                    "\"\(parameter[...].shortened)\" is not supported; write local times, or UTC "
                        + "with Z."
                )
            }
            switch head.first {
            case "DTSTART" where start == nil:
                start = try RecurrenceTime(value, in: "DTSTART")
            case "RRULE" where rule == nil:
                rule = try RecurrenceRule(value)
            case "RDATE":
                additions += try RecurrenceSet.times(value, in: "RDATE")
            case "EXDATE":
                exceptions += try RecurrenceSet.times(value, in: "EXDATE")
            case "DTSTART", "RRULE":
                throw RecurrenceError("A repetition has one DTSTART and one RRULE; there are two.")
            default:
                throw RecurrenceError(
                    "\"\(line[..<colon].shortened)\" is not a line of a repetition; the lines are "
                        + "DTSTART, RRULE, RDATE and EXDATE."
                )
            }
        }
        guard let start else {
            throw RecurrenceError("A repetition needs a start, such as DTSTART:20261224T090000.")
        }
        try self.init(start: start, rule: rule, additions: additions, exceptions: exceptions)
    }

    private static func times(
        _ value: Substring,
        in name: String
    ) throws(RecurrenceError) -> [RecurrenceTime] {
        var times: [RecurrenceTime] = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            times.append(try RecurrenceTime(item, in: name))
        }
        return times
    }

    /// The lines, each with its times in order.
    public var description: String {
        let kind = start.isDay ? ";VALUE=DATE" : ""
        var lines = ["DTSTART\(kind):\(start)"]
        if let rule { lines.append("RRULE:\(rule)") }
        for (name, times) in [("RDATE", additions), ("EXDATE", exceptions)] where !times.isEmpty {
            lines.append("\(name)\(kind):\(times.map(\.description).joined(separator: ","))")
        }
        return lines.joined(separator: "\n")
    }
}
