import ChildProcess
import CivilTime
import Foundation
import RandomRules
import SeededRandom
import Testing

@testable import Recurrence

/// Random rules must happen at the times that python-dateutil calculates by other code.
///
/// `DOCKET_RULES` says how many (default 200; `make test-full` has 20,000). dateutil is looked for in
/// `DOCKET_PYTHON`, in the environment that `make test-full` makes, and in the system's Python.
///
/// dateutil deviates from RFC 5545 in these points; it is given the rule in other words, or not asked:
/// - BYWEEKNO without days gives all days of the week; RFC 5545 takes what is missing from DTSTART.
/// - BYMONTHDAY in a year without BYMONTH gives these days of all months; the month is missing too
///   (libical takes it from DTSTART as well).
/// - Weeks 52 and 53, also counted from the end: it misses the days of December that belong to the
///   first week of the next year ("TODO" in its source), and in January it asks whether the year at
///   hand has 53 weeks, not the one before.
/// - BYSETPOS of weeks: its first week begins with DTSTART, so positions count from there.
/// - BYDAY=MO,1TU: it demands both at once; in RFC 5545 each adds days.
@Suite struct DateutilTests {
    private static let python: String? = {
        let environment = ProcessInfo.processInfo.environment
        let made = ".build/dateutil/bin/python"
        let candidates = [environment["DOCKET_PYTHON"], made, InstalledProgram.path(of: "python3")]
        return candidates.compactMap { $0 }.first { python in
            let found = try? InstalledProgram.run(
                python,
                ["-c", "import dateutil.rrule; print(1)"],
                environment: [:]
            )
            return found == "1\n"
        }
    }()

    /// Prints the first times of each rule up to a day, or why there are none.
    private static let program = """
        import signal, sys, warnings
        from datetime import datetime
        from itertools import islice
        from dateutil.rrule import rrulestr
        warnings.simplefilter("ignore")

        class Slow(Exception):
            pass

        def stop(*_):
            raise Slow()

        signal.signal(signal.SIGALRM, stop)
        form = "%Y%m%dT%H%M%S"
        for line in open(sys.argv[1]):
            rule, start, last = line.split()
            signal.setitimer(signal.ITIMER_REAL, 0.25)
            try:
                rule = rrulestr(rule, dtstart=datetime.strptime(start, form))
                last = datetime.strptime(last, form)
                rule = rule.replace(until=min(rule._until or last, last))
                print(*(time.strftime(form) for time in islice(rule, 15)))
            except Slow:
                print("slow")
            except ValueError:
                print("")
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        """

    @Test(.enabled(if: python != nil, "there is no Python with dateutil (DOCKET_PYTHON)"))
    func rulesHappenAsInDateutil() throws {
        let python = try #require(DateutilTests.python)
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DOCKET_RULES"].flatMap { Int($0) } ?? 200
        var random = SeededRandom()
        let all = (0..<count).map { _ in RandomRule.next(&random) }
        let rules = all.filter { !DateutilTests.isOther($0.rule.parts) }
        let lines = rules.map { random -> String in
            let start = RecurrenceTime.local(random.start.time)
            return "\(DateutilTests.told(random)) \(start) \(DateutilTests.last(random))\n"
        }
        var answers: [Substring] = []
        try withTemporaryFolder { folder in
            let list = folder + "/rules"
            try lines.joined().write(toFile: list, atomically: true, encoding: .utf8)
            answers = try InstalledProgram.run(
                python,
                ["-c", DateutilTests.program, list],
                environment: [:]
            ).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
        try #require(answers.count == rules.count)
        var (same, slow) = (0, 0)
        for ((random, line), answer) in zip(zip(rules, lines), answers) {
            if answer == "slow" {
                slow += 1
                continue
            }
            let last = DateutilTests.last(random).time
            let found = Occurrences(random.rule, start: random.start).lazy.prefix(15)
                .prefix { $0 <= last }.map { RecurrenceTime.local($0).description }
            if answer.split(separator: " ").elementsEqual(found, by: ==) {
                same += 1
            } else {
                Issue.record("\(line): \(Array(found)) instead of \(answer)")
            }
        }
        print(
            "dateutil: \(same) of \(count) rules the same, \(slow) too slow for it, "
                + "\(count - rules.count) not comparable"
        )
    }

    /// A time up to which all are compared; dateutil tries every unit of the frequency.
    private static func last(_ random: RandomRule) -> RecurrenceTime {
        let days: Int
        switch random.rule.parts.frequency {
        case .yearly, .monthly, .weekly: days = 7000
        case .daily: days = 1000
        case .hourly: days = 100
        case .minutely: days = 3
        case .secondly: days = 1
        }
        let time = random.start.time
        return .local(LocalTime(time.day.adding(days: days), second: time.second))
    }

    /// Whether dateutil deviates, and cannot be told otherwise.
    private static func isOther(_ parts: RecurrenceRule.Parts) -> Bool {
        let numbered = parts.weekdays.count { $0.ordinal != nil }
        return parts.weekNumbers.contains { abs($0) > 51 }
            || (numbered > 0 && numbered < parts.weekdays.count)
            || (parts.frequency == .weekly && !parts.positions.isEmpty)
    }

    /// The rule in words that dateutil understands as RFC 5545 does.
    private static func told(_ random: RandomRule) -> RecurrenceRule {
        var parts = random.rule.parts
        let day = random.start.time.day
        if parts.frequency == .yearly, parts.weekdays.isEmpty, parts.yearDays.isEmpty {
            if !parts.weekNumbers.isEmpty {
                if parts.monthDays.isEmpty { parts.weekdays = [.init(day.weekday)] }
            } else if !parts.monthDays.isEmpty, parts.months.isEmpty {
                parts.months = [day.month]
            }
        }
        // A whole day has no time of day.
        if random.start.isDay { (parts.hours, parts.minutes, parts.seconds) = ([], [], []) }
        return (try? RecurrenceRule(parts)) ?? random.rule
    }
}
