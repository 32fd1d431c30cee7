import CivilTime
import DocketFormats
import ObjectGraph

/// One `field=value` of an edit.
public struct FieldChange: Hashable, Sendable {
    public enum Field: String, CaseIterable, Sendable {
        case title, notes, body, list, tags, due, start, repeats, priority, estimate, done, flagged
        case parent, waits, blocks, location, remind, postpone

        /// Whether an item has the field.
        func fits(_ item: Item) -> Bool {
            switch self {
            case .title, .notes, .list, .tags, .flagged: true
            case .body: item is Note
            default: item is Task
            }
        }
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
        let name = parts[0].lowercased()
        guard let field = Field(rawValue: name == "waits-for" ? "waits" : name) else {
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
        try edit([item], changes)
    }

    /// Changes the same fields of several items in one step, in parts if they are too many for one
    /// transaction; an item that has no such field is left out, see ``FieldChange/left(_:_:)``.
    ///
    /// Do not use the items after a call with more than ``largestChange`` of them.
    ///
    /// - Returns: the step; `nil` if nothing has changed.
    /// - Throws: `InputError` for a value that a field does not take, and for a field that none of
    ///   the items has; nothing is changed then.
    @discardableResult
    public func edit(_ items: [Item], _ changes: [FieldChange]) throws -> SavedStep? {
        // Everything is read before anything is changed.
        func values() throws -> [ItemChange] { try changes.map { try read($0, for: items) } }
        let fields = ": " + changes.map(\.field.rawValue).joined(separator: ", ")
        if isTooMuch(items.count), !isChanging {
            let values = try values()
            let all = Targets.many(items.map(\.objectID))
            let ids = Set(try values.flatMap { try affected(by: $0, among: all).ids })
            return try run(longCommand(values, on: Array(ids)) { StepName(.edited, $0, fields) })
        }
        return try change {
            let (items, values) = (existing(items), try values())
            if items.isEmpty { return StepName(.edited, StepSubject(items)) }
            try carryOut(values, on: items, at: clock())
            return items.count == 1
                ? StepName(edited: items[0]) : StepName(.edited, changed(items), fields)
        }
    }

    /// Replaces the text of an item: a note's body, a task's notes.
    ///
    /// - Returns: the step; `nil` if the text is the same.
    @discardableResult
    public func setText(_ text: String, of item: Item) throws -> SavedStep? {
        let text = text.isEmpty ? nil : text
        return try perform(item is Note ? .body(text) : .notes(text), on: [item])
    }

    /// What a field and its text ask for.
    private func read(_ change: FieldChange, for items: [Item]) throws -> ItemChange {
        let (field, value) = (change.field, change.value)
        if !items.isEmpty, !items.contains(where: field.fits) {
            let kind = field == .body ? "note" : "task"
            throw InputError(
                .badReference,
                "Only a \(kind) has the field \"\(field.rawValue)\"."
            )
        }
        switch field {
        case .title:
            let title = CaptureText.cleanLine(value).trimmingSpace
            if title.isEmpty {
                throw InputError(.emptyTitle, "An item needs a title; give it one.")
            }
            return .title(title)
        case .notes: return .notes(value.isEmpty ? nil : CaptureText.cleanText(value))
        case .list:
            let path = ListPath.parse(value)
            return .list(path.isEmpty ? .inbox : .path(path))
        case .tags: return .onlyTags(TagWords.names(value))
        case .flagged: return .flag(try flag(value, field))
        case .body: return .body(value.isEmpty ? nil : CaptureText.cleanText(value))
        case .due: return .due(try date(value))
        case .start: return .start(try date(value))
        case .repeats: return .repeats(TaskSeries.clean(value).trimmingSpace)
        case .priority: return .priority(Int(try Library.priority(value)))
        case .estimate: return .estimate(try estimate(value))
        case .done: return try flag(value, field) ? .complete : .reopen
        case .parent: return .parent(value.isEmpty ? nil : try parent(value).objectID)
        case .waits: return try blockers(value)
        case .blocks: return .blocks(value.isEmpty ? [] : try ShortID.parseList(value))
        case .location: return .location(value)
        case .remind: return .remind(try ReminderTimes.typed(value, in: clock()))
        case .postpone:
            if isTooMuch(items.count) {
                throw Targets.refusal(of: items.count, "to move each from its own date")
            }
            return .postpone(try Postponement(value, in: clock()), clock())
        }
    }

    /// The tasks for which one waits: `3,5` are all of them; `+3,-5` adds and removes.
    private func blockers(_ text: String) throws -> ItemChange {
        let parts = text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }
        func numbers(_ sign: Character) throws -> [Int64] {
            try parts.filter { $0.first == sign }
                .flatMap { try ShortID.parseList(String($0.dropFirst())) }
        }
        let (added, removed) = (try numbers("+"), try numbers("-"))
        if added.isEmpty, removed.isEmpty {
            return .waits(text.isEmpty ? [] : try ShortID.parseList(text))
        }
        guard parts.allSatisfy({ $0.first == "+" || $0.first == "-" }) else {
            throw InputError(
                .badReference,
                "\"\(CaptureText.cleanLine(text))\" has numbers with and without a sign; write"
                    + " waits=+3,-5 to add and remove, or waits=3,5 for no others."
            )
        }
        return .blockers(adding: added, removing: removed)
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
    static func requirePlain(_ item: Item) throws {
        guard let note = item as? Note, note.isEncrypted else { return }
        throw InputError(
            .locked,
            "The text of the note \(StepName.quoted(note.title)) is encrypted; decrypt it first."
        )
    }
}

extension FieldChange {
    /// What an edit leaves out, as the end of a message: `; 2 notes have no field "due"`; empty for
    /// nothing.
    public static func left(_ changes: [FieldChange], _ items: [Item]) -> String {
        [items.filter { $0 is Task }, items.filter { $0 is Note }].map { items in
            guard let item = items.first else { return "" }
            let fields = changes.map(\.field).filter { !$0.fits(item) }.map { "\"\($0.rawValue)\"" }
            if fields.isEmpty { return "" }
            return "; \(StepSubject(items).counted) \(items.count == 1 ? "has" : "have") no field"
                + "\(fields.count == 1 ? "" : "s") \(fields.joined(separator: ", "))"
        }.joined()
    }
}

extension Item {
    /// The item's text: a note's body, a task's notes.
    public var text: String { (self as? Note)?.body ?? notes ?? "" }
}
