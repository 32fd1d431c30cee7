package import CivilTime
package import Recurrence

/// A repetition as people say it: a rule, from which date the next one is counted, and the start if
/// it was said too.
package struct Repetition: Hashable, Sendable {
    package var rule: RecurrenceRule
    /// Whether the next occurrence is counted from completion (`every! 3 days`) instead of from the
    /// due date.
    package var isFromCompletion = false
    /// `starting monday`.
    package var start: Day?

    package init(_ rule: RecurrenceRule, isFromCompletion: Bool = false, start: Day? = nil) {
        self.rule = rule
        self.isFromCompletion = isFromCompletion
        self.start = start
    }

    /// Whether the rule itself says at what time of the day.
    private var hasTime: Bool {
        !rule.parts.hours.isEmpty || !rule.parts.minutes.isEmpty || rule.parts.frequency > .daily
    }

    /// The time from which the rule counts if no due date was said: a whole day if the rule says
    /// nothing about the time of the day, else the begin of the day, or now for a rule by hours.
    package func begin(from now: LocalTime) -> RecurrenceTime {
        let day = max(start ?? now.day, now.day)
        guard hasTime else { return .day(day) }
        let isNow = rule.parts.frequency > .daily && day == now.day
        return .local(LocalTime(day, second: isNow ? now.second / 60 * 60 : 0))
    }

    /// The first occurrence from now on: the due date of an item for which none was said.
    ///
    /// `nil` if there is none.
    package func first(from now: LocalTime) -> RecurrenceTime? {
        let begin = begin(from: now)
        let minute = LocalTime(now.day, second: now.second / 60 * 60)
        var times = Occurrences(rule, start: begin, from: begin.isDay ? nil : minute)
        return times.next().map(begin.replacing)
    }
}
