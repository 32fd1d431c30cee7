public import SearchLanguage

/// A field that a search can name; a row of ``table``, which the parser, the compiler, completion
/// and help use.
public struct QueryField: Sendable {
    /// What the values of a field are.
    public enum Kind: Sendable {
        case text
        case number
        /// Numbers of the items at the other end of a relationship.
        case relation(QueryTies)
        /// What an item's text names.
        case links
        case location
        case list
        case tag
        case date(QueryDateField)
        case priority
        case estimate
        case repetition
        /// A state that an item has or has not.
        case state
        /// Another field that an item has or has not.
        case presence
    }

    /// The name in the usual form of a search.
    public let name: String
    /// Other names, which mean the same.
    public let synonyms: [String]
    public let kind: Kind
    /// What it is about, for completion.
    public let help: String
    /// Values that are always offered.
    public let examples: [String]

    private init(
        _ name: String,
        _ synonyms: [String] = [],
        _ kind: Kind,
        _ help: String,
        _ examples: [String]
    ) {
        self.name = name
        self.synonyms = synonyms
        self.kind = kind
        self.help = help
        self.examples = examples
    }

    public static let table: [QueryField] = [
        QueryField("due", ["until", "deadline"], .date(.due), "the due date", dates),
        QueryField(
            "tag",
            ["tags"],
            .tag,
            "a tag",
            ["none", "any"]
        ),
        QueryField(
            "list",
            ["project", "in"],
            .list,
            "a list and those below it",
            ["none", "any"]
        ),
        QueryField(
            "is",
            [],
            .state,
            "a state",
            QueryState.allCases.map(\.rawValue)
        ),
        QueryField(
            "has",
            [],
            .presence,
            "something that an item has",
            QueryPresence.allCases.map(\.rawValue)
        ),
        QueryField(
            "priority",
            ["pri", "prio", "p"],
            .priority,
            "the priority",
            ["high", "medium", "low", "none"]
        ),
        QueryField(
            "every",
            ["repeat", "repeats", "recur"],
            .repetition,
            "how it repeats",
            QueryRepetition.allCases.map(\.rawValue)
        ),
        QueryField("start", ["starts", "wait"], .date(.start), "when it becomes relevant", dates),
        QueryField("remind", ["reminds", "reminder"], .date(.reminder), "when to remind", dates),
        QueryField("created", ["added", "entry"], .date(.created), "when it was added", past),
        QueryField(
            "modified",
            ["changed"],
            .date(.modified),
            "when it was last changed",
            past
        ),
        QueryField("done", ["completed"], .date(.completed), "when it was done", past),
        QueryField("trashed", ["deleted"], .date(.trashed), "when it was put in the trash", past),
        QueryField("reviewed", [], .date(.reviewed), "when it was last reviewed", past),
        QueryField(
            "estimate",
            ["est", "effort"],
            .estimate,
            "the expected effort",
            ["<30m", "<=1h", ">2h", "none"]
        ),
        QueryField("location", ["place", "at"], .location, "where it is done", ["none", "any"]),
        QueryField("waits", ["after"], .relation(.waits), "what it waits for", ["any", "none"]),
        QueryField(
            "blocks",
            ["before"],
            .relation(.blocks),
            "what waits for it",
            ["any", "none"]
        ),
        QueryField(
            "links",
            [],
            .links,
            "the items that its text names, as [[title]]",
            QueryLinks.allCases.map(\.rawValue)
        ),
        QueryField("title", [], .text, "the title", []),
        QueryField("notes", ["text", "body"], .text, "the notes, or a note's text", []),
        QueryField("id", ["no"], .number, "the number", []),
    ]

    private static let dates = [
        "today", "<7d", "tomorrow", "<eom", "<today", "none", "any", "\"next week\"",
    ]
    private static let past = ["today", "<7d", "yesterday", "\"last week\"", "\"this month\""]

    /// The field of a name that the vocabulary knows.
    public static func named(_ name: String) -> QueryField? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

    /// The names of all fields for the parser.
    public static let vocabulary = QueryVocabulary(
        Dictionary(
            uniqueKeysWithValues: table.flatMap { field in
                ([field.name] + field.synonyms).map { ($0, field.name) }
            }
        )
    )
}

/// A date of an item that a search can name.
public enum QueryDateField: Hashable, Sendable {
    case due
    case start
    case reminder
    case created
    case modified
    case completed
    case trashed
    case reviewed

    /// The property.
    var key: String {
        switch self {
        case .due: Task.Keys.due
        case .start: Task.Keys.start
        case .reminder: Task.Keys.nextReminder
        case .created: Item.Keys.created
        case .modified: Item.Keys.modified
        case .completed: Task.Keys.completed
        case .trashed: Item.Keys.trashed
        case .reviewed: Item.Keys.lastReviewed
        }
    }

    /// The property that says whether the date is a whole day; `nil` if it is always a moment.
    var dayKey: String? {
        switch self {
        case .due: Task.Keys.dueDateOnly
        case .start: Task.Keys.startDateOnly
        default: nil
        }
    }

    /// Whether it is in the past, so that an amount of time is an age.
    var looksBack: Bool { dayKey == nil && self != .reminder }
}

/// What connects a task with others that a search can name.
public enum QueryTies: Hashable, Sendable {
    /// The tasks for which it waits.
    case waits
    /// The tasks that wait for it.
    case blocks
}

/// What `links:` names.
public enum QueryLinks: String, CaseIterable, Sendable {
    case any
    case none
    /// A link whose title no item has.
    case broken
}

/// How a search names repetition.
public enum QueryRepetition: String, CaseIterable, Sendable {
    case any
    case none
    case day
    case week
    case month
    case year

    /// The texts of a rule of which one is in the rule.
    var ruleTexts: [String] {
        switch self {
        case .any, .none: []
        case .day: ["FREQ=DAILY", "every day", "daily", " days"]
        case .week: ["FREQ=WEEKLY", "week"]
        case .month: ["FREQ=MONTHLY", "month"]
        case .year: ["FREQ=YEARLY", "year", "annual"]
        }
    }
}

/// A state that `is:` names.
public enum QueryState: String, CaseIterable, Sendable {
    case open
    case done
    case overdue
    case blocked
    case blocking
    case waiting
    case flagged
    case repeating
    /// A task without dates, without repetition and of low or no priority, that waits for nothing:
    /// nothing but a review brings it back.
    case someday
    case task
    case note
    case subtask
    case trashed
    /// An item with a value that an exchange with a server has not taken.
    case conflict
}

/// What `has:` names.
public enum QueryPresence: String, CaseIterable, Sendable {
    case notes
    case due
    case start
    case tags
    case list
    case subtasks
    case parent
    case estimate
    case reminder
    case attachments
    case links
    case location
}
