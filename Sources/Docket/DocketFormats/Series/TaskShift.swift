public import CivilTime
public import FoundationEssentials
import ObjectGraph

/// Moves the dates of a task along with its due date: by days on the wall, so that 9:00 stays 9:00
/// when the clocks change.
public struct TaskShift {
    public let days: Int
    public let context: DateContext

    public init(from old: DueDate?, to new: DueDate, in context: DateContext) {
        let zone = context.zone
        let start = old?.day(in: zone) ?? context.today
        days = new.day(in: zone).number - start.number
        self.context = context
    }

    public func date(_ date: DueDate) -> DueDate {
        if date.isDateOnly { return DueDate(day: date.day(in: context.zone).adding(days: days)) }
        return DueDate(moment: moment(date.date))
    }

    public func moment(_ moment: Date) -> Date {
        let (day, second) = context.zone.local(moment)
        return context.zone.moment(day.adding(days: days), second: second)
    }
}
