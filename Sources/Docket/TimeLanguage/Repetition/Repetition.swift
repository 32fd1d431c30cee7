public import CivilTime
public import Recurrence

/// A repetition as people say it: a rule, from which date the next one is counted, and the start if
/// it was said too.
public struct Repetition: Hashable, Sendable {
    public var rule: RecurrenceRule
    /// Whether the next occurrence is counted from completion (`every! 3 days`) instead of from the
    /// due date.
    public var isFromCompletion = false
    /// `starting monday`.
    public var start: Day?

    public init(_ rule: RecurrenceRule, isFromCompletion: Bool = false, start: Day? = nil) {
        self.rule = rule
        self.isFromCompletion = isFromCompletion
        self.start = start
    }

    /// Whether the rule itself says at what time of the day.
    var hasTime: Bool {
        !rule.parts.hours.isEmpty || !rule.parts.minutes.isEmpty || rule.parts.frequency > .daily
    }

    /// The first occurrence from now on, whatever the interval: the time from which the rule counts
    /// if no due date was said.
    ///
    /// `every 2 weeks on friday` begins this Friday. A whole day if the rule says nothing about the
    /// time of the day; now if the rule never happens.
    public func begin(from now: LocalTime) -> RecurrenceTime {
        let day = max(start ?? now.day, now.day)
        let minute = LocalTime(now.day, second: now.second / 60 * 60)
        var begin = RecurrenceTime.day(day)
        if hasTime {
            let isNow = rule.parts.frequency > .daily && day == now.day
            begin = .local(isNow ? minute : LocalTime(day))
        }
        var parts = rule.parts
        (parts.interval, parts.end) = (1, .never)
        guard let each = try? RecurrenceRule(parts) else { return begin }
        var times = Occurrences(each, start: begin, from: begin.isDay ? nil : minute)
        return times.next().map(begin.replacing) ?? begin
    }

    /// The first occurrence from now on: the due date of an item for which none was said.
    ///
    /// `nil` if there is none.
    public func first(from now: LocalTime) -> RecurrenceTime? {
        let begin = begin(from: now)
        var times = Occurrences(rule, start: begin)
        return times.next().map(begin.replacing)
    }
}
