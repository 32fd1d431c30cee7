public import CivilTime
import DocketFormats
public import FoundationEssentials

/// A move of the dates of a task, all by the same days: a start stays before its due date, and a
/// stretch keeps its length.
///
/// The date that counts is the one that lists show: the due date, or the start of a task without one.
/// A whole day stays one, a time keeps its place on the clock. Done tasks stay where they are.
public enum Postponement: Hashable, Sendable {
    /// By a distance. Without a date, one to a later day counts from today, and one to an earlier
    /// day does nothing.
    case by(DateShift)
    /// To a day.
    case to(Day)
    /// To a moment.
    case at(Date)
    /// To no date at all.
    case someday

    /// Reads a distance (`+1d`), a day or a time (`weekend`, `tomorrow 9:00`), or `someday`.
    ///
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    init(_ text: String, in context: DateContext) throws(InputError) {
        if let shift = DateShift(text) {
            self = .by(shift)
        } else if text.trimmingSpace.lowercased() == "someday" {
            self = .someday
        } else {
            let date = try DateParser(context: context).parse(text)
            self = date.isDateOnly ? .to(date.day(in: context.zone)) : .at(date.date)
        }
    }

    /// The words after `Moved 3 items`.
    var words: String {
        switch self {
        case .by(let shift): shift.words
        case .to, .at: "to another day"
        case .someday: "to someday"
        }
    }

    /// Whether it changes a task.
    func moves(_ task: Task, _ context: DateContext) -> Bool {
        !task.isDone && dates(of: task, context) != Dates(task)
    }

    /// Where it moves a single date; `nil` for nowhere.
    public func date(from date: DueDate, _ context: DateContext) -> DueDate? {
        switch self {
        case .by(let shift): shift.applied(to: date, in: context) ?? date
        case .to(let day):
            date.moved(days: day.number - date.day(in: context.zone).number, context)
        case .at(let moment):
            date.isDateOnly ? DueDate(day: context.zone.day(of: moment)) : DueDate(moment: moment)
        case .someday: nil
        }
    }

    /// Moves a task.
    func apply(to task: Task, _ context: DateContext) {
        if task.isDone { return }
        let (now, new) = (Dates(task), dates(of: task, context))
        if new.start != now.start { task.setStart(new.start) }
        if new.due != now.due { task.setDue(new.due, at: context) }
    }

    private struct Dates: Equatable {
        var start: DueDate?
        var due: DueDate?

        init(start: DueDate? = nil, due: DueDate? = nil) { (self.start, self.due) = (start, due) }
        init(_ task: Task) { self.init(start: task.startDate, due: task.dueDate) }

        /// The date that counts.
        var date: DueDate? { due ?? start }

        func moved(_ move: (DueDate) -> DueDate) -> Dates {
            Dates(start: start.map(move), due: due.map(move))
        }
    }

    private func dates(of task: Task, _ context: DateContext) -> Dates {
        let dates = Dates(task)
        switch self {
        case .someday: return Dates()
        case .by(let shift):
            guard dates.date != nil else {
                return shift.amount > 0 ? Dates(due: shift.applied(to: nil, in: context)) : dates
            }
            // A whole day does not move by hours.
            if [dates.start, dates.due].contains(where: { $0?.isDateOnly == true }),
                shift.unit.isOfClock
            {
                return dates
            }
            return dates.moved { shift.applied(to: $0, in: context) ?? $0 }
        case .to(let day):
            guard let date = dates.date else { return Dates(due: DueDate(day: day)) }
            return dates.moved {
                $0.moved(days: day.number - date.day(in: context.zone).number, context)
            }
        case .at(let moment):
            let due = DueDate(moment: moment)
            guard let date = dates.date else { return Dates(due: due) }
            if dates.due == nil { return Dates(start: due) }
            // A meeting begins then, and lasts as long.
            if let start = dates.start,
                DateFormat(context: context).isStretch(from: start, to: date)
            {
                let end = moment.addingTimeInterval(date.date.timeIntervalSince(start.date))
                return Dates(start: due, due: DueDate(moment: end))
            }
            let days = due.day(in: context.zone).number - date.day(in: context.zone).number
            let start = dates.start?.moved(days: days, context)
            let isLate = start.map { due.isOver(before: $0, in: context.zone) } ?? false
            return Dates(start: isLate ? due : start, due: due)
        }
    }
}

extension DueDate {
    fileprivate func moved(days: Int, _ context: DateContext) -> DueDate {
        let zone = context.zone
        let new = day(in: zone).adding(days: days)
        if isDateOnly { return DueDate(day: new) }
        return DueDate(moment: zone.moment(new, second: zone.local(date).second))
    }
}
