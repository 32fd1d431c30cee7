extension ExchangeFormat {
    /// All formats, in the order in which texts list them.
    ///
    /// If several recognise a document, the last of them reads it.
    public static let allCases: [ExchangeFormat] = [
        .json, .taskwarrior, .todotxt, .icalendar, .markdown, .org, .csv, .text,
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
        recognises: { text in
            // Markdown and org have texts in brackets.
            text.hasPrefix("{")
                || text.hasPrefix("[")
                    && "{[]\"".contains(text.dropFirst().first { !$0.isWhitespace } ?? "]")
        },
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
                || TaskwarriorData.isAtStart(of: $0)
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
        keepsText: true,
        reader: { TodoTxtReader($0, settings: $1) },
        writer: { TodoTxtWriter(settings: $0, includesUUID: $0.namesItems) }
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

    /// Headings and lists of tasks: ``MarkdownSyntax``.
    public static let markdown = ExchangeFormat(
        "markdown",
        aliases: ["md", "obsidian"],
        words: "Markdown",
        endings: [".md", ".markdown"],
        keepsText: true,
        recognises: { MarkdownSyntax.recognises($0) },
        reader: { MarkdownReader($0, settings: $1) },
        writer: { OutlineWriter(MarkdownSyntax(settings: $0)) }
    )

    /// The outlines of Emacs: ``OrgSyntax``.
    public static let org = ExchangeFormat(
        "org",
        aliases: ["org-mode"],
        words: "org",
        endings: [".org"],
        keepsText: true,
        recognises: { OrgSyntax.recognises($0) },
        reader: { OrgReader($0, settings: $1) },
        writer: { OutlineWriter(OrgSyntax(settings: $0)) }
    )

    /// A table, one item a row: ``CSVReader``.
    public static let csv = ExchangeFormat(
        "csv",
        aliases: ["tsv", "table"],
        words: "a table (CSV)",
        endings: [".csv", ".tsv"],
        recognises: { CSVDialect.recognises($0) || GoogleTasks.recognises($0) },
        reader: { CSVReader($0, settings: $1) },
        writer: { CSVWriter(settings: $0) }
    )

    /// A text for people: ``TextWriter``.
    public static let text = ExchangeFormat(
        "text",
        aliases: ["txt", "plain"],
        words: "text to read",
        endings: [".txt"],
        writer: { TextWriter(settings: $0) }
    )
}
