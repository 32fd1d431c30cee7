import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Asks for a date in words and shows the day during typing; `+1d` moves each item from its own
/// date.
final class DateBar: ItemsBar {
    /// The date that it asks for.
    enum Field: String {
        case due = "Due"
        case start = "Start"

        fileprivate func date(of task: Task) -> DueDate? {
            self == .due ? task.dueDate : task.startDate
        }

        fileprivate func change(_ meaning: DateBar.Meaning, _ clock: DateContext) -> ItemChange {
            switch (self, meaning) {
            case (.due, .date(let date)): .due(date)
            case (.start, .date(let date)): .start(date)
            case (.due, .shift(let shift)): .shiftDue(shift, clock)
            case (.start, .shift(let shift)): .shiftStart(shift, clock)
            }
        }
    }

    /// What a text asks for.
    fileprivate enum Meaning {
        case date(DueDate?)
        case shift(DateShift)
    }

    private let context: DateContext
    private let kind: Field
    /// The present dates; `nil` if there are too many items to move each from its own.
    private let present: [DueDate?]?

    /// - Parameters:
    ///   - what: the date.
    ///   - workspace: where the tasks are.
    ///   - some: the tasks; `nil` for the marked ones, or the selected one.
    /// - Throws: `InputError` for too many targets, or the store's error.
    init(_ what: Field, _ workspace: Workspace, of some: Targets? = nil) throws {
        kind = what
        let context = workspace.library.clock()
        self.context = context
        let targets = try some ?? workspace.items.targets().tasks
        present = targets.items?.compactMap { $0 as? Task }.map(what.date)
        let only = present?.count == 1 ? present?[0] : nil
        let text = only.map { DateFormat(context: context).words($0) } ?? ""
        super.init(
            Phrase(stringLiteral: what.rawValue),
            targets,
            text: text,
            placeholder: "a date in words, or +1d from its own date"
        )
        show()
    }

    private func meaning() throws(InputError) -> Meaning {
        guard let shift = DateShift(field.text) else {
            return .date(try DateInput(field.text, context).get())
        }
        guard let present else {
            throw Targets.refusal(of: ids.count, localized("to move each from its own date"))
        }
        if present.allSatisfy({ shift.applied(to: $0, in: context) == nil }) {
            let what = present.count == 1 ? localized("It is") : localized("They are")
            throw InputError(
                .impossibleDate,
                "\(what) due on a whole day; \"today 9:00\" gives a time, +1d moves the day."
            )
        }
        return .shift(shift)
    }

    /// Words that are often typed, in the language of dates.
    private static func words(_ language: Language) -> [String] {
        switch language {
        case .english:
            [
                "today", "tomorrow", "weekend", "next week", "next month", "end of month",
                "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
                "in 3 days", "in 2 weeks",
            ]
        case .german:
            [
                "heute", "morgen", "übermorgen", "wochenende", "nächste woche", "nächsten monat",
                "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
                "in 3 tagen", "in 2 wochen",
            ]
        }
    }

    override func suggestions(in workspace: Workspace) -> Suggestions? {
        let text = field.text
        let typed = text.lowercased()
        guard !typed.isEmpty, !field.isPrefilled, field.cursor == text.utf8.count else {
            return nil
        }
        let words = DateBar.words(context.settings.language).filter {
            $0.hasPrefix(typed) && $0 != typed
        }
        let format = DateFormat(context: context)
        return Suggestions(
            0..<text.utf8.count,
            words.compactMap { word in
                guard case .date(let date) = DateInput(word, context) else { return nil }
                return (.init(word, detail: format.full(date)), word)
            }
        )
    }

    override func accept(in workspace: Workspace) throws {
        let meaning = try meaning()
        let unchanged: Phrase
        switch meaning {
        case .date(nil): unchanged = "\(label): no date already"
        case .date(let date?):
            unchanged = "\(label) \(DateFormat(context: context).relative(date)) already"
        case .shift: unchanged = "No date was moved"
        }
        try perform(kind.change(meaning, context), unchanged: unchanged, in: workspace)
    }

    override func show() {
        do throws(InputError) {
            switch try meaning() {
            case .date(nil): preview = .plain(localized("no date"), .dim)
            case .date(let date?): preview = .plain(words(date), .dueSoon)
            case .shift(let shift): preview = .plain(words(shift), .dueSoon)
            }
        } catch {
            preview = .plain(error.message, .warning)
        }
    }

    private func words(_ date: DueDate) -> String {
        let format = DateFormat(context: context)
        return "\(format.full(date))  (\(format.relative(date)))"
    }

    /// `3 items: each 1 day later; 1 without a date: tomorrow`.
    private func words(_ shift: DateShift) -> String {
        let present = present ?? []
        if present.count == 1, let date = shift.applied(to: present[0], in: context) {
            let from =
                present[0] == nil
                ? localized("from \(shift.unit.isOfClock ? localized("now") : localized("today"))")
                : shift.words
            return "\(from): \(words(date))"
        }
        var parts = [localized("\(present.count) items: each \(shift.words)")]
        let format = DateFormat(context: context)
        let undated = present.count { $0 == nil }
        if undated > 0, let date = shift.applied(to: nil, in: context) {
            parts.append(localized("\(undated) without a date: \(format.relative(date))"))
        }
        let staying = present.count { $0 != nil && shift.applied(to: $0, in: context) == nil }
        if staying > 0 {
            parts.append(
                localized(
                    "\(staying) of a whole day \(staying == 1 ? localized("stays") : localized("stay"))"
                )
            )
        }
        return parts.joined(separator: "; ")
    }
}

/// The meaning of a text in a date field.
enum DateInput {
    case none
    case date(DueDate)
    case wrong(InputError)

    init(_ text: String, _ context: DateContext) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            self = .none
            return
        }
        do throws(InputError) {
            self = .date(try DateParser(context: context).parse(text))
        } catch {
            self = .wrong(error)
        }
    }

    func get() throws(InputError) -> DueDate? {
        switch self {
        case .none: return nil
        case .date(let date): return date
        case .wrong(let error): throw error
        }
    }
}
