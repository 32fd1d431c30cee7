public import CivilTime
public import FoundationEssentials
import Recurrence
public import TimeLanguage

/// How a task repeats: what the text of its rule means.
///
/// The text is a rule of RFC 5545 (`FREQ=WEEKLY`), its lines with DTSTART and EXDATE, words in a
/// language of Docket (`every 2 weeks on mon`), or a period of another program (`P2W`, `+1m`). Who
/// moves a series on writes the form that was there.
public struct TaskSeries: Sendable {
    public let repetition: Repetition
    private let text: String
    /// Of lines with DTSTART; their start stays when one occurrence is moved.
    private let set: RecurrenceSet?
    /// Of a rule in words.
    private let language: Language?

    /// `nil` for a text that is not understood, which is kept as it is, and for a rule by seconds,
    /// which no task follows.
    public init?(_ text: String, isFromCompletion: Bool = false, in context: DateContext) {
        self.text = text
        guard let read = TaskSeries.read(text, context),
            read.repetition.rule.parts.frequency != .secondly
        else { return nil }
        (set, language) = (read.set, read.language)
        var repetition = read.repetition
        if isFromCompletion { repetition.isFromCompletion = true }
        self.repetition = repetition
    }

    /// A series that no task has yet.
    public init(_ repetition: Repetition) {
        (self.repetition, text, set, language) = (repetition, repetition.rule.description, nil, nil)
    }

    private init(_ repetition: Repetition, _ language: Language) {
        (self.repetition, text) = (repetition, repetition.words(language))
        (set, self.language) = (nil, language)
    }

    /// For dates only: it has no text, which costs more to write than dates to find.
    private init(counting repetition: Repetition) {
        (self.repetition, text, set, language) = (repetition, "", nil, nil)
    }

    private typealias Reading = (repetition: Repetition, set: RecurrenceSet?, language: Language?)

    private static func read(_ text: String, _ context: DateContext) -> Reading? {
        let upper = text.uppercased()
        if upper.contains("DTSTART") {
            guard let set = try? RecurrenceSet(text), let rule = set.rule else { return nil }
            return (Repetition(rule), set, nil)
        }
        if upper.contains("FREQ=") {
            return (try? RecurrenceRule(text)).map { (Repetition($0), nil, nil) }
        }
        for language in Language.allCases {
            let settings = TimeSettings(language: language)
            let recogniser = Recogniser(context: context, settings: settings)
            if let found = try? recogniser.repetition(text) { return (found, nil, language) }
        }
        let period = RecurrencePeriod(todoTxt: text) ?? RecurrencePeriod(taskwarrior: text)
        return period?.repetition.map { ($0, nil, nil) }
    }

    /// The text of a rule without control characters: one line, or the lines of a rule with its
    /// start.
    public static func clean(_ text: String) -> String {
        guard text.uppercased().contains("DTSTART") else { return CaptureText.cleanLine(text) }
        return text.split(whereSeparator: \.isNewline).map { CaptureText.cleanLine(String($0)) }
            .joined(separator: "\n")
    }

    /// Checks the text of a rule that somebody gives to a task with a due date or without one.
    ///
    /// - Throws: `InputError`, one sentence.
    public static func check(
        _ text: String,
        due: DueDate?,
        in context: DateContext
    ) throws(InputError) {
        if let series = TaskSeries(text, in: context) {
            guard due == nil, !series.hasSingleDates, series.first(in: context) == nil else {
                return
            }
            throw InputError.impossible(
                repetition: CaptureText.cleanLine(text),
                Repetition.neverHappens
            )
        }
        if text.uppercased().contains("FREQ=") {
            do { _ = try RecurrenceRule(text) } catch {
                throw InputError(.impossibleDate, "\(error)")
            }
            throw InputError(
                .impossibleDate,
                "A task cannot repeat every second; use MINUTELY or a longer period."
            )
        }
        _ = try Repetition(typed: text, in: context)
        throw InputError(
            .impossibleDate,
            "A task cannot repeat every second; use minutes or a longer period."
        )
    }

    /// The first occurrence from now on, for a task without a due date; `nil` if there is none.
    public func first(in context: DateContext) -> DueDate? {
        let (day, second) = context.zone.local(context.now)
        switch repetition.first(from: LocalTime(day, second: second)) {
        case nil: return nil
        case .day(let day): return DueDate(day: day)
        case .local(let time): return DueDate(moment: time.moment(in: context.zone))
        case .utc(let time): return DueDate(moment: time.moment(in: .utc))
        }
    }

    /// Whether dates are added to the rule or taken out of it.
    var hasSingleDates: Bool {
        self.set.map { !$0.additions.isEmpty || !$0.exceptions.isEmpty } ?? false
    }

    /// The rule in words; the text itself if it is in words.
    public var words: String { language == nil ? repetition.words(.current) : text }

    // MARK: Occurrences

    /// Finds the numbers of occurrences by their due dates, each later than the one before; the first
    /// one has number 0.
    public struct Numbers {
        fileprivate let series: TaskSeries
        fileprivate let base: RecurrenceTime
        fileprivate let zone: ZoneRules
        fileprivate var times: Occurrences
        private var number = 0

        fileprivate init(_ series: TaskSeries, _ first: DueDate, _ zone: ZoneRules) {
            (self.series, self.zone) = (series, zone)
            base = series.time(of: first, zone)
            times = Occurrences(series.endless, start: base, zone: zone)
        }

        /// The number of the first occurrence that is not before a moment; `nil` if there is none.
        ///
        /// - Complexity: O(days) since the last call.
        public mutating func first(from moment: Date) -> Int? {
            // Near the moment each is looked at: a local time may be twice or not at all.
            number += times.skip(before: LocalTime(zone.local(moment).day.adding(days: -1)))
            while true {
                var ahead = times
                guard let time = ahead.next() else { return nil }
                if series.due(time, base, zone).beginning(in: zone) >= moment { return number }
                times = ahead
                number += 1
            }
        }
    }

    /// The numbers of occurrences, counted from one of them.
    public func numbers(from first: DueDate, in context: DateContext) -> Numbers {
        Numbers(self, first, context.zone)
    }

    /// The due date of the occurrence with a number, counted from the first one, which has number 0;
    /// `nil` if the series is over before.
    public func due(_ number: Int, from first: DueDate, in context: DateContext) -> DueDate? {
        let base = time(of: first, context.zone)
        var times = Occurrences(repetition.rule, start: base, zone: context.zone)
        let passed = times.skip(before: LocalTime(Day.last), atMost: number)
        return times.dropFirst(number - passed).first { _ in true }
            .map { due($0, base, context.zone) }
    }

    // MARK: The next occurrence

    public struct Next: Hashable, Sendable {
        public var due: DueDate
        /// The rule of the task that is the next occurrence: a count has become smaller.
        public var rule: String
        /// How many occurrences of a fixed series have passed in the meantime; they are left out.
        public var missed = 0
    }

    /// The occurrence after the one that is due at a time; `nil` if that was the last.
    ///
    /// Counted from the due date, it is the first one that is not overdue, so that a series that
    /// nobody looked at for months has one open occurrence. Counted from completion, it is the first
    /// one after now.
    public func next(after due: DueDate?, in context: DateContext) -> Next? {
        if let begun = begun(on: due, in: context) { return begun.next(after: due, in: context) }
        return repetition.isFromCompletion
            ? nextFromCompletion(due, context) : nextFromDue(due, context).next
    }

    /// How many occurrences after the one that is due at a time have passed, counted up to a limit.
    public func missed(
        after due: DueDate?,
        in context: DateContext,
        atMost limit: Int = .max
    ) -> Int {
        guard !repetition.isFromCompletion, let due, due.isOverdue(in: context) else { return 0 }
        if let begun = begun(on: due, in: context) {
            return begun.missed(after: due, in: context, atMost: limit)
        }
        return nextFromDue(due, context, missing: limit).missed
    }

    /// The due dates that follow, as if each occurrence was completed when it is due; of a task
    /// without a due date, from the first one on.
    ///
    /// Counted from completion, the first one is that after a completion now.
    public func upcoming(after due: DueDate?, count: Int, in context: DateContext) -> [DueDate] {
        var (series, due) = (self, due)
        var dates: [DueDate] = []
        if due == nil, let first = first(in: context) {
            due = first
            dates.append(first)
        }
        while dates.count < count, let next = series.next(after: due, in: context) {
            dates.append(next.due)
            due = next.due
            let isFromCompletion = repetition.isFromCompletion
            guard !isFromCompletion,
                let after = TaskSeries(next.rule, isFromCompletion: false, in: context)
            else { break }
            series = after
        }
        return dates
    }

    /// The due dates on some days that follow one, whether or not they have passed.
    ///
    /// There are none of a rule that counts from completion, and of one by hours or minutes, which
    /// would fill every day.
    ///
    /// - Complexity: O(dates on the days); with a count, O(dates before them).
    public func dates(
        after due: DueDate?,
        on days: ClosedRange<Day>,
        in context: DateContext
    ) -> [DueDate] {
        guard let due, !repetition.isFromCompletion, repetition.rule.parts.frequency <= .daily
        else { return [] }
        let zone = context.zone
        if language != nil {
            return TaskSeries(counting: repetition.begun(on: due.day(in: zone)))
                .dates(after: due, on: days, in: context)
        }
        let base = time(of: due, zone)
        // A count is one from the beginning.
        let first = left == nil ? LocalTime(days.lowerBound.adding(days: -1)) : nil
        var (dates, left): ([DueDate], Int) = ([], left ?? .max)
        for time in times(from: base, startingAt: first, zone) {
            if time <= base.time || (due.isDateOnly && time.day <= base.time.day) { continue }
            if left == 0 || time.day > days.upperBound.adding(days: 1) { break }
            left -= 1
            let date = self.due(time, base, zone)
            if days.contains(date.day(in: zone)) { dates.append(date) }
        }
        return dates
    }

    /// The rule without one of its dates, which is moved to another one or left out; `nil` if the
    /// series cannot have single dates.
    ///
    /// The text is in lines: a start, the rule, and the dates that are added and taken out.
    public func moving(
        _ date: DueDate,
        to other: DueDate?,
        after due: DueDate?,
        in context: DateContext
    ) -> String? {
        guard let due, !repetition.isFromCompletion else { return nil }
        if let begun = begun(on: due, in: context) {
            return begun.moving(date, to: other, after: due, in: context)
        }
        let zone = context.zone
        let start = set?.start ?? time(of: due, zone)
        func single(_ date: DueDate) -> RecurrenceTime {
            if start.isDay { return .day(date.day(in: zone)) }
            let (day, second) = (start.isUTC ? .utc : zone).local(date.beginning(in: zone))
            return start.replacing(LocalTime(day, second: second))
        }
        var additions = set?.additions ?? []
        var exceptions = set?.exceptions ?? []
        let old = single(date)
        if additions.contains(old) {
            additions.removeAll { $0 == old }
        } else {
            exceptions.append(old)
        }
        if let new = other.map(single) {
            if exceptions.contains(new) {
                exceptions.removeAll { $0 == new }
            } else {
                additions.append(new)
            }
        }
        return try? RecurrenceSet(
            start: start,
            rule: repetition.rule,
            additions: additions,
            exceptions: exceptions
        ).description
    }

    /// The series with the day in its words, so that the next occurrence remembers it.
    ///
    /// In words `every month` from the 31st on is on the last day of a shorter month. `nil` if that is
    /// the same.
    private func begun(on due: DueDate?, in context: DateContext) -> TaskSeries? {
        guard let language, let due else { return nil }
        let begun = repetition.begun(on: due.day(in: context.zone))
        return begun == repetition ? nil : TaskSeries(begun, language)
    }

    /// How many more occurrences there may be; `nil` without a count.
    private var left: Int? {
        guard set == nil, case .count(let count) = repetition.rule.parts.end else { return nil }
        return count - 1
    }

    /// The rule without its count, which is counted from the first occurrence, not from this one.
    private var endless: RecurrenceRule {
        guard left != nil else { return repetition.rule }
        return (try? repetition.rule.ending(.never)) ?? repetition.rule
    }

    /// The occurrence after the one that is due at a time, `nil` if that was the last or all others
    /// have passed; and how many have passed.
    ///
    /// `limit` is the most occurrences that may have passed; after so many the next one is returned,
    /// although it has passed too.
    private func nextFromDue(
        _ due: DueDate?,
        _ context: DateContext,
        missing limit: Int = .max
    ) -> (next: Next?, missed: Int) {
        let due = due ?? DueDate(day: context.today)
        let base = time(of: due, context.zone)
        if let left, left <= 0 { return (nil, 0) }
        var passed = 0
        var from: LocalTime?
        // What is overdue in every zone is only counted.
        let bound = LocalTime(context.today.adding(days: -2))
        if base.time.day.adding(days: 1) < bound.day {
            from = bound
            let start =
                due.isDateOnly
                ? LocalTime(base.time.day.adding(days: 1))
                : LocalTime(base.time.day, second: base.time.second + 1)
            passed = count(from: start, before: bound, base, context.zone, limit)
        }
        for time in times(from: base, startingAt: from, context.zone) {
            if time <= base.time || (due.isDateOnly && time.day <= base.time.day) { continue }
            if let left, passed >= left { return (nil, left) }
            let found = self.due(time, base, context.zone)
            if passed < limit, found.isOverdue(in: context) {
                passed += 1
                continue
            }
            let next = Next(
                due: found,
                rule: rule(left: left.map { $0 - passed }, keeping: time, for: found, context.zone),
                missed: passed
            )
            return (next, passed)
        }
        return (nil, min(passed, left ?? passed))
    }

    private func nextFromCompletion(_ due: DueDate?, _ context: DateContext) -> Next? {
        if let left, left <= 0 { return nil }
        let (today, second) = context.zone.local(context.now)
        let parts = repetition.rule.parts
        let base: RecurrenceTime
        if parts.frequency > .daily {
            base = .local(LocalTime(today, second: second / 60 * 60))
        } else {
            let planned = time(of: due ?? DueDate(day: today), context.zone)
            base = planned.replacing(LocalTime(today, second: planned.time.second))
        }
        // A month after 31 January is 28 February, because the day of completion is nobody's wish.
        if let months = plainMonths {
            let day = today.adding(months: months)
            let time = LocalTime(day, second: base.time.second)
            return Next(due: self.due(time, base, context.zone), rule: rule(left: left))
        }
        let isByHour = parts.frequency > .daily
        guard
            let time = Occurrences(endless, start: base, zone: context.zone).first(where: {
                isByHour ? $0 > base.time : $0.day > today
            })
        else { return nil }
        return Next(due: self.due(time, base, context.zone), rule: rule(left: left))
    }

    /// The number of months of a rule that says no more than every so many months or years.
    private var plainMonths: Int? {
        let parts = repetition.rule.parts
        guard parts.frequency <= .monthly else { return nil }
        var plain = RecurrenceRule.Parts(parts.frequency)
        plain.interval = parts.interval
        guard (try? RecurrenceRule(plain)) == endless else { return nil }
        return parts.interval * (parts.frequency == .yearly ? 12 : 1)
    }

    private func times(
        from base: RecurrenceTime,
        startingAt first: LocalTime? = nil,
        _ zone: ZoneRules
    ) -> AnySequence<LocalTime> {
        if let set { return AnySequence(set.occurrences(from: first ?? base.time, zone: zone)) }
        return AnySequence(Occurrences(endless, start: base, from: first, zone: zone))
    }

    private func count(
        from first: LocalTime,
        before bound: LocalTime,
        _ base: RecurrenceTime,
        _ zone: ZoneRules,
        _ limit: Int
    ) -> Int {
        if let set { return set.count(from: first, before: bound, zone: zone, atMost: limit) }
        var times = Occurrences(endless, start: base, from: first, zone: zone)
        return times.skip(before: bound, atMost: limit)
    }

    /// A due date as the time from which the rule counts; a whole day stays one if the rule says
    /// nothing about the time of the day.
    private func time(of due: DueDate, _ zone: ZoneRules) -> RecurrenceTime {
        let parts = repetition.rule.parts
        let hasTime = !parts.hours.isEmpty || !parts.minutes.isEmpty || parts.frequency > .daily
        if due.isDateOnly {
            let day = due.day(in: zone)
            return hasTime || set?.start.isDay == false ? .local(LocalTime(day)) : .day(day)
        }
        let (day, second) = zone.local(due.date)
        return .local(LocalTime(day, second: second))
    }

    private func due(_ time: LocalTime, _ base: RecurrenceTime, _ zone: ZoneRules) -> DueDate {
        let start = set?.start ?? base
        if start.isDay { return DueDate(day: time.day) }
        return DueDate(moment: time.moment(in: start.isUTC ? .utc : zone))
    }

    /// The rule for the occurrence that is due at a date.
    ///
    /// A time that the clocks skip on that day is later there: what follows is at the usual time
    /// again only if the rule says it.
    private func rule(
        left: Int?,
        keeping time: LocalTime,
        for due: DueDate,
        _ zone: ZoneRules
    ) -> String {
        var parts = repetition.rule.parts
        guard set == nil, !due.isDateOnly, parts.frequency <= .daily, parts.hours.isEmpty,
            parts.minutes.isEmpty, zone.local(due.date).second != time.second
        else { return rule(left: left) }
        (parts.hours, parts.minutes) = ([time.second / 3600], [time.second / 60 % 60])
        if let left { parts.end = .count(left) }
        guard let rule = try? RecurrenceRule(parts) else { return self.rule(left: left) }
        return written(rule)
    }

    private func rule(left: Int?) -> String {
        guard let left, let rule = try? repetition.rule.ending(.count(left)) else { return text }
        return written(rule)
    }

    /// A rule in the form that this one has.
    private func written(_ rule: RecurrenceRule) -> String {
        guard let language else { return rule.description }
        return Repetition(rule, isFromCompletion: repetition.isFromCompletion).words(language)
    }
}

extension TaskSeries {
    /// The series that a task without one begins when it goes on; the same for the same task, so
    /// that what exports have called it stays true.
    public static func id(begunBy task: UUID) -> UUID {
        UUIDText.made(from: "series\n\(UUIDText.lowercase(task))")
    }
}
