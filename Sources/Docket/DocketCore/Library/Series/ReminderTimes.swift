package import CivilTime
package import FoundationEssentials
import ObjectGraph
import TimeLanguage

/// The reminders of a task as the store has them: texts with blanks between, each a moment
/// (`20261124T090000Z`) or a duration from the due date (`-PT30M`).
package enum ReminderTimes {
    static func texts(_ stored: String?) -> [String] {
        stored?.split(separator: " ").map(String.init) ?? []
    }

    /// The reminder so many minutes before the due date, in the largest unit.
    static func text(minutesBefore minutes: Int) -> String {
        let (sign, length) = (minutes > 0 ? "-" : "", abs(minutes))
        for (unit, size) in [("W", 10_080), ("D", 1440)] where length > 0 && length % size == 0 {
            return "\(sign)P\(length / size)\(unit)"
        }
        return length > 0 && length % 60 == 0
            ? "\(sign)PT\(length / 60)H" : "\(sign)PT\(length)M"
    }

    /// The text for the store; `nil` for none.
    static func stored(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// Whether a text is a moment or a duration.
    static func isOne(_ text: String) -> Bool {
        if text.utf8.contains(32) { return false }
        if case .other = ReminderTime(text[...]) { return false }
        return true
    }

    // MARK: In words

    private static let whenDue = "when due"

    /// Reads what a field says: `1 week before`, `2 h before, tomorrow 9:00`, `none`.
    ///
    /// A length alone is before the due date.
    ///
    /// - Returns: the text for the store; `nil` for `none` and for an empty text.
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    package static func typed(
        _ text: String,
        in context: DateContext
    ) throws(InputError) -> String? {
        let text = CaptureText.cleanLine(text).trimmingSpace
        if text.isEmpty || text.lowercased() == "none" { return nil }
        do { return try one(text, context) } catch {
            // `1 week before, 1 h before`
            let parts = text.split(separator: ",").map { String($0).trimmingSpace }
            guard parts.count > 1 else { throw error }
            var texts: [String] = []
            for part in parts where !part.isEmpty { texts.append(try one(part, context)) }
            return stored(texts)
        }
    }

    private static func one(_ text: String, _ context: DateContext) throws(InputError) -> String {
        if text.lowercased() == whenDue { return self.text(minutesBefore: 0) }
        let time = ReminderTime(text[...])
        if case .fromDue = time { return text }
        // In English too, because that is how they are shown.
        var english = context.settings
        english.language = .english
        for settings in [context.settings, english] {
            if let minutes = Recogniser(context: context, settings: settings).lead(text) {
                return self.text(minutesBefore: minutes)
            }
        }
        if case .moment = time, time.text == text { return text }
        let date: DueDate
        do { date = try DateParser(context: context).parse(text) } catch {
            if error.kind != .unknownDate { throw error }
            throw InputError(
                .unknownDate,
                "“\(StepName.short(text))” is not a reminder; write it like 1 week before, "
                    + "2 h before or tomorrow 9:00."
            )
        }
        if date.isDateOnly {
            throw InputError(
                .unknownDate,
                "“\(StepName.short(text))” is a whole day, and a reminder needs a time; write "
                    + "it like tomorrow 9:00."
            )
        }
        return ReminderTime.moment(date.date).text
    }

    /// Stored reminders in words, which ``typed(_:in:)`` reads if it reads the dates of `date`.
    package static func words(_ stored: String, _ date: (DueDate) -> String) -> String {
        texts(stored).map { text in
            switch ReminderTime(text[...]) {
            case .moment(let moment): date(DueDate(moment: moment))
            case .fromDue(let days, let seconds, let text):
                words(minutes: days * 1440 + seconds / 60) ?? text
            case .other(let text): text
            }
        }.joined(separator: ", ")
    }

    private static func words(minutes: Int) -> String? {
        if minutes == 0 { return whenDue }
        return "\(CapturedItem.words(minutes: abs(minutes))) \(minutes < 0 ? "before" : "after")"
    }

    /// The moments at which stored reminders are due, in their order; those that need a due date are
    /// left out without one.
    package static func moments(
        _ stored: String?,
        due: DueDate?,
        in zone: ZoneRules
    ) -> [Date] {
        let beginning = due?.beginning(in: zone)
        return texts(stored).compactMap { ReminderTime($0[...]).moment(due: beginning, in: zone) }
    }
}

extension Task {
    /// Sets the due date, which its reminders follow.
    func setDue(_ value: DueDate?, at context: DateContext) {
        setDue(value)
        setNextReminder(context)
    }

    /// Sets when to remind next, from its reminders and its due date; nothing without reminders.
    func setNextReminder(_ context: DateContext) {
        if remindTimes == nil { return }
        let next = ReminderTimes.moments(remindTimes, due: dueDate, in: context.zone)
            .filter { $0 > context.now }.min()
        if nextReminder != next { nextReminder = next }
    }

    /// Sets its reminders, as the store has them.
    package func setReminders(_ stored: String?, at context: DateContext) {
        if remindTimes != stored { remindTimes = stored }
        setNextReminder(context)
        if stored == nil, nextReminder != nil { nextReminder = nil }
    }

    /// Its reminders as the store has them; of an item of another program only the next is known.
    package var storedReminders: String? {
        remindTimes ?? nextReminder.map { ReminderTime.moment($0).text }
    }

    /// Its reminders in words, as a field takes them; empty for none.
    package func remindersInWords(in context: DateContext) -> String {
        ReminderTimes.words(storedReminders ?? "", DateFormat(context: context).words)
    }
}

extension Library {
    /// Sets the reminders of tasks, as the store has them; `nil` removes them.
    ///
    /// - Returns: the step; `nil` if they have them already.
    package func setReminders(_ stored: String?, of tasks: [Task]) throws -> SavedStep? {
        try change {
            let tasks = existing(tasks)
            for task in tasks { task.setReminders(stored, at: clock()) }
            let subject = changed(tasks)
            guard let stored else { return StepName(.cleared, part: "reminder of", subject) }
            let format = DateFormat(context: clock())
            let words = ReminderTimes.words(stored) { format.absolute($0) }
            return StepName(.set, part: "reminder of", subject, " to \(StepName.short(words))")
        }
    }
}

/// One of a task's reminders.
enum ReminderTime {
    case moment(Date)
    /// Days keep the time on the wall when the clocks change, seconds do not (RFC 5545, 3.3.6).
    case fromDue(days: Int, seconds: Int, String)
    case other(String)

    init(_ text: Substring) {
        if let (days, seconds) = ReminderTime.duration(text) {
            self = .fromDue(days: days, seconds: seconds, String(text))
        } else if let date = ISODate.moment(text, zone: .utc) {
            self = .moment(date)
        } else {
            self = .other(String(text))
        }
    }

    var text: String {
        switch self {
        case .moment(let date):
            var bytes: [UInt8] = []
            ISODate.appendBasic(date, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .fromDue(_, _, let text), .other(let text): return text
        }
    }

    func shifted(by shift: TaskShift) -> ReminderTime {
        if case .moment(let date) = self { .moment(shift.moment(date)) } else { self }
    }

    func moment(due: Date?, in zone: ZoneRules) -> Date? {
        switch self {
        case .moment(let date): return date
        case .fromDue(let days, let seconds, _):
            guard var date = due else { return nil }
            if days != 0 {
                let (day, second) = zone.local(date)
                date = zone.moment(day.adding(days: days), second: second)
            }
            return date.addingTimeInterval(Double(seconds))
        case .other: return nil
        }
    }

    /// A duration of RFC 5545 (section 3.3.6): `-PT30M`, `P1DT2H`, `-P1W`.
    private static func duration(_ text: Substring) -> (days: Int, seconds: Int)? {
        var rest = text
        let sign = rest.hasPrefix("-") ? -1 : 1
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
        guard rest.hasPrefix("P") else { return nil }
        rest = rest.dropFirst()
        var (days, seconds, number) = (0, 0, 0)
        for character in rest {
            switch character {
            case "0"..."9":
                number = min(number * 10 + (character.wholeNumberValue ?? 0), 1_000_000)
                continue
            case "T": continue
            case "W": days += number * 7
            case "D": days += number
            case "H": seconds += number * 3600
            case "M": seconds += number * 60
            case "S": seconds += number
            default: return nil
            }
            number = 0
        }
        return (sign * days, sign * seconds)
    }
}
