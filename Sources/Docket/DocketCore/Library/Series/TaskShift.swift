import CivilTime
import FoundationEssentials
import ObjectGraph

/// Moves the dates of a task along with its due date: by days on the wall, so that 9:00 stays 9:00
/// when the clocks change.
struct TaskShift {
    let days: Int
    let context: DateContext

    init(from old: DueDate?, to new: DueDate, in context: DateContext) {
        let zone = context.zone
        let start = old?.day(in: zone) ?? context.today
        days = new.day(in: zone).number - start.number
        self.context = context
    }

    func date(_ date: DueDate) -> DueDate {
        if date.isDateOnly { return DueDate(day: date.day(in: context.zone).adding(days: days)) }
        return DueDate(moment: moment(date.date))
    }

    func moment(_ moment: Date) -> Date {
        let (day, second) = context.zone.local(moment)
        return context.zone.moment(day.adding(days: days), second: second)
    }

    /// Gives an occurrence the date on which it repeats, and moves the others along.
    func moveDates(of original: Task, to task: Task, repeatingOn date: DueDate) {
        let isStart = original.due == nil && original.start != nil
        if !isStart { task.setDue(date) }
        moveReminders(of: original, to: task)
        if isStart { task.setStart(date) }
    }

    /// Gives a task the start and the reminders of an original, moved along; its due date is set.
    func moveReminders(of original: Task, to task: Task) {
        task.setStart(original.startDate.map(date))
        guard let text = original.remindTimes, !text.isEmpty else {
            task.nextReminder = original.nextReminder.map(moment)
            return
        }
        let times = text.split(separator: " ").map(ReminderTime.init)
        task.remindTimes = times.map { $0.shifted(by: self).text }.joined(separator: " ")
        task.setNextReminder(context)
    }
}
