package import CivilTime

/// Reads dates as people write them, in English, whatever the system's language.
///
/// Letters may be upper or lower case. The rules, with *today* Sat 21 Nov 2026:
///
/// | written | meaning |
/// |---|---|
/// | `today` `tod`, `tomorrow` `tom` `tmr`, `yesterday` | that day |
/// | `tonight` | today, 20:00 |
/// | `mon` … `sunday` | the next such day, never today |
/// | `this fri` | the next such day, today included |
/// | `next fri` | that day of the next calendar week |
/// | `next week`, `next month`, `next quarter`, `next year` | its first day |
/// | `weekend`, `next weekend` | the coming Saturday, the one of the next week |
/// | `eod` `eow` `eom` `eoq` `eoy`, `end of [next] week` … | the last day of it |
/// | `in 3 days`, `in a week`, `+3d`, `+2w`, `3 days from now` | counted from today |
/// | `3 days ago` | counted back from today |
/// | `in 2 hours`, `+30min` | counted from now, to the minute |
/// | `22 nov`, `nov 22nd`, `22nd of november`, with or without year | without year the next such day, today included |
/// | `22nd`, `the 22nd` | the next month that has this day, today included |
/// | `2026-11-22`, `2026-11-22T09:00`, also with `Z` or an offset | ISO 8601, always |
/// | `22.11.`, `22.11.2026`, `22.11.26` | points: day first |
/// | `11/22`, `11/22/2026` | strokes: month first; day first only when the first number is over 12 |
/// | `22-11-2026` | strokes between, year last: day first |
/// | `5pm`, `5:30 pm`, `17:00`, `9:30`, `at 9`, `noon`, `midnight` | a time; alone it means its next coming |
/// | `tomorrow morning`, `afternoon`, `evening` | 9:00, 15:00, 18:00 |
///
/// Units are `min h d w m` (month) `q y` or their names. A time may be before or after its day:
/// `9am tomorrow`, `tomorrow at 9`. A day or time that does not exist (`31 feb`, `25:00`) is an
/// error with a sentence, never another day.
///
/// Inside a title stricter rules apply, because most words there are not dates. Single amounts
/// (`3d`), `22nd`, month names, `22.11` without its last point and slashes with the day first do
/// not count. Slashes need two digits after them; `tod` and `tom` must be in lower case; and `sun`,
/// `sat`, `wed`, `tod`, `tom`, `the 22nd` and `22.11.` count only before a time, before a marker,
/// at the end of the text or after `due`, `by` or `on`.
package struct DateParser: Sendable {
    package let context: DateContext

    package init(context: DateContext) {
        self.context = context
    }

    /// Reads a text that is only a date, such as the content of a date field or an option.
    ///
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    package func parse(_ text: String) throws(InputError) -> DueDate {
        guard text.utf8.count <= 200 else { throw DateParser.unknown(text) }
        let words = PhraseWords(Array(text.utf8))
        var start = 0
        if let first = words.word(0), ["due", "by", "on"].contains(first.key), words.count > 1 {
            start = 1
        }
        let matcher = DateMatcher(words: words, context: context, isEmbedded: false)
        guard start < words.count, let match = matcher.match(at: start) else {
            throw DateParser.unknown(text)
        }
        switch match.outcome {
        case .impossible(let why):
            throw DateParser.impossible(words.string(match.bytes(in: words)), why)
        case .date(let date):
            guard match.end == words.count, match.tail == 0 else { throw DateParser.unknown(text) }
            return date
        }
    }

    static func impossible(_ text: String, _ why: String) -> InputError {
        InputError(.impossibleDate, "“\(text)” is not a date: \(why).")
    }

    static func unknown(_ text: String) -> InputError {
        let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
        return InputError(
            .unknownDate,
            "“\(shown)” is not a date; write one like “tomorrow 9:00”, “fri” or “2026-11-22”."
        )
    }
}
