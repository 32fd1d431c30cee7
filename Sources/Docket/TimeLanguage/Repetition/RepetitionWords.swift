import CivilTime
import Recurrence

/// The words of a language for repetitions: data only.
///
/// A written clause has `#` where its values stand; of two forms the second is for several values, of
/// three the last is for values that are counted from the end. A read clause is a list of words:
/// `a|b` is one or the other, `a?` may be missing; `#` are values in words (`1st and last`), `%`
/// plain numbers.
struct RepetitionWords: Sendable {
    enum Clause: Int, CaseIterable, Hashable, Sendable {
        /// `on Monday and the 2nd Tuesday`
        case weekdays
        /// `on the 1st and last day`
        case monthDays
        /// `on the 100th day of the year`
        case yearDays
        case weekNumbers
        case months
        /// `on 24 December`
        case date
        case times
        case hours
        case minutes
        case seconds
        /// BYSETPOS: `only the last of these`
        case positions
        case until
        case count
        case weekStart
        /// `starting on Monday`
        case start
        /// `to 22 February`, behind a start.
        case through
        /// `from 8 to 20`, of what is counted in hours or minutes.
        case span
        /// `after completion`
        case completion
        /// `if it exists`, behind the 29th to the 31st: shorter months are left out.
        case existing
        /// `of the month`, which adds nothing.
        case ofMonth
        /// `in the morning`
        case dayPart
        /// `for 6 weeks`, counted from the first occurrence.
        case length
    }

    /// By frequency, yearly first: the words for one and for several.
    var periods: [(one: String, many: String)] = []
    /// `every #` with days of the week.
    var everyDays = ""
    var everyWorkday = ""
    var workdays = ""
    /// Before an ordinal number in a list.
    var article = ""
    var last = ""
    /// `th`, or `th`, `st`, `nd`, `rd`.
    var ordinalEndings: [String] = []
    /// Between day and month: `24 December`, `24. Dezember`.
    var dayEnding = ""
    var and = ""
    /// Before a condition that has to hold too: `if on Friday`.
    var condition = ""
    var through: [String] = []
    /// Between how often and the unit: `once a week`, `einmal in der Woche`.
    var per: [String] = []
    /// After a number of times: `3 times a week`, `3x a week`.
    var times: [String] = []
    var written: [Clause: [String]] = [:]
    var read: [(Clause, String)] = []

    static func of(_ language: Language) -> RepetitionWords {
        switch language {
        case .english: .english
        case .german: .german
        }
    }

    static let english: RepetitionWords = {
        var words = RepetitionWords()
        words.periods = [
            ("every year", "every # years"), ("every month", "every # months"),
            ("every week", "every # weeks"), ("every day", "every # days"),
            ("every hour", "every # hours"), ("every minute", "every # minutes"),
            ("every second", "every # seconds"),
        ]
        words.everyDays = "every #"
        words.everyWorkday = "every weekday"
        words.workdays = "weekdays"
        words.article = "the "
        words.last = "last"
        words.ordinalEndings = ["th", "st", "nd", "rd"]
        words.and = "and"
        words.condition = "if"
        words.through = ["to", "through", "thru", "until"]
        words.per = ["a", "an", "per"]
        words.times = ["times", "x"]
        words.written = [
            .weekdays: ["on #"], .monthDays: ["on the #", "on the #", "on the # day"],
            .yearDays: ["on the # day of the year"],
            .weekNumbers: ["in week #", "in weeks #", "in the # week of the year"],
            .months: ["in #"], .date: ["on #"], .times: ["at #"],
            .hours: ["in hour #", "in hours #"], .minutes: ["at minute #", "at minutes #"],
            .seconds: ["at second #", "at seconds #"], .positions: ["only the # of these"],
            .existing: ["if it exists"],
            .until: ["until #"], .count: ["for # time", "for # times"],
            .weekStart: ["with weeks from #"],
        ]
        words.read = [
            (.yearDays, "on the? # day|days of the year"),
            (.yearDays, "on day|days % of the year"), (.yearDays, "on day|days %"),
            (.weekNumbers, "in the? # week|weeks of the year"), (.weekNumbers, "in week|weeks %"),
            (.hours, "in hour|hours %"), (.minutes, "at minute|minutes %"),
            (.seconds, "at second|seconds %"), (.dayPart, "in the #"), (.dayPart, "#"),
            (.length, "for #"),
            (.ofMonth, "of|in|each|every the|each|every|a? month"), (.months, "in|of #"),
            (.date, "on the? #"), (.weekdays, "on #"), (.monthDays, "on the? # day|days?"),
            (.times, "at|@ #"), (.times, "#"), (.positions, "only the? # of these|them"),
            (.until, "until|till|til #"), (.count, "for # time|times|occurrences"),
            (.count, "# times"), (.weekStart, "with weeks from|starting #"),
            (.start, "starting|from|beginning on|from? #"), (.through, "to|through|thru #"),
            (.span, "from|between #"), (.completion, "after completion"),
            (.existing, "if? it exists"),
            (.completion, "from|after completion"), (.completion, "when done|completed"),
        ]
        return words
    }()

    static let german: RepetitionWords = {
        var words = RepetitionWords()
        words.periods = [
            ("jedes Jahr", "alle # Jahre"), ("jeden Monat", "alle # Monate"),
            ("jede Woche", "alle # Wochen"), ("jeden Tag", "alle # Tage"),
            ("jede Stunde", "alle # Stunden"), ("jede Minute", "alle # Minuten"),
            ("jede Sekunde", "alle # Sekunden"),
        ]
        words.everyDays = "jeden #"
        words.everyWorkday = "jeden Werktag"
        words.workdays = "Werktagen"
        words.last = "letzten"
        words.ordinalEndings = ["."]
        words.dayEnding = "."
        words.and = "und"
        words.condition = "falls"
        words.through = ["bis"]
        words.per = ["pro", "in", "im", "am", "der", "die"]
        words.times = ["mal", "x"]
        words.written = [
            .weekdays: ["am #"], .monthDays: ["am #", "am #", "am # Tag"],
            .yearDays: ["am # Tag des Jahres"],
            .weekNumbers: ["in Woche #", "in den Wochen #", "in der # Woche des Jahres"],
            .months: ["im #"], .date: ["am #"], .times: ["um #"],
            .hours: ["in Stunde #", "in den Stunden #"],
            .minutes: ["in Minute #", "in den Minuten #"],
            .seconds: ["in Sekunde #", "in den Sekunden #"],
            .existing: ["falls vorhanden"],
            .positions: ["davon nur den #"], .until: ["bis #"], .count: ["# mal"],
            .weekStart: ["mit Wochen ab #"],
        ]
        words.read = [
            (.yearDays, "am|an den? # tag|tagen des jahres"),
            (.yearDays, "an den? tagen % des? jahres?"),
            (.weekNumbers, "in der|den? # woche|wochen des jahres"),
            (.weekNumbers, "in den? woche|wochen %"), (.hours, "in den? stunde|stunden %"),
            (.minutes, "in den? minute|minuten %"), (.seconds, "in den? sekunde|sekunden %"),
            (.ofMonth, "im|des|jeden monat|monats"), (.months, "im|in|des #"), (.date, "am #"),
            (.weekdays, "am|an #"), (.monthDays, "am # tag|tage?"),
            (.dayPart, "am #"), (.dayPart, "#"), (.length, "für #"), (.length, "# lang"),
            (.times, "um|gegen # uhr?"),
            (.times, "#"), (.positions, "davon nur den|die? #"),
            (.until, "bis zum|am? #"), (.count, "# mal"), (.count, "#mal"),
            (.weekStart, "mit wochen ab #"), (.start, "ab|vom|beginnend am|ab? #"),
            (.span, "von|zwischen #"),
            (.existing, "falls? vorhanden"),
            (.completion, "nach erledigung|abschluss"), (.completion, "wenn erledigt|fertig"),
        ]
        return words
    }()
}
