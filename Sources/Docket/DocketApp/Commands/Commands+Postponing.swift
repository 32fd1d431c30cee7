import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

extension CommandTable {
    static let postponing: [Command] =
        [
            postpone("later", ">", 1, .day, "A day later", ["postpone", "reschedule", "push"]),
            postpone("earlier", "<", -1, .day, "A day earlier", ["reschedule", "pull"]),
            postpone("weekLater", "}", 1, .week, "A week later", ["postpone", "reschedule"]),
            postpone("weekEarlier", "{", -1, .week, "A week earlier", ["reschedule"]),
        ] + Snooze.allCases.map(snooze) + [
            Command(
                "item.remindAgain",
                "Snooze the reminder for 10 minutes",
                keys: ["Z", "z r"],
                .change,
                help: "Reminds once more of what a message reminds of, else of the selected task.",
                synonyms: ["remind again", "alarm", "later"],
                on: .window,
                disabled: { workspace in
                    if !workspace.reminded.isEmpty { return nil }
                    return workspace.paneKind.takes.contains(.items)
                        ? workspace.noTask : "There is no reminder here."
                },
                run: { try $0.remindAgain() }
            )
        ]

    private static func postpone(
        _ id: String,
        _ key: String,
        _ amount: Int,
        _ unit: DateShift.Unit,
        _ title: Phrase,
        _ synonyms: [String]
    ) -> Command {
        let what: Phrase = "Moves start and due date by a \(unit.name); the time stays"
        return Command(
            "item.\(id)",
            title,
            keys: [key],
            .change,
            help: amount > 0 ? "\(what); without a date it counts from today." : "\(what).",
            synonyms: synonyms,
            takesCount: true,
            disabled: { $0.noDate },
            run: { try $0.postpone(.by(DateShift(amount * $0.takeCount(), unit))) }
        )
    }

    private static func snooze(_ snooze: Snooze) -> Command {
        Command(
            "item.snooze.\(snooze.rawValue)",
            "Snooze until \(snooze.title)",
            keys: ["z \(snooze.key)"],
            .change,
            help: snooze.help,
            synonyms: ["postpone", "snooze", "defer", "reschedule"],
            disabled: { $0.noDate },
            run: { try $0.postpone(snooze.postponement($0.library.clock())) }
        )
    }
}

/// Until when items can be put off with one key.
enum Snooze: String, CaseIterable {
    case evening
    case tomorrow
    case weekend
    case week
    case someday

    var title: Phrase {
        switch self {
        case .evening: "this evening"
        case .tomorrow: "tomorrow"
        case .weekend: "the weekend"
        case .week: "next week"
        case .someday: "someday"
        }
    }

    fileprivate var key: String {
        switch self {
        case .evening: "e"
        case .tomorrow: "t"
        case .weekend: "w"
        case .week: "n"
        case .someday: "s"
        }
    }

    fileprivate var help: Phrase {
        switch self {
        case .evening: "Moves start and due date to today, 18:00."
        case .someday: "Removes start and due date; g y shows what waits for some day."
        default: "Moves start and due date by whole days; the time stays."
        }
    }

    /// Where it moves items.
    ///
    /// - Throws: `InputError` if the evening is over.
    func postponement(_ context: DateContext) throws -> Postponement {
        // The names of the keys are English whatever the language of titles is.
        var english = context
        english.settings.language = .english
        let title = Language.$current.withValue(.english) { self.title.text }
        switch self {
        case .evening:
            let hours = [18, 20, 22].map { context.zone.moment(context.today, second: $0 * 3600) }
            guard let moment = hours.first(where: { $0 > context.now }) else {
                throw InputError(.impossibleDate, "The evening is over; z t means tomorrow.")
            }
            return .at(moment)
        case .tomorrow: return .to(context.today.adding(days: 1))
        case .someday: return .someday
        case .week:
            return .to(try DateParser(context: english).parse(title).day(in: context.zone))
        case .weekend:
            // On a Saturday the next one.
            let tomorrow = context.today.adding(days: 1)
            return .to(tomorrow.adding(days: tomorrow.weekday.days(until: .saturday)))
        }
    }
}

extension Workspace {
    /// Why there is no date to move.
    fileprivate var noDate: String? {
        items.targetMarks.isEmpty && items.selectedLater != nil ? readOnly : noTask
    }

    /// Moves the dates of the targets, each from its own; marks stay, because the key is often
    /// pressed again.
    func postpone(_ move: Postponement) throws {
        if items.targetMarks.isEmpty, let later = items.selectedLater {
            let date = move.date(from: later.date, library.clock())
            return try self.move(later.date, of: later.task, to: date)
        }
        let targets = Targets.items(try items.targets(localized("to move each from its own date")))
            .tasks
        let unchanged = unmoved(targets.items?.compactMap { $0 as? Task } ?? [], move)
        try perform(
            .postpone(move, library.clock()),
            on: targets,
            unchanged: unchanged,
            keepsMarks: true
        )
    }

    /// Reminds again of what was just reminded of, else of the targets.
    fileprivate func remindAgain() throws {
        let ids = reminded.isEmpty ? try items.targets().tasks.ids : reminded
        let open = try library.targets(ids).items?.compactMap { $0 as? Task }.filter {
            !$0.isDone && $0.trashed == nil
        }
        let step = try library.remindAgain(of: open ?? [], inMinutes: 10)
        let isDone = open?.isEmpty ?? true
        tell(step, unchanged: isDone ? "It is done already" : "The reminder is set already")
    }

    /// Why none of some tasks moves.
    private func unmoved(_ tasks: [Task], _ move: Postponement) -> Phrase {
        let what =
            tasks.count == 1 ? localized("\(quoted(tasks[0].title)) is") : localized("They are all")
        if tasks.allSatisfy(\.isDone) {
            return "\(what) done; \(key("item.done")) reopens."
        }
        switch move {
        case .by where tasks.count > 1: return "None of them has a date that can move"
        case .by:
            return "It has no date; \(key("item.later")) gives it tomorrow."
        case .to, .at: return "\(what) on that day already"
        case .someday: return "No date already"
        }
    }
}
