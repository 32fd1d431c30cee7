public import CivilTime
public import DocketFormats
import FoundationEssentials
import ObjectGraph
import TimeLanguage

// Reminders in words, and those of tasks.

extension ReminderTimes {
    private static var whenDue: String { localized("when due") }

    /// Reads what a field says: `1 week before`, `2 h before, tomorrow 9:00`, `none`.
    ///
    /// A length alone is before the due date.
    ///
    /// - Returns: the text for the store; `nil` for `none` and for an empty text.
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    public static func typed(
        _ text: String,
        in context: DateContext
    ) throws(InputError) -> String? {
        let text = CaptureText.cleanLine(text).trimmingSpace
        if text.isEmpty || ["none", localized("none")].contains(text.lowercased()) { return nil }
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
        if ["when due", whenDue].contains(text.lowercased()) { return self.text(minutesBefore: 0) }
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
    public static func words(_ stored: String, _ date: (DueDate) -> String) -> String {
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
        let length = CapturedItem.words(minutes: abs(minutes))
        return minutes < 0 ? localized("\(length) before") : localized("\(length) after")
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

    /// Its reminders as the store has them; of an item of another program only the next is known.
    public var storedReminders: String? {
        remindTimes ?? nextReminder.map { ReminderTime.moment($0).text }
    }

    /// Its reminders in words, as a field takes them; empty for none.
    public func remindersInWords(in context: DateContext) -> String {
        ReminderTimes.words(storedReminders ?? "", DateFormat(context: context).words)
    }
}

extension TaskShift {
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
