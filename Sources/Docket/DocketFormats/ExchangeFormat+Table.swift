extension ExchangeFormat {
    /// All formats, in the order in which texts list them.
    ///
    /// If several recognise a document, the last of them reads it.
    public static let allCases: [ExchangeFormat] = [
        .json, .taskwarrior, .todotxt, .icalendar, .text,
    ]

    /// The format of a document that no other format recognises.
    public static var otherwise: ExchangeFormat { .todotxt }

    /// Everything that Docket has: ``DocketJSONReader``.
    public static let json = ExchangeFormat(
        "json",
        words: "Docket's JSON",
        endings: [".json"],
        isLossless: true,
        isJSON: true,
        recognises: { $0.hasPrefix("[") || $0.hasPrefix("{") },
        reader: { DocketJSONReader($0, settings: $1) },
        writer: { _ in DocketJSONWriter() }
    )

    /// `task export` and `task import`: ``TaskwarriorReader``.
    public static let taskwarrior = ExchangeFormat(
        "taskwarrior",
        aliases: ["task", "tw"],
        words: "Taskwarrior's JSON",
        endings: [".task.json"],
        isJSON: true,
        recognises: {
            json.recognises($0) && $0.contains("\"description\"") && !$0.contains("\"title\"")
        },
        reader: { TaskwarriorReader($0, settings: $1) },
        writer: { TaskwarriorWriter(settings: $0) }
    )

    /// One task a line: ``TodoTxtReader``.
    public static let todotxt = ExchangeFormat(
        "todotxt",
        aliases: ["todo.txt", "todo-txt", "todo"],
        words: "todo.txt",
        endings: ["todo.txt"],
        reader: { TodoTxtReader($0, settings: $1) },
        writer: { TodoTxtWriter(settings: $0) }
    )

    /// The tasks and notes of a calendar: ``ICalendarReader``.
    public static let icalendar = ExchangeFormat(
        "icalendar",
        aliases: ["ics", "ical"],
        words: "iCalendar",
        endings: [".ics", ".ical"],
        recognises: { $0.prefix(15).uppercased() == "BEGIN:VCALENDAR" },
        reader: { ICalendarReader($0, settings: $1) },
        writer: { ICalendarWriter(settings: $0) }
    )

    /// A text for people: ``TextWriter``.
    public static let text = ExchangeFormat(
        "text",
        aliases: ["txt", "plain"],
        words: "text to read",
        endings: [".txt", ".md"],
        writer: { TextWriter(settings: $0) }
    )
}
