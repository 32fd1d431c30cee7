import CivilTime
import Recurrence

/// The repetition of a title, and what is beside it.
extension TitleReader {
    /// `every 2 weeks on mon and wed until march`.
    mutating func readRepetition() -> Bool {
        guard rules.isWordStart(at), let phrase = RepetitionReader.phrase(at: at, in: grammar)
        else { return false }
        guard rules.allowsRepetition(at, phrase) else {
            if phrase.isWeak, tokens[at].sense.repeats == nil { unread.days = at..<phrase.end }
            return false
        }
        let isOfHalf = unread.halfEnd.map { rules.isBeside($0, at) } ?? false
        if isOfHalf || rules.isBeforeOtherRepetition(phrase.end) {
            tellHalf(phrase.end)
            return true
        }
        let words = text(at, phrase.end)
        let isExcepted = rules.isExcepted(phrase.end)
        switch isExcepted ? .problem("exceptions are not understood") : phrase.meaning {
        case _ where result.repetition != nil:
            leave(phrase.end, "“\(words)” is a second repetition; it stays in the title.")
        case .problem(let why):
            leave(phrase.end, "“\(words)” stays in the title: \(why).")
        case .repetition(let repetition):
            result.repetition = repetition
            if let hours = phrase.hours {
                said.hours = hours
            } else if said.hours != nil, repetition.hasTime {
                leaveTime()
                (result.start, result.end, result.due, said.hours) = (nil, nil, nil, nil)
            }
            tellOrder(of: repetition.rule, at, phrase.end)
            take(.repetition, phrase.end)
        }
        return true
    }

    /// `every tuesday 7-8am`: the hours of the first occurrence that has not begun.
    private mutating func beginHours(of repetition: Repetition, _ hours: Grammar.Stretch) {
        guard let first = repetition.firstDueDate(in: resolver.context) else {
            return refuseRepetition()
        }
        for date in [first] + repetition.dueDates(after: first, count: 1, in: resolver.context) {
            guard take(hours, on: date.day(in: resolver.context.zone)) else { return }
            if let open = result.start, open.date >= resolver.context.now { return }
        }
    }

    /// Without a due date the first occurrence is due, or begins at the start that was said; a time
    /// alone is the time of every occurrence.
    mutating func beginRepetition() {
        if let repetition = result.repetition, let hours = said.hours {
            return beginHours(of: repetition, hours)
        }
        guard let repetition = result.repetition, result.due == nil || said.due?.hasDay == false,
            said.due?.moment == nil
        else { return }
        if let start = result.start, result.due == nil {
            guard let first = repetition.first(onOrAfter: start, in: resolver.context) else {
                return refuseRepetition()
            }
            result.start = first
            return
        }
        let context = result.start.map { resolver.later(from: $0).context } ?? resolver.context
        guard let first = repetition.firstDueDate(in: context) else {
            if result.due == nil { refuseRepetition() }
            return
        }
        guard var reading = said.due else {
            result.due = first
            return
        }
        if repetition.hasTime, reading.hasTime {
            leaveTime()
            result.due = first
            return
        }
        reading.period = Period(first.day(in: resolver.context.zone))
        guard case .due(let due) = resolver.resolve(reading) else { return }
        let isOver = due.date < context.now
        let next =
            isOver
            ? repetition.dueDates(after: due, count: 1, in: context).first : due
        result.due = next.map(resolver.toMinute)
    }

    /// `Pay 31 jan every month`: the rule remembers the day that shorter months do not have.
    mutating func rememberLateDay() {
        let context = resolver.context
        guard let date = result.due ?? result.start, let repetition = result.repetition else {
            return
        }
        let begun = repetition.begun(on: date.day(in: context.zone))
        guard begun != repetition else { return }
        result.repetition = begun
        // `29 february every year`: next year it may be the 28th.
        guard let due = result.due, said.due?.month == 2, said.due?.year == nil,
            begun.rule.parts.frequency == .yearly
        else { return }
        var now = DueDate(day: resolver.today)
        if !due.isDateOnly {
            let second = context.zone.local(due.date).second
            now = DueDate(moment: context.zone.moment(resolver.today, second: second))
        }
        result.due = begun.first(onOrAfter: now, in: context) ?? due
    }

    /// Reports how two numbers of a repetition are read that may be in either order: `every 3/4`.
    private mutating func tellOrder(of rule: RecurrenceRule, _ start: Int, _ end: Int) {
        for index in start..<end - 1 where tokens[index].isNumber && grammar.isMark(index + 1, "/")
        {
            for piece in grammar.pieces(at: index)
            where piece.reading.traits.contains(.twoNumbers) && piece.end <= end {
                // `every 1/2 hour`
                guard rule.parts.months == [piece.reading.month],
                    rule.parts.monthDays == [piece.reading.day],
                    let problem = resolver.ambiguity(piece.reading, text(index, piece.end))
                else {
                    continue
                }
                result.problems.append(problem)
                return
            }
        }
    }

    /// `standup every day at 9, room 4 at 10`: the repetition has its times.
    private mutating func leaveTime() {
        leave([.due, .range], TitleReader.secondTime)
    }

    static func secondTime(_ words: String) -> String {
        "“\(words)” is a second time beside the repetition; it stays in the title."
    }

    /// Leaves a time in the title that may be one of all days that are said before it: `Tuesday
    /// evenings choir at 7:30`.
    mutating func tellBesideDays(_ end: Int) -> Bool {
        guard let days = unread.days else { return false }
        let said = text(days.lowerBound, days.upperBound)
        leave(
            end,
            "“\(text(at, end))” is not understood together with “\(said)”; it stays in the title."
        )
        return true
    }

    /// `every 15th until december`, said on the 20th of November: a repetition without an occurrence.
    private mutating func refuseRepetition() {
        result.repetition = nil
        leave([.repetition]) { "“\($0)” stays in the title: \(Repetition.neverHappens)." }
    }
}
