/// A language of the interface, and of dates and repetitions.
public enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of the texts that are made now.
    ///
    /// The interface binds it to that of its settings while it handles events and draws; elsewhere,
    /// as in commands of the shell and in what is stored, it is English.
    @TaskLocal public static var current = Language.english
}

/// What a user has set about time: for reading dates, and how long what is done or untouched
/// counts.
public struct TimeSettings: Hashable, Sendable {
    /// Which number comes first in `03/04` and `3-4`; with points (`3.4.`) the day is always first.
    public enum DateOrder: String, CaseIterable, Hashable, Sendable {
        case monthFirst = "month-first"
        case dayFirst = "day-first"
    }

    public var language: Language
    /// The order that the user has chosen; `nil` for that of the language.
    public var chosenOrder: DateOrder?
    /// How many days after its completion a task leaves the lists; `nil` for never.
    public var archiveDays: Int? = 7
    /// After how many weeks without a change a task is to be reviewed.
    public var reviewWeeks = 2

    public init(language: Language = .english, dateOrder: DateOrder? = nil) {
        self.language = language
        chosenOrder = dateOrder
    }

    /// The chosen order, else that of the language: in English the month is first, in German the
    /// day.
    public var dateOrder: DateOrder {
        chosenOrder ?? (language == .english ? .monthFirst : .dayFirst)
    }
}
