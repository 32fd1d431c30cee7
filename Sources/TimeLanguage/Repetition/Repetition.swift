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

    /// The first occurrence at or after a time; the due date of an item for which none was said.
    ///
    /// A whole day if the rule says nothing about the time of the day. `nil` if there is none.
    package func first(from now: LocalTime) -> RecurrenceTime? {
        let day = max(start ?? now.day, now.day)
        guard hasTime else {
            let time = Occurrences(rule, start: .day(day)).next
            return time.map { .day($0.day) }
        }
        let needsNow = rule.parts.frequency > .daily && day == now.day
        let begin = LocalTime(day, second: needsNow ? (now.second + 59) / 60 * 60 % 86_400 : 0)
        return Occurrences(rule, start: .local(begin), from: now).next.map { .local($0) }
    }
}

extension Occurrences {
    fileprivate var next: LocalTime? {
        var times = self
        return times.next()
    }
}
