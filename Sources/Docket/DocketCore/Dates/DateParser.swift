public import CivilTime
public import DocketFormats
public import TimeLanguage

/// Reads dates as people write them, such as the content of a date field or an option.
///
/// The language is that of ``Recogniser``; these are examples, with *today* Sat 21 Nov 2026:
///
/// | written | meaning |
/// |---|---|
/// | `today`, `tomorrow` `tmr`, `yesterday`, `day after tomorrow` | that day |
/// | `tonight`, `tonight at 9` | today, 20:00; 21:00 |
/// | `mon` … `sunday` | the next such day, never today |
/// | `this fri`, `next fri`, `last fri` | the next such day, today included; that day of the next calendar week; the one before today |
/// | `next week`, `next month`, `next quarter`, `next year` | its first day |
/// | `weekend`, `next weekend` | the coming Saturday, the one of the next week |
/// | `eow` `eom` `eoq` `eoy`, `end of [next] week` …; `eod`, `end of friday` | the last day of it; 23:59 |
/// | `in 3 days`, `+3d`, `3 days ago`, `2 weeks before christmas` | counted from today, from another day |
/// | `in 2 hours`, `+30min` | counted from now, to the minute |
/// | `22 nov`, `nov 22nd`, `22nd of november`, with or without year | without year the next such day, today included |
/// | `3rd tuesday of september`, `last friday of next month` | counted in it |
/// | `22nd`, `the 22nd`, `fri 13th` | the next month that has this day |
/// | `2026-11-22`, `2026-11-22T09:00`, also with `Z` or an offset | ISO 8601, always |
/// | `22.11.`, `22.11.2026`, `11/22`, `11/22/2026` | with points the day is first, else the order of the settings; the other one where only that exists |
/// | `5pm`, `17:00`, `17h30`, `at 9`, `half past three`, `4pm CET` | a time; alone it means its next coming; hours from 1 to 6 without a zero before them are in the afternoon |
/// | `tomorrow morning`, `afternoon`, `evening`, `night` | 9:00, 15:00, 18:00, 20:00 |
///
/// A day or time that does not exist (`31 feb`, `25:00`) is an error with a sentence, never another
/// day.
public struct DateParser: Sendable {
    public let context: DateContext

    public init(context: DateContext) {
        self.context = context
    }

    /// Reads a text that is only a date, such as the content of a date field or an option.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - start: where something starts whose end the text says, so that `friday` comes after it.
    /// - Returns: the day or the moment.
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    public func parse(_ text: String, from start: DueDate? = nil) throws(InputError) -> DueDate {
        do throws(FieldProblem) {
            return try Recogniser(context: context).field(text, from: start)
        } catch { throw DateParser.error(error, text, context) }
    }

    /// Reads a text that is only a time, with everything that it covers: `next week` is seven days.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - looksBack: whether names of days and months lead into the past.
    /// - Returns: the days, or the moment.
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    public func span(_ text: String, looksBack: Bool) throws(InputError) -> TimeSpan {
        do throws(FieldProblem) {
            return try Recogniser(context: context).span(text, looksBack: looksBack)
        } catch { throw DateParser.error(error, text, context) }
    }

    private static func error(
        _ problem: FieldProblem,
        _ text: String,
        _ context: DateContext
    ) -> InputError {
        switch problem {
        case .impossible(let words, let why): impossible(words, why)
        case .unknown: unknown(text, context.settings.language)
        }
    }

    static func impossible(_ text: String, _ why: String) -> InputError {
        InputError(.impossibleDate, "“\(text)” is not a date: \(Phrase.step(why)).")
    }

    private static func unknown(_ text: String, _ language: Language) -> InputError {
        let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
        let examples: Phrase =
            switch language {
            case .english: "“tomorrow 9:00”, “fri” or “2026-11-22”"
            case .german: "“morgen 9:00”, “fr” or “2026-11-22”"
            }
        return InputError(.unknownDate, "“\(shown)” is not a date; write one like \(examples).")
    }
}
