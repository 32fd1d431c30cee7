import CivilTime
import DocketFormats
import ObjectGraph

/// The verb of a step's name, in the past tense.
enum StepVerb: String, CaseIterable {
    case added = "Added"
    case attached = "Attached"
    case cleared = "Cleared"
    case completed = "Completed"
    case deleted = "Deleted"
    case dismissed = "Dismissed"
    case duplicated = "Duplicated"
    case edited = "Edited"
    case ended = "Ended"
    case flagged = "Flagged"
    case imported = "Imported"
    case lifted = "Lifted"
    case made = "Made"
    case moved = "Moved"
    case put = "Put"
    case removed = "Removed"
    case renamed = "Renamed"
    case reopened = "Reopened"
    case repaired = "Repaired"
    case restored = "Restored"
    case separated = "Separated"
    case reviewed = "Reviewed"
    case set = "Set"
    case skipped = "Skipped"
    case started = "Started"
    case stopped = "Stopped"
    case swapped = "Swapped"
    case tagged = "Tagged"
    case ticked = "Ticked"
    case trashed = "Trashed"
    case unflagged = "Unflagged"
    case unticked = "Unticked"

    /// The same verb while the command is running.
    var running: String {
        switch self {
        case .made: "Making"
        case .put: "Putting"
        case .set: "Setting"
        default: "\(rawValue.dropLast(2))ing"
        }
    }
}

/// The name of a step: what happened to which thing, without a full stop.
///
/// It is stored with the step and read later, here and by others: dates in it are absolute, and
/// titles are one short line.
///
/// Examples: `Moved "Pay rent" to Work`, `Cleared due of 3 tasks`, `Edited "Plan": due, notes`.
struct StepName {
    let text: String
    let subject: StepSubject

    /// - Parameters:
    ///   - verb: the beginning.
    ///   - part: the part of the subject that has changed: `due of`.
    ///   - named: the changed things, as the name has them.
    ///   - rest: the words after the subject, with their blank or colon.
    ///   - subject: the changed things, if they have another title now.
    init(
        _ verb: StepVerb,
        part: String? = nil,
        _ named: StepSubject,
        _ rest: String = "",
        now subject: StepSubject? = nil
    ) {
        self.subject = subject ?? named
        text = "\(verb.rawValue) \(part.map { $0 + " " } ?? "")\(named.phrase)\(rest)"
    }

    /// The step that adds an item.
    init(added item: Item) {
        let parent = (item as? Task)?.parent
        let rest = parent.map { " under \(StepName.quoted($0.title))" } ?? ""
        self.init(.added, StepSubject([item]), rest)
    }

    /// The step that changes fields of an item, in the order of the form.
    ///
    /// The item has its new values, and is not saved yet.
    init(edited item: Item) {
        let changed = item.changedKeys
        var names: [String] = []
        for (key, name) in StepName.fields where changed.contains(key) {
            if names.last != name { names.append(name) }
        }
        let rest = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
        self.init(.edited, StepSubject([item]), rest)
    }

    /// What people call the fields, in the order of the form.
    private static let fields = [
        (Item.Keys.title, "title"), (Item.Keys.list, "list"), (Task.Keys.due, "due"),
        (Task.Keys.dueDateOnly, "due"), (Task.Keys.start, "start"),
        (Task.Keys.startDateOnly, "start"), (Task.Keys.priority, "priority"),
        (Item.Keys.tags, "tags"), (Task.Keys.rule, "repeats"),
        (Task.Keys.estimate, "estimate"), (Item.Keys.flagged, "flag"),
        (Item.Keys.lastReviewed, "review"),
        (Item.Keys.notes, "notes"), (Note.Keys.body, "text"), (Task.Keys.location, "location"),
        (Task.Keys.parent, "parent"), (Task.Keys.blockedBy, "waits for"),
        (Task.Keys.blocks, "blocks"),
        (Task.Keys.remindTimes, "reminder"), (Task.Keys.nextReminder, "reminder"),
        (Task.Keys.completed, "done"),
    ]

    /// What people call a property; its own name if they do not.
    static func field(_ key: String) -> String {
        fields.first { $0.0 == key }?.1 ?? others[key] ?? key
    }

    /// What a form has no field for.
    private static let others = [
        Task.Keys.anchor: "repeats", Item.Keys.trashed: "trash", Item.Keys.created: "added",
    ]

    // MARK: Parts

    /// A title in quotation marks; see ``short(_:)``.
    static func quoted(_ title: String) -> String { CaptureText.quoted(title) }

    /// See ``CaptureText/short(_:)``.
    static func short(_ text: String) -> String { CaptureText.short(text) }

    /// A list's path.
    static func short(_ path: [String]) -> String { short(ListPath.string(path)) }

    /// `#bank #home and 3 more`.
    static func tags(_ names: [String]) -> String {
        let shown = names.prefix(3).map { "#\(short($0))" }.joined(separator: " ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }

    // MARK: Other forms

    /// The name of a command while it runs: `Completing 23 tasks`.
    static func running(_ name: String) -> String {
        if Language.current != .english { return Phrase.step(name) }
        let first = name.prefix { $0 != " " }
        guard let verb = StepVerb(rawValue: String(first)) else { return name }
        return verb.running + name.dropFirst(first.count)
    }

    /// An undo or redo of a step while it runs: `Undoing "Completed 23 tasks"`.
    static func running(_ name: String, inverting kind: TransactionInfo.Kind) -> String {
        let name = Phrase.step(name)
        return kind == .redo ? localized("Redoing \"\(name)\"") : localized("Undoing \"\(name)\"")
    }
}
