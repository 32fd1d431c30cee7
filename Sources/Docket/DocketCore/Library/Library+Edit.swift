import CivilTime
import DocketFormats
import ObjectGraph

/// One `field=value` of an edit.
public struct FieldChange: Hashable, Sendable {
    public enum Field: String, CaseIterable, Sendable {
        case title, notes, body, list, tags, due, start, repeats, priority, estimate, done, flagged
        case parent, waits, blocks, location, remind
    }

    public var field: Field
    public var value: String

    /// Reads `field=value`.
    ///
    /// - Throws: `InputError` with the existing fields.
    public init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
        guard parts.count == 2 else {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(text))\" is not field=value. The fields are \(names)."
            )
        }
        guard let field = Field(rawValue: parts[0].lowercased()) else {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(String(parts[0])))\" is not a field. The fields are "
                    + "\(names)."
            )
        }
        self.field = field
        value = String(parts[1])
    }
}

extension Library {
    /// Changes several fields of an item in one step.
    ///
    /// - Returns: the step; `nil` if nothing has changed.
    /// - Throws: `InputError` for a value that the field does not take; nothing is changed then.
    @discardableResult
    public func edit(_ item: Item, _ changes: [FieldChange]) throws -> SavedStep? {
        try change {
            if !item.isDeleted {
                for change in changes { try apply(change, to: item) }
            }
            return StepName(edited: item)
        }
    }

    /// Changes the same fields of several items in one step.
    ///
    /// - Returns: the step; `nil` if nothing has changed.
    /// - Throws: `InputError` for a value that a field does not take; nothing is changed then.
    @discardableResult
    public func edit(_ items: [Item], _ changes: [FieldChange]) throws -> SavedStep? {
        if items.count == 1, let item = items.first { return try edit(item, changes) }
        return try change {
            for item in items where !item.isDeleted {
                for change in changes { try apply(change, to: item) }
            }
            let changed = items.filter { !$0.isDeleted && !$0.changedValues().isEmpty }
            let names = changes.map(\.field.rawValue).joined(separator: ", ")
            return StepName(.edited, StepSubject(changed), ": \(names)")
        }
    }

    /// Replaces the text of an item: a note's body, a task's notes.
    ///
    /// - Returns: the step; `nil` if the text is the same.
    @discardableResult
    public func setText(_ text: String, of item: Item) throws -> SavedStep? {
        try change {
            if !item.isDeleted, item.text != text {
                try requirePlain(item)
                let value = text.isEmpty ? nil : text
                if let note = item as? Note { note.body = value } else { item.notes = value }
            }
            return StepName(edited: item)
        }
    }

    private func apply(_ change: FieldChange, to item: Item) throws {
        let value = change.value
        switch change.field {
        case .title:
            let title = CaptureText.cleanLine(value).trimmingSpace
            if title.isEmpty {
                throw InputError(.emptyTitle, "An item needs a title; give it one.")
            }
            item.title = title
        case .notes: item.notes = value.isEmpty ? nil : CaptureText.cleanText(value)
        case .list:
            let path = ListPath.parse(value)
            try checkNewList(path)
            item.list = try Library.list(path: path, in: context)
        case .tags:
            try setTags(TagWords.names(value), of: item)
        case .flagged: item.flagged = try flag(value, change.field)
        case .body:
            guard let note = item as? Note else { throw Library.wrongKind(change.field, "note") }
            try requirePlain(note)
            note.body = CaptureText.cleanText(value)
        case .due, .start, .repeats, .priority, .estimate, .done, .parent, .waits, .blocks,
            .location, .remind:
            guard let task = item as? Task else { throw Library.wrongKind(change.field, "task") }
            try apply(change, to: task)
        }
    }

    private func apply(_ change: FieldChange, to task: Task) throws {
        let value = change.value
        switch change.field {
        case .due: task.setDue(try date(value), at: clock())
        case .start: task.setStart(try date(value))
        case .repeats: try setRule(value, of: task)
        case .priority: task.priority = try Library.priority(value)
        case .estimate: task.estimate = try estimate(value).map { .init($0) }
        case .done:
            _ = try apply(flag(value, change.field) ? .complete : .reopen, to: [task])
        case .parent:
            try setParent(of: task, to: value.isEmpty ? nil : parent(value))
        case .waits: try Library.setBlockers(tasks(value), of: task)
        case .blocks: try Library.setBlocked(tasks(value), by: task)
        case .location: task.location = try Library.location(typed: value, in: context)
        case .remind: task.setReminders(try ReminderTimes.typed(value, in: clock()), at: clock())
        default: break
        }
    }

    private func tasks(_ numbers: String) throws -> [Task] {
        if numbers.isEmpty { return [] }
        return try Library.tasks(numbered: ShortID.parseList(numbers), in: context)
    }

    private func parent(_ text: String) throws -> Task {
        let item = try item(ItemReference(text))
        if let task = item as? Task { return task }
        throw InputError(
            .badReference,
            "\(ShortID.string(item.shortID)) is a note; only a task can have subtasks."
        )
    }

    private func date(_ text: String) throws -> DueDate? {
        text.isEmpty ? nil : try DateParser(context: clock()).parse(text)
    }

    private func estimate(_ text: String) throws -> Int? {
        if text.isEmpty { return nil }
        if let seconds = Estimate.seconds(text) { return seconds }
        throw InputError(
            .badReference,
            "\"\(CaptureText.cleanLine(text))\" is not a duration; write 90, 1h 30m or 1:30."
        )
    }

    static func priority(_ text: String) throws(InputError) -> Int16 {
        switch text.lowercased() {
        case "", "0", "none": return 0
        case "1", "l", "low", "!": return 1
        case "2", "m", "med", "medium", "!!": return 2
        case "3", "h", "high", "!!!": return 3
        default:
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(text))\" is not a priority; use none, low, medium or high."
            )
        }
    }

    private func flag(_ text: String, _ field: FieldChange.Field) throws -> Bool {
        switch text.lowercased() {
        case "yes", "y", "true", "1", "on": return true
        case "", "no", "n", "false", "0", "off": return false
        default:
            throw InputError(
                .badReference,
                "\(field.rawValue) takes yes or no, not \"\(CaptureText.cleanLine(text))\"."
            )
        }
    }

    /// Refuses to put plain text beside an encrypted one.
    private func requirePlain(_ item: Item) throws {
        guard let note = item as? Note, note.isEncrypted else { return }
        throw InputError(
            .locked,
            "The text of the note \(StepName.quoted(note.title)) is encrypted; decrypt it first."
        )
    }

    private static func wrongKind(_ field: FieldChange.Field, _ kind: String) -> InputError {
        InputError(.badReference, "Only a \(kind) has the field \"\(field.rawValue)\".")
    }
}

extension Item {
    /// The item's text: a note's body, a task's notes.
    public var text: String { (self as? Note)?.body ?? notes ?? "" }
}
