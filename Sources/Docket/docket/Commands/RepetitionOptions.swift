import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import Recurrence
import TimeLanguage

/// The part of `docket when` that lists when a rule, or a repetition in words, happens.
struct RepetitionOptions: ParsableArguments {
    @Option(
        help: "A rule of RFC 5545, such as 'FREQ=MONTHLY;BYDAY=-1FR', or its lines with DTSTART."
    )
    var rule: String?
    @Option(help: "A repetition in words, such as 'every last friday'.")
    var every: String?
    @Option(help: "From when it counts, a day or a local time: 2026-11-24, 2026-11-24T09:15.")
    var start: String?
    @Option(help: "How many times are listed.")
    var count: Int = 10

    var isGiven: Bool { rule != nil || every != nil }

    /// - Throws: `ValidationError` for options that do not go together.
    func check() throws {
        if rule != nil, every != nil {
            throw ValidationError("--rule and --every are two ways to say the same; use one.")
        }
        if !isGiven, start != nil {
            throw ValidationError("--start needs --rule or --every.")
        }
        guard (0...100_000).contains(count) else {
            throw ValidationError("--count goes from 0 to 100000.")
        }
    }

    /// Prints the repetition in words and its times, one a line; as JSON the times alone.
    ///
    /// Without a start only what is still to come is listed.
    ///
    /// - Throws: ``RecurrenceError`` or ``InputError``, one sentence.
    func print(in context: DateContext, json: Bool) throws {
        let (day, second) = context.zone.local(context.now)
        let now = LocalTime(day, second: second / 60 * 60)
        let set: RecurrenceSet
        let repetition: Repetition?
        var first: LocalTime?
        if let rule, rule.uppercased().contains("DTSTART") {
            set = try RecurrenceSet(rule)
            repetition = set.rule.map { Repetition($0) }
        } else {
            let read =
                try rule.map { Repetition(try RecurrenceRule($0)) } ?? words(in: context)
            let begin = try start.map {
                try RecurrenceTime($0, in: "--start", like: "2026-12-24 or 2026-12-24T09:00")
            }
            let start = begin ?? read.begin(from: now)
            // Words from the 31st on are on the last day of a shorter month.
            let repeated = rule == nil ? read.begun(on: start.time.day) : read
            if begin == nil, !start.isDay { first = now }
            set = try RecurrenceSet(start: start, rule: repeated.rule)
            repetition = repeated
        }
        let times = set.occurrences(from: first, zone: context.zone).prefix(count)
        if json {
            let texts = times.map { "\"\(plain($0, set.start))\"" }
            return try Console.write(Array("[\(texts.joined(separator: ","))]\n".utf8))
        }
        if let repetition { try Console.print(repetition.words()) }
        for time in times { try Console.print(full(time, set.start, context)) }
    }

    private func words(in context: DateContext) throws -> Repetition {
        try Repetition(typed: every ?? "", in: context)
    }

    // MARK: Times

    /// `2026-11-24`, `2026-11-24T09:15`, with `Z` after a start in UTC.
    private func plain(_ time: LocalTime, _ start: RecurrenceTime) -> String {
        let format = DateFormat(
            context: DateContext(now: Date(timeIntervalSince1970: 0), zone: .utc)
        )
        if start.isDay { return format.plain(DueDate(day: time.day)) }
        let text = format.plain(DueDate(moment: time.moment(in: .utc)))
        return start.isUTC ? text + "Z" : text
    }

    /// `Tue 24 Nov 2026, 9:15`.
    private func full(
        _ time: LocalTime,
        _ start: RecurrenceTime,
        _ context: DateContext
    ) -> String {
        if start.isDay { return DateFormat(context: context).full(DueDate(day: time.day)) }
        let utc = DateContext(now: context.now, zone: .utc)
        let text = DateFormat(context: utc).full(DueDate(moment: time.moment(in: .utc)))
        return start.isUTC ? "\(text) UTC" : text
    }
}
