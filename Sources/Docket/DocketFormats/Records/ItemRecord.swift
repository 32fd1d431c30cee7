public import CivilTime
public import FoundationEssentials

/// An item between the store and the exchange formats: all its data, independent of a store.
///
/// Relations to other items are UUIDs, lists are paths of names.
public struct ItemRecord: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case task
        case note
    }

    public var uuid: UUID
    /// The number on the command line; `nil` for an item that has not been stored yet.
    public var shortID: Int64?
    public var kind = Kind.task
    /// One line.
    public var title: String
    /// Remarks on a task or a note.
    public var notes: String?
    /// The text of a note.
    public var body: String?
    /// Whether the text of a note is encrypted: then there is no body, and no format has it.
    public var isEncrypted = false
    /// Names of the list and those above it, outermost first; empty for no list.
    public var list: [String] = []
    public var tags: [String] = []
    public var due: DueDate?
    public var start: DueDate?
    /// 0 none, 1 low, 2 medium, 3 high.
    public var priority = 0
    /// A stored number as a priority; another program may have written any.
    public static func priority(_ number: some BinaryInteger) -> Int {
        Int(min(max(number, 0), 3))
    }
    /// When it was completed; `nil` while open.
    public var completed: Date?
    public var created: Date
    public var modified: Date
    /// The rank in its list (see ``Ranks``); `nil` if the source has only its own order.
    public var order: Int64?
    public var trashed = false
    public var flagged = false
    /// When a person last looked at it and let it be.
    public var reviewed: Date?
    public var location: String?
    /// How it repeats, in words or as its format writes it.
    public var recurrence: String?
    /// Whether the next occurrence is counted from completion, whatever ``recurrence`` says.
    public var repeatsFromCompletion = false
    /// What the occurrences of a repeating task have in common.
    public var series: UUID?
    /// How many occurrences of a fixed series have passed since the due date; for output only.
    public var missed = 0
    /// Seconds of work expected.
    public var estimate: Int?
    public var reminder: Date?
    /// When to remind: moments in UTC (`20261124T090000Z`) and durations from the due date
    /// (`-PT30M`).
    public var reminders: [String] = []
    /// The task of which this is a subtask.
    public var parent: UUID?
    /// Items that must be done before this one.
    public var dependencies: [UUID] = []
    /// The numbers of the open ones among them, ascending; for lines of a list only.
    public var waits: [Int64] = []
    public var timeEntries: [TimeEntryRecord] = []
    /// Fields of foreign formats without a place in an item.
    public var extra = ForeignFields()

    public init(uuid: UUID, title: String, created: Date, modified: Date? = nil) {
        self.uuid = uuid
        self.title = title
        self.created = created
        self.modified = modified ?? created
    }
}

/// A stretch of time spent on a task.
public struct TimeEntryRecord: Hashable, Sendable {
    public var start: Date
    /// `nil` while it runs.
    public var end: Date?

    public init(start: Date, end: Date?) {
        self.start = start
        self.end = end
    }
}

/// Fields of foreign formats without a place in an item, kept unchanged so that an export to the
/// same format loses nothing.
///
/// A store has ``text``; usually it is `nil`.
public struct ForeignFields: Hashable, Sendable {
    /// One format's fields, in their order.
    public struct Section: Hashable, Sendable {
        public var format: String
        public var members: [JSONMember]
    }

    public private(set) var sections: [Section] = []
    /// A store's text that was not parsed; its fields are not among the sections.
    public private(set) var unread: String?
    /// Whether a store had a text that cannot be read.
    public var isDamaged = false

    public init() {}

    /// The remark for a report if ``isDamaged`` is set.
    public static let damage =
        "Its fields of other programs are damaged in the store and are not exported."

    /// Keeps a store's text unchanged, for a writer that passes it on.
    public init(unread text: String) { unread = text }

    public var isEmpty: Bool { sections.isEmpty && unread == nil }

    /// The fields of one format; setting an empty array removes them.
    public subscript(format: String) -> [JSONMember] {
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
