public import CivilTime
import DocketFormats
import ObjectGraph

extension Library {
    /// Leaves a later occurrence of a repeating task out, or moves it to another date; the others
    /// stay.
    ///
    /// One step.
    ///
    /// - Returns: the step; `nil` if the task does not repeat any more.
    /// - Throws: `InputError` for a series that cannot have single dates.
    @discardableResult
    public func move(
        _ occurrence: DueDate,
        of task: Task,
        to other: DueDate?
    ) throws -> SavedStep? {
        try change {
            try Library.requireOutsideTrash([task])
            let clock = clock()
            let subject = StepSubject([task])
            guard !task.isDeleted, let series = task.taskSeries(in: clock) else {
                return StepName(.skipped, subject)
            }
            let rule = series.moving(occurrence, to: other, after: task.repeatedDate, in: clock)
            guard let rule else {
                throw InputError(
                    .conflict,
                    "The dates of \(StepName.quoted(task.title)) are counted from when it is done."
                )
            }
            if task.rule != rule { task.rule = rule }
            let format = DateFormat(context: clock)
            let old = format.absolute(occurrence)
            guard let other else { return StepName(.skipped, subject, " on \(old)") }
            return StepName(.moved, subject, " from \(old) to \(format.absolute(other))")
        }
    }
}
