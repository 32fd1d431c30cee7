package import CivilTime
package import FoundationEssentials

/// An item between the store and the exchange formats: all its data, independent of a store.
///
/// Relations to other items are UUIDs, lists are paths of names.
package struct ItemRecord: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case task
        case note
    }

    package var uuid: UUID
    /// The number on the command line; `nil` for an item that has not been stored yet.
    package var shortID: Int64?
    package var kind = Kind.task
    /// One line.
    package var title: String
    /// Remarks on a task or a note.
    package var notes: String?
    /// The text of a note.
    package var body: String?
    /// Whether the text of a note is encrypted: then there is no body, and no format has it.
    package var isEncrypted = false
    /// Names of the list and those above it, outermost first; empty for no list.
    package var list: [String] = []
    package var tags: [String] = []
    package var due: DueDate?
    package var start: DueDate?
    /// 0 none, 1 low, 2 medium, 3 high.
    package var priority = 0
    /// A stored number as a priority; another program may have written any.
    package static func priority(_ number: some BinaryInteger) -> Int {
        Int(min(max(number, 0), 3))
    }
    /// When it was completed; `nil` while open.
    package var completed: Date?
    package var created: Date
    package var modified: Date
    /// The rank in its list (see ``Ranks``); `nil` if the source has only its own order.
    package var order: Int64?
    package var trashed = false
    package var flagged = false
    package var location: String?
    /// How it repeats, in words or as its format writes it.
    package var recurrence: String?
    /// Whether the next occurrence is counted from completion, whatever ``recurrence`` says.
    package var repeatsFromCompletion = false
    /// What the occurrences of a repeating task have in common.
    package var series: UUID?
    /// How many occurrences of a fixed series have passed since the due date; for output only.
    package var missed = 0
    /// Seconds of work expected.
    package var estimate: Int?
    package var reminder: Date?
    /// When to remind: moments in UTC (`20261124T090000Z`) and durations from the due date
    /// (`-PT30M`).
    package var reminders: [String] = []
    /// The task of which this is a subtask.
    package var parent: UUID?
    /// Items that must be done before this one.
    package var dependencies: [UUID] = []
    /// The numbers of the open ones among them, ascending; for lines of a list only.
    package var waits: [Int64] = []
    package var timeEntries: [TimeEntryRecord] = []
    /// Fields of foreign formats without a place in an item.
    package var extra = ForeignFields()

    package init(uuid: UUID, title: String, created: Date, modified: Date? = nil) {
        self.uuid = uuid
        self.title = title
        self.created = created
        self.modified = modified ?? created
    }
}

/// A stretch of time spent on a task.
package struct TimeEntryRecord: Hashable, Sendable {
    package var start: Date
    /// `nil` while it runs.
    package var end: Date?

    package init(start: Date, end: Date?) {
        self.start = start
        self.end = end
    }
}

/// Fields of foreign formats without a place in an item, kept unchanged so that an export to the
/// same format loses nothing.
///
/// A store has ``text``; usually it is `nil`.
package struct ForeignFields: Hashable, Sendable {
    /// One format's fields, in their order.
    package struct Section: Hashable, Sendable {
        package var format: String
        package var members: [JSONMember]
    }

    package private(set) var sections: [Section] = []
    /// A store's text that was not parsed; its fields are not among the sections.
    package private(set) var unread: String?
    /// Whether a store had a text that cannot be read.
    package var isDamaged = false

    package init() {}

    /// The remark for a report if ``isDamaged`` is set.
    package static let damage =
        "Its fields of other programs are damaged in the store and are not exported."

    /// Keeps a store's text unchanged, for a writer that passes it on.
    package init(unread text: String) { unread = text }

    package var isEmpty: Bool { sections.isEmpty && unread == nil }

    /// The fields of one format; setting an empty array removes them.
    package subscript(format: String) -> [JSONMember] {
        get { sections.first { $0.format == format }?.members ?? [] }
        set {
            let index = sections.firstIndex { $0.format == format }
            if let index {
                if newValue.isEmpty {
                    sections.remove(at: index)
                } else {
                    sections[index].members = newValue
                }
            } else if !newValue.isEmpty {
                sections.append(Section(format: format, members: newValue))
            }
        }
    }
}
