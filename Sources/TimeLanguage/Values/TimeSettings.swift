/// What a user has set for reading dates.
package struct TimeSettings: Hashable, Sendable {
    /// Which number comes first in `03/04` and `3-4`; with points the day is always first.
    package enum DateOrder: String, CaseIterable, Hashable, Sendable {
        case monthFirst = "month-day"
        case dayFirst = "day-month"
    }

    package var language: Language
    package var dateOrder: DateOrder

    package init(language: Language = .english, dateOrder: DateOrder? = nil) {
        self.language = language
        self.dateOrder = dateOrder ?? (language == .english ? .monthFirst : .dayFirst)
    }
}
