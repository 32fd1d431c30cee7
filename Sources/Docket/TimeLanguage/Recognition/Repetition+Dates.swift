public import CivilTime
import Recurrence

extension Repetition {
    /// Why a repetition without a first occurrence is impossible: it ends before that.
    public static let neverHappens = "it would never happen from now on"

    /// The due date of an item for which none was said: the first occurrence from now on.
    ///
    /// `nil` if there is none.
    public func firstDueDate(in context: DateContext) -> DueDate? {
        let (day, second) = context.zone.local(context.now)
        return first(from: LocalTime(day, second: second)).map { Repetition.date($0, context) }
    }

    /// The occurrences after a due date.
    ///
    /// - Complexity: O(count).
    public func dueDates(after due: DueDate, count: Int, in context: DateContext) -> [DueDate] {
        let begin: RecurrenceTime
        if due.isDateOnly {
            begin = .day(due.day(in: context.zone))
        } else {
            let (day, second) = context.zone.local(due.date)
            begin = .local(LocalTime(day, second: second))
        }
        var dates: [DueDate] = []
        for time in Occurrences(rule, start: begin) {
            let date = Repetition.date(begin.replacing(time), context)
            if date.date > due.date { dates.append(date) }
            if dates.count == count { break }
        }
        return dates
    }

    private static func date(_ time: RecurrenceTime, _ context: DateContext) -> DueDate {
        time.isDay
            ? DueDate(day: time.time.day) : DueDate(moment: time.time.moment(in: context.zone))
    }
}
